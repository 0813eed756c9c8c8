/** Turns a Query into a Plan: looks every name up in the model, types every value, and refuses in the client's words. */
import { type ResourceType } from '../model/model.js';
import type { CustomFieldCatalogue, Plan } from './plan.js';
import type { Query } from './query.js';
import { resolveFilter } from './resolve-filter.js';
import { defaultOrder, resolveOrder } from './resolve-order.js';
import { resolveSelection } from './resolve-selection.js';

export function resolve(query: Query, resource: ResourceType, catalogue: CustomFieldCatalogue): Plan {
  const plan = resolveSelection(query.selection, { resource, catalogue, inner: query.inner });
  if (query.where) {
    plan.where = [resolveFilter(query.where, resource, catalogue)];
    plan.namesDeleteDate = plan.where.some(namesDeleteDate);
  }
  plan.order = query.order.length > 0 ? resolveOrder(query.order, resource, catalogue) : defaultOrder(resource);
  plan.page = query.page;
  return plan;
}

/** Whether a condition on the root row itself speaks of its deletion. */
function namesDeleteDate(condition: Plan['where'][number]): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.some(namesDeleteDate);
    case 'not':
      return namesDeleteDate(condition.part);
    case 'compare':
    case 'in':
    case 'null':
      return condition.operand.kind === 'field' && condition.operand.field.name === 'DeleteDate';
    default:
      return false;
  }
}
