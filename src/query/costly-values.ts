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
  inside + (isLongText(node) || (inside > 0 && isCopied(node)) ? 1 : 0);

function isCopied(node: Value): boolean {
  if (node.kind === 'call') return node.type.kind === 'text';
  return node.kind === 'contains' || (node.kind === 'compare' && node.left.type.kind === 'text');
}

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
