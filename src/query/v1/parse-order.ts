/** Turns `orderBy` and `orderByDesc` into a list of paths with directions, in the order they were said. */
import { tooMuch } from '../../errors.js';
import { limits } from '../limits.js';
import type { OrderBy } from './query.js';
import { Scanner, scanList, scanPath } from './scanner.js';

export interface OrderTexts {
  orderBy?: string;
  orderByDesc?: string;
}

export function parseOrder({ orderBy, orderByDesc }: OrderTexts): OrderBy[] {
  const order = [...orders('orderBy', orderBy, false), ...orders('orderByDesc', orderByDesc, true)];
  if (order.length > limits.orders) throw tooMuch('orderBy', 'too many fields', limits.orders);
  return order;
}

const directions = new Map([
  ['asc', { descending: false }],
  ['ascending', { descending: false }],
  ['desc', { descending: true }],
  ['descending', { descending: true }],
]);

function orders(parameter: string, text: string | undefined, descending: boolean): OrderBy[] {
  if (text === undefined) return [];
  const scanner = new Scanner(parameter, text);
  return scanList(scanner, () => {
    scanner.spend('orders');
    const path = scanPath(scanner);
    return { path, ...(scanner.takeFrom(directions) ?? { descending }) };
  });
}
