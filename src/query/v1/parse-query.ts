/** Turns the parameters of a request into a Query: all that the client said about what it wants to read. */
import type { Parameters } from '../parameters.js';
import { parsePage } from '../parse-page.js';
import { parseOrder } from './parse-order.js';
import { parseSelection } from './parse-selection.js';
import { parseWhere } from './parse-where.js';
import type { Query } from './query.js';

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
