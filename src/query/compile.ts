/**
 * Turns a Plan into one statement whose rows are finished item texts. First the page (ids in order, one more than asked),
 * then each item of it is spelled, with what it refers to.
 */
import type { ResourceType } from '../model/model.js';
import type { Representation } from '../representation/representation.js';
import {
  all,
  column,
  columnsOf,
  join,
  list,
  name,
  raw,
  type Sql,
  type Statement,
  sql,
  statement,
  value,
} from '../sql.js';
import { conditionSql, kindConditions } from './compile-condition.js';
import { itemSql, type Style } from './compile-item.js';
import { Aliases, type Row, tableOf } from './compile-operand.js';
import { isById, limitSql, orderSql } from './compile-order.js';
import type { Plan } from './plan.js';
import { valuesMatter } from './values-matter.js';

/** The parameters that a link to the rest of a cut inner collection repeats, such as `format=json&`. */
export interface LinkTail {
  tail: string;
}

/** Rows: `item` (text), one more than the page holds when there is a page behind it. */
export function compilePage(plan: Plan, format: Representation, { tail }: LinkTail): Statement {
  const root: Row = { alias: name('t'), aliases: new Aliases(), privacy: plan.privacy };
  const style: Style = { format, tail, joins: isJoined(plan) ? [] : undefined };
  const page = isDirect(plan) ? directPage(plan, root, style) : pageFirst(plan, root, style);
  return { ...statement(page), isPlannedEachTime: valuesMatter(plan) };
}

/** In the order of ids rows are found by an index and spelled as they come; nothing is sorted and nothing skipped. */
const isDirect = ({ order, page }: Plan): boolean => page.skip === 0 && order.every(isById);

/**
 * A look-up a row is planned five times quicker than a join, which matters when a statement is new, and runs as quick for a
 * page of usual length. Joins pay where there are few to plan, or many rows that refer to the same.
 */
function isJoined({ members, page }: Plan): boolean {
  const references = members.filter(({ kind }) => kind === 'reference').length;
  return references > 0 && (references <= 4 || page.take > 100);
}

function directPage(plan: Plan, root: Row, style: Style): Sql {
  if (!style.joins) return sql`select ${itemSql(plan, root, style)} as item ${foundSql(plan, root)}`;
  const shown: Row = { ...root, alias: name('i') };
  const spelled = sql`select ${itemSql(plan, shown, style)} as item`;
  const joins = join(style.joins, raw(''));
  const order = orderSql(plan, shown);
  // The page is found before anything is joined, or joins would be made for rows that are sorted away.
  const columns = columnsOf(list([spelled, joins, order]), shown.alias).map((read) => sql`${root.alias}.${read}`);
  return sql`${spelled} from (select ${list(columns)} ${foundSql(plan, root)}) ${shown.alias}${joins} order by ${order}`;
}

/** Sorting ids alone is cheaper than sorting rows, and what is skipped is not spelled. */
function pageFirst(plan: Plan, root: Row, style: Style): Sql {
  const shown: Row = { ...root, alias: name('i') };
  const item = itemSql(plan, shown, style);
  return sql`select ${item} as item
    from (select id, row_number() over () as n from (select ${column(root.alias, 'id')} ${foundSql(plan, root)}) ids) p
    join ${tableOf(plan.resource, shown)} on ${column(shown.alias, 'id')} = p.id${join(style.joins ?? [], raw(''))} order by p.n`;
}

/** `from … where … order by … limit …`: the rows of the page. */
const foundSql = (plan: Plan, row: Row): Sql =>
  sql`from ${tableOf(plan.resource, row)} where ${whereSql(plan, row)} order by ${orderSql(plan, row)} ${limitSql(plan)}`;

/** One row or none: `item`, `version`. The plan's conditions name the entity. */
export function compileOne(plan: Plan, format: Representation, { tail }: LinkTail): Statement {
  const root: Row = { alias: name('t'), aliases: new Aliases(), privacy: plan.privacy };
  return statement(sql`select ${itemSql(plan, root, { format, tail })} as item, ${versionSql(plan.resource, root)} as version
    from ${tableOf(plan.resource, root)} where ${whereSql(plan, root)}`);
}

/** Generals count their changes; the rows of other tables know the transaction that wrote them last. */
function versionSql({ root, table }: ResourceType, row: Row): Sql {
  if (root.name === 'General') return sql`${column(row.alias, 'entity_version')}::text`;
  return isView(table) ? raw('null::text') : sql`${column(row.alias, 'xmin')}::text`;
}

/** A view has no rows of its own to count changes of. */
const isView = (table: string): boolean => table === 'assigned_effort';

/** The entities of a list of ids, in its order: `item`. */
export function compileMany(plan: Plan, ids: unknown, format: Representation, { tail }: LinkTail): Statement {
  const root: Row = { alias: name('t'), aliases: new Aliases(), privacy: plan.privacy };
  return statement(sql`select ${itemSql(plan, root, { format, tail })} as item
    from unnest(${value(ids, 'int[]')}) with ordinality as wanted(id, n)
    join ${tableOf(plan.resource, root)} on ${column(root.alias, 'id')} = wanted.id
    where ${whereSql(plan, root)} order by wanted.n`);
}

const whereSql = (plan: Plan, row: Row): Sql =>
  all([...kindConditions(plan.resource, row), ...plan.where.map((condition) => conditionSql(condition, row))]);
