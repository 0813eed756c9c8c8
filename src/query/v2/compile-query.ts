/** Resolves, scopes and compiles a request of version 2 into one statement, through the machinery of version 1. */
import type { ActorShape } from '../../actor.js';
import type { ResourceType } from '../../model/model.js';
import type { JsonV2 } from '../../representation/json-v2.js';
import type { Statement } from '../../sql.js';
import { shareOf } from '../answer-size.js';
import { compilePage, spelledBy } from '../compile.js';
import { affordable } from '../cost.js';
import type { Condition, Order, Plan } from '../plan.js';
import { emptyPlan } from '../resolve-selection.js';
import { privacyOf } from '../scope.js';
import type { StatementCache } from '../statement-cache.js';
import { matters } from '../values-matter.js';
import { sees, visible } from '../visible.js';
import { itemSpeller } from './compile-items.js';
import { groups, overall } from './compile-overall.js';
import { predicateSql } from './compile-predicate.js';
import { about, type Compiling } from './compile-rows.js';
import { valueSql } from './compile-value.js';
import { wholeItem } from './display.js';
import { expressionSize } from './expression-size.js';
import { plainComparison } from './plain-condition.js';
import type { QueryV2 } from './query-v2.js';
import { type MeaningV2, type QueryContext, resolveQueryV2 } from './resolve-query.js';
import { rowOf } from './resolving.js';
import { scopeExpression } from './scope-expression.js';
import type { Typed } from './typed.js';

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
  const to: Compiling = { json: asking.json, rows: new Map(), valuesMatter: false, share: shareOf({ long: 8 }) };
  const plan = planOf(query, meaning, asking, to);
  switch (meaning.shown.kind) {
    case 'whole':
      return asking.statements.page(plan, wholeItems(query, plan, asking));
    case 'items': {
      const spell = itemSpeller(meaning.shown.item, meaning.binder, to);
      return compilePage(
        plan,
        to.json,
        { tail: '' },
        spelledBy(spell, expressionSize(meaning.shown.item), plan.privacy, to.json),
      );
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
    const to = { json, rows: new Map(), valuesMatter: false, share: shareOf({ long: 8 }) };
    const spell = () => spelledBy(itemSpeller(item, row.binder, to), expressionSize(item), plan.privacy, json);
    return { plan, spell };
  });
}

const nothingSelected = {};

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
    privacy: privacyOf(shape),
    where: [
      ...(isOne ? [byId(resource)] : []),
      ...meaning.where.flatMap(parts).map((node) => conditionOf(node, meaning, to)),
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

const parts = (node: Typed): Typed[] => (node.kind === 'and' ? node.parts.flatMap(parts) : [node]);

function conditionOf(node: Typed, meaning: MeaningV2, to: Compiling): Condition {
  const plain = plainComparison(node);
  if (plain?.binder === meaning.binder) {
    if (matters(plain.condition)) to.valuesMatter = true;
    return plain.condition;
  }
  return {
    kind: 'expression',
    // Known once it is spelled, which it is before anybody asks.
    get valuesMatter() {
      return to.valuesMatter;
    },
    spell: (row) => predicateSql(node, about(row, meaning.binder, to)),
  };
}

function orderOf({ by, descending }: MeaningV2['order'][number], meaning: MeaningV2, to: Compiling): Order {
  const isOwn = by.kind === 'field' && by.of.kind === 'row';
  if (isOwn) return { path: [], operand: by.operand, descending };
  return { kind: 'expression', descending, spell: (row) => valueSql(by, about(row, meaning.binder, to)) };
}
