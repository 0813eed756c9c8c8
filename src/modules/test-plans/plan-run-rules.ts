/**
 * Rules of the runs of test plans: a run has a test case run for each case of its plan, and a run below it for each
 * plan below.
 */
import { type Change, commandFor, current, referenced, refuse, visibleIds, type Work } from '../../command/change.js';
import type { ResourceType } from '../../model/model.js';
import { isOpen, roots } from './open-run-rules.js';
import { leadsTo, levelsFrom, type Step, stepsOf, targetOf, writableIds } from './plan-tree.js';
import { settleBugs } from './run-bug-rules.js';
import { recount, rememberResultsOf, type Source, withProjects } from './run-count-rules.js';

export async function planRunsBefore(changes: readonly Change[], work: Work): Promise<void> {
  for (const change of changes) {
    const { values, isNew, id, command } = change;
    if (isNew) continue;
    if (values.testPlan) throw refuse(change, 'TestPlan', 'a run stays with the plan it was started for.');
    if (referenced(change, 'parentTestPlanRun') === id) throw circle(change);
    // A run lies where its plan lies, whatever is sent.
    if (values.project && !command.isOwn && !(await isOfPlan(change, work))) delete values.project;
  }
}

/** One that lies elsewhere than its plan, or than that is going to lie, is brought there. */
async function isOfPlan(change: Change, work: Work): Promise<boolean> {
  const [testPlan, id] = [targetOf(change.resource, 'TestPlan'), current(change, 'testPlan')!];
  await work.look(new Map([[testPlan, [id]]]));
  const { facts } = work;
  return [facts.of(testPlan, id)?.project, facts.destinations.get(id)].includes(referenced(change, 'project'));
}

const circle = (change: Change) => refuse(change, 'ParentTestPlanRun', 'a run cannot lie below itself.');

export async function planRunsAfter(changes: readonly Change[], work: Work): Promise<void> {
  // Runs below others are started with those.
  const started = changes.filter(({ isNew, command }) => isNew && !command.isOwn);
  if (started.length > 0) await start(started, work);
  const moved = changes.filter(({ isNew, values }) => !isNew && 'parentTestPlanRun' in values);
  if (moved.length > 0) await follow(moved, work);
  const elsewhere = changes.filter(({ isNew, values }) => !isNew && values.project).map(({ id }) => id!);
  if (elsewhere.length === 0) return;
  await rememberResultsOf(elsewhere, work);
  await settleBugs('test_plan_run_id', elsewhere, work);
}

/** A plan below the plan of a run. */
interface Below {
  run: number;
  plan: number;
  parent: number;
  depth: number;
  name: string;
}

async function start(started: readonly Change[], work: Work): Promise<void> {
  const runs = started.map(({ id }) => id!);
  const plans = started.map((change) => current(change, 'testPlan')!);
  const below = await plansBelow(started, work);
  // A writer who adds a test case to one of these plans waits for this lock, or comes first and is seen.
  await work.rows('select id from general where id = any($1::bigint[]) order by id for share', [
    [...plans, ...below.map(({ plan }) => plan)],
  ]);
  const made = await startBelow(started, below, work);
  await startCases(started[0]!.resource, [...runs, ...made], work);
  await recount(await withProjects([...runs, ...made], work), work);
}

const stepsBelow = `with recursive below as (
    select h.parent_id, h.child_id from test_plan_hierarchy h where h.parent_id = any($1::bigint[])
    union select h.parent_id, h.child_id from below b join test_plan_hierarchy h on h.parent_id = b.child_id)
  select parent_id as "from", child_id as "to" from below`;

/** Where a plan is reached on several ways it is run once, as near to the top as it is found. */
async function plansBelow(started: readonly Change[], work: Work): Promise<Below[]> {
  const plan = targetOf(started[0]!.resource, 'TestPlan');
  const allSteps = await work.rows<Step>(stepsBelow, [started.map((change) => current(change, 'testPlan'))]);
  const goAlong = await writableIds(
    plan,
    allSteps.map(({ to }) => to),
    work,
  );
  const steps = stepsOf(allSteps.filter(({ to }) => goAlong.has(to)));
  const below = started.flatMap((change) =>
    levelsFrom(current(change, 'testPlan')!, steps).flatMap((level, at) =>
      level.map(({ id, from }) => {
        const name = work.facts.of(plan, id)?.name ?? '';
        return { run: change.id!, plan: id, parent: from, depth: at + 1, name };
      }),
    ),
  );
  return below.sort((a, b) => a.depth - b.depth || a.run - b.run || byName(a.name, b.name) || a.plan - b.plan);
}

const byName = new Intl.Collator('und').compare;

/** Level by level, since a run refers to the one above it. */
async function startBelow(started: readonly Change[], below: readonly Below[], work: Work): Promise<number[]> {
  const runByPlan = new Map(started.map((change) => [`${change.id}:${current(change, 'testPlan')}`, change.id!]));
  const tops = new Map(started.map((change) => [change.id!, change]));
  const made: number[] = [];
  for (let depth = 1; below.some((one) => one.depth === depth); depth += 1) {
    const level = below.filter((one) => one.depth === depth);
    const changes = await work.apply(
      level.map((one) => commandBelow(one, tops.get(one.run)!, runByPlan.get(`${one.run}:${one.parent}`)!)),
    );
    level.forEach((one, index) => {
      runByPlan.set(`${one.run}:${one.plan}`, changes[index]!.id!);
    });
    made.push(...changes.map(({ id }) => id!));
  }
  return made;
}

