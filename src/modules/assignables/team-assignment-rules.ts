/** States of teams on work items, and who of them is responsible. */
import {
  byDefault,
  type Change,
  commandFor,
  current,
  referenced,
  refersTo,
  refuse,
  visibleIds,
  type Work,
} from '../../command/change.js';
import { mergeRecords } from '../../command/merge-records.js';
import { permitOwners } from '../../command/permit-places.js';
import type { Model, ResourceType } from '../../model/model.js';
import { refuseEndBeforeStart } from '../generals/general-rules.js';
import { notSingle } from '../process/name-rules.js';
import type { ProcessSetup, State } from '../process/process-setup.js';
import { notInWorkflow, type SentName, thoseSent } from '../process/workflow-rules.js';

interface Item {
  id: number;
  state: number | null;
  kind: number;
  process: number | null;
  /** Its state was changed by this very transaction. */
  moved: boolean;
}

/**
 * A team starts in the state of the item; a state that is sent must be of the item's workflow or of the part of it that
 * this team has in the project. With another team its state is that of the item again, unless that team has it, too.
 */
export async function teamStates(
  changes: readonly Change[],
  work: Work,
  { model, setup }: { model: Model; setup: ProcessSetup },
): Promise<void> {
  const items = await itemsOf(changes, work);
  const workflows = await workflowsOf(changes, model.resource('TeamProject'), work);
  for (const change of changes) {
    const item = items.get(current(change, 'assignable') ?? 0);
    if (!item) continue;
    if (change.isNew) byDefault(change, 'startDate', earliest(change.now, change.values.endDate));
    refuseEndBeforeStart(change);
    const own = setup.statesOfTeams(workflows.get(change) ?? [], item.kind);
    if (isAssigned(change) || hasLeftItsWorkflow(change, own, setup))
      byDefault(change, 'entityState', refersTo(item.state) ?? null);
    takeState(change, item, own, setup);
  }
  await permitMoves(changes, model, work);
  await moveItems(changes, items, work, setup);
}

/** What was over before it was reported had begun before its end. */
const earliest = (now: Date, end: unknown): Date => (end instanceof Date && end < now ? end : now);

/** Its team is assigned to an item that it was not assigned to. */
const isAssigned = (change: Change): boolean => change.isNew || referenced(change, 'assignable') !== undefined;

async function itemsOf(changes: readonly Change[], { rows, now }: Work): Promise<Map<number, Item>> {
  const ids = [...new Set(changes.map((change) => current(change, 'assignable') ?? 0))];
  const items = await rows<Item>(
    `select g.id, g.entity_state_id as state, g.entity_type_id as kind, p.process_id as process,
       g.last_state_change_date is not distinct from $2::timestamptz as moved
     from general g left join general p on p.id = g.project_id where g.id = any($1::bigint[])`,
    [ids, now()],
  );
  return new Map(items.map((item) => [item.id, item]));
}

interface TeamWorkflow {
  team: number;
  item: number;
  /** What says that the team works on the project of the item. */
  place: number;
  workflow: number;
}

/**
 * The workflows that teams have in the projects of their items, as far as the actor sees that they work there; where a
 * state or another team is sent.
 */
async function workflowsOf(
  changes: readonly Change[],
  teamProject: ResourceType,
  work: Work,
): Promise<Map<Change, number[]>> {
  const asking = changes.filter(({ values }) => values.entityState || values.team);
  if (asking.length === 0) return new Map();
  const all = await work.rows<TeamWorkflow>(
    `select u.team, u.item, t.id as place, w.workflow_id as workflow from unnest($1::bigint[], $2::bigint[]) as u(team, item)
       join general g on g.id = u.item join team_project t on t.team_id = u.team and t.project_id = g.project_id
       join team_project_workflow w on w.team_project_id = t.id`,
    [asking.map((change) => current(change, 'team')), asking.map((change) => current(change, 'assignable'))],
  );
  if (all.length === 0) return new Map();
  const places = all.map(({ place }) => place);
  const seen = await visibleIds(teamProject, places, work);
  const ofTeams = all.filter(({ place }) => seen.has(place));
  const isOf = (change: Change) => (row: TeamWorkflow) =>
    row.team === current(change, 'team') && row.item === current(change, 'assignable');
  return new Map(asking.map((change) => [change, ofTeams.filter(isOf(change)).map(({ workflow }) => workflow)]));
}

