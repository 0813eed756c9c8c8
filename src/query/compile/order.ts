/** Spells an Order as SQL: what rows are sorted by. */

import type { ResourceType } from '../../model/model.js';
import { column, list, literal, raw, type Sql, sql, value } from '../../sql.js';
import { limits } from '../limits.js';
import type { Chain, Order, Plan } from '../meaning.js';
import type { Row } from './compiling.js';

/** Order is total: the asked fields, then the Id, then what tells rows of one Id apart. */
export function orderSql(plan: Pick<Plan, 'order' | 'resource'>, row: Row): Sql {
  const { rowKey } = plan.resource.settings;
  const terms = plan.order.map((order) => termSql(order, row));
  const last = plan.order.at(-1);
  if (!plan.order.some(isById)) terms.push(sql`${column(row.alias, 'id')}${raw(last?.descending ? ' desc' : '')}`);
  if (rowKey !== 'id') terms.push(column(row.alias, rowKey));
  return list(terms);
}

export const isById = ({ by }: Order): boolean =>
  by.kind === 'field' && by.of.kind === 'row' && by.operand.kind === 'field' && by.operand.field.name === 'Id';

export const termSql = ({ by, descending }: Order, row: Row): Sql =>
  directed(row.to.spell.value(by, row), descending, by.nullable);

/** Nothing is less than anything, as clients of this API expect. */
export function directed(expression: Sql, descending: boolean, nullable: boolean): Sql {
  const nulls = nullable ? (descending ? ' nulls last' : ' nulls first') : '';
  return sql`${expression}${raw(`${descending ? ' desc' : ''}${nulls}`)}`;
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