/** It is a run of the same build. */
function commandBelow({ plan, name }: Below, top: Change, parent: number) {
  const build = current(top, 'build');
  return commandFor(top.resource, `${top.command.path}TestPlan.`, {
    Name: name,
    TestPlan: plan,
    ParentTestPlanRun: parent,
    ...(build === undefined ? {} : { Build: build }),
  });
}

/** Test case runs for `wanted (run, root, test_case)`, each with the runs of its steps. */
const insertCases = `made as (
    insert into test_case_run (test_plan_run_id, root_test_plan_run_id, test_case_id, priority_id)
    select w.run, w.root, c.id, c.priority_id from wanted w join general c on c.id = w.test_case
    where c.delete_date is null order by w.run, c.numeric_priority, c.id returning id, test_plan_run_id, test_case_id),
  steps as (
    insert into test_step_run (test_case_run_id, test_step_id, run_order, description, result)
    select m.id, s.id, s.run_order, s.description, s.result from made m join test_step s on s.test_case_id = m.test_case_id
    order by m.id, s.run_order, s.id)
  select distinct m.test_plan_run_id as run, c.project_id as project from made m join general c on c.id = m.test_case_id`;

/** What the actor may not see does not go along with his run. */
async function startCases(run: ResourceType, runs: readonly number[], work: Work): Promise<void> {
  const cases = await work.rows<{ id: number }>(casesOfPlans, [runs]);
  const testCase = targetOf(targetOf(run, 'TestCaseRuns'), 'TestCase');
  const ids = cases.map(({ id }) => id);
  await work.rows(runCases, [runs, [...(await visibleIds(testCase, ids, work))]]);
}

const casesOfPlans = `select distinct l.test_case_id as id from general g
  join test_plan_test_case l on l.test_plan_id = g.test_plan_id where g.id = any($1::bigint[])`;

const runCases = `with recursive ${roots},
  wanted as (select r.run, r.root, l.test_case_id as test_case from root r join general g on g.id = r.run
    join test_plan_test_case l on l.test_plan_id = g.test_plan_id where l.test_case_id = any($2::bigint[])),
  ${insertCases}`;

/** Test cases that came to plans are run in the runs of those that are not over. */
export async function runNewCases(pairs: readonly (readonly [plan: number, testCase: number])[], work: Work) {
  const [plans, cases] = [pairs.map(([plan]) => plan), pairs.map(([, testCase]) => testCase)];
  const open = await work.rows<{ id: number }>(
    `select g.id from general g where g.test_plan_id = any($1::bigint[]) and g.entity_type_id = 14 and ${isOpen('g')}`,
    [plans],
  );
  if (open.length === 0) return;
  await recount(await work.rows<Source>(addCases, [open.map(({ id }) => id), plans, cases]), work);
}

const addCases = `with recursive ${roots},
  wanted as (select distinct r.run, r.root, u.test_case from root r join general g on g.id = r.run
    join unnest($2::bigint[], $3::bigint[]) as u(plan, test_case) on u.plan = g.test_plan_id
    where not exists (select 1 from test_case_run c where c.test_plan_run_id = r.run and c.test_case_id = u.test_case)),
  ${insertCases}`;

/** A run that moves below another one takes its counts along. */
async function follow(moved: readonly Change[], work: Work): Promise<void> {
  const ids = moved.map(({ id }) => id!);
  await work.rows(`select pg_advisory_xact_lock(hashtext('worktrack.test-plan-runs'))`);
  const above = await work.rows<Step>(stepsAbove, [ids]);
  const seen = await visibleIds(
    moved[0]!.resource,
    above.map(({ to }) => to),
    work,
  );
  const steps = stepsOf(above.filter(({ to }) => seen.has(to)));
  const change = moved.find(({ id }) => leadsTo(id!, id!, steps));
  if (change) throw circle(change);
  const below = await work.rows<{ id: number }>(runsBelow, [ids]);
  await work.rows(setRoots, [below.map(({ id }) => id)]);
  const sources = moved.flatMap((one) =>
    [one.id, one.before?.parent_test_plan_run_id].map((run) => ({ run, project: current(one, 'project') })),
  );
  await recount(sources, work);
}

const stepsAbove = `with recursive above as (
    select g.id, g.parent_test_plan_run_id as parent from general g where g.id = any($1::bigint[])
    union select g.id, g.parent_test_plan_run_id from above a join general g on g.id = a.parent)
  select id as "from", parent as "to" from above where parent is not null`;

const runsBelow = `with recursive below as (
    select u as id from unnest($1::bigint[]) u
    union select g.id from below b join general g on g.parent_test_plan_run_id = b.id)
  select id from below`;

const setRoots = `with recursive ${roots}
  update test_case_run c set root_test_plan_run_id = r.root from root r
  where c.test_plan_run_id = r.run and c.root_test_plan_run_id is distinct from r.root`;