/** Its team has become one that does not have the workflow of its state. */
function hasLeftItsWorkflow({ before, values }: Change, own: readonly State[], setup: ProcessSetup): boolean {
  const stored = storedState(before, setup);
  const isPart = stored !== undefined && stored.parentWorkflow !== null;
  return Boolean(values.team) && isPart && !own.some(({ id }) => id === stored.id);
}

const storedState = (before: Change['before'], setup: ProcessSetup): State | undefined =>
  setup.state((before?.entity_state_id as number | null | undefined) ?? 0);

/**
 * A state by its Id or, where only one has it, by its name, which the team's own states come first for; last the one
 * that it is in, which the actor may have read without seeing the workflow.
 */
function takeState(change: Change, item: Item, own: readonly State[], setup: ProcessSetup): void {
  const sent = change.values.entityState as SentName | null | undefined;
  if (!sent || (sent.id !== undefined && sent.id === item.state)) return;
  const ofItem = setup.statesOfAny(item.process ?? undefined, item.kind);
  const stored = change.values.team ? undefined : storedState(change.before, setup);
  const candidates = [own, ofItem, stored ? [stored] : []].map((states) => thoseSent(states, sent));
  const matches = candidates.find(({ length }) => length > 0) ?? [];
  if (matches.length === 0) throw refuse(change, 'EntityState', notInWorkflow(sent, [...ofItem, ...own]));
  if (matches.length > 1) throw refuse(change, 'EntityState', notSingle('EntityState', sent.name!));
  if (change.before?.entity_state_id === matches[0]!.id) delete change.values.entityState;
  else change.values.entityState = { id: matches[0]!.id };
}

/** Before an item is moved, and what its move takes along, of which the actor may see nothing. */
function permitMoves(changes: readonly Change[], model: Model, { actor, rows }: Work): Promise<void> {
  const moves = changes.filter((change) => change.values.entityState && !change.command.isOwn && !isAssigned(change));
  return permitOwners(
    moves.map((change) => ({ resource: change.resource, row: change.before ?? {}, change })),
    { actor, rows, model },
  );
}

/** A team that moves on takes the item along: to the same state, or to that which the team's own is a part of. */
async function moveItems(
  changes: readonly Change[],
  items: ReadonlyMap<number, Item>,
  work: Work,
  setup: ProcessSetup,
) {
  const targets = new Map<number, number>();
  for (const change of changes) {
    const item = items.get(current(change, 'assignable') ?? 0);
    const state = isAssigned(change) ? undefined : setup.state(referenced(change, 'entityState') ?? 0);
    const target = state?.parentState ?? state?.id;
    if (!item || target === undefined) continue;
    const other = targets.get(item.id) ?? (item.moved && change.command.ownedBy ? item.state : target);
    if (other !== target) throw refuse(change, 'EntityState', 'the same body moves the item to another state.');
    targets.set(item.id, target);
  }
  const moves = [...targets].filter(([id, target]) => target !== items.get(id)?.state);
  if (moves.length === 0) return;
  const assignable = changes[0]!.resource.fields.find((field) => field.name === 'Assignable');
  if (assignable?.kind !== 'reference') return;
  await work.apply(moves.map(([id, state]) => commandFor(assignable.target, '', { EntityState: state }, id)));
  mergeRecords(
    'general',
    moves.map(([id]) => id),
    work,
  );
}

/**
 * The responsible team is one that is assigned to the item, as long as it is; else the first of these, and without
 * teams none. The deprecated `Team` of the item is the same one.
 */
export async function followTeams(items: readonly number[], work: Work): Promise<void> {
  await work.rows(
    `update general g set responsible_team_id = a.id, team_id = a.team_id
     from unnest($1::bigint[]) as u(id) join general i on i.id = u.id
       left join lateral (select t.id, t.team_id from team_assignment t where t.assignable_id = u.id
         order by t.id = i.responsible_team_id desc, t.id limit 1) a on true
     where g.id = u.id and (g.responsible_team_id, g.team_id) is distinct from (a.id, a.team_id)`,
    [[...new Set(items)]],
  );
  mergeRecords('general', items, work);
}
