/** Rules of the runs of test plans: a run has a test case run for each case of its plan, and a run below it for each plan below. */
import {
  type Change,
  commandFor,
  current,
  type Removal,
  type Restoral,
  referenced,
  refuse,
  type Work,
} from '../../command/change.js';
import type { ResourceType } from '../../model/model.js';
import { isOpen, roots } from './open-run-rules.js';
import { recount, rememberResults } from './run-count-rules.js';

export async function planRunsBefore(changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    const { values, isNew, id, command } = change;
    if (isNew) continue;
    if (values.testPlan) throw refuse(change, 'TestPlan', 'a run stays with the plan it was started for.');
    if (referenced(change, 'parentTestPlanRun') === id) throw circle(change);
    // A run lies where its plan lies, whatever is sent.
    if (!command.isOwn) delete values.project;
  }
}

const circle = (change: Change) => refuse(change, 'ParentTestPlanRun', 'a run cannot lie below itself.');

export async function planRunsAfter(changes: readonly Change[], work: Work): Promise<void> {
  // Runs below others are started with those.
  const started = changes.filter(({ isNew, command }) => isNew && !command.isOwn);
  if (started.length > 0) await start(started, work);
  const moved = changes.filter(({ isNew, values }) => !isNew && 'parentTestPlanRun' in values);
  if (moved.length > 0) await follow(moved, work);
}

/** A plan below the plan of a run. */
interface Below {
  run: number;
  plan: number;
  parent: number;
  depth: number;
  name: string;
  project: number;
  process: number | null;
}

async function start(started: readonly Change[], work: Work): Promise<void> {
  const runs = started.map(({ id }) => id!);
  const plans = started.map((change) => current(change, 'testPlan')!);
  const below = await work.rows<Below>(plansBelow, [runs, plans]);
  // Who adds a test case to a plan waits, or finds this run.
  await work.rows('select id from general where id = any($1::int[]) order by id for share', [
    [...plans, ...below.map(({ plan }) => plan)],
  ]);
  const made = await startBelow(started, below, work);
  await work.rows(runCases, [[...runs, ...made]]);
  await recount([...runs, ...made], work);
}

/** Where a plan is reached on several ways it is run once, as near to the top as it is found. */
const plansBelow = `with recursive below as (
    select u.run, u.plan, null::int as parent, 0 as depth from unnest($1::int[], $2::int[]) as u(run, plan)
    union select b.run, h.child_id, h.parent_id, b.depth + 1 from below b
    join test_plan_hierarchy h on h.parent_id = b.plan join general g on g.id = h.child_id where g.delete_date is null)
  select * from (
    select distinct on (b.run, b.plan) b.*, g.name, g.project_id as project, p.process_id as process
    from below b join general g on g.id = b.plan left join general p on p.id = g.project_id
    order by b.run, b.plan, b.depth, b.parent) b
  where depth > 0 order by depth, run, name, plan`;

/** Level by level, since a run refers to the one above it. */
async function startBelow(started: readonly Change[], below: readonly Below[], work: Work): Promise<number[]> {
  const { resource } = started[0]!;
  const plan = planOf(resource);
  work.facts.note(
    plan,
    below.map(({ plan: id, name, project, process }) => ({ id, name, project, process, kind: 13 })),
  );
  const known = new Map(started.map((change) => [`${change.id}:${current(change, 'testPlan')}`, change.id!]));
  const tops = new Map(started.map((change) => [change.id!, change]));
  const made: number[] = [];
  for (let depth = 1; below.some((one) => one.depth === depth); depth += 1) {
    const level = below.filter((one) => one.depth === depth);
    const changes = await work.apply(
      level.map((one) => commandBelow(one, tops.get(one.run)!, known.get(`${one.run}:${one.parent}`)!)),
    );
    level.forEach((one, index) => {
      known.set(`${one.run}:${one.plan}`, changes[index]!.id!);
    });
    made.push(...changes.map(({ id }) => id!));
  }
  return made;
}

