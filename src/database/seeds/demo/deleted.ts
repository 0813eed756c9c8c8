/** What has been deleted: two whole projects, and a story and a bug of living ones. */
import type { ClientBase } from 'pg';
import type { DemoItem } from './item.js';
import type { DemoPlan } from './plan.js';
import { uncounted } from './totals.js';

/** Before the totals are summed up, which leave them out: a story takes its tasks along. */
export async function deleteItems(client: ClientBase, work: readonly DemoItem[], at: Date): Promise<void> {
  const live = work.filter((item) => !item.project.deleted);
  // From the end of the list: tests and files hang on items at its start.
  const [story, bug] = [4, 8].map((kind) => live.findLast((item) => item.kind === kind && item.progress === 0)!.id);
  await client.query('update general set delete_date = $2 where id = any($1)', [[story, bug], at]);
  await client.query(
    'update general set delete_date = $2, deleted_with_id = user_story_id where user_story_id = $1 and entity_type_id = 5',
    [story, at],
  );
  await client.query('update general set user_story_id = null where user_story_id = $1 and entity_type_id = 8', [
    story,
  ]);
}

/** Afterwards, with all they hold and with the totals they had. */
export async function deleteProjects(client: ClientBase, plan: DemoPlan, at: Date): Promise<void> {
  const ids = plan.projects.filter((project) => project.deleted).map((project) => project.id);
  await client.query('update general set delete_date = $2 where id = any($1)', [ids, at]);
  await client.query(
    'update general set delete_date = $2, deleted_with_id = project_id where project_id = any($1) and delete_date is null',
    [ids, at],
  );
  // Teams work for several projects: their iterations are left with the work of the others.
  await uncounted(client, ['select recompute_totals()']);
}
