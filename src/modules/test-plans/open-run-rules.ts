/**
 * What is not over yet, as conditions on rows: a run that has not reached a final state, a test case in it that waits
 * for its turn.
 */

/** `run` is a row of a test plan run. */
export const isOpen = (run: string): string => `${run}.delete_date is null
  and not exists (select 1 from entity_state e where e.id = ${run}.entity_state_id and e.is_final)`;

/** `caseRun` is a row of a test case run. */
export const isWaiting = (caseRun: string): string => `${caseRun}.status = 'NotRun'
  and exists (select 1 from general r where r.id = ${caseRun}.test_plan_run_id and ${isOpen('r')})`;

/**
 * `caseRun` is a row of a run of a test case of the project that it is run in: who sees that project sees all three.
 */
export const isOfOwnProject = (
  caseRun: string,
): string => `exists (select 1 from general r join general t on t.project_id = r.project_id
  where r.id = ${caseRun}.test_plan_run_id and t.id = ${caseRun}.test_case_id)`;

/**
 * For each run in the array $1 the run at the top, as `root (run, root)`; in a circle, which only what a writer could
 * not see can close, any. To be put behind `with recursive`.
 */
export const roots = `above as (
    select u.run, u.run as id from unnest($1::bigint[]) as u(run)
    union select a.run, g.parent_test_plan_run_id from above a join general g on g.id = a.id
    where g.parent_test_plan_run_id is not null),
  root as (select distinct on (a.run) a.run, a.id as root from above a join general g on g.id = a.id
    order by a.run, num_nulls(g.parent_test_plan_run_id) desc, a.id)`;
