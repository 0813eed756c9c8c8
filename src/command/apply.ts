/**
 * Carries Commands out within a transaction, all of them or none: looks up what they refer to, locks what they change, asks
 * whether the actor may, lets the families add what follows, stores set by set, and goes on with the items of collections.
 */
import { badMember, methodNotAllowed, notFound } from '../errors.js';
import type { Model, ResourceType } from '../model/model.js';
import { applyItems } from './apply-items.js';
import { assignValues, refuseNames } from './assign-values.js';
import type { Change, LinkRules, Rules, Work } from './change.js';
import type { Command } from './command.js';
import { type Locked, lock } from './lock.js';
import { mergeExisting } from './natural-key.js';
import { permit } from './permit.js';
import { groupedBy, store } from './store.js';
import { columnsWritten, everyCommand, wantedBy } from './traverse.js';
import { validate } from './validate.js';

/** What a transaction needs to know of the service around it. */
export interface Circumstances extends Work {
  readonly model: Model;
  /** The rules of the family that a kind belongs to. */
  rulesOf(resource: ResourceType): Rules;
  /** Rules that all kinds share, asked before those of the families and behind them. */
  readonly common: { readonly before: readonly Rules[]; readonly behind: readonly Rules[]; readonly links: LinkRules };
  /** Brings the totals up to date that otherwise are when the transaction ends. */
  settle(): Promise<void>;
  /** Asked for each entity that is about to change, once it is locked. */
  checkVersion?(locked: Locked | undefined): void;
}

/** Returns the changes in the order of the commands, each with its id. */
export async function apply(commands: readonly Command[], work: Circumstances): Promise<Change[]> {
  await work.look(wantedBy(commands));
  for (const command of everyCommand(commands)) mustBeThere(command, work);
  const locked = await lockAll(commands, work);
  // What is yet to be made is of no version.
  for (const { resource, id, isCarrier } of commands) {
    const found = id === undefined ? undefined : locked.get(keyOf(resource, id));
    if (!isCarrier) work.checkVersion?.(found);
  }
  return applyBatch(commands, locked, work);
}

function mustBeThere({ resource, id, path, isOwn }: Command, { facts }: Work): void {
  if (id === undefined || isOwn || facts.of(resource, id)) return;
  throw path === '' ? notFound(resource.name, id) : notFound(resource.name, id, path);
}

export const keyOf = (resource: ResourceType, id: number): string => `${resource.root.name}:${id}`;

async function lockAll(commands: readonly Command[], work: Circumstances): Promise<Map<string, Locked>> {
  const all = [...everyCommand(commands)].filter(({ id }) => id !== undefined);
  const locked = new Map<string, Locked>();
  for (const group of groupedBy(all, ({ resource }) => resource.root.name)) {
    const { root } = group[0]!.resource;
    const ids = group.map(({ id }) => id!);
    const found = await lock({ root, ids, columns: columnsWritten(group) }, work, work.model);
    for (const [id, row] of found) locked.set(keyOf(root, id), row);
  }
  return locked;
}

export async function applyBatch(
  commands: readonly Command[],
  locked: ReadonlyMap<string, Locked>,
  work: Circumstances,
): Promise<Change[]> {
  const changes = commands.map((command) => changeOf(command, locked, work));
  refuseSame(changes);
  await prepare(changes, work);
  const { stored, met } = await mergeExisting(changes, work);
  if (met.length > 0) await prepare(met, work);
  await store(stored, work);
  for (const change of changes) change.id ??= change.sameAs?.id;
  for (const rules of work.common.behind) await rules.afterSave(changes, work);
  for (const group of families(changes)) await work.rulesOf(group[0]!.resource).afterSave(group, work);
  await applyItems(changes, locked, work);
  return changes;
}

const families = (changes: readonly Change[]): Change[][] => groupedBy(changes, ({ resource }) => resource.name);

/** Works out what will be stored: what was sent and differs, and what the rules make of it. */
async function prepare(changes: readonly Change[], work: Circumstances): Promise<void> {
  await assignValues(changes, work);
  for (const change of changes) if (isAsked(change)) permit(change);
  for (const rules of work.common.before) await rules.beforeSave(changes, work);
  for (const group of families(changes)) await work.rulesOf(group[0]!.resource).beforeSave(group, work);
  for (const rules of work.common.behind) await rules.beforeSave(changes, work);
  for (const change of changes) refuseNames(change);
  for (const change of changes) if (!change.command.isOwn) validate(change);
}

/** An item that is sent back with its owner, unchanged, is no change of that item. */
const isAsked = ({ command, isNew, values }: Change): boolean =>
  !command.isOwn && !command.isCarrier && (isNew || command.ownedBy === undefined || Object.keys(values).length > 0);

function changeOf(command: Command, locked: ReadonlyMap<string, Locked>, work: Circumstances): Change {
  const { id } = command;
  const found = id === undefined ? undefined : locked.get(keyOf(command.resource, id));
  // Deleted for good between look-up and lock.
  if (id !== undefined && !found) throw notFound(command.resource.name, id, command.path);
  const resource = found?.resource ?? command.resource;
  const { create, update } = command.resource.settings.operations;
  if (!command.isOwn && (id === undefined ? !create : !update)) throw notAllowed(command);
  const { actor, now, timeZone } = work;
  return { resource, id, isNew: id === undefined, values: {}, before: found?.row, command, actor, now, timeZone };
}

function notAllowed({ resource, path, id }: Command) {
  if (path === '') return methodNotAllowed('POST', ['GET', 'HEAD']);
  const what = id === undefined ? 'created; give the Id of one that exists' : 'changed';
  return badMember(path.slice(0, -1), `${resource.collection} cannot be ${what}.`);
}

/** One entity twice in one body: which of the two should win? */
function refuseSame(changes: readonly Change[]): void {
  const seen = new Set<string>();
  for (const { resource, id, command } of changes) {
    if (id === undefined) continue;
    const key = keyOf(resource, id);
    if (seen.has(key)) throw badMember(`${command.path}Id`, `${resource.name} ${id} is in the body twice.`);
    seen.add(key);
  }
}
