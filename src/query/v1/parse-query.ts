/** Turns the parameters of a request into a Query: all that the client said about what it wants to read. */
import { tooMuch } from '../../errors.js';
import { limits } from '../limits.js';
import { type Parameters, parsePage } from '../parameters.js';
import { parseSelection } from './parse-selection.js';
import { parseWhere } from './parse-where.js';
import type { OrderBy, Query } from './query.js';
import { Scanner, scanList, scanPath } from './scanner.js';

export function parseQuery(parameters: Parameters): Query {
  const where = parameters.get('where');
  return {
    // The `result…` twins shape the answers of writes.
    selection: parseSelection({
      include: parameters.get('include') ?? parameters.get('resultinclude'),
      exclude: parameters.get('exclude') ?? parameters.get('resultexclude'),
      append: parameters.get('append') ?? parameters.get('resultappend'),
    }),
    where: where === undefined ? undefined : parseWhere(where),
    order: parseOrder({ orderBy: parameters.get('orderby'), orderByDesc: parameters.get('orderbydesc') }),
    page: parsePage({ take: parameters.get('take'), skip: parameters.get('skip') }),
    inner: parsePage(
      { take: parameters.get('innertake'), skip: parameters.get('innerskip') },
      { take: 'innerTake', skip: 'innerSkip' },
    ),
  };
}

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
