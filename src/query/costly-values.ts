/** What values cost the database for each row: which of them read long texts, and which have no index. */
import type { Chain, Of, Value } from './meaning.js';
import { partsOf } from './values.js';

// --- long texts ------------------------------------------------------------------------------------------------------

/** Characters of a text that is no long one. */
const mostShort = 32 * 1024;

/** A field whose texts may be long. */
export const isLongText = (node: Value): boolean =>
  node.kind === 'field' &&
  node.operand.kind === 'field' &&
  (node.operand.field.scalar === 'richText' || node.operand.field.scalar === 'text') &&
  (node.operand.field.maxLength ?? 0) > mostShort;

/** How many a value reads and makes whose parts do so many. */
export const longTextsOf = (node: Value, inside: number): number =>
  inside + (isLongText(node) ? 1 : inside > 0 ? copiesOf(node) : 0);

function copiesOf(node: Value): number {
  if (node.kind === 'call') return node.function.copies ?? (node.type.kind === 'text' ? 1 : 0);
  const text = node.kind === 'compare' ? node.left : node.kind === 'in' ? node.of : node;
  return node.kind === 'contains' || (isCompared(node) && text.type.kind === 'text') ? 1 : 0;
}

const isCompared = ({ kind }: Value): boolean => kind === 'compare' || kind === 'in' || kind === 'aggregate';

/** Of what rows are sorted or grouped by the database keeps that of many rows at a time. */
const copiesOfKey = 20;

/** The same of a value that rows are sorted or grouped by. */
export const longTextsOfKey = ({ type }: Value, inside: number): number =>
  inside > 0 && type.kind === 'text' ? inside + copiesOfKey : inside;

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
