/**
 * A run of a test plan has the bugs that test cases of its own project have found. Where the plan or a case had moved
 * to another project, the run kept bugs that it has no longer, or lacked those that it has by now. What was found
 * nowhere was joined with the run itself, and stays. What somebody has separated from a run is missing there as well,
 * and stays away: whether a move came later stands in the record of changes.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BugsOfMovedRuns1700000000143 implements MigrationInterface {
  name = 'BugsOfMovedRuns1700000000143';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `delete from test_plan_run_bug b using (${bugsOfRuns}) f where not f.own and b.test_plan_run_id = f.run and b.bug_id = f.bug`,
    );
    await runner.query(
      `with missing as materialized (
         select f.* from (${bugsOfRuns}) f left join test_plan_run_bug b on b.test_plan_run_id = f.run and b.bug_id = f.bug
         where f.own and b.bug_id is null)
       insert into test_plan_run_bug (test_plan_run_id, bug_id)
       select f.run, f.bug from missing f where ${movedLast} order by 1, 2 on conflict do nothing`,
    );
  }

  async down(): Promise<void> {}
}

const bugsOfRuns = `select c.test_plan_run_id as run, l.bug_id as bug, bool_or(t.project_id = r.project_id) as own,
    array_agg(t.id) as cases
  from test_case_run_bug l join test_case_run c on c.id = l.test_case_run_id
  join general r on r.id = c.test_plan_run_id join general t on t.id = c.test_case_id group by 1, 2`;

/** The run or a case has moved, and the bug was not separated from the run since. */
const movedLast = `exists (
  select from change_record m
  where m.entity_id = any(f.cases || f.run) and m.kind = 'update' and m.resource in ('TestPlanRun', 'TestCase')
    and m.changes ? 'project_id' and not exists (
      select from change_record d
      where d.entity_id = f.run and d.id > m.id and d.kind = 'delete' and d.resource = 'TestPlanRunBug'
        and d.changes -> 'bug_id' -> 0 = to_jsonb(f.bug)))`;
