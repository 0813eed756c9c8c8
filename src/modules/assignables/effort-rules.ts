/**
 * Efforts as they are sent with a work item: one row for each role that its workflow has effort for. What they sum up
 * to is kept by the database; a new item is stored with its sums right away, so that there is nothing to correct.
 */
import { type Change, commandFor, refuse, type Work } from '../../command/change.js';
import type { Command } from '../../command/command.js';
import type { ProcessSetup } from '../process/process-setup.js';
import { processFor } from '../process/workflow-rules.js';
import { roleOf, storedEfforts, writeEffort } from './written-effort.js';

export async function effortRules(changes: readonly Change[], work: Work, setup: ProcessSetup): Promise<void> {
  const stored = await storedEfforts(changes, work);
  for (const change of changes) {
    refuseNegative(change, 'initialEstimate', 'InitialEstimate');
    boundedEffort(change, 'effort', 'Effort');
    const roles = () => rolesOf(change, work, setup);
    writeEffort(change, { roles, stored: stored.get(change.id!) ?? [], setup });
    if (!change.isNew) continue;
    presetTotals(change, setup);
    addRoles(change, roles, setup);
  }
}

/** Where some roles are sent the others come with them, in one statement. */
function addRoles(change: Change, rolesOfItem: () => readonly number[], setup: ProcessSetup): void {
  const sent = change.command.collections.find(({ field }) => field.name === 'RoleEfforts');
  if (!sent || sent.items.length === 0) return;
  const sentRoles = new Set(rolesSent(change, setup));
  for (const role of rolesOfItem()) {
    if (!sentRoles.has(role))
      sent.items.push(commandFor(sent.field.target, `${change.command.path}RoleEfforts.`, { Role: role }));
  }
}

/** More than all work of a lifetime, and little enough for sums of many. */
const most = 99_999_999;

export function boundedEffort(change: Change, property: string, name: string): void {
  refuseNegative(change, property, name);
  if (Number(change.values[property] ?? 0) > most) throw refuse(change, name, `at most ${most} is allowed.`);
}

export function refuseNegative(change: Change, property: string, name: string): void {
  if (Number(change.values[property] ?? 0) < 0) throw refuse(change, name, 'must not be negative.');
}

/** A new item is stored with the sum of what was sent; roles nobody spoke of get their rows behind it. */
function presetTotals(change: Change, setup: ProcessSetup): void {
  const sent = change.command.collections.find(({ field }) => field.name === 'RoleEfforts');
  const total = sent?.items.reduce((sum, item) => sum + effortOf(item), 0) ?? 0;
  if (total > most) throw refuse(change, 'RoleEfforts', `an Effort of at most ${most} is allowed.`);
  if (total > 0) Object.assign(change.values, sums(change, total, setup));
}

/**
 * One row for each role of the workflow, whether an effort was sent for it or not. An item that moves to another
 * process keeps those that it has.
 */
export async function completeRoles(changes: readonly Change[], work: Work, setup: ProcessSetup): Promise<void> {
  const silent = changes.filter((change) =>
    change.isNew ? rolesSent(change, setup).length === 0 : changesProcess(change, work, setup),
  );
  const pairs = silent.flatMap((change) => rolesOf(change, work, setup).map((role) => [change.id!, role] as const));
  if (pairs.length === 0) return;
  const isMove = silent.some(({ isNew }) => !isNew);
  work.send(isMove ? addMissing : addNew, [pairs.map(([id]) => id), pairs.map(([, role]) => role)]);
}

const changesProcess = (change: Change, work: Work, setup: ProcessSetup): boolean =>
  change.values.project !== undefined &&
  setup.state(Number(change.before?.entity_state_id))?.process !== processFor(change, work, setup);

const addNew = 'insert into role_effort (assignable_id, role_id) select * from unnest($1::bigint[], $2::bigint[])';

const addMissing = `${addNew} on conflict (assignable_id, role_id) do nothing`;

const rolesOf = (change: Change, work: Work, setup: ProcessSetup): readonly number[] =>
  setup.effortRoles(processFor(change, work, setup), change.resource.settings.entityTypeId);

const rolesSent = ({ command }: Change, setup: ProcessSetup): (number | undefined)[] =>
  command.collections.find(({ field }) => field.name === 'RoleEfforts')?.items.map((item) => roleOf(item, setup)) ?? [];

/** As the database will count them; what is not simple here it corrects. */
function sums({ values }: Change, total: number, setup: ProcessSetup): Record<string, string> {
  const effort = total.toFixed(4);
  const isFinal = setup.isFinal((values.entityState as { id: number } | undefined)?.id);
  if (isFinal) return { effort, effortCompleted: effort, effortToDo: '0', progress: '1' };
  return { effort, effortToDo: effort, ...(values.units === 'h' ? { timeRemain: effort } : {}) };
}

const effortOf = ({ scalars }: Command): number =>
  Number(scalars.find(({ field }) => field.name === 'Effort')?.value ?? 0) || 0;
