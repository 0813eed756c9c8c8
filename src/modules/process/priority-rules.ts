/** A priority is for one kind of item, and stays with it while items have it. */
import { type Change, refuse, type Work } from '../../command/change.js';
import type { Model } from '../../model/model.js';
import { takeDefault } from './default-rules.js';
import { refuseKindWithout } from './kind-rules.js';

export async function priorityRules(changes: readonly Change[], work: Work, model: Model): Promise<void> {
  for (const change of changes) refuseKindWithout(change, 'Priority', 'priorities', model);
  await refuseMoved(changes, work);
  await takeDefault(changes, work);
}

async function refuseMoved(changes: readonly Change[], { rows }: Work): Promise<void> {
  const moved = changes.filter(({ isNew, values }) => !isNew && 'entityType' in values);
  if (moved.length === 0) return;
  const used = await rows<{ id: number }>(
    `select u.id from unnest($1::bigint[]) as u(id) where exists (select 1 from general g where g.priority_id = u.id)
       or exists (select 1 from test_case_run r where r.priority_id = u.id)`,
    [moved.map(({ id }) => id)],
  );
  const change = moved.find(({ id }) => used.some((row) => row.id === id));
  if (change) throw refuse(change, 'EntityType', 'items have this priority, which is for their kind only.');
}
