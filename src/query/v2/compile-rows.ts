/** Opens the rows that an expression leads to: references, casts, pointers and collections, each as far as it is seen. */

import type { JsonV2 } from '../../representation/json-v2.js';
import { all, column, late, literal, raw, type Sql, sql, value } from '../../sql.js';
import { conditionSql, itemsSql, kindConditions } from '../compile-condition.js';
import { operandSql, type Row, tableOf } from '../compile-operand.js';
import { directed } from '../compile-order.js';
import { jsonSql } from './compile-json.js';
import { predicateSql } from './compile-predicate.js';
import { valueSql } from './compile-value.js';
import { expressionLimits } from './limits.js';
import { itemOf } from './resolving.js';
import type { Binder, Chain, Seen, Typed } from './typed.js';
import { isComparable } from './types.js';

export interface Compiling {
  json: JsonV2;
  /** The row that each binder stands for at the moment. */
  rows: Map<Binder, Row>;
  /** Whether the best plan depends on the values; grows while conditions are spelled. */
  valuesMatter: boolean;
  /** The row of a group that holds the values of its keys. */
  keys?: Sql;
}

/** What an expression without scope would show is nobody's to see. */
export function seenOf({ seen }: Seen): NonNullable<Seen['seen']> {
  if (!seen) throw new Error('an expression was compiled before it was scoped');
  return seen;
}

export function rowOfBinder(binder: Binder, { rows }: Compiling): Row {
  const row = rows.get(binder);
  if (!row) throw new Error('an expression is about a row that is not there');
  return row;
}

/** From here on the binder stands for the row. */
export function about(row: Row, binder: Binder, to: Compiling): Compiling {
  to.rows.set(binder, row);
  return to;
}

const further = (row: Row): Row => ({ ...row, alias: row.aliases.next() });

/** An expression over the row of an entity; null where there is no such entity. */
export function withRow(node: Typed, to: Compiling, body: (row: Row) => Sql): Sql {
  switch (node.kind) {
    case 'row':
      return body(rowOfBinder(node.binder, to));
    case 'reference':
      return withRow(node.of, to, (row) => {
        const target = further(row);
        const narrowed = node.field.isNarrowed ? kindConditions(node.field.target, target) : [];
        return lookUp(node, column(row.alias, node.field.column), target, narrowed, body);
      });
    case 'cast':
      return withRow(
        node.of,
        to,
        (row) => sql`(case when ${all(kindConditions(node.resource, row))} then ${body(row)} end)`,
      );
    case 'pointed':
      return withRow(node.of, to, (row) => {
        const values = column(row.alias, node.operand.column);
        const kind = sql`lower(${values} -> ${value(node.operand.name, 'text')} ->> 'Kind')`;
        const isPerson = sql`coalesce(${kind}, '') in ('user', 'requester', 'generaluser')`;
        const fits = node.resource === node.operand.target?.resource ? sql`not ${isPerson}` : isPerson;
        return lookUp(node, operandSql(node.operand, row), further(row), [fits], body);
      });
    case 'me':
      return mySql(node, to, body);
    case 'chosen':
      return chosenSql(node, to, body);
    case 'key':
      return rowOfKey(node, to, body);
    case 'first':
      return chainSql(node.of, to, ({ from, order, row }) => {
        const page = sql`order by ${order} ${firstOf(node.of)}`;
        if (!node.of.projection) return sql`(select ${body(row)} ${from} ${page})`;
        return sql`(select ${withRow(node.of.projection, to, body)} ${from} ${page})`;
      });
    default:
      throw new Error(`${node.kind} is no entity`);
  }
}

function lookUp(
  node: Extract<Typed, { kind: 'reference' | 'pointed' }>,
  key: Sql,
  target: Row,
  conditions: readonly Sql[],
  body: (row: Row) => Sql,
): Sql {
  const resource = node.kind === 'reference' ? node.field.target : node.resource;
  const seen = seenOf(node).map((condition) => conditionSql(condition, target));
  const filter = all([sql`${column(target.alias, 'id')} = ${key}`, ...conditions, ...seen]);
  return sql`(select ${body(target)} from ${tableOf(resource, target)} where ${filter})`;
}

/** Every row knows the means to name further ones: what hangs on none takes any. */
function someRow({ rows }: Compiling): Row {
  const [some] = rows.values();
  if (!some) throw new Error('nobody asks about nothing');
  return some;
}

