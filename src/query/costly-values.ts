/** What values cost the database for each row: which of them read long texts, and which have no index. */
import type { Chain, CustomFieldType, ObjectMember, Of, Value } from './meaning.js';
import { charactersOfCall, partsOf } from './values.js';

// --- long texts ------------------------------------------------------------------------------------------------------

/** Characters of a text that is no long one. */
const mostShort = 32 * 1024;

/** A field of the model whose texts may be long. */
export const isLongText = (node: Value): boolean =>
  node.kind === 'field' &&
  node.operand.kind === 'field' &&
  (node.operand.field.scalar === 'richText' || node.operand.field.scalar === 'text') &&
  (node.operand.field.maxLength ?? 0) > mostShort;

const longTypes: ReadonlySet<CustomFieldType> = new Set(['Text', 'RichText', 'TemplatedURL', 'MultipleSelectionList']);

const mayBeLong = (node: Value): boolean =>
  isLongText(node) || (node.kind === 'field' && node.operand.kind === 'custom' && longTypes.has(node.operand.type));

/** How many a value reads and makes, from how many each of its parts does. */
export function longTextsOf(node: Value, parts: readonly number[]): number {
  if (mayBeLong(node)) return 1;
  if (node.kind === 'object') return longTextsOfMembers(node.members, parts);
  const inside = parts.reduce((sum, count) => sum + count, 0);
  const long = partsOf(node).filter((part, index) => parts[index]! > 0 && !isShort(part)).length;
  const each = node.kind === 'call' ? (node.function.copiesOfEach ?? 0) : 0;
  return inside + (long > 0 ? copiesOf(node) + each * long : 0);
}

const isShort = (node: Value): boolean => node.kind === 'call' && (charactersOfCall(node) ?? Infinity) <= mostShort;

/** What is shown as it is does not count. Items of a collection are read one by one, and none takes as much as all. */
function longTextsOfMembers(members: readonly ObjectMember[], parts: readonly number[]): number {
  let own = 0;
  let most = 0;
  for (const [index, { value }] of members.entries()) {
    if (value.kind === 'chain') most = Math.max(most, parts[index]!);
    else if (!mayBeLong(value)) own += parts[index]!;
  }
  return own + most;
}

function copiesOf(node: Value): number {
  if (node.kind === 'call') return node.function.copies ?? (node.type.kind === 'text' && !isShort(node) ? 1 : 0);
  const text = node.kind === 'compare' ? node.left : node.kind === 'in' ? node.of : node;
  return node.kind === 'contains' || (isCompared(node) && text.type.kind === 'text') ? 1 : 0;
}

const isCompared = ({ kind }: Value): boolean => kind === 'compare' || kind === 'in' || kind === 'aggregate';

/** Of what rows are sorted or grouped by the database keeps that of many rows at a time. */
const copiesOfKey = 20;

/** Custom fields are seldom long, and people sort and group by several. */
const copiesOfCustomKey = 8;

/** The same of a value that rows are sorted or grouped by. */
export const longTextsOfKey = (key: Value, inside: number): number =>
  inside > 0 && key.type.kind === 'text' ? inside + (isCustom(key) ? copiesOfCustomKey : copiesOfKey) : inside;

/** What the items of a collection are sorted by, or told apart by. */
export const isKeyOf = (node: Value, part: Value): boolean =>
  node.kind === 'chain' &&
  (node.order.some(({ by }) => by === part) || (node.isDistinct === true && node.projection === part));

export const tooManyLongTexts = 'too many uses of descriptions and other texts without a limit of length';

// --- what is reckoned row by row -------------------------------------------------------------------------------------

/** Comparisons of fields and tests through collections have their indexes; all else is reckoned row by row. */
export const takesLong = (of: Value): boolean =>
  of.kind === 'compare' && askedByCount(of)
    ? partsOf(of.left).some(takesLong)
    : isReckoned(of) || partsOf(of).some(takesLong);

const isReckoned = (of: Value): boolean =>
  of.kind === 'aggregate' ||
  isLongText(of) ||
  (of.kind === 'contains' && isCustom(of.of)) ||
  (of.kind === 'call' && readsField(of));

const isCustom = (of: Value): boolean => of.kind === 'field' && of.operand.kind === 'custom';

const readsField = (of: Value): boolean => of.kind === 'field' || partsOf(of).some(readsField);

/**
 * `tasks.count() > 0` asks whether there is one, which needs no counting. Where there may be nobody to have items,
 * their number may be nothing: neither none nor some, and different from both.
 */
export function askedByCount({ left, right, operator }: Of<'compare'>): 'some' | 'none' | undefined {
  const isCount = left.kind === 'aggregate' && left.function === 'count' && right.kind === 'literal';
  if (!isCount || !isAskedAsOne(left.of)) return undefined;
  const asks = questions[`${operator} ${right.value}`];
  return left.nullable && (asks === 'none' || operator === 'ne') ? undefined : asks;
}

/** Whether one test tells if a collection has items. */
export function isAskedAsOne({ source, take, skip, within }: Chain): boolean {
  if (source === 'root' || source.kind === 'values' || take === 0 || skip !== undefined || within) return false;
  return source.owner.kind === 'row' || source.owner.kind === 'reference';
}

const questions: Readonly<Record<string, 'some' | 'none' | undefined>> = {
  'gt 0': 'some',
  'gte 1': 'some',
  'ne 0': 'some',
  'eq 0': 'none',
  'lt 1': 'none',
  'lte 0': 'none',
};
