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
import type { ProcessSetup, State } from '../process/process-setup.js';

interface Item {
  id: number;
  state: number | null;
  kind: number;
  process: number | null;
}

/** A team starts in the state of the item; a state that is sent must be of the item's workflow or of a team's part of it. */
export async function teamStates(changes: readonly Change[], work: Work, setup: ProcessSetup): Promise<void> {
  const items = await itemsOf(changes, work);
  for (const change of changes) {
    const item = items.get(current(change, 'assignable') ?? 0);
    if (!item) continue;
    if (change.isNew) {
      byDefault(change, 'startDate', change.now);
      byDefault(change, 'entityState', refersTo(item.state));
    }
    const sentState = referenced(change, 'entityState');
    if (sentState !== undefined && sentState !== item.state) checkState(change, setup.state(sentState), item);
  }
  await moveItems(changes, items, work, setup);
}

async function itemsOf(changes: readonly Change[], { rows }: Work): Promise<Map<number, Item>> {
  const ids = [...new Set(changes.map((change) => current(change, 'assignable') ?? 0))];
  const items = await rows<Item>(
    `select g.id, g.entity_state_id as state, g.entity_type_id as kind, p.process_id as process
     from general g left join general p on p.id = g.project_id where g.id = any($1::int[])`,
    [ids],
  );
  return new Map(items.map((item) => [item.id, item]));
}

function checkState(change: Change, state: State | undefined, item: Item): void {
  if (state && state.kind === item.kind && (item.process === null || state.process === item.process)) return;
  throw refuse(change, 'EntityState', 'the state is not one of the workflow of this item.');
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
    const state = change.isNew ? undefined : setup.state(referenced(change, 'entityState') ?? 0);
    const target = state?.parentState ?? state?.id;
    if (item && target !== undefined && target !== item.state) moves.set(item.id, target);
  }
  if (moves.size === 0) return;
  const assignable = changes[0]!.resource.fields.find((field) => field.name === 'Assignable');
  if (assignable?.kind !== 'reference') return;
  await work.apply([...moves].map(([id, state]) => commandFor(assignable.target, '', { EntityState: state }, id)));
}

/** An item without a responsible team gets the first that is assigned to it; without teams it has none. */
export async function followTeams(items: readonly number[], { rows }: Work): Promise<void> {
  await rows(
    `update general g set responsible_team_id = a.id, team_id = a.team_id
     from (select distinct on (assignable_id) id, team_id, assignable_id from team_assignment
       where assignable_id = any($1::int[]) order by assignable_id, id) a
     where g.id = a.assignable_id and g.responsible_team_id is null`,
    [[...new Set(items)]],
  );
}