function planOf(run: ResourceType): ResourceType {
  const field = run.field('TestPlan');
  if (field?.kind !== 'reference') throw new Error('a run has no plan');
  return field.target;
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
  select distinct test_plan_run_id as run from made`;

const runCases = `with recursive ${roots},
  wanted as (select r.run, r.root, l.test_case_id as test_case from root r join general g on g.id = r.run
    join test_plan_test_case l on l.test_plan_id = g.test_plan_id),
  ${insertCases}`;

/** Test cases that came to plans are run in the runs of those that are not over. */
export async function runNewCases(pairs: readonly (readonly [plan: number, testCase: number])[], work: Work) {
  const [plans, cases] = [pairs.map(([plan]) => plan), pairs.map(([, testCase]) => testCase)];
  const open = await work.rows<{ id: number }>(
    `select g.id from general g where g.test_plan_id = any($1::int[]) and g.entity_type_id = 14 and ${isOpen('g')}`,
    [plans],
  );
  if (open.length === 0) return;
  const found = await work.rows<{ run: number }>(addCases, [open.map(({ id }) => id), plans, cases]);
  await recount(
    found.map(({ run }) => run),
    work,
  );
}

const addCases = `with recursive ${roots},
  wanted as (select distinct r.run, r.root, u.test_case from root r join general g on g.id = r.run
    join unnest($2::int[], $3::int[]) as u(plan, test_case) on u.plan = g.test_plan_id
    where not exists (select 1 from test_case_run c where c.test_plan_run_id = r.run and c.test_case_id = u.test_case)),
  ${insertCases}`;

/** A run that moves below another one takes its counts along. */
async function follow(moved: readonly Change[], work: Work): Promise<void> {
  const ids = moved.map(({ id }) => id!);
  await work.rows(`select pg_advisory_xact_lock(hashtext('worktrack.test-plan-runs'))`);
  const [round] = await work.rows<{ id: number }>(circles, [ids]);
  const change = round && moved.find(({ id }) => id === round.id);
  if (change) throw circle(change);
  const below = await work.rows<{ id: number }>(runsBelow, [ids]);
  await work.rows(setRoots, [below.map(({ id }) => id)]);
  await recount([...ids, ...moved.map(({ before }) => before?.parent_test_plan_run_id)], work);
}

const circles = `with recursive above as (
    select u.id as start, g.parent_test_plan_run_id as id from unnest($1::int[]) as u(id) join general g on g.id = u.id
    union select a.start, g.parent_test_plan_run_id from above a join general g on g.id = a.id)
  select start as id from above where id = start limit 1`;

const runsBelow = `with recursive below as (
    select u as id from unnest($1::int[]) u
    union select g.id from below b join general g on g.parent_test_plan_run_id = b.id)
  select id from below`;

const setRoots = `with recursive ${roots}
  update test_case_run c set root_test_plan_run_id = r.root from root r
  where c.test_plan_run_id = r.run and c.root_test_plan_run_id is distinct from r.root`;

/** Runs go with their plan, and with the run above them. */
export async function runsGo(removals: readonly Removal[], work: Work): Promise<void> {
  const ids = removals.map(({ id }) => id);
  await work.rows(takeAlong, [ids, work.now, work.actor.userId]);
}

const takeAlong = `with recursive below as (
    select g.id, g.id as top, 0 as depth from general g where g.id = any($1::int[]) and g.entity_type_id = 14
    union select g.id, g.test_plan_id, 0 from general g where g.test_plan_id = any($1::int[]) and g.entity_type_id = 14
    union select g.id, b.top, b.depth + 1 from below b join general g on g.parent_test_plan_run_id = b.id)
  update general g set delete_date = $2, modify_date = $2, last_editor_id = $3, deleted_with_id = b.top
  from (select distinct on (id) id, top from below where depth > 0 order by id, depth, top) b
  where g.id = b.id and g.delete_date is null and not g.id = any($1::int[])`;

/** What lies above counts without them, and test cases remember what came of them before. */
export async function runsGone(removals: readonly Removal[], work: Work): Promise<void> {
  const gone = [removals.map(({ id }) => id)];
  const found = await work.rows<{ above: number | null; cases: number[] | null }>(
    `select g.parent_test_plan_run_id as above,
       (select array_agg(distinct c.test_case_id) from test_case_run c where c.test_plan_run_id = g.id and c.status <> 'NotRun') as cases
     from general g where g.entity_type_id = 14 and (g.id = any($1::int[]) or g.deleted_with_id = any($1::int[]))`,
    gone,
  );
  await recount(
    found.map(({ above }) => above),
    work,
  );
  await rememberResults(
    found.flatMap(({ cases }) => cases ?? []),
    work,
  );
}

/** What lies above counts them again, and so do they: runs below them may have come or gone. */
export async function runsBack(restorals: readonly Restoral[], work: Work): Promise<void> {
  const runs = restorals.map(({ id }) => id);
  await recount(runs, work);
  const cases = await work.rows<{ id: number }>(
    `select distinct test_case_id as id from test_case_run where test_plan_run_id = any($1::int[]) and status <> 'NotRun'`,
    [runs],
  );
  await rememberResults(
    cases.map(({ id }) => id),
    work,
  );
}
