/** The bugs of runs of test cases are bugs of the run of the plan as well, within one project. */
import type { Work } from '../../command/change.js';
import { isOfOwnProject } from './open-run-rules.js';

export interface RunBug {
  run: number;
  bug: number;
}

/** Of two who write what one run has found, the later one sees what the earlier one did. */
const lockRuns = (which: string): string =>
  `select id from general where id in (${which}) order by id for no key update`;

/** The runs that case runs lie in, and their test cases, since both may be about to move to another project. */
const lockPlaces = lockRuns(
  'select unnest(array[test_plan_run_id, test_case_id]) from test_case_run where id = any($1::bigint[])',
);

/** Pairs of a test case run and a bug that were joined. */
export async function showBugs(pairs: readonly (readonly [caseRun: number, bug: number])[], { rows }: Work) {
  await rows(lockPlaces, [pairs.map(([caseRun]) => caseRun)]);
  await rows(
    `insert into test_plan_run_bug (test_plan_run_id, bug_id)
     select distinct c.test_plan_run_id, u.bug from unnest($1::bigint[], $2::bigint[]) as u(case_run, bug)
     join test_case_run c on c.id = u.case_run where ${isOfOwnProject('c')} order by 1, 2 on conflict do nothing`,
    [pairs.map(([caseRun]) => caseRun), pairs.map(([, bug]) => bug)],
  );
}

/**
 * Of runs that have moved to another project, or whose test cases have. What nothing but a test case of another project
 * has found goes; what was joined with the run itself stays.
 */
export async function settleBugs(
  column: 'test_plan_run_id' | 'test_case_id',
  ids: readonly (number | undefined)[],
  work: Work,
): Promise<void> {
  if (ids.length === 0) return;
  const theirs = `test_case_run c join test_case_run_bug l on l.test_case_run_id = c.id
    where c.${column} = any($1::bigint[])`;
  await work.rows(lockRuns(`select c.test_plan_run_id from ${theirs}`), [ids]);
  const bugs = await work.rows<RunBug & { own: boolean }>(
    `select c.test_plan_run_id as run, l.bug_id as bug, bool_or(${isOfOwnProject('c')}) as own
     from ${theirs} group by 1, 2 order by 1, 2`,
    [ids],
  );
  await forgetBugs(
    bugs.filter(({ own }) => !own),
    work,
  );
  const own = bugs.filter((one) => one.own);
  if (own.length === 0) return;
  await work.rows(
    `insert into test_plan_run_bug (test_plan_run_id, bug_id)
     select * from unnest($1::bigint[], $2::bigint[]) on conflict do nothing`,
    [own.map(({ run }) => run), own.map(({ bug }) => bug)],
  );
}

const isFoundElsewhere = (run: string, bug: string): string => `exists (
  select 1 from test_case_run_bug l join test_case_run c on c.id = l.test_case_run_id
  where c.test_plan_run_id = ${run} and l.bug_id = ${bug} and ${isOfOwnProject('c')})`;

/** What no other test case run of the same run has found. */
export async function forgetBugs(gone: readonly RunBug[], { rows }: Work): Promise<void> {
  if (gone.length === 0) return;
  await rows(lockRuns('select unnest($1::bigint[])'), [gone.map(({ run }) => run)]);
  await rows(
    `delete from test_plan_run_bug b using unnest($1::bigint[], $2::bigint[]) as u(run, bug)
     where b.test_plan_run_id = u.run and b.bug_id = u.bug and not ${isFoundElsewhere('u.run', 'u.bug')}`,
    [gone.map(({ run }) => run), gone.map(({ bug }) => bug)],
  );
}

/** Pairs of a test case run and a bug that were separated. */
export async function hideBugs(pairs: readonly (readonly [caseRun: number, bug: number])[], work: Work): Promise<void> {
  await work.rows(lockPlaces, [pairs.map(([caseRun]) => caseRun)]);
  const gone = await work.rows<RunBug>(
    `select c.test_plan_run_id as run, u.bug from unnest($1::bigint[], $2::bigint[]) as u(case_run, bug)
     join test_case_run c on c.id = u.case_run where ${isOfOwnProject('c')}`,
    [pairs.map(([caseRun]) => caseRun), pairs.map(([, bug]) => bug)],
  );
  await forgetBugs(gone, work);
}
