/** Spells what is reckoned over all items that are asked for, and over groups of them. */
import { all, column, list, literal, name, raw, type Sql, type Statement, sql, statement, value } from '../../sql.js';
import type { Groups, Plan, Value } from '../meaning.js';
import { isOverAll, objectWith } from '../values.js';
import { expressionSize, isGlued } from './answer-size.js';
import { type Compiling, type Row, rootRow, rowConditions, tableOf } from './compiling.js';
import { valuesMatter } from './forms.js';
import { jsonSql, spelledItem } from './json.js';
import { directed, limitSql } from './order.js';
import { rowIdSql } from './rows.js';
import { hasSpellings, sameSpelled, sameSql } from './text.js';
import { valueSql } from './value.js';

/** `from … where …` over all that is asked for. */
function allOf(plan: Plan, row: Row): { table: Sql; where: Sql } {
  const conditions = rowConditions(plan.resource, plan.where, row);
  return { table: sql`from ${tableOf(plan.resource, row)}`, where: sql`where ${all(conditions)}` };
}

export function overall(result: Value, plan: Plan, to: Compiling): Statement {
  const row = rootRow(plan, to);
  const { table, where } = allOf(plan, row);
  const text = spelledItem(result, row);
  // Without a number over all items there is one value, however many they are.
  const over = isOverAll(result) ? sql`${table} ${where}` : raw('');
  return {
    ...statement(sql`select coalesce(${text}, 'null') as items, false as more ${over}`),
    isPlannedEachTime: valuesMatter(plan),
  };
}

/** Of an entity the key is its id. */
function keySql(by: Value, row: Row): Sql {
  if (by.type.kind === 'object') return jsonSql(by, row);
  return by.type.kind === 'entity' ? rowIdSql(by, row) : valueSql(by, row);
}

/** Grouped and shown, a text of another row would be looked up for each of the two, but for the offset. */
const isLookedUpTwice = (by: Value): boolean => hasSpellings(by.type) && !(by.kind === 'field' && by.of.kind === 'row');

/** One item for each value of the keys. */
export function groups({ keys, members, order }: Groups, plan: Plan, to: Compiling): Statement {
  const row = rootRow(plan, to);
  const key = row.aliases.next();
  const { table, where } = allOf(plan, row);
  const stored = keys.map((_, index) => column(key, `k${index}`));
  to.keys = stored.map((value, index) => sameSpelled(value, keys[index]!.type));
  const spelled = keys.map((by, index) => sql`${keySql(by, row)} as ${name(`k${index}`)}`);
  const grouped = stored.map((value, index) => sameSql(value, keys[index]!.type));
  // In the order that the rows are grouped in, which an index may have.
  const ordering = (by: Value): Sql => (by.kind === 'key' ? grouped[by.index]! : valueSql(by, row));
  const sorted = order.map(({ by, descending }) => directed(ordering(by), descending, by.nullable));
  // Entities are told apart by more than the name that they are sorted by.
  const byKeys = keys.flatMap(({ type }, index) => (type.kind === 'entity' ? stored[index]! : []));
  const ordered = list([...sorted, ...byKeys]);
  const shown = objectWith(members);
  const fence = raw(keys.some(isLookedUpTwice) ? ' offset 0' : '');
  const page = sql`select ${spelledItem(shown, row)} as item, row_number() over (order by ${ordered}) as n ${table}
    cross join lateral (select ${list(spelled)}${fence}) ${key} ${where} group by ${list(grouped)}
    order by ${ordered} ${limitSql(plan)}`;
  const isLong = !isGlued(plan.page, expressionSize(shown));
  return { ...statement(pageOfGroups(page, plan, isLong)), isPlannedEachTime: valuesMatter(plan), isLong };
}

function pageOfGroups(page: Sql, { page: { take, skip } }: Plan, isLong: boolean): Sql {
  const n = raw('g.n');
  const last = skip > 0 ? sql`(${literal(take)} + ${value(skip, 'bigint')})` : literal(take);
  const item = sql`case when ${n} <= ${last} then g.item end`;
  return isLong
    ? sql`select ${item} as items, ${n} > ${last} as more from (${page}) g order by ${n}`
    : sql`select string_agg(${item}, ',' order by ${n}) as items, coalesce(max(${n}), 0) > ${last} as more from (${page}) g`;
}
