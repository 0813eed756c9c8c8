/**
 * Efforts as they are sent with a work item: one row for each role that its workflow has effort for. What they sum up to is
 * kept by the database; a new item is stored with its sums right away, so that there is nothing to correct.
 */
import { type Change, commandFor, refuse, sentItems, type Work } from '../../command/change.js';
import type { Command } from '../../command/command.js';
import type { ProcessSetup } from '../process/process-setup.js';
import { processOf } from '../process/workflow-rules.js';

export function effortRules(changes: readonly Change[], work: Work, setup: ProcessSetup): void {
  for (const change of changes) {
    const roles = setup.effortRoles(
      processOf(change, work) ?? setup.defaultProcess,
      change.resource.settings.entityTypeId,
    );
    writeEffort(change, roles);
    if (change.isNew) completeRoles(change, roles, setup);
  }
}

/** `Effort` itself can be written where it can only mean one role. */
function writeEffort(change: Change, roles: readonly number[]): void {
  const { effort } = change.values;
  delete change.values.effort;
  const isSaid = change.command.collections.some(({ field }) => field.name === 'RoleEfforts');
  if (effort === undefined || effort === null || isSaid) return;
  if (change.isNew && Number(effort) === 0) return;
  if (Number(effort) < 0) throw refuse(change, 'Effort', 'must not be negative.');
  const [only] = roles;
  if (only === undefined || roles.length > 1) {
    throw refuse(
      change,
      'Effort',
      'is the sum of several roles here; write RoleEfforts, such as {"RoleEfforts":[{"Role":{"Id":1},"Effort":3}]}.',
    );
  }
  const sent = sentItems(change, 'RoleEfforts');
  const path = `${change.command.path}RoleEfforts[0].`;
  sent.items.push(commandFor(sent.field.target, path, { Role: only, Effort: String(effort) }));
}

function completeRoles(change: Change, roles: readonly number[], setup: ProcessSetup): void {
  if (roles.length === 0 && !change.command.collections.some(({ field }) => field.name === 'RoleEfforts')) return;
  const sent = sentItems(change, 'RoleEfforts');
  const said = new Set(sent.items.map(roleOf));
  const path = `${change.command.path}RoleEfforts.`;
  for (const role of roles) {
    if (!said.has(role)) sent.items.push(commandFor(sent.field.target, path, { Role: role }));
  }
  const total = sent.items.reduce((sum, item) => sum + effortOf(item), 0);
  if (total > 0) Object.assign(change.values, sums(change, total, setup));
}

/** As the database will count them; what is not simple here it corrects. */
function sums({ values }: Change, total: number, setup: ProcessSetup): Record<string, string> {
  const effort = total.toFixed(4);
  const isFinal = setup.isFinal((values.entityState as { id: number } | undefined)?.id);
  if (isFinal) return { effort, effortCompleted: effort, effortToDo: '0', progress: '1' };
  return { effort, effortToDo: effort, ...(values.units === 'h' ? { timeRemain: effort } : {}) };
}

const roleOf = ({ references }: Command): number | undefined => {
  const to = references.find(({ field }) => field.name === 'Role')?.to;
  return to?.kind === 'id' ? to.id : undefined;
};

const effortOf = ({ scalars }: Command): number =>
  Number(scalars.find(({ field }) => field.name === 'Effort')?.value ?? 0) || 0;
