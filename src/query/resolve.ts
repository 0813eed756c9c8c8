/** Turns a Query into a Plan: looks every name up in the model, types every value, and refuses in the client's words. */
import { type ResourceType } from '../model/model.js';
import type { Condition, CustomFieldCatalogue, Plan, Value } from './meaning.js';
import type { Comparison } from './operators.js';
import { partsOf } from './parts.js';
import type { Query } from './query.js';
import { resolveFilter } from './resolve-filter.js';
import { defaultOrder, resolveOrder } from './resolve-order.js';
import { resolveSelection } from './resolve-selection.js';
import { condition, fieldOf, lateId, rowOf } from './values.js';

export function resolve(query: Query, resource: ResourceType, catalogue: CustomFieldCatalogue): Plan {
  return resolveRows(query, resolveItems(query, resource, catalogue), catalogue);
}

/** What each item shows. It depends on the selection alone. */
export const resolveItems = (
  { selection, inner }: Pick<Query, 'selection' | 'inner'>,
  resource: ResourceType,
  catalogue: CustomFieldCatalogue,
): Plan => resolveSelection(selection, { resource, catalogue, inner });

/** Which items there are, in which order. */
export function resolveRows(
  query: Pick<Query, 'where' | 'order' | 'page'>,
  items: Plan,
  catalogue: CustomFieldCatalogue,
): Plan {
  const { resource } = items;
  const where = query.where ? [resolveFilter(query.where.filter, resource, catalogue)] : [];
  return {
    ...items,
    where,
    asksForDeleted: where.some(namesDeleteDate),
    order: query.order.length > 0 ? resolveOrder(query.order, resource, catalogue) : defaultOrder(resource),
    page: query.page,
  };
}

/** Whether a condition on the root row itself speaks of its deletion. */
function namesDeleteDate(of: Value): boolean {
  if (of.kind !== 'field') return of.kind !== 'some' && partsOf(of).some(namesDeleteDate);
  return of.of.kind === 'row' && of.operand.kind === 'field' && of.operand.field.name === 'DeleteDate';
}

/** The one entity that is asked for. */
export const isAskedFor = (resource: ResourceType): Condition => comparedId(resource, 'eq');

/** Those behind one, in the order of Ids. */
export const isBehind = (resource: ResourceType): Condition => comparedId(resource, 'gt');

function comparedId(resource: ResourceType, operator: Comparison): Condition {
  const left = fieldOf(rowOf(resource), { kind: 'field', field: resource.idField });
  return condition({ kind: 'compare', operator, left, right: lateId });
}
