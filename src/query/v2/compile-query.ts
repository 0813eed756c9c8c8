/** Resolves, scopes and compiles a request of version 2 into one statement, through the machinery of version 1. */
import type { ActorShape } from '../../actor.js';
import type { ResourceType } from '../../model/model.js';
import type { JsonV2 } from '../../representation/json-v2.js';
import { all, column, list, literal, name, raw, type Sql, type Statement, sql, statement } from '../../sql.js';
import { compilePage, spelledBy } from '../compile.js';
import { conditionSql, kindConditions } from '../compile-condition.js';
import { Aliases, type Row, tableOf } from '../compile-operand.js';
import { directed } from '../compile-order.js';
import type { Condition, Order, Plan } from '../plan.js';
import { emptyPlan } from '../resolve-selection.js';
import { sees, visible } from '../scope.js';
import { jsonSql, objectSql } from './compile-json.js';
import { predicateSql } from './compile-predicate.js';
import { type Compiling } from './compile-rows.js';
import { valueSql } from './compile-value.js';
import type { QueryV2 } from './query-v2.js';
import { type Grouped, type Known, type MeaningV2, resolveQueryV2 } from './resolve-query.js';
import { scopeExpression } from './scope-expression.js';
import type { Typed } from './typed.js';

export interface AskingV2 extends Known {
  resource: ResourceType;
  shape: ActorShape;
  json: JsonV2;
  /** One entity is asked for, by an id that is bound in place of the stand-in. */
  isOne: boolean;
}

/** Rows of `items` (texts of items, glued) and `more`; of a result, its text. Errors: 400. */
export function compileQueryV2(query: QueryV2, asking: AskingV2): Statement {
  const meaning = resolveQueryV2(query, asking.resource, asking);
  scopeMeaning(meaning, asking.shape);
  const to: Compiling = { json: asking.json, rows: new Map(), valuesMatter: false };
  const plan = planOf(query, meaning, asking, to);
  switch (meaning.shown.kind) {
    case 'items':
      return itemsStatement(meaning.shown.item, plan, meaning, to);
    case 'result':
      return overall(meaning.shown.result, plan, meaning, to);
    case 'groups':
      return groups(meaning.shown, plan, meaning, to);
  }
}

function scopeMeaning({ where, order, shown }: MeaningV2, shape: ActorShape): void {
  const done = new Set<Typed>();
  const scope = (node: Typed): void => scopeExpression(node, shape, done);
  where.forEach(scope);
  for (const { by } of order) scope(by);
  if (shown.kind === 'items') scope(shown.item);
  if (shown.kind === 'result') scope(shown.result);
  if (shown.kind === 'groups') {
    shown.keys.forEach(scope);
    for (const { value } of shown.members) scope(value);
    for (const { by } of shown.order) scope(by);
  }
}

function planOf(query: QueryV2, meaning: MeaningV2, { shape, resource, isOne }: AskingV2, to: Compiling): Plan {
  const listsDeleted = query.includeDeleted && shape === 'administrator';
  return {
    ...emptyPlan(resource, isOne ? { take: 1, skip: 0 } : query.page),
    privacy: shape === 'administrator' ? 'everyone' : 'self',
    where: [
      ...(isOne ? [byId(resource)] : []),
      ...meaning.where.map((node) => conditionOf(node, meaning, to)),
      ...(listsDeleted ? sees(resource, shape) : visible(resource, shape)),
    ],
    order: meaning.order.length > 0 ? meaning.order.map((one) => orderOf(one, meaning, to)) : [latestFirst(resource)],
  };
}

const idOf = (resource: ResourceType) => {
  const field = resource.field('Id');
  if (field?.kind !== 'scalar') throw new Error(`${resource.name} has no Id`);
  return field;
};

/** Stands for the id until the statement runs. No text of a client holds a NUL. */
export const idStandIn = '\0the id';

