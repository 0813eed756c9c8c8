/** What every General gets when it is written: dates, people, rank. Used by the services of all families of Generals. */
import { byDefault, type Change, referenced } from '../../command/change.js';

export async function generalDefaults(change: Change): Promise<void> {
  const { values, now, actor } = change;
  values.modifyDate = now;
  values.lastEditor = { id: actor.userId };
  if (!change.isNew) return;
  values.createDate = now;
  byDefault(change, 'owner', { id: actor.userId });
  if (values.numericPriority === 0) values.numericPriority = await lastRank(change);
}

/** A new item comes last among its kind. */
async function lastRank({ manager, resource }: Change): Promise<number> {
  const [row] = await manager.query(
    'select coalesce(max(numeric_priority), 0) + 1 as rank from general where entity_type_id = $1',
    [resource.settings.entityTypeId],
  );
  return row.rank;
}

/** The project an item lies in, or will lie in once the change is stored. */
export async function projectOf(change: Change): Promise<number | undefined> {
  const said = referenced(change, 'project');
  if (said !== undefined || change.id === undefined) return said;
  const [row] = await change.manager.query('select project_id from general where id = $1', [change.id]);
  return row?.project_id ?? undefined;
}
