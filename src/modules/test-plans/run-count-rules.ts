/** What sums test case runs up: the counts of a run and of those above it, and the last result of a test case. */
import type { Row, Work } from '../../command/change.js';

/** Also of what may be twice in it, or missing. */
export const distinct = (ids: readonly unknown[]): number[] =>
  [...new Set(ids.filter((id) => typeof id === 'number'))].sort((a, b) => a - b);

/** A run whose counts may have changed, and the project of what has changed in it. */
export interface Source {
  run: unknown;
  project?: unknown;
}

/**
 * The counts of these runs and of all above them. Those that lie in the project of what has changed have been changed
 * at this moment by this person; the others only count, and tell neither who nor when.
 */
export async function recount(sources: readonly Source[], work: Work): Promise<void> {
  const ids = distinct(sources.map(({ run }) => run));
  if (ids.length === 0) return;
  const [runs, projects] = [sources.map(({ run }) => run ?? null), sources.map(({ project }) => project ?? null)];
  await work.rows(countAgain, [await lockUpwards(ids, work), work.now(), work.actor.userId, runs, projects]);
}

/** Runs that change as a whole. */
export const withProjects = (runs: readonly number[], { rows }: Work): Promise<Source[]> =>
  rows<{ run: number; project: number }>(
    'select id as run, project_id as project from general where id = any($1::bigint[])',
    [runs],
  );

/** Runs by what has changed of a test case in each. */
export async function ofCases(rows: readonly Row[], work: Work): Promise<Source[]> {
  const sources = await withProjects(distinct(rows.map((row) => row.test_case_id)), work);
  const projects = new Map(sources.map(({ run, project }) => [run, project]));
  return rows.map((row) => ({ run: row.test_plan_run_id, project: projects.get(row.test_case_id) }));
}

/**
 * Whoever counts holds the runs, so that a later count sees what an earlier one has seen. What is above them may have
 * changed while we waited for the locks, so it is asked for until it stays the same.
 */
async function lockUpwards(runs: readonly number[], { rows }: Work): Promise<number[]> {
  for (let count = 0; ; ) {
    const ids = (await rows<{ id: number }>(lockAbove, [runs])).map(({ id }) => id);
    if (ids.length === count) return ids;
    count = ids.length;
  }
}

const lockAbove = `with recursive above as (
    select id, parent_test_plan_run_id from general where id = any($1::bigint[])
    union select g.id, g.parent_test_plan_run_id from above a join general g on g.id = a.parent_test_plan_run_id)
  select id from general where id in (select id from above) order by id for no key update`;

const counts = [
  ['not_run_count', 'NotRun'],
  ['passed_count', 'Passed'],
  ['failed_count', 'Failed'],
  ['on_hold_count', 'OnHold'],
  ['blocked_count', 'Blocked'],
] as const;

const columns = counts.map(([column]) => column);

const countAgain = `with recursive below as (
    select u as run, u as part from unnest($1::bigint[]) u
    union select b.run, g.id from below b join general g on g.parent_test_plan_run_id = b.part where g.delete_date is null),
  counted as (select b.run, ${counts.map(([column, status]) => `count(c.id) filter (where c.status = '${status}') as ${column}`).join(', ')}
    from below b left join test_case_run c on c.test_plan_run_id = b.part group by b.run),
  changed as (
    select g.id, g.parent_test_plan_run_id as above, g.project_id from unnest($4::bigint[], $5::bigint[]) as u(run, project)
      join general g on g.id = u.run and g.project_id = u.project
    union select g.id, g.parent_test_plan_run_id, g.project_id from changed c
      join general g on g.id = c.above and g.project_id = c.project_id)
  update general g set ${columns.map((column) => `${column} = n.${column}`).join(', ')},
    modify_date = case when g.id in (select id from changed) then $2 else g.modify_date end,
    last_editor_id = case when g.id in (select id from changed) then $3 else g.last_editor_id end
  from counted n where g.id = n.run
    and (${columns.map((column) => `g.${column}`).join(', ')}) is distinct from (${columns.map((column) => `n.${column}`).join(', ')})`;

/** A test case shows what came of it the last time it was run in its own project: whoever sees it sees those runs. */
export async function rememberResults(testCases: readonly unknown[], { rows }: Work): Promise<void> {
  const ids = distinct(testCases);
  if (ids.length === 0) return;
  await rows('select id from general where id = any($1::bigint[]) order by id for no key update', [ids]);
  await rows(lastResults, [ids]);
}

/** Of all test cases that were run in these. */
export async function rememberResultsOf(runs: readonly number[], work: Work): Promise<void> {
  const cases = await work.rows<{ id: number }>(
    `select distinct test_case_id as id from test_case_run where test_plan_run_id = any($1::bigint[]) and status <> 'NotRun'`,
    [runs],
  );
  await rememberResults(
    cases.map(({ id }) => id),
    work,
  );
}

const lastResults = `update general g set last_run_status = l.status, last_run_date = l.date,
    last_failure_comment = case l.status when 'Failed' then l.comment end
  from unnest($1::bigint[]) u join general t on t.id = u left join lateral (
    select c.status, c.comment, coalesce(c.end_run_date, c.start_run_date) as date
    from test_case_run c join general r on r.id = c.test_plan_run_id and r.project_id = t.project_id
    where c.test_case_id = u and c.status <> 'NotRun' and r.delete_date is null
    order by coalesce(c.end_run_date, c.start_run_date) desc nulls last, c.id desc limit 1) l on true
  where g.id = u and (g.last_run_status, g.last_run_date, g.last_failure_comment)
    is distinct from (l.status, l.date, case l.status when 'Failed' then l.comment end)`;
