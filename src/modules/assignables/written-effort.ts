/**
 * `Effort` of an item is written where it can only mean one role. What was read of it or of the efforts of its roles
 * may be sent back beside the other; where both change they agree, or neither is taken.
 */
import { type Change, commandFor, refuse, sentItems, type Work } from '../../command/change.js';
import type { Command, SentCollection } from '../../command/command.js';
import type { ProcessSetup } from '../process/process-setup.js';

/** An effort that a role has of an item. */
interface Stored {
  id: number;
  role: number;
  effort: number;
}

/** Those of items that an Effort is written of, whether their workflows still know the roles or not. */
export async function storedEfforts(changes: readonly Change[], { rows }: Work): Promise<Map<number, Stored[]>> {
  const ids = changes.filter(sendsEffort).flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return new Map();
  const efforts = await rows<{ item: number; roles: number[]; ids: number[]; efforts: string[] }>(
    `select assignable_id as item, array_agg(id) as ids, array_agg(role_id) as roles, array_agg(effort::text) as efforts
     from role_effort where assignable_id = any($1::bigint[]) group by 1`,
    [ids],
  );
  return new Map(
    efforts.map((row) => [
      row.item,
      row.ids.map((id, at) => ({ id: Number(id), role: Number(row.roles[at]), effort: Number(row.efforts[at]) })),
    ]),
  );
}

const sendsEffort = ({ values: { effort } }: Change): boolean => effort !== undefined && effort !== null;

interface Roles {
  /** The roles of the workflow. */
  roles(): readonly number[];
  stored: readonly Stored[];
  setup: ProcessSetup;
}

export function writeEffort(change: Change, { roles, stored, setup }: Roles): void {
  const { effort } = change.values;
  const isSent = sendsEffort(change) && !(change.isNew && Number(effort) === 0);
  delete change.values.effort;
  if (!isSent) return;
  const sent = effortsSent(change, stored, setup);
  if (sent.length > 0 && isSame(sumOf(sent, stored), Number(effort))) return;
  if (sent.some(isChanged)) throw refuse(change, 'Effort', 'is not the sum of the RoleEfforts that are sent with it.');
  const [only, ...others] = new Set([...roles(), ...stored.filter((one) => one.effort > 0).map(({ role }) => role)]);
  if (only === undefined) {
    throw refuse(change, 'Effort', 'no state of the workflow has a role with effort here; give one a Role first.');
  }
  if (others.length > 0) {
    throw refuse(
      change,
      'Effort',
      'is the sum of several roles here; write RoleEfforts, such as {"RoleEfforts":[{"Role":{"Id":1},"Effort":3}]}.',
    );
  }
  const item = sent.find(({ role }) => role === only)?.item;
  if (item) setEffort(item, String(effort));
  else addEffort(sentItems(change, 'RoleEfforts'), change, only, String(effort));
}

function addEffort({ field, items }: SentCollection, { command }: Change, role: number, effort: string): void {
  items.push(commandFor(field.target, `${command.path}RoleEfforts[${items.length}].`, { Role: role, Effort: effort }));
}

function setEffort({ resource, scalars }: Command, value: string): void {
  const field = resource.field('Effort');
  if (field?.kind !== 'scalar') throw new Error('roles have efforts');
  const sent = scalars.find((scalar) => scalar.field === field);
  if (sent) sent.value = value;
  else scalars.push({ field, value });
}

/** A RoleEffort as it was sent, and what is there of it. */
interface Sent {
  item: Command;
  role?: number;
  /** Nothing where it is named without one. */
  effort?: number;
  before?: Stored;
}

function effortsSent({ command }: Change, stored: readonly Stored[], setup: ProcessSetup): Sent[] {
  const items = command.collections.find(({ field }) => field.name === 'RoleEfforts')?.items ?? [];
  return items.map((item) => {
    const role = item.id === undefined ? roleOf(item, setup) : stored.find(({ id }) => id === item.id)?.role;
    return { item, role, effort: effortOf(item), before: stored.find((one) => one.role === role) };
  });
}

const isChanged = ({ effort, before }: Sent): boolean => effort !== undefined && !isSame(effort, before?.effort ?? 0);

function sumOf(sent: readonly Sent[], stored: readonly Stored[]): number {
  const others = stored.filter((one) => sent.every(({ before }) => before !== one));
  const efforts = [
    ...sent.map(({ effort, before }) => effort ?? before?.effort ?? 0),
    ...others.map((one) => one.effort),
  ];
  return efforts.reduce((sum, effort) => sum + effort, 0);
}

/** With the four places that are kept. */
const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.000_05;

/** Roles may be named as well. */
export function roleOf({ references }: Command, setup: ProcessSetup): number | undefined {
  const to = references.find(({ field }) => field.name === 'Role')?.to;
  if (to?.kind === 'id') return to.id;
  const name = to?.kind === 'name' ? to.name.trim().toLowerCase() : undefined;
  return setup.roles.find((role) => role.name.toLowerCase() === name)?.id;
}

/** Sent by itself, or as both of its parts. */
function effortOf({ scalars }: Command): number | undefined {
  const [effort, completed, toDo] = ['Effort', 'EffortCompleted', 'EffortToDo'].map(
    (name) => scalars.find(({ field }) => field.name === name)?.value,
  );
  if (effort !== undefined) return Number(effort ?? 0);
  return completed == null || toDo == null ? undefined : Number(completed) + Number(toDo);
}
