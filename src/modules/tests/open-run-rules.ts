/** What is not over yet, as conditions on rows: a run that has not reached a final state, a test case in it that waits for its turn. */

/** `run` is a row of a test plan run. */
export const isOpen = (run: string): string => `${run}.delete_date is null
  and not exists (select 1 from entity_state e where e.id = ${run}.entity_state_id and e.is_final)`;

/** `caseRun` is a row of a test case run. */
export const isWaiting = (caseRun: string): string => `${caseRun}.status = 'NotRun'
  and exists (select 1 from general r where r.id = ${caseRun}.test_plan_run_id and ${isOpen('r')})`;

/** For each run in the array $1 the run at the top, as `root (run, root)`. To be put behind `with recursive`. */
export const roots = `above as (
    select u.run, u.run as id from unnest($1::int[]) as u(run)
    union all select a.run, g.parent_test_plan_run_id from above a join general g on g.id = a.id
    where g.parent_test_plan_run_id is not null),
  root as (select a.run, a.id as root from above a join general g on g.id = a.id where g.parent_test_plan_run_id is null)`;
