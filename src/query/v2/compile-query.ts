/**
 * Resolves, scopes and compiles a request of version 2 into one statement: a page of items, or what is reckoned over
 * all that are asked for, and over groups of them.
 */
import type { ActorShape } from '../../actor.js';
import type { ResourceType } from '../../model/model.js';
import type { JsonV2 } from '../../representation/json-v2.js';
import { all, column, list, literal, name, raw, type Sql, type Statement, sql, statement, value } from '../../sql.js';
import { expressionSize } from '../compile/answer-size.js';
import { type Compiling, type Row, rootRow, rowConditions, tableOf } from '../compile/compiling.js';
import { valuesMatter } from '../compile/forms.js';
import { spelledItem } from '../compile/json.js';
import { compilePage, compiling, firstPage, isGlued, type SpelledItems, spelledBy } from '../compile/page.js';
import type { StatementCache } from '../compile/statement-cache.js';
import { directed, hasSpellings, limitSql, rowIdSql, sameSpelled, sameSql, valueSql } from '../compile/value.js';
import { affordable } from '../limits.js';
import type { Groups, Plan, Value } from '../meaning.js';
import { scopeRows, scopeShown, scopeValue } from '../scope.js';
import { isOverAll, objectWith, rowOf } from '../values.js';
import { wholeItem } from './coerce.js';
import type { QueryV2 } from './query-v2.js';
import { type Extent, type QueryContext, resolveQueryV2 } from './resolve-query.js';

interface AskingV2 extends QueryContext {
  resource: ResourceType;
  shape: ActorShape;
  json: JsonV2;
  statements: StatementCache;
  extent: Extent;
}

/** Rows of `items` (texts of items, glued) and `more`; of a result, its text. Errors: 400. */
export function compileQueryV2(query: QueryV2, asking: AskingV2): Statement {
  const { shape, json, statements } = asking;
  const { plan: asked, shown: meant } = resolveQueryV2(query, asking.resource, asking, asking.extent);
  const plan = scopeRows(asked, shape);
  const shown = scopeShown(meant, shape);
  const to = compiling(json);
  switch (shown.kind) {
    case 'whole':
      return statements.page(plan, wholeItems(plan, asking), to);
    case 'items':
      return compilePage(plan, itemsOf(shown.item, plan.privacy, to), to);
    case 'result':
      return affordable(overall(shown.result, plan, to));
    case 'groups':
      return affordable(
        groups(shown, plan, to),
        firstPage(plan, (beginning) => groups(shown, beginning, compiling(json))),
      );
  }
}

/** Items as they are shown when nothing is selected. No text of a client changes them, so that each is spelled once. */
function wholeItems(plan: Plan, { resource, shape, json, catalogue, statements }: AskingV2) {
  return statements.itemsOf(
    nothingSelected,
    `${json.dates} ${resource.name} ${shape}${json.pageSeparator === '\n' ? ' lines' : ''}`,
    () => {
      const item = scopeValue(wholeItem(rowOf(resource), { catalogue }), shape);
      return { plan: { ...plan, where: [], order: [] }, spelled: itemsOf(item, plan.privacy, compiling(json)) };
    },
  );
}

const nothingSelected = {};

const itemsOf = (item: Value, privacy: Plan['privacy'], to: Compiling): SpelledItems =>
  spelledBy((row) => spelledItem(item, row), expressionSize(item), privacy, to.json!, to);

// --- results and groups ----------------------------------------------------------------------------------------------

/** `from … where …` over all that is asked for. */
function allOf(plan: Plan, row: Row): { table: Sql; where: Sql } {
  const conditions = rowConditions(plan.resource, plan.where, row);
  return { table: sql`from ${tableOf(plan.resource, row)}`, where: sql`where ${all(conditions)}` };
}

function overall(result: Value, plan: Plan, to: Compiling): Statement {
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
const keySql = (by: Value, row: Row): Sql => (by.type.kind === 'entity' ? rowIdSql(by, row) : valueSql(by, row));

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
  const grouped = stored.map((value, index) => sameSql(value, keys[index]!));
  // In the order that the rows are grouped in, which an index may have.
  const ordering = (by: Value): Sql => (by.kind === 'key' ? grouped[by.index]! : valueSql(by, row));
  const sorted = order.map(({ by, descending }) => directed(ordering(by), descending, by.nullable));
  // Entities differ by more than the name that they are sorted by.
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
