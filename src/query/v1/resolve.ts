/**
 * Turns a Query into a Plan: looks every name up in the model, types every value, and refuses in the client's words.
 */
import type { ResourceType } from '../../model/model.js';
import type { CustomFieldCatalogue, Plan, Value } from '../meaning.js';
import { partsOf } from '../parts.js';
import type { Query } from './query.js';
import { resolveFilter } from './resolve-filter.js';
import { defaultOrder, resolveOrder } from './resolve-order.js';
import { resolveSelection } from './resolve-selection.js';

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