/** The id says all: it is that of a row which is seen. */
function chosenSql(node: Extract<Typed, { kind: 'chosen' }>, to: Compiling, body: (row: Row) => Sql): Sql {
  // Where an entity of a custom field is a person, it is no row of this table.
  const [one, other] = node.options.map((option) => rowIdSql(option, to)) as [Sql, Sql];
  const id = node.test
    ? sql`case when ${predicateSql(node.test, to)} then ${one} else ${other} end`
    : sql`coalesce(${one}, ${other})`;
  const row = further(someRow(to));
  return sql`(select ${body(row)} from ${tableOf(node.resource, row)} where ${column(row.alias, 'id')} = (${id}))`;
}

/** Groups are of what their items refer to, which was seen there. */
function rowOfKey({ type, index }: Extract<Typed, { kind: 'key' }>, to: Compiling, body: (row: Row) => Sql): Sql {
  if (type.kind !== 'entity') throw new Error('the key of a group is no entity');
  const row = further(someRow(to));
  const key = column(to.keys!, `k${index}`);
  return sql`(select ${body(row)} from ${tableOf(type.resource, row)} where ${column(row.alias, 'id')} = ${key})`;
}

/** The id of an entity; null where there is none. */
export function idSql(node: Typed, to: Compiling): Sql {
  if (node.type.kind !== 'entity') return raw('null::bigint');
  if (node.kind === 'pointed') return withRow(node.of, to, (row) => operandSql(node.operand, row));
  return rowIdSql(node, to);
}

const rowIdSql = (node: Typed, to: Compiling): Sql =>
  node.type.kind === 'entity' ? withRow(node, to, (row) => column(row.alias, 'id')) : raw('null::bigint');

function mySql({ type }: Typed, to: Compiling, body: (row: Row) => Sql): Sql {
  if (type.kind !== 'entity') throw new Error('the caller is an entity');
  const row = further(someRow(to));
  return sql`(select ${body(row)} from ${tableOf(type.resource, row)} where ${column(row.alias, 'id')} = ${late('actor.user')})`;
}

export interface Opened {
  /** `from … where …`: the items that pass the filters. */
  from: Sql;
  order: Sql;
  row: Row;
}

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
    ...seenOf(chain).map((condition) => conditionSql(condition, row)),
    ...(left ? [sql`${column(row.alias, 'id')} = any(array(${left}))`] : []),
    ...chain.filters.map((filter) => predicateSql(filter, to)),
  ];
  return { from: itemsFrom(chain, ownerRow, row, conditions, to), order: orderOf(chain, row, to), row };
}

function itemsFrom({ source }: Chain, ownerRow: Row, row: Row, conditions: readonly Sql[], to: Compiling): Sql {
  if (source === 'root') throw new Error('what is asked for has no items of its own');
  if (source.kind === 'values') {
    const values = sql`unnest(string_to_array(${valueSql(source.owner, to)}, ',')) with ordinality ${row.alias}(v, id)`;
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
  const found = row.aliases.next();
  const [value, id, n] = [column(found, 'v'), column(found, 'id'), column(found, 'n')];
  const one = of === 'v' ? value : sql`(array_agg(${id} order by ${n}))[1]`;
  return sql`select ${one} from (select ${shown}, row_number() over (order by ${order}) as n ${from}) ${found}
    group by ${value} order by min(${n}) ${limitOf(chain)}`;
}

/** Two items of a collection of distinct ones never have the same. */
function identity(chain: Chain, to: Compiling): Sql {
  const one = itemOf(chain);
  if (one.type.kind === 'entity') return idSql(one, to);
  return isComparable(one.type) ? valueSql(one, to) : jsonSql(one, to);
}

/** Without an order, and among what is equal, the latest comes first. */
function orderOf({ order, source }: Chain, row: Row, to: Compiling): Sql {
  const id = column(row.alias, 'id');
  const isInPlace = source !== 'root' && source.kind === 'values';
  const isAscending = order.length > 0 ? !order.at(-1)!.descending : isInPlace;
  const terms = order.map(({ by, descending }) => sql`${directed(valueSql(by, to), descending, by.nullable)}, `);
  return terms.reduceRight((rest, term) => sql`${term}${rest}`, sql`${id}${raw(isAscending ? '' : ' desc')}`);
}

const offsetSql = ({ skip }: Chain): Sql => (skip ? sql` offset ${literal(skip)}` : raw(''));

export const limitOf = (chain: Chain): Sql =>
  sql`limit ${literal(chain.take ?? expressionLimits.inner)}${offsetSql(chain)}`;

/** Of the first item, where there are any. */
export const firstOf = (chain: Chain): Sql => limitOf({ ...chain, take: Math.min(1, chain.take ?? 1) });
