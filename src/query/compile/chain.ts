/**
 * Opens collections: their items as far as they are seen and pass the filters, in order, and what Take, Skip and
 * Distinct left.
 */
import type { CollectionField } from '../../model/model.js';
import { all, column, list, raw, type Sql, sql } from '../../sql.js';
import type { Chain } from '../meaning.js';
import { isComparable } from '../types.js';
import { itemOf } from '../values.js';
import { further, type Opened, type Row, rowConditions } from './compiling.js';
import { seenOf } from './forms.js';
import { limitOf, termSql } from './order.js';
import { itemsSql } from './relation.js';
import { idSql, withRow } from './rows.js';
import { sameSpelled, sameSql } from './text.js';

/** An expression over the items of a collection; null where its owner is not there. */
export function chainSql(chain: Chain, row: Row, finish: (opened: Opened) => Sql): Sql {
  const { source } = chain;
  if (source === 'root') throw new Error('what is asked for is no collection of anything');
  if (source.kind === 'values') return finish(openedList(chain, source, row));
  return withRow(source.owner, row, (owner) => finish(openedCollection(chain, source.field, owner)));
}

function openedCollection(chain: Chain, field: CollectionField, owner: Row): Opened {
  const left = chain.within && idsOf(chain.within, openedCollection(chain.within, field, owner));
  const row = further(owner);
  const id = column(row.alias, 'id');
  const items = itemsSql(field, owner.alias, row);
  const conditions = [...rowConditions(field.target, seenOf(chain), row), ...narrowing(chain, left, id, row)];
  const from = conditions.length > 0 ? sql`${items} and ${all(conditions)}` : items;
  return { from, order: orderOf(chain, row, id), row, id };
}

function openedList(chain: Chain, source: ListSource, row: Row): Opened {
  const left = chain.within && idsOf(chain.within, openedList(chain.within, source, row));
  const alias = row.aliases.next();
  const id = column(alias, 'id');
  // What was left has another row than ours, which the list stands for from here on.
  row.to.lists.set(source.list, alias);
  const values = sql`unnest(string_to_array(${row.to.spell.value(source.owner, row)}, ',')) with ordinality ${alias}(v, id)`;
  const conditions = narrowing(chain, left, id, row);
  const from = conditions.length > 0 ? sql`from ${values} where ${all(conditions)}` : sql`from ${values}`;
  return { from, order: orderOf(chain, row, id, true), row, id };
}

type ListSource = Extract<Chain['source'], { kind: 'values' }>;

const narrowing = (chain: Chain, left: Sql | undefined, id: Sql, row: Row): Sql[] => [
  ...(left ? [sql`${id} = any(array(${left}))`] : []),
  ...chain.filters.map((filter) => row.to.spell.condition(filter, row)),
];

/** Of what `Take`, `Skip` and `Distinct` left. */
function idsOf(chain: Chain, opened: Opened): Sql {
  const { from, order, row, id } = opened;
  if (!chain.isDistinct) return sql`select ${id} ${from} order by ${order} ${limitOf(chain)}`;
  return firstOfEach(chain, sql`${identity(chain, row)} as v, ${id} as id`, opened, 'id');
}

/** What is the same is told by `v`; the first of each stands for all of them and keeps its place. */
export function firstOfEach(chain: Chain, shown: Sql, { from, order, row }: Opened, of: 'v' | 'id'): Sql {
  const alias = row.aliases.next();
  const [value, id, n] = [column(alias, 'v'), column(alias, 'id'), column(alias, 'n')];
  const { type } = itemOf(chain);
  const one = of === 'v' ? sameSpelled(value, type) : sql`(array_agg(${id} order by ${n}))[1]`;
  return sql`select ${one} as item from (select ${shown}, row_number() over (order by ${order}) as n ${from}) ${alias}
    group by ${sameSql(value, type)} order by min(${n}) ${limitOf(chain)}`;
}

/** Two items of a collection of distinct ones never have the same. */
function identity(chain: Chain, row: Row): Sql {
  const one = itemOf(chain);
  if (one.type.kind === 'entity') return idSql(one, row);
  return isComparable(one.type) ? row.to.spell.value(one, row) : row.to.spell.json(one, row);
}

/** Without an order, and among what is equal, the latest comes first; values of a list stay in place. */
function orderOf({ order }: Chain, row: Row, id: Sql, isInPlace = false): Sql {
  const isAscending = order.length > 0 ? !order.at(-1)!.descending : isInPlace;
  return list([...order.map((one) => termSql(one, row)), sql`${id}${raw(isAscending ? '' : ' desc')}`]);
}
