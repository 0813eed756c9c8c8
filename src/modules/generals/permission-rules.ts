/** A permission names its entity by EntityId, as clients do, or by General; its type follows. */
import { type Change, referenced, refuse, type Work } from '../../command/change.js';
import type { Model } from '../../model/model.js';

export async function permissionRules(changes: readonly Change[], work: Work, model: Model): Promise<void> {
  const general = model.general;
  const entityIds = changes.map(({ values }) => values.entityId as number | null | undefined);
  await work.look(new Map([[general, entityIds.filter((id): id is number => typeof id === 'number')]]));
  changes.forEach((change, at) => {
    const id = entityIds[at];
    delete change.values.entityId;
    if (typeof id === 'number' && id !== change.before?.general_id) nameEntity(change, id, work, general.name);
    const fact = work.facts.any(referenced(change, 'general') ?? 0, general.name);
    // Whatever was sent: an entity is of one type.
    if (fact?.kind !== undefined) change.values.entityType = { id: fact.kind };
  });
}

function nameEntity(change: Change, id: number, { facts }: Work, type: string): void {
  const other = referenced(change, 'general');
  if (other !== undefined && other !== id) throw refuse(change, 'EntityId', 'General names another entity.');
  if (!facts.any(id, type))
    throw refuse(change, 'EntityId', `there is no General with Id ${id}, or access to it is forbidden.`);
  change.values.general = { id };
}
