/** Opens the rows that an expression leads to: references, casts, pointers and choices, each as far as it is seen. */

import type { ResourceType } from '../../model/model.js';
import { all, column, late, raw, type Sql, sql, value } from '../../sql.js';
import type { Of, Value } from '../meaning.js';
import { ofSorts } from '../values.js';
import { conditionsSql, further, kindConditions, type Row, tableOf } from './compiling.js';
import { seenOf } from './forms.js';
import { operandSql } from './operand.js';
import { firstOf, firstOnly } from './order.js';

const isNoEntity = ofSorts('single', 'test', 'shape');

/** An expression over the row of an entity; null where there is no such entity. */
export function withRow(node: Value, row: Row, body: (row: Row) => Sql): Sql {
  if (isNoEntity(node)) throw new Error(`${node.kind} is no entity`);
  switch (node.kind) {
    case 'row':
      return body(row);
    case 'reference':
      return withRow(node.of, row, (one) => {
        const target = further(one);
        const kinds = kindConditions(node.field.target, target);
        const conditions = [...kinds, ...conditionsSql(seenOf(node), target)];
        return inRow(node.field.target, column(one.alias, node.field.column), target, conditions, body);
      });
    case 'cast':
      return withRow(
        node.of,
        row,
        (one) => sql`(case when ${all(kindConditions(node.resource, one))} then ${body(one)} end)`,
      );
    case 'pointed':
      return withRow(node.of, row, (one) => {
        const values = column(one.alias, node.operand.column);
        const kind = sql`lower(${values} -> ${value(node.operand.name, 'text')} ->> 'Kind')`;
        const isPerson = sql`coalesce(${kind}, '') in ('user', 'requester', 'generaluser')`;
        const fits = node.resource === node.operand.target?.resource ? sql`not ${isPerson}` : isPerson;
        const id = operandSql(node.operand, one);
        const target = further(one);
        return inRow(node.resource, id, target, [fits, ...conditionsSql(seenOf(node), target)], body);
      });
    case 'me':
      return mySql(node, row, body);
    case 'chosen':
      return chosenSql(node, row, body);
    case 'key':
      return rowOfKey(node, row, body);
    case 'first':
      return row.to.spell.chain(node.of, row, ({ from, order, row: item }) => {
        const page = sql`order by ${order} ${firstOf(node.of)}`;
        if (!node.of.projection) return sql`(select ${body(item)} ${from} ${page})`;
        return sql`(select ${withRow(node.of.projection, item, body)} ${from} ${page})`;
      });
    case 'conditional':
      throw new Error(`${node.kind} is no entity`);
  }
}

/** `body` over the row of this id. */
function inRow(resource: ResourceType, id: Sql, row: Row, conditions: readonly Sql[], body: (row: Row) => Sql): Sql {
  const filter = all([sql`${column(row.alias, 'id')} = ${id}`, ...conditions]);
  return sql`(select ${body(row)} from ${tableOf(resource, row)} where ${filter}${firstOnly(resource, row)})`;
}

/** The id says all: it is that of a row which is seen. */
function chosenSql(node: Of<'chosen'>, row: Row, body: (row: Row) => Sql): Sql {
  // Where an entity of a custom field is a person, it is no row of this table.
  const [one, other] = node.options.map((option) => rowIdSql(option, row)) as [Sql, Sql];
  const id = node.test
    ? sql`case when ${row.to.spell.condition(node.test, row)} then ${one} else ${other} end`
    : sql`coalesce(${one}, ${other})`;
  return inRow(node.resource, sql`(${id})`, further(row), [], body);
}

/** Groups are of what their items refer to, which was seen there. */
function rowOfKey({ type, index }: Of<'key'>, row: Row, body: (row: Row) => Sql): Sql {
  if (type.kind !== 'entity') throw new Error('the key of a group is no entity');
  return inRow(type.resource, row.to.keys![index]!, further(row), [], body);
}

/** The id of an entity; null where there is none. */
export function idSql(node: Value, row: Row): Sql {
  if (node.type.kind !== 'entity') return raw('null::bigint');
  if (node.kind === 'pointed') return withRow(node.of, row, (one) => operandSql(node.operand, one));
  return rowIdSql(node, row);
}

export const rowIdSql = (node: Value, row: Row): Sql =>
  node.type.kind === 'entity' ? withRow(node, row, (one) => column(one.alias, 'id')) : raw('null::bigint');

function mySql({ type }: Value, row: Row, body: (row: Row) => Sql): Sql {
  if (type.kind !== 'entity') throw new Error('the caller is an entity');
  return inRow(type.resource, late('actor.user'), further(row), [], body);
}
