/** Opens collections: their items as far as they are seen and pass the filters, in order, and what Take, Skip and Distinct left. */
import { all, column, raw, type Sql, sql } from '../../sql.js';
import { itemsSql } from '../compile-condition.js';
import { directed, limitOf } from '../compile-order.js';
import { sameSpelled, sameSql } from '../compile-text.js';
import { about, type Compiling, conditionsSql, further, kindConditions, type Opened, type Row } from '../compiling.js';
import type { Chain } from '../meaning.js';
import { idSql, seenOf, someRow, withRow } from './compile-rows.js';
import { itemOf } from './resolving.js';
import { isComparable } from './types.js';

/** An expression over the items of a collection; null where its owner is not there. */
export function chainSql(chain: Chain, to: Compiling, finish: (opened: Opened) => Sql): Sql {
  const { source } = chain;
  if (source === 'root') throw new Error('what is asked for is no collection of anything');
  if (source.kind === 'values') return finish(opened(chain, someRow(to), to));
  return withRow(source.owner, to, (ownerRow) => finish(opened(chain, ownerRow, to)));
}

function opened(chain: Chain, ownerRow: Row, to: Compiling): Opened {
  // Its row is another one than ours, and the binder must stand for ours in the end.
  const left = chain.within && idsOfWhatIsLeft(chain.within, ownerRow, to);
  const row = further(ownerRow);
  about(row, chain.binder, to);
  const conditions = [
    ...conditionsSql(seenOf(chain), row),
    ...(left ? [sql`${column(row.alias, 'id')} = any(array(${left}))`] : []),
    ...chain.filters.map((filter) => to.spell.predicate(filter, to)),
  ];
  return { from: itemsFrom(chain, ownerRow, row, conditions, to), order: orderOf(chain, row, to), row };
}

function itemsFrom({ source }: Chain, ownerRow: Row, row: Row, conditions: readonly Sql[], to: Compiling): Sql {
  if (source === 'root') throw new Error('what is asked for has no items of its own');
  if (source.kind === 'values') {
    const values = sql`unnest(string_to_array(${to.spell.value(source.owner, to)}, ',')) with ordinality ${row.alias}(v, id)`;
    return conditions.length > 0 ? sql`from ${values} where ${all(conditions)}` : sql`from ${values}`;
  }
  const items = itemsSql(source.field, ownerRow.alias, row);
  const narrowed = [...kindConditions(source.field.target, row), ...conditions];
  return narrowed.length > 0 ? sql`${items} and ${all(narrowed)}` : items;
}

function idsOfWhatIsLeft(chain: Chain, ownerRow: Row, to: Compiling): Sql {
  const { from, order, row } = opened(chain, ownerRow, to);
  const id = column(row.alias, 'id');
  if (!chain.isDistinct) return sql`select ${id} ${from} order by ${order} ${limitOf(chain)}`;
  return firstOfEach(chain, sql`${identity(chain, to)} as v, ${id} as id`, { from, order, row }, 'id');
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
function identity(chain: Chain, to: Compiling): Sql {
  const one = itemOf(chain);
  if (one.type.kind === 'entity') return idSql(one, to);
  return isComparable(one.type) ? to.spell.value(one, to) : to.spell.json(one, to);
}

/** Without an order, and among what is equal, the latest comes first. */
function orderOf({ order, source }: Chain, row: Row, to: Compiling): Sql {
  const id = column(row.alias, 'id');
  const isInPlace = source !== 'root' && source.kind === 'values';
  const isAscending = order.length > 0 ? !order.at(-1)!.descending : isInPlace;
  const terms = order.map(({ by, descending }) => sql`${directed(to.spell.value(by, to), descending, by.nullable)}, `);
  return terms.reduceRight((rest, term) => sql`${term}${rest}`, sql`${id}${raw(isAscending ? '' : ' desc')}`);
}
