/** Opens the rows that an expression leads to: references, casts, pointers and collections, each as far as it is seen. */

import type { JsonV2 } from '../../representation/json-v2.js';
import { all, column, late, literal, raw, type Sql, sql, value } from '../../sql.js';
import { conditionSql, itemsSql, kindConditions } from '../compile-condition.js';
import { operandSql, type Row, tableOf } from '../compile-operand.js';
import { directed } from '../compile-order.js';
import { predicateSql } from './compile-predicate.js';
import { valueSql } from './compile-value.js';
import { expressionLimits } from './limits.js';
import type { Binder, Chain, Seen, Typed } from './typed.js';

export interface Compiling {
  json: JsonV2;
  /** The row that each binder stands for at the moment. */
  rows: Map<Binder, Row>;
  /** Whether the best plan depends on the values; grows while conditions are spelled. */
  valuesMatter: boolean;
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
        const isGeneral = sql`coalesce(${kind}, '') not in ('user', 'requester', 'generaluser')`;
        return lookUp(node, operandSql(node.operand, row), further(row), [isGeneral], body);
      });
    case 'me':
      return mySql(node, to, body);
    case 'first':
      return chainSql(node.of, to, ({ from, order, row }) => {
        const page = sql`order by ${order} limit 1${offsetSql(node.of)}`;
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

/** Every row knows the means to name further ones; the caller's own hangs on no other. */
function mySql({ type }: Typed, { rows }: Compiling, body: (row: Row) => Sql): Sql {
  const [some] = rows.values();
  if (!some || type.kind !== 'entity') throw new Error('nobody asks about nothing');
  const row = further(some);
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
  if (chain.source === 'root') throw new Error('what is asked for is no collection of anything');
  const { owner, field } = chain.source;
  return withRow(owner, to, (ownerRow) => {
    const row = further(ownerRow);
    to.rows.set(chain.binder, row);
    const items = itemsSql(field, ownerRow.alias, row);
    const conditions = [
      ...kindConditions(field.target, row),
      ...seenOf(chain).map((condition) => conditionSql(condition, row)),
      ...chain.filters.map((filter) => predicateSql(filter, to)),
    ];
    const from = conditions.length > 0 ? sql`${items} and ${all(conditions)}` : items;
    return finish({ from, order: orderOf(chain, row, to), row });
  });
}

/** Without an order, and among what is equal, the latest comes first. */
function orderOf({ order }: Chain, row: Row, to: Compiling): Sql {
  const id = column(row.alias, 'id');
  const isAscending = order.length > 0 && !order.at(-1)!.descending;
  const terms = order.map(({ by, descending }) => sql`${directed(valueSql(by, to), descending, by.nullable)}, `);
  return terms.reduceRight((rest, term) => sql`${term}${rest}`, sql`${id}${raw(isAscending ? '' : ' desc')}`);
}

const offsetSql = ({ skip }: Chain): Sql => (skip ? sql` offset ${literal(skip)}` : raw(''));

export const limitOf = (chain: Chain): Sql =>
  sql`limit ${literal(chain.take ?? expressionLimits.inner)}${offsetSql(chain)}`;

export const isCut = ({ take, skip }: Chain): boolean => take !== undefined || skip !== undefined;
