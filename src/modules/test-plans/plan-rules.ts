/**
 * Rules of test plans: no plan lies below itself; the plan of an item is one fact, shown on both sides; runs lie where
 * their plan lies.
 */
import {
  type Change,
  commandFor,
  current,
  type Restoral,
  referenced,
  refuse,
  visibleIds,
  type Work,
} from '../../command/change.js';
import { NoRules } from '../../command/no-rules.js';
import type { Model, ResourceType } from '../../model/model.js';
import { leadsTo, type Step, stepsOf, targetOf } from './plan-tree.js';
import { distinct } from './run-count-rules.js';

/** The runs of a plan that moved to another project, by rules of their own: that project may have other states. */
export async function runsFollowPlans(changes: readonly Change[], run: ResourceType, work: Work): Promise<void> {
  const moved = changes.filter(({ isNew, values }) => !isNew && values.project);
  if (moved.length === 0) return;
  const runs = await work.rows<{ id: number; plan: number }>(
    `select id, test_plan_id as plan from general
     where test_plan_id = any($1::bigint[]) and entity_type_id = 14 and delete_date is null order by id`,
    [moved.map(({ id }) => id)],
  );
  const projects = new Map(moved.map((change) => [change.id, referenced(change, 'project')!]));
  const commands = runs.map(({ id, plan }) => commandFor(run, 'Project.', { Project: projects.get(plan)! }, id));
  if (commands.length > 0) await work.apply(commands);
}

/** Restored runs lie where their plan lies by now. */
export async function followPlans(restorals: readonly Restoral[], model: Model, work: Work): Promise<void> {
  const moved = await work.rows<{ id: number; project: number }>(
    `select r.id, p.project_id as project from general r join general p on p.id = r.test_plan_id
     where r.id = any($1::bigint[]) and r.project_id is distinct from p.project_id order by r.id`,
    [restorals.map(({ id }) => id)],
  );
  if (moved.length === 0) return;
  // Their states are those of the process there.
  await work.look(new Map([[model.resource('Project'), moved.map(({ project }) => project)]]));
  const run = model.resource('TestPlanRun');
  await work.apply(moved.map(({ id, project }) => commandFor(run, 'Project.', { Project: project }, id)));
}

/** A plan that was joined with one above or below it. */
export interface Join {
  change: Change;
  member: string;
  parent: number;
  child: number;
}

/** Looked for once they are joined, one request after the other, so that two of them cannot close a circle together. */
export async function refuseCircles(joins: readonly Join[], work: Work): Promise<void> {
  await work.rows(`select pg_advisory_xact_lock(hashtext('worktrack.test-plans'))`);
  const allSteps = await work.rows<Step>(stepsAbove, [joins.map(({ child }) => child)]);
  const plan = targetOf(joins[0]!.change.resource, joins[0]!.member);
  const visible = await visibleIds(plan, [...new Set(allSteps.flatMap(({ from, to }) => [from, to]))], work);
  const steps = stepsOf(allSteps.filter(({ from, to }) => visible.has(from) && visible.has(to)));
  // A circle that was there, closed by somebody who could not see all of it, keeps nobody from joining other plans.
  const join = joins.find(({ parent, child }) => parent === child || leadsTo(parent, child, steps));
  if (join) throw refuse(join.change, join.member, 'a test plan cannot lie below itself.');
}

const stepsAbove = `with recursive above as (
    select h.child_id, h.parent_id from test_plan_hierarchy h where h.child_id = any($1::bigint[])
    union select h.child_id, h.parent_id from above a join test_plan_hierarchy h on h.child_id = a.parent_id)
  select child_id as "from", parent_id as "to" from above`;

/** A plan and its item; nothing where one side was cleared. */
interface Pair {
  plan: number | null;
  item: number | null;
}

/** Items of all families may have a plan. */
export class LinkedPlanRules extends NoRules {
  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    await linkBothWays(
      changes.filter(({ resource }) => resource.isGeneral),
      work,
    );
  }
}

/**
 * `LinkedGeneral` of a plan and `LinkedTestPlan` of an item say the same: whichever is written, the other one follows,
 * and whoever had this item or this plan loses it, whether the actor sees him or not. The entity that is written has
 * been changed; those that follow keep date, editor and version, since not everybody sees the other one.
 */
async function linkBothWays(changes: readonly Change[], { rows }: Work): Promise<void> {
  const pairs = lastPairs(changes.flatMap(pairsOf));
  if (pairs.length === 0) return;
  const plans = pairs.map(({ plan }) => plan);
  const items = pairs.map(({ item }) => item);
  // Two requests that give one item a plan each: the second one must see what the first one did.
  await rows('select id from general where id = any($1::bigint[]) order by id for no key update', [
    distinct([...plans, ...items]),
  ]);
  for (const statement of [setItems, setPlans]) await rows(statement, [plans, items]);
}

function pairsOf(change: Change): Pair[] {
  const id = change.id!;
  const pairs: Pair[] = [];
  if (change.resource.name === 'TestPlan' && speaksOf(change, 'linkedGeneral'))
    pairs.push({ plan: id, item: current(change, 'linkedGeneral') ?? null });
  if (speaksOf(change, 'linkedTestPlan')) pairs.push({ plan: current(change, 'linkedTestPlan') ?? null, item: id });
  if (pairs.some(({ plan, item }) => plan === item))
    throw refuse(change, 'LinkedTestPlan', 'a test plan is not a plan for itself.');
  return pairs;
}

/** To say nothing about a new one is nothing to follow. */
const speaksOf = ({ values, isNew }: Change, property: string): boolean =>
  property in values && !(isNew && values[property] === null);

/** A plan has one item and an item one plan: in one body the last word counts. */
function lastPairs(pairs: readonly Pair[]): Pair[] {
  const kept: Pair[] = [];
  const [plans, items] = [new Set<number>(), new Set<number>()];
  for (const { plan, item } of [...pairs].reverse()) {
    const isTaken = (plan !== null && plans.has(plan)) || (item !== null && items.has(item));
    if (!isTaken) kept.push({ plan, item });
    if (plan !== null) plans.add(plan);
    if (item !== null) items.add(item);
  }
  return kept;
}

/** Places of the arrays among the values of the statements. */
const places = { plan: 1, item: 2 };

type Side = keyof typeof places;

const oneSide = (column: string, self: Side, other: Side): string =>
  `with pairs as (select * from unnest($1::bigint[], $2::bigint[]) as u(plan, item)),
   next as (select g.id, s.${other} as value from general g left join pairs s on s.${self} = g.id
     where g.id = any($${places[self]}::bigint[]) or g.${column} = any($${places[other]}::bigint[]))
   update general g set ${column} = n.value from next n where g.id = n.id and g.${column} is distinct from n.value`;

const setItems = oneSide('linked_general_id', 'plan', 'item');
const setPlans = oneSide('linked_test_plan_id', 'item', 'plan');
