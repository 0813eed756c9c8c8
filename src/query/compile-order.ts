/** Spells an Order as SQL: what rows are sorted by. */

import type { ResourceType } from '../model/model.js';
import { all, column, list, literal, raw, type Sql, sql, value } from '../sql.js';
import { operandSql } from './compile-operand.js';
import { about, conditionsSql, further, kindConditions, type Row, tableOf } from './compiling.js';
import { limits } from './limits.js';
import type { Chain, Order, PathOrder, Plan } from './meaning.js';

/** Order is total: the asked fields, then the Id, then what tells rows of one Id apart. */
export function orderSql(plan: Pick<Plan, 'order' | 'resource'>, row: Row): Sql {
  const { rowKey } = plan.resource.settings;
  const terms = plan.order.map((order) => termSql(order, row));
  const last = plan.order.at(-1);
  if (!plan.order.some(isById)) terms.push(sql`${column(row.alias, 'id')}${raw(last?.descending ? ' desc' : '')}`);
  if (rowKey !== 'id') terms.push(column(row.alias, rowKey));
  return list(terms);
}

export const isById = (order: Order): boolean =>
  order.kind === undefined &&
  order.path.length === 0 &&
  order.operand.kind === 'field' &&
  order.operand.field.name === 'Id';

function termSql(order: Order, row: Row): Sql {
  if (order.kind === 'value') {
    const { to } = row;
    return directed(to.spell.value(order.by, about(row, order.binder, to)), order.descending, true);
  }
  const expression = order.path.length === 0 ? operandSql(order.operand, row) : lookUp(order, row);
  const nullable = order.path.length > 0 || order.operand.kind === 'custom' || order.operand.field.isNullable;
  return directed(expression, order.descending, nullable);
}

/** Nothing is less than anything, as clients of this API expect. */
export function directed(expression: Sql, descending: boolean, nullable: boolean): Sql {
  const nulls = nullable ? (descending ? ' nulls last' : ' nulls first') : '';
  return sql`${expression}${raw(`${descending ? ' desc' : ''}${nulls}`)}`;
}

/** The value at the end of a path of references, one scalar look-up inside the other. */
function lookUp({ path, operand }: PathOrder, row: Row): Sql {
  const [step, ...rest] = path;
  if (!step) return operandSql(operand, row);
  const target = further(row);
  const inner = lookUp({ path: rest, operand, descending: false }, target);
  const conditions = [
    sql`${column(target.alias, 'id')} = ${column(row.alias, step.field.column)}`,
    ...kindConditions(step.field.target, target),
    ...conditionsSql(step.where, target),
  ];
  return sql`(select ${inner} from ${tableOf(step.field.target, target)} where ${all(conditions)})`;
}

// One row more than the page: its presence is all we need to know about the next page.
export const limitSql = ({ page: { take, skip } }: Pick<Plan, 'page'>): Sql =>
  sql`limit ${literal(take + 1)}${offsetSql(skip)}`;

/** Where several rows have one Id, it names the first of them. */
export const firstOnly = ({ settings: { rowKey } }: ResourceType, row: Row): Sql =>
  rowKey === 'id' ? raw('') : sql` order by ${column(row.alias, rowKey)} limit 1`;

/** Bound, because clients walk through pages: each number of its own would make a statement of its own. */
export const offsetSql = (skip = 0): Sql => (skip > 0 ? sql` offset ${value(skip, 'bigint')}` : raw(''));

/** Of a collection of version 2. */
export const limitOf = (chain: Chain): Sql => sql`limit ${literal(chain.take ?? limits.take)}${offsetSql(chain.skip)}`;

/** Of the first item, where there are any. */
export const firstOf = (chain: Chain): Sql => limitOf({ ...chain, take: Math.min(1, chain.take ?? 1) });
