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
  constant,
  join,
  list,
  literal,
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

/** One row: `items` (their texts glued, null when there are none) and `more` (whether there is a page behind it). */
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

/** The rows are numbered where they are few, and only what is read of them comes along. */
function directPage(plan: Plan, root: Row, style: Style): Sql {
  const shown: Row = { ...root, alias: name('i') };
  const item = itemSql(plan, shown, style);
  const joins = join(style.joins ?? [], raw(''));
  const columns = columnsOf(list([item, joins]), shown.alias).map((read) => sql`${root.alias}.${read}`);
  // The page is found before anything is joined, or joins would be made for rows that are sorted away.
  return sql`${gluedSql(item, column(shown.alias, 'n'), plan, style)}
    from (select p.*, row_number() over () as n from (select ${list(columns)} ${foundSql(plan, root)}) p) ${shown.alias}${joins}`;
}

/** Sorting ids alone is cheaper than sorting rows, and what is skipped is not spelled. */
function pageFirst(plan: Plan, root: Row, style: Style): Sql {
  const shown: Row = { ...root, alias: name('i') };
  const item = itemSql(plan, shown, style);
  return sql`${gluedSql(item, raw('p.n'), plan, { ...style, joins: style.joins ?? [] })}
    from (select id, row_number() over () as n from (select ${column(root.alias, 'id')} ${foundSql(plan, root)}) ids) p
    join ${tableOf(plan.resource, shown)} on ${column(shown.alias, 'id')} = p.id${join(style.joins ?? [], raw(''))}`;
}

/** The row that only tells of a page behind this one is not spelled. Joins may change the order of rows, nothing else does. */
function gluedSql(item: Sql, n: Sql, { page: { take } }: Plan, { format, joins }: Style): Sql {
  const order = joins ? sql` order by ${n}` : raw('');
  return sql`select string_agg(case when ${n} <= ${literal(take)} then ${item} end, ${constant(format.pageSeparator)}${order}) as items,
    count(*) > ${literal(take)} as more`;
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
