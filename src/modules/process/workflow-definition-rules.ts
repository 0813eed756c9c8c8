/**
 * One workflow for each kind in each process; teams may have workflows that are parts of it. A workflow stays where it
 * is.
 */
import {
  byDefault,
  type Change,
  current,
  type Removal,
  referenced,
  refersTo,
  refuse,
  type Work,
} from '../../command/change.js';
import { takeAlong } from '../../command/take-along.js';
import type { Model } from '../../model/model.js';
import { refuseUsed } from './in-use-rules.js';
import { refuseKindWithout } from './kind-rules.js';

export interface WorkflowRow {
  id: number;
  process_id: number;
  entity_type_id: number;
  parent_workflow_id: number | null;
}

export async function workflowDefinitionRules(changes: readonly Change[], work: Work, model: Model): Promise<void> {
  for (const change of changes) refuseMove(change, 'a workflow');
  const created = changes.filter(({ isNew }) => isNew);
  await takeFromParents(created, work);
  for (const change of created) refuseKindWithout(change, 'EntityState', 'states', model);
  await refuseSecond(created, work);
}

/** Items, teams and team workflows refer to it by its process and kind, so these stay. */
export function refuseMove(change: Change, what: string): void {
  if (change.isNew) return;
  for (const [property, name] of places) {
    if (change.values[property] === undefined) continue;
    throw refuse(change, name, `${what} stays where it is; create another one.`);
  }
}

const places = [
  ['workflow', 'Workflow'],
  ['parentWorkflow', 'ParentWorkflow'],
  ['process', 'Process'],
  ['entityType', 'EntityType'],
] as const;

async function takeFromParents(changes: readonly Change[], { rows }: Work): Promise<void> {
  const parts = changes.filter((change) => referenced(change, 'parentWorkflow') !== undefined);
  if (parts.length === 0) return;
  const parents = await rows<WorkflowRow>(byId, [parts.map((change) => referenced(change, 'parentWorkflow'))]);
  for (const change of parts) {
    const parent = parents.find(({ id }) => id === referenced(change, 'parentWorkflow'));
    if (!parent || parent.parent_workflow_id !== null) {
      throw refuse(change, 'ParentWorkflow', 'a workflow can be a part only of one that is no part itself.');
    }
    sameAs(change, 'Process', parent.process_id, 'a part is of the same process as its ParentWorkflow.');
    sameAs(change, 'EntityType', parent.entity_type_id, 'a part is for the same kind as its ParentWorkflow.');
  }
}

export const byId = `select id, process_id, entity_type_id, parent_workflow_id from workflow where id = any($1::bigint[])`;

/** Takes a reference over that was not sent, and refuses another one. */
export function sameAs(change: Change, name: 'Process' | 'EntityType', id: number, why: string): void {
  const property = name === 'Process' ? 'process' : 'entityType';
  byDefault(change, property, refersTo(id));
  if (current(change, property) !== id) throw refuse(change, name, why);
}

async function refuseSecond(changes: readonly Change[], { rows }: Work): Promise<void> {
  const main = changes.filter((change) => current(change, 'parentWorkflow') === undefined);
  if (main.length === 0) return;
  const keys = main.map((change) => [current(change, 'process') ?? null, current(change, 'entityType') ?? null]);
  const workflows = await rows<WorkflowRow>(
    `select id, process_id, entity_type_id, parent_workflow_id from workflow where parent_workflow_id is null
       and (process_id, entity_type_id) in (select * from unnest($1::bigint[], $2::bigint[]))`,
    [keys.map(([process]) => process), keys.map(([, kind]) => kind)],
  );
  const taken = new Set(workflows.map((row) => `${row.process_id}:${row.entity_type_id}`));
  main.forEach((change, at) => {
    const key = keys[at]!.join(':');
    if (taken.has(key))
      throw refuse(change, 'EntityType', 'the process has a workflow for this kind; change its states.');
    taken.add(key);
  });
}

/** Its states go with it. */
export async function removeWorkflows(removals: readonly Removal[], work: Work, model: Model): Promise<void> {
  await refuseUsed(removals, work);
  const ids = removals.map(({ id }) => id);
  await takeAlong(model.resource('EntityState'), 'workflow', ids, work);
}
