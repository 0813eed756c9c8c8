/** Where work starts and ends: one state of a workflow is initial, another one at least is final. */
import { type Change, current, refuse, type Work } from '../../command/change.js';
import { keepDefaultFinal, type StoredState, takeDefaultFinal } from './default-final-rules.js';

const ends = ['isInitial', 'isFinal', 'isDefaultFinal'] as const;

export async function keepEnds(changes: readonly Change[], { rows }: Work): Promise<void> {
  const touched = changes.filter(({ isNew, values }) => isNew || ends.some((end) => end in values));
  if (touched.length === 0) return;
  const workflows = [...new Set(touched.map((change) => current(change, 'workflow')!))];
  // Two requests must not both take the last final state away.
  await rows('select id from workflow where id = any($1::bigint[]) order by id for no key update', [workflows]);
  const stored = await rows<StoredState>(
    `select id, workflow_id, is_initial, is_final, is_default_final from entity_state
     where workflow_id = any($1::bigint[]) order by numeric_priority, id`,
    [workflows],
  );
  const defaults: number[] = [];
  for (const workflow of workflows) {
    const group = touched.filter((change) => current(change, 'workflow') === workflow);
    const states = stored.filter((state) => state.workflow_id === workflow);
    refuseBoth(group);
    keepInitial(group, states);
    keepFinal(group, states);
    defaults.push(...keepDefaultFinal(group, states));
  }
  await takeInitial(touched, rows);
  await takeDefaultFinal(touched, defaults, rows);
}

/** New items would be done. A state that another one takes the beginning from may become final. */
function refuseBoth(group: readonly Change[]): void {
  const taken = group.some(({ values }) => values.isInitial === true);
  for (const change of group) {
    const { before, values } = change;
    const isInitial = values.isInitial ?? (before?.is_initial === true && !taken);
    const isFinal = values.isFinal ?? before?.is_final;
    const written = values.isInitial === true ? 'IsInitial' : values.isFinal === true ? 'IsFinal' : undefined;
    if (isInitial && isFinal && written)
      throw refuse(change, written, 'the initial state of a workflow cannot be a final one.');
  }
}

/** The first state that is not final is where items of a workflow start, until another one is made initial. */
function keepInitial(group: readonly Change[], stored: readonly StoredState[]): void {
  const [first, second] = group.filter(({ values }) => values.isInitial === true);
  if (second) throw refuse(second, 'IsInitial', 'only one state of a workflow can be initial.');
  if (first) return;
  const lost = group.find(({ before, values }) => before?.is_initial === true && values.isInitial === false);
  if (lost) throw refuse(lost, 'IsInitial', 'a workflow has an initial state; make another one initial instead.');
  if (stored.some((state) => state.is_initial)) return;
  const created = group.filter(({ isNew }) => isNew);
  (created.find(({ values }) => values.isFinal !== true) ?? created[0]!).values.isInitial = true;
}

/** States that are added one by one may come before the final one; those sent with their workflow are all there are. */
function keepFinal(group: readonly Change[], stored: readonly StoredState[]): void {
  const finalById = new Map(group.map((change) => [change.id, change.values.isFinal]));
  if (group.some(({ values }) => values.isFinal === true)) return;
  if (stored.some(({ id, is_final }) => is_final && finalById.get(id) !== false)) return;
  const why = 'a workflow has a final state; make another one final first.';
  const lost = group.find(({ before, values }) => before?.is_final === true && values.isFinal === false);
  if (lost) throw refuse(lost, 'IsFinal', why);
  const isWhole = group.every(
    ({ command }) => command.hasNewOwner && !command.followsOthers && command.ownedBy === 'workflow',
  );
  if (isWhole) throw refuse(group[group.length - 1]!, 'IsFinal', 'one of the states of a workflow must be final.');
}

async function takeInitial(changes: readonly Change[], rows: Work['rows']): Promise<void> {
  const chosen = changes.filter(({ values }) => values.isInitial === true);
  if (chosen.length === 0) return;
  await rows(
    'update entity_state set is_initial = false where is_initial and workflow_id = any($1::bigint[]) and id <> all($2::bigint[])',
    [chosen.map((change) => current(change, 'workflow')), chosen.flatMap(({ id }) => id ?? [])],
  );
}
