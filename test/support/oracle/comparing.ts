/** How values compare: what both languages and both oracles mean by equal, less and part. */
import type { Comparison } from '../../../src/query/operators.js';
import type { Value } from './world.js';

// The root collation of Unicode, which is that of the columns.
const collator = new Intl.Collator('en');

/** Without a tie: texts that the collation thinks equal are told apart by their characters. */
export const textOrder = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);

export const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Nothing is neither equal to, nor less or greater than anything. */
export function holdsFor(operator: Exclude<Comparison, 'ne'>, left: Value, right: Value): boolean {
  if (left === null || right === null) return false;
  const order = orderOf(left, right);
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}

/** Case is disregarded. */
function orderOf(left: NonNullable<Value>, right: NonNullable<Value>): number {
  if (typeof left === 'string' && typeof right === 'string')
    return sameText(left, right) ? 0 : textOrder(left.toLowerCase(), right.toLowerCase());
  return Number(left) - Number(right);
}

export const holdsPart = (whole: Value, part: string, start = false, end = false): boolean => {
  if (typeof whole !== 'string') return false;
  const [one, other] = [whole.toLowerCase(), part.toLowerCase()];
  if (start && end) return one === other;
  if (start) return one.startsWith(other);
  return end ? one.endsWith(other) : one.includes(other);
};

/** In lists: nothing comes first. Case decides last. */
export function sortOrder(left: Value, right: Value): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  return typeof left === 'string' && typeof right === 'string' ? textOrder(left, right) : Number(left) - Number(right);
}
