/** States of teams on work items, and who of them is responsible. */
import {
  byDefault,
  type Change,
  commandFor,
  current,
  referenced,
  refersTo,
  refuse,
  type Work,
} from '../../command/change.js';
import { mergeRecords } from '../../command/merge-records.js';
import { refuseEndBeforeStart } from '../generals/general-rules.js';
import { notSingle } from '../process/name-rules.js';
import type { ProcessSetup } from '../process/process-setup.js';
import { notInWorkflow, type SentName, thoseSent } from '../process/workflow-rules.js';

interface Item {
  id: number;
  state: number | null;
  kind: number;
  process: number | null;
}

/**
 * A team starts in the state of the item; a state that is sent must be of the item's workflow or of a team's part of
 * it.
 */
export async function teamStates(changes: readonly Change[], work: Work, setup: ProcessSetup): Promise<void> {
  const items = await itemsOf(changes, work);
  for (const change of changes) {
    const item = items.get(current(change, 'assignable') ?? 0);
    if (!item) continue;
    if (change.isNew) byDefault(change, 'startDate', earliest(change.now, change.values.endDate));
    refuseEndBeforeStart(change);
    if (isAssigned(change)) byDefault(change, 'entityState', refersTo(item.state) ?? null);
    takeState(change, item, setup);
  }
  await moveItems(changes, items, work, setup);
}

/** What was over before it was told of had begun before its end. */
const earliest = (now: Date, end: unknown): Date => (end instanceof Date && end < now ? end : now);

/** Its team is assigned to an item that it was not assigned to. */
const isAssigned = (change: Change): boolean => change.isNew || referenced(change, 'assignable') !== undefined;

async function itemsOf(changes: readonly Change[], { rows }: Work): Promise<Map<number, Item>> {
  const ids = [...new Set(changes.map((change) => current(change, 'assignable') ?? 0))];
  const items = await rows<Item>(
    `select g.id, g.entity_state_id as state, g.entity_type_id as kind, p.process_id as process
     from general g left join general p on p.id = g.project_id where g.id = any($1::bigint[])`,
    [ids],
  );
  return new Map(items.map((item) => [item.id, item]));
}

/** A state by its Id or, where only one has it, by its name. */
function takeState(change: Change, item: Item, setup: ProcessSetup): void {
  const sent = change.values.entityState as SentName | null | undefined;
  if (!sent || (sent.id !== undefined && sent.id === item.state)) return;
  const states = setup.statesWithTeams(item.process ?? undefined, item.kind);
  const matches = thoseSent(states, sent);
  if (matches.length === 0) throw refuse(change, 'EntityState', notInWorkflow(sent, states));
  if (matches.length > 1) throw refuse(change, 'EntityState', notSingle('EntityState', sent.name!));
  if (change.before?.entity_state_id === matches[0]!.id) delete change.values.entityState;
  else change.values.entityState = { id: matches[0]!.id };
}

/** A team that moves on takes the item along: to the same state, or to that which the team's own is a part of. */
async function moveItems(
  changes: readonly Change[],
  items: ReadonlyMap<number, Item>,
  work: Work,
  setup: ProcessSetup,
) {
  const moves = new Map<number, number>();
  for (const change of changes) {
    const item = items.get(current(change, 'assignable') ?? 0);
    const state = isAssigned(change) ? undefined : setup.state(referenced(change, 'entityState') ?? 0);
    const target = state?.parentState ?? state?.id;
    if (item && target !== undefined && target !== item.state) moves.set(item.id, target);
  }
  if (moves.size === 0) return;
  const assignable = changes[0]!.resource.fields.find((field) => field.name === 'Assignable');
  if (assignable?.kind !== 'reference') return;
  await work.apply([...moves].map(([id, state]) => commandFor(assignable.target, '', { EntityState: state }, id)));
  mergeRecords('general', [...moves.keys()], work);
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
