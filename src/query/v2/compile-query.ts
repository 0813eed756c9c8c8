/** Resolves, scopes and compiles a request of version 2 into one statement, through the machinery of version 1. */
import type { ActorShape } from '../../actor.js';
import type { ResourceType } from '../../model/model.js';
import type { JsonV2 } from '../../representation/json-v2.js';
import type { Statement } from '../../sql.js';
import { compilePage, type SpelledItems, spelledBy } from '../compile.js';
import { compiling } from '../compiler.js';
import { about, type Compiling, type Row } from '../compiling.js';
import { affordable } from '../cost.js';
import type { Binder, Condition, Order, Plan, Value } from '../meaning.js';
import { emptyPlan } from '../resolve-selection.js';
import { privacyOf } from '../scope.js';
import type { StatementCache } from '../statement-cache.js';
import { sees, visible } from '../visible.js';
import { spelledItem } from './compile-json.js';
import { groups, overall } from './compile-overall.js';
import { wholeItem } from './display.js';
import { expressionSize } from './expression-size.js';
import { plainRows } from './plain-condition.js';
import type { QueryV2 } from './query-v2.js';
import { type MeaningV2, type QueryContext, resolveQueryV2 } from './resolve-query.js';
import { rowOf } from './resolving.js';
import { scopeExpression } from './scope-expression.js';

export interface AskingV2 extends QueryContext {
  resource: ResourceType;
  shape: ActorShape;
  json: JsonV2;
  statements: StatementCache;
  /** One entity is asked for, by its id. */
  isOne: boolean;
}

/** Rows of `items` (texts of items, glued) and `more`; of a result, its text. Errors: 400. */
export const compileQueryV2 = (query: QueryV2, asking: AskingV2): Statement =>
  affordable(compiled(query, asking), query.page.skip > 0);

function compiled(query: QueryV2, asking: AskingV2): Statement {
  const meaning = resolveQueryV2(query, asking.resource, asking);
  scopeMeaning(meaning, asking.shape);
  const to = compiling(asking.json);
  const plan = plainRows(planOf(query, meaning, asking));
  switch (meaning.shown.kind) {
    case 'whole':
      return asking.statements.page(plan, wholeItems(query, plan, asking), to);
    case 'items': {
      const items = itemsOf(meaning.shown.item, meaning.binder, plan.privacy, to);
      return compilePage(plan, asking.json, { tail: '' }, items, to);
    }
    case 'result':
      return overall(meaning.shown.result, plan, meaning, to);
    case 'groups':
      return groups(meaning.shown, plan, meaning, to);
  }
}

/** Items as they are shown when nothing is selected. No text of a client changes them, so that each is spelled once. */
function wholeItems({ dates }: QueryV2, plan: Plan, { resource, shape, json, model, catalogue, statements }: AskingV2) {
  return statements.itemsOf(nothingSelected, `${dates} ${resource.name} ${shape}`, () => {
    const row = rowOf(resource);
    const item = wholeItem(row, { model, catalogue, source: { parameter: 'select', place: (start) => start } });
    scopeExpression(item, shape);
    return { plan, spell: () => itemsOf(item, row.binder, plan.privacy, compiling(json)) };
  });
}

const nothingSelected = {};

function itemsOf(item: Value, binder: Binder, privacy: Plan['privacy'], to: Compiling): SpelledItems {
  const spell = (row: Row) => spelledItem(item, about(row, binder, to));
  return spelledBy(spell, expressionSize(item), privacy, to.json!, to);
}

function scopeMeaning({ where, order, shown }: MeaningV2, shape: ActorShape): void {
  const done = new Set<Value>();
  const scope = (node: Value): void => scopeExpression(node, shape, done);
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

function planOf(query: QueryV2, meaning: MeaningV2, { shape, resource, isOne }: AskingV2): Plan {
  const listsDeleted = query.includeDeleted && shape === 'administrator';
  return {
    ...emptyPlan(resource, isOne ? { take: 1, skip: 0 } : query.page),
    privacy: privacyOf(shape),
    where: [
      ...(isOne ? [byId(resource)] : []),
      ...meaning.where.map((node) => conditionOf(node, meaning)),
      ...(listsDeleted ? sees(resource, shape) : visible(resource, shape)),
    ],
    order: meaning.order.length > 0 ? meaning.order.map((one) => orderOf(one, meaning)) : [latestFirst(resource)],
  };
}

const idOf = (resource: ResourceType) => {
  const field = resource.field('Id');
  if (field?.kind !== 'scalar') throw new Error(`${resource.name} has no Id`);
  return field;
};

const byId = (resource: ResourceType): Condition => ({
  kind: 'compare',
  operand: { kind: 'field', field: idOf(resource) },
  operator: 'eq',
  value: { kind: 'late', late: 'id' },
});

const latestFirst = (resource: ResourceType): Order => ({
  path: [],
  operand: { kind: 'field', field: idOf(resource) },
  descending: true,
});

const conditionOf = (value: Value, { binder }: MeaningV2): Condition => ({ kind: 'values', values: [value], binder });

function orderOf({ by, descending }: MeaningV2['order'][number], { binder }: MeaningV2): Order {
  const isOwn = by.kind === 'field' && by.of.kind === 'row';
  return isOwn ? { path: [], operand: by.operand, descending } : { kind: 'value', by, binder, descending };
}
