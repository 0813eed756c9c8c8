/** A state lies in a workflow, whose process and kind it has; the workflow keeps one initial state and a final one. */
import { type Change, current, type Removal, refuse, sentItems, type Work } from '../../command/change.js';
import { mergeRecords } from '../../command/merge-records.js';
import { forbidden } from '../../errors.js';
import { named, refuseUsed } from './in-use-rules.js';
import { keepEnds } from './state-end-rules.js';
import { byId, refuseMove, sameAs, type WorkflowRow } from './workflow-definition-rules.js';

export async function stateRules(
  changes: readonly Change[],
  work: Work,
  defaultProcess: number | undefined,
): Promise<void> {
  for (const change of changes) refuseMove(change, 'a state');
  await findWorkflows(changes, work, defaultProcess);
  await checkParents(changes, work);
  await keepEnds(changes, work);
  await checkSteps(changes, work);
}

/** Older clients know no workflows: they name the kind, and the process unless it is the default one. */
async function findWorkflows(
  changes: readonly Change[],
  { rows }: Work,
  defaultProcess: number | undefined,
): Promise<void> {
  const created = changes.filter(({ isNew }) => isNew);
  if (created.length === 0) return;
  const wanted = created.map((change) => ({
    workflow: current(change, 'workflow') ?? null,
    process: current(change, 'process') ?? defaultProcess ?? null,
    kind: current(change, 'entityType') ?? null,
  }));
  const workflows = await rows<WorkflowRow>(candidates, [
    wanted.map(({ workflow }) => workflow),
    wanted.map(({ process }) => process),
    wanted.map(({ kind }) => kind),
  ]);
  for (const [at, change] of created.entries()) place(change, wanted[at]!, workflows);
}

const candidates = `select id, process_id, entity_type_id, parent_workflow_id from workflow where id = any($1::bigint[])
  or (parent_workflow_id is null and (process_id, entity_type_id) in (select * from unnest($2::bigint[], $3::bigint[])))`;

interface WantedWorkflow {
  workflow: number | null;
  process: number | null;
  kind: number | null;
}

function place(change: Change, { workflow, process, kind }: WantedWorkflow, workflows: readonly WorkflowRow[]): void {
  const own = workflows.find(({ id, parent_workflow_id, ...row }) =>
    workflow === null
      ? parent_workflow_id === null && row.process_id === process && row.entity_type_id === kind
      : id === workflow,
  );
  if (!own && kind === null) throw refuse(change, 'Workflow', 'a value is required.');
  if (!own) throw refuse(change, 'EntityType', 'the process has no workflow for this kind; create one first.');
  change.values.workflow = { id: own.id };
  sameAs(change, 'Process', own.process_id, 'the workflow is of another process.');
  sameAs(change, 'EntityType', own.entity_type_id, 'the workflow is for another kind.');
}

/** A team's state is a part of one of the workflow that the team's workflow is a part of. */
async function checkParents(changes: readonly Change[], { rows }: Work): Promise<void> {
  const written = changes.filter(({ isNew, values }) => isNew || values.parentEntityState !== undefined);
  if (written.length === 0) return;
  const workflows = await rows<WorkflowRow>(byId, [written.map((change) => current(change, 'workflow'))]);
  const parents = await workflowsOf(
    written.flatMap((change) => current(change, 'parentEntityState') ?? []),
    rows,
  );
  for (const change of written) {
    const own = workflows.find(({ id }) => id === current(change, 'workflow'));
    const parent = current(change, 'parentEntityState');
    if (parent === undefined && (own?.parent_workflow_id ?? null) === null) continue;
    if (parent === undefined)
      throw refuse(change, 'ParentEntityState', "a state of a team's workflow is a part of one of its ParentWorkflow.");
    if (parents.get(parent) === own?.parent_workflow_id) continue;
    throw refuse(change, 'ParentEntityState', 'the state is not one of the ParentWorkflow of this workflow.');
  }
}

async function workflowsOf(states: readonly number[], rows: Work['rows']): Promise<Map<number, number>> {
  const stateRows = await rows<{ id: number; workflow_id: number }>(
    'select id, workflow_id from entity_state where id = any($1::bigint[])',
    [states],
  );
  return new Map(stateRows.map(({ id, workflow_id }) => [id, workflow_id]));
}

/** Steps lead from state to state of one workflow; a state that is created as a next one lies there too. */
async function checkSteps(changes: readonly Change[], { rows, facts }: Work): Promise<void> {
  const steps = changes.flatMap((change) => nextStates(change).map((item, at) => ({ change, item, at })));
  if (steps.length === 0) return;
  const workflow = changes[0]!.resource.field('Workflow');
  if (workflow?.kind !== 'reference') throw new Error('a state has a workflow');
  const workflows = await workflowsOf(
    steps.flatMap(({ item }) => item.id ?? []),
    rows,
  );
  for (const { change, item, at } of steps) {
    const own = current(change, 'workflow')!;
    const reference = item.references.find(({ field }) => field === workflow);
    if (item.id === undefined && !reference) {
      facts.note(workflow.target, [{ id: own }]);
      item.references.push({ field: workflow, to: { kind: 'id', id: own } });
    }
    const theirs =
      item.id === undefined ? (reference?.to.kind === 'id' ? reference.to.id : own) : workflows.get(item.id);
    if (theirs !== own) throw refuse(change, `NextStates[${at}]`, 'the state is not one of the same workflow.');
  }
}

const nextStates = (change: Change) =>
  change.command.collections.some(({ field }) => field.name === 'NextStates')
    ? sentItems(change, 'NextStates').items
    : [];

/**
 * A new state comes where its id puts it. It is reached from all others, and leads to all unless its next ones are
 * sent.
 */
export async function joinStates(changes: readonly Change[], work: Work): Promise<void> {
  const { rows } = work;
  const created = changes.filter(({ isNew }) => isNew);
  if (created.length === 0) return;
  const ids = created.map(({ id }) => id!);
  await rows('update entity_state set numeric_priority = id where id = any($1::bigint[])', [ids]);
  mergeRecords('entity_state', ids, work);
  const open = created.filter(({ command }) => !command.collections.some(({ field }) => field.name === 'NextStates'));
  const closed = ids.filter((id) => !open.some((change) => change.id === id));
  await rows(
    `insert into entity_state_step (from_id, to_id)
     select o.id, s.id from entity_state s join entity_state o on o.workflow_id = s.workflow_id and o.id <> s.id
       where s.id = any($1::bigint[]) and o.id <> all($2::bigint[])
     union select s.id, o.id from entity_state s join entity_state o on o.workflow_id = s.workflow_id and o.id <> s.id
       where s.id = any($1::bigint[]) and s.id <> all($2::bigint[])
     on conflict do nothing`,
    [ids, closed],
  );
}

export async function removeStates(removals: readonly Removal[], work: Work): Promise<void> {
  for (const { before, path } of removals) {
    const end = before.is_initial ? 'initial' : before.is_final ? 'final' : undefined;
    if (end) throw forbidden(`${named(path)}Could not delete the ${end} state of a workflow.`, 'InUse');
  }
  await refuseUsed(removals, work);
}
