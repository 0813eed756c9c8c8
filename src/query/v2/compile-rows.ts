/** Opens the rows that an expression leads to: references, casts, pointers and choices, each as far as it is seen. */

import type { ResourceType } from '../../model/model.js';
import { all, column, late, raw, type Sql, sql, value } from '../../sql.js';
import { operandSql } from '../compile-operand.js';
import { firstOf, firstOnly } from '../compile-order.js';
import { type Compiling, conditionsSql, further, kindConditions, type Row, tableOf } from '../compiling.js';
import type { Binder, Of, Seen, Value } from '../meaning.js';

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

/** An expression over the row of an entity; null where there is no such entity. */
export function withRow(node: Value, to: Compiling, body: (row: Row) => Sql): Sql {
  switch (node.kind) {
    case 'row':
      return body(rowOfBinder(node.binder, to));
    case 'reference':
      return withRow(node.of, to, (row) => {
        const target = further(row);
        const kinds = kindConditions(node.field.target, target);
        const conditions = [...kinds, ...conditionsSql(seenOf(node), target)];
        return inRow(node.field.target, column(row.alias, node.field.column), target, conditions, body);
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
        const id = operandSql(node.operand, row);
        const target = further(row);
        return inRow(node.resource, id, target, [fits, ...conditionsSql(seenOf(node), target)], body);
      });
    case 'me':
      return mySql(node, to, body);
    case 'chosen':
      return chosenSql(node, to, body);
    case 'key':
      return rowOfKey(node, to, body);
    case 'first':
      return to.spell.chain(node.of, to, ({ from, order, row }) => {
        const page = sql`order by ${order} ${firstOf(node.of)}`;
        if (!node.of.projection) return sql`(select ${body(row)} ${from} ${page})`;
        return sql`(select ${withRow(node.of.projection, to, body)} ${from} ${page})`;
      });
    default:
      throw new Error(`${node.kind} is no entity`);
  }
}

/** `body` over the row of this id. */
function inRow(resource: ResourceType, id: Sql, row: Row, conditions: readonly Sql[], body: (row: Row) => Sql): Sql {
  const filter = all([sql`${column(row.alias, 'id')} = ${id}`, ...conditions]);
  return sql`(select ${body(row)} from ${tableOf(resource, row)} where ${filter}${firstOnly(resource, row)})`;
}

/** Every row knows the means to name further ones: what hangs on none takes any. */
export function someRow({ rows }: Compiling): Row {
  const [some] = rows.values();
  if (!some) throw new Error('nobody asks about nothing');
  return some;
}

/** The id says all: it is that of a row which is seen. */
function chosenSql(node: Of<'chosen'>, to: Compiling, body: (row: Row) => Sql): Sql {
  // Where an entity of a custom field is a person, it is no row of this table.
  const [one, other] = node.options.map((option) => rowIdSql(option, to)) as [Sql, Sql];
  const id = node.test
    ? sql`case when ${to.spell.predicate(node.test, to)} then ${one} else ${other} end`
    : sql`coalesce(${one}, ${other})`;
  return inRow(node.resource, sql`(${id})`, further(someRow(to)), [], body);
}

/** Groups are of what their items refer to, which was seen there. */
function rowOfKey({ type, index }: Of<'key'>, to: Compiling, body: (row: Row) => Sql): Sql {
  if (type.kind !== 'entity') throw new Error('the key of a group is no entity');
  return inRow(type.resource, to.keys![index]!, further(someRow(to)), [], body);
}

/** The id of an entity; null where there is none. */
export function idSql(node: Value, to: Compiling): Sql {
  if (node.type.kind !== 'entity') return raw('null::bigint');
  if (node.kind === 'pointed') return withRow(node.of, to, (row) => operandSql(node.operand, row));
  return rowIdSql(node, to);
}

export const rowIdSql = (node: Value, to: Compiling): Sql =>
  node.type.kind === 'entity' ? withRow(node, to, (row) => column(row.alias, 'id')) : raw('null::bigint');

function mySql({ type }: Value, to: Compiling, body: (row: Row) => Sql): Sql {
  if (type.kind !== 'entity') throw new Error('the caller is an entity');
  return inRow(type.resource, late('actor.user'), further(someRow(to)), [], body);
}
