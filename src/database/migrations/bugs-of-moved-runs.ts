/**
 * A run of a test plan has the bugs that test cases of its own project have found. Where the plan or a case had moved
 * to another project, the run kept bugs that it has no longer, or lacked those that it has by now. What was found
 * nowhere was joined with the run itself, and stays.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BugsOfMovedRuns1700000000143 implements MigrationInterface {
  name = 'BugsOfMovedRuns1700000000143';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `delete from test_plan_run_bug b using (${bugsOfRuns}) f where not f.own and b.test_plan_run_id = f.run and b.bug_id = f.bug`,
    );
    await runner.query(
      `insert into test_plan_run_bug (test_plan_run_id, bug_id)
       select f.run, f.bug from (${bugsOfRuns}) f where f.own order by 1, 2 on conflict do nothing`,
    );
  }

  async down(): Promise<void> {}
}

const bugsOfRuns = `select c.test_plan_run_id as run, l.bug_id as bug, bool_or(t.project_id = r.project_id) as own
  from test_case_run_bug l join test_case_run c on c.id = l.test_case_run_id
  join general r on r.id = c.test_plan_run_id join general t on t.id = c.test_case_id group by 1, 2`;
