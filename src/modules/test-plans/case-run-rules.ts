/**
 * Rules of test case runs: they come with the run of a plan; who runs them says what came of it, and the sums follow.
 */
import { byDefault, type Change, currentValue, type Removal, refuse, type Work } from '../../command/change.js';
import { takeAlong } from '../../command/take-along.js';
import { badMember, badRequest } from '../../errors.js';
import type { ResourceType } from '../../model/model.js';
import { isOfOwnProject } from './open-run-rules.js';
import { forgetBugs, type RunBug, settleBugs } from './run-bug-rules.js';
import { ofCases, recount, rememberResults } from './run-count-rules.js';

export async function caseRunsBefore(changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    if (change.isNew) throw notByItself(change);
    if (change.values.testPlanRun) throw refuse(change, 'TestPlanRun', 'a test case run stays in its run.');
    if (change.values.status !== undefined) execute(change);
    refuseEndBeforeStart(change);
  }
}

function notByItself({ command: { path } }: Change) {
  const why = 'Add TestCase to TestPlan to create a TestCaseRun.';
  return path === '' ? badRequest(why, 'InvalidValue') : badMember(path.slice(0, -1), why);
}

/** Whoever sets another status has run the test case at this moment, unless he says when. */
function execute(change: Change): void {
  const { values, now, actor } = change;
  if (values.status === 'NotRun') {
    Object.assign(values, { startRunDate: null, endRunDate: null, lastExecutor: null });
    return;
  }
  byDefault(change, 'endRunDate', now);
  if (!currentValue(change, 'startRunDate')) byDefault(change, 'startRunDate', values.endRunDate ?? now);
  values.lastExecutor = { id: actor.userId };
}

function refuseEndBeforeStart(change: Change): void {
  if (!('startRunDate' in change.values) && !('endRunDate' in change.values)) return;
  const [start, end] = [currentValue<Date>(change, 'startRunDate'), currentValue<Date>(change, 'endRunDate')];
  if (start && end && end.getTime() < start.getTime())
    throw refuse(change, 'EndRunDate', 'the end is before the start.');
}

export async function caseRunsAfter(changes: readonly Change[], work: Work): Promise<void> {
  const executed = changes.filter(({ values }) => 'status' in values);
  const withResults = changes.filter(({ values }) => results.some((property) => property in values));
  await recount(
    await ofCases(
      executed.map(({ before }) => before!),
      work,
    ),
    work,
  );
  await rememberResults(
    withResults.map(({ before }) => before?.test_case_id),
    work,
  );
}

/** Test cases that move to another project: their last results and the bugs found are worked out anew. */
export async function testCasesAfter(changes: readonly Change[], work: Work): Promise<void> {
  const moved = changes.filter(({ isNew, values }) => !isNew && values.project).map(({ id }) => id);
  await rememberResults(moved, work);
  await settleBugs('test_case_id', moved, work);
}

const results = ['status', 'comment', 'startRunDate', 'endRunDate'];

/** Their steps and bugs go along. */
export async function caseRunsGo(removals: readonly Removal[], work: Work, stepRun: ResourceType): Promise<void> {
  const ids = removals.map(({ id }) => id);
  await takeAlong(stepRun, 'testCaseRun', ids, work);
  const bugs = await work.rows<RunBug & { own: boolean }>(
    `delete from test_case_run_bug b using test_case_run c where c.id = b.test_case_run_id and c.id = any($1::bigint[])
     returning c.test_plan_run_id as run, b.bug_id as bug, ${isOfOwnProject('c')} as own`,
    [ids],
  );
  await forgetBugs(
    bugs.filter(({ own }) => own),
    work,
  );
}

export async function caseRunsGone(removals: readonly Removal[], work: Work): Promise<void> {
  await recount(
    await ofCases(
      removals.map(({ before }) => before),
      work,
    ),
    work,
  );
  await rememberResults(
    removals.map(({ before }) => before.test_case_id),
    work,
  );
}
