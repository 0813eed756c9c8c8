/** Rules of test steps and their runs: the order they come in, and runs that follow the steps until they have begun. */
import { byDefault, type Change, current, type Removal, referenced, refuse, type Work } from '../../command/change.js';
import { takeAlong } from '../../command/take-along.js';
import type { ResourceType } from '../../model/model.js';
import { isWaiting } from './open-run-rules.js';
import { distinct } from './run-count-rules.js';

/** A step that comes to a test case without a place comes last. */
export async function stepsBefore(changes: readonly Change[], work: Work): Promise<void> {
  const placed = changes.filter(({ isNew, values }) => isNew || values.testCase);
  await placeLast(placed, ofCases, work);
}

interface Owners {
  property: string;
  /** So that two requests do not take the same place. */
  lock: string;
  last: string;
}

const ofCases: Owners = {
  property: 'testCase',
  lock: 'select id from general where id = any($1::bigint[]) order by id for no key update',
  last: 'select test_case_id as owner, max(run_order) as last from test_step where test_case_id = any($1::bigint[]) group by test_case_id',
};

const ofCaseRuns: Owners = {
  property: 'testCaseRun',
  lock: 'select id from test_case_run where id = any($1::bigint[]) order by id for no key update',
  last: `select test_case_run_id as owner, max(run_order) as last from test_step_run
    where test_case_run_id = any($1::bigint[]) group by test_case_run_id`,
};

/** Of equals the later one comes last. */
const greatestOrder = 2 ** 31 - 1;

async function placeLast(changes: readonly Change[], { property, lock, last }: Owners, { rows }: Work): Promise<void> {
  const owners = distinct(changes.map((change) => current(change, property)));
  if (owners.length === 0) return;
  await rows(lock, [owners]);
  const lastOrders = await rows<{ owner: number; last: number }>(last, [owners]);
  const places = new Map(lastOrders.map((row) => [row.owner, row.last]));
  for (const change of changes) {
    const owner = current(change, property) ?? 0;
    const place = places.get(owner) ?? 0;
    byDefault(change, 'runOrder', Math.min(place + 1, greatestOrder));
    places.set(owner, Math.max(place, Number(change.values.runOrder)));
  }
}

/** What has not begun is run as the test case says now. */
export async function stepsAfter(changes: readonly Change[], { rows }: Work): Promise<void> {
  const written = changes.filter(({ isNew, values }) => isNew || copied.some((property) => property in values));
  const came = distinct(written.filter(({ isNew, values }) => isNew || values.testCase).map(({ id }) => id));
  const changed = distinct(written.filter(({ isNew }) => !isNew).map(({ id }) => id));
  if (changed.length > 0) {
    await rows(dropMoved, [changed]);
    await rows(followSteps, [changed]);
  }
  if (came.length > 0) await rows(runNewSteps, [came]);
}

const copied = ['description', 'result', 'runOrder', 'testCase'];

const dropMoved = `delete from test_step_run x using test_case_run c, test_step s
  where x.test_step_id = any($1::bigint[]) and s.id = x.test_step_id and c.id = x.test_case_run_id
    and c.test_case_id <> s.test_case_id and not x.runned and ${isWaiting('c')}`;

const followSteps = `update test_step_run x set description = s.description, result = s.result, run_order = s.run_order
  from test_step s, test_case_run c
  where x.test_step_id = any($1::bigint[]) and s.id = x.test_step_id and c.id = x.test_case_run_id and not x.runned and ${isWaiting('c')}`;

const runNewSteps = `insert into test_step_run (test_case_run_id, test_step_id, run_order, description, result)
  select c.id, s.id, s.run_order, s.description, s.result from test_step s join test_case_run c on c.test_case_id = s.test_case_id
  where s.id = any($1::bigint[]) and ${isWaiting('c')}
    and not exists (select 1 from test_step_run x where x.test_case_run_id = c.id and x.test_step_id = s.id)
  order by c.id, s.run_order, s.id`;

/** A run that has begun keeps what was done, as a step of its own. */
export async function stepsGo(removals: readonly Removal[], work: Work, stepRun: ResourceType): Promise<void> {
  const ids = removals.map(({ id }) => id);
  const waiting = await work.rows<{ id: number }>(
    `select x.id from test_step_run x join test_case_run c on c.id = x.test_case_run_id
     where x.test_step_id = any($1::bigint[]) and not x.runned and ${isWaiting('c')}`,
    [ids],
  );
  await takeAlong(
    stepRun,
    'id',
    waiting.map(({ id }) => id),
    work,
  );
  await work.rows('update test_step_run set test_step_id = null where test_step_id = any($1::bigint[])', [ids]);
}

export async function stepRunsBefore(changes: readonly Change[], work: Work): Promise<void> {
  for (const change of changes) {
    const { values, isNew } = change;
    if (!isNew && values.testCaseRun)
      throw refuse(change, 'TestCaseRun', 'a test step run stays in its test case run.');
    if (values.passed === true && values.runned === false)
      throw refuse(change, 'Passed', 'what was not run has not passed.');
    if (values.passed === true) byDefault(change, 'runned', true);
    if (values.runned === false) values.passed = false;
  }
  await takeOverSteps(changes, work);
  await placeLast(
    changes.filter(({ isNew }) => isNew),
    ofCaseRuns,
    work,
  );
}

interface StepOfRun {
  n: number;
  description: string | null;
  result: string | null;
  run_order: number;
}

/** A new run of a step says what the step says. The step is one of the test case that is run. */
async function takeOverSteps(changes: readonly Change[], { rows }: Work): Promise<void> {
  const named = changes.filter((change) => referenced(change, 'testStep') !== undefined);
  if (named.length === 0) return;
  const stepRuns = await rows<StepOfRun>(
    `select u.n::int as n, s.description, s.result, s.run_order
     from unnest($1::bigint[], $2::bigint[]) with ordinality as u(step, case_run, n)
     join test_step s on s.id = u.step join test_case_run c on c.id = u.case_run and c.test_case_id = s.test_case_id`,
    [
      named.map((change) => referenced(change, 'testStep')),
      named.map((change) => current(change, 'testCaseRun') ?? null),
    ],
  );
  const steps = new Map(stepRuns.map((step) => [step.n, step]));
  named.forEach((change, index) => {
    const step = steps.get(index + 1);
    if (!step) throw refuse(change, 'TestStep.Id', 'the step is not one of the test case that is run.');
    if (!change.isNew) return;
    byDefault(change, 'description', step.description);
    byDefault(change, 'result', step.result);
    byDefault(change, 'runOrder', step.run_order);
  });
}
