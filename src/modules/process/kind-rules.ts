/** Which kinds of items have states, priorities and so on: those whose resource has a reference of that name. */
import { type Change, current, refuse } from '../../command/change.js';
import type { Model } from '../../model/model.js';

/** 400 unless the kind that is sent has a field of this name. */
export function refuseKindWithout(change: Change, fieldName: string, what: string, model: Model): void {
  const kind = current(change, 'entityType');
  if (kind === undefined || !('entityType' in change.values)) return;
  const resource = model.resources.find(({ settings }) => settings.entityTypeId === kind);
  if (resource?.isGeneral && resource.field(fieldName)) return;
  throw refuse(change, 'EntityType', `${resource?.collection ?? 'these entities'} have no ${what}.`);
}