const byId = (resource: ResourceType): Condition => ({
  kind: 'compare',
  operand: { kind: 'field', field: idOf(resource) },
  operator: 'eq',
  value: { kind: 'value', value: idStandIn, type: 'bigint' },
});

const latestFirst = (resource: ResourceType): Order => ({
  path: [],
  operand: { kind: 'field', field: idOf(resource) },
  descending: true,
});

function about(row: Row, { binder }: MeaningV2, to: Compiling): Compiling {
  to.rows.set(binder, row);
  return to;
}

function conditionOf(node: Typed, meaning: MeaningV2, to: Compiling): Condition {
  return {
    kind: 'expression',
    // Known once it is spelled, which it is before anybody asks.
    get valuesMatter() {
      return to.valuesMatter;
    },
    spell: (row) => predicateSql(node, about(row, meaning, to)),
  };
}

function orderOf({ by, descending }: MeaningV2['order'][number], meaning: MeaningV2, to: Compiling): Order {
  const isOwn = by.kind === 'field' && by.of.kind === 'row';
  if (isOwn) return { path: [], operand: by.operand, descending };
  return { kind: 'expression', descending, spell: (row) => valueSql(by, about(row, meaning, to)) };
}

function itemsStatement(item: Typed, plan: Plan, meaning: MeaningV2, to: Compiling): Statement {
  const spell = (row: Row): Sql => {
    const text = jsonSql(item, about(row, meaning, to));
    return item.nullable ? sql`coalesce(${text}, 'null')` : text;
  };
  return compilePage(plan, to.json, { tail: '' }, spelledBy(spell, plan.privacy, to.json));
}

/** `from … where …` over all that is asked for. */
function allOf(plan: Plan, row: Row): { table: Sql; where: Sql } {
  const conditions = [
    ...kindConditions(plan.resource, row),
    ...plan.where.map((condition) => conditionSql(condition, row)),
  ];
  return { table: sql`from ${tableOf(plan.resource, row)}`, where: sql`where ${all(conditions)}` };
}

const rootRow = ({ privacy }: Plan): Row => ({ alias: name('t'), aliases: new Aliases(), privacy });

function overall(result: Typed, plan: Plan, meaning: MeaningV2, to: Compiling): Statement {
  const row = rootRow(plan);
  const { table, where } = allOf(plan, row);
  const text = jsonSql(result, about(row, meaning, to));
  return {
    ...statement(sql`select coalesce(${text}, 'null') as items, false as more ${table} ${where}`),
    isPlannedEachTime: to.valuesMatter,
  };
}

/** Without an order, groups come in that of what they are grouped by, which also decides among equals. */
function groups({ keys, members, order }: Grouped, plan: Plan, meaning: MeaningV2, to: Compiling): Statement {
  const row = rootRow(plan);
  const key = row.aliases.next();
  const { table, where } = allOf(plan, row);
  about(row, meaning, to).keys = key;
  const spelled = keys.map((by, index) => sql`${valueSql(by, to)} as ${name(`k${index}`)}`);
  const found = list(keys.map((_, index) => column(key, `k${index}`)));
  const sorted = order.map(({ by, descending }) => directed(valueSql(by, to), descending, by.nullable));
  const byKeys = keys.map((_, index) => sql`${column(key, `k${index}`)} nulls first`);
  const { take, skip } = plan.page;
  const ordered = list([...sorted, ...byKeys]);
  const page = sql`select ${objectSql(members, to)} as item, row_number() over (order by ${ordered}) as n ${table}
    cross join lateral (select ${list(spelled)}) ${key} ${where} group by ${found}
    order by ${ordered} limit ${literal(take + 1)}${skip > 0 ? sql` offset ${literal(skip)}` : raw('')}`;
  const n = raw('g.n');
  const last = literal(take + skip);
  return {
    ...statement(sql`select string_agg(case when ${n} <= ${last} then g.item end, ',' order by ${n}) as items,
      coalesce(max(${n}), 0) > ${last} as more from (${page}) g`),
    isPlannedEachTime: to.valuesMatter,
  };
}
