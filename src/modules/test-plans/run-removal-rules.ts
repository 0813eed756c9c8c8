/** What goes and comes back with the plan of a run, or with the run above it. */
import type { Removal, Restoral, Work } from '../../command/change.js';
import { levelsFrom, type Step, stepsOf, targetOf, writableIds } from './plan-tree.js';
import { recount, rememberResults, rememberResultsOf, type Source, withProjects } from './run-count-rules.js';

/** Runs go with their plan, and with the run above them; what the actor may not see stays. */
export async function runsGo(removals: readonly Removal[], work: Work): Promise<void> {
  const ids = removals.map(({ id }) => id);
  // A plan has runs, and so has a run.
  const run = targetOf(removals[0]!.resource, 'TestPlanRuns');
  const going = await work.rows<{ id: number; top: number }>(runsOf, [ids]);
  if (going.length === 0) return;
  const allSteps = await work.rows<Step>(stepsOfRuns, [going.map(({ id }) => id)]);
  const mine = await writableIds(run, [...going.map(({ id }) => id), ...allSteps.map(({ to }) => to)], work);
  const steps = stepsOf(allSteps.filter(({ to }) => mine.has(to)));
  const along = going
    .filter(({ id }) => mine.has(id))
    .flatMap(({ id, top }) => levelsFrom(id, steps).flatMap((level) => level.map((one) => [one.id, top])));
  await work.rows(takeAlong, [
    along.map(([id]) => id),
    along.map(([, top]) => top),
    ids,
    work.now(),
    work.actor.userId,
  ]);
}

const runsOf = `select id, case when id = any($1::bigint[]) then id else test_plan_id end as top from general
  where entity_type_id = 14 and (id = any($1::bigint[]) or test_plan_id = any($1::bigint[])) order by top, id`;

const stepsOfRuns = `with recursive below as (
    select g.id, g.parent_test_plan_run_id as parent from general g where g.parent_test_plan_run_id = any($1::bigint[])
    union select g.id, g.parent_test_plan_run_id from below b join general g on g.parent_test_plan_run_id = b.id)
  select parent as "from", id as "to" from below`;

const takeAlong = `update general g set delete_date = $4, modify_date = $4, last_editor_id = $5, deleted_with_id = b.top
  from (select distinct on (id) id, top from unnest($1::bigint[], $2::bigint[]) as u(id, top) order by id, top) b
  where g.id = b.id and g.delete_date is null and not g.id = any($3::bigint[])`;

/** What lies above counts without them, and test cases remember what came of them before. */
export async function runsGone(removals: readonly Removal[], work: Work): Promise<void> {
  const gone = [removals.map(({ id }) => id)];
  const sources = await work.rows<Source & { cases: number[] | null }>(
    `select g.parent_test_plan_run_id as run, g.project_id as project,
       (select array_agg(distinct c.test_case_id) from test_case_run c where c.test_plan_run_id = g.id and c.status <> 'NotRun') as cases
     from general g where g.entity_type_id = 14 and (g.id = any($1::bigint[]) or g.deleted_with_id = any($1::bigint[]))`,
    gone,
  );
  await recount(sources, work);
  await rememberResults(
    sources.flatMap(({ cases }) => cases ?? []),
    work,
  );
}

/** What lies above counts them again, and so do they: runs below them may have come or gone. */
export async function runsBack(restorals: readonly Restoral[], work: Work): Promise<void> {
  const runs = restorals.map(({ id }) => id);
  await recount(await withProjects(runs, work), work);
  await rememberResultsOf(runs, work);
}
