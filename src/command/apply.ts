/**
 * Carries Commands out within a transaction, all of them or none: looks up what they refer to, locks what they change,
 * asks whether the actor may, lets the families add what follows, stores set by set, and goes on with the items of
 * collections.
 */
import { badMember, badRequest, notFound } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { eachInSlices, turnIfDue } from '../turns/slices.js';
import { applyItems, factOf } from './apply-items.js';
import { assignValues, refuseNames } from './assign-values.js';
import { type Change, isEmpty, type Work } from './change.js';
import type { Circumstances, Locked } from './circumstances.js';
import type { Command } from './command.js';
import { keepOwnFields } from './fields-of-kinds.js';
import { giveWay } from './give-way.js';
import { lock } from './lock.js';
import { refuseTwice } from './named-twice.js';
import {
  findExisting,
  findRest,
  inOrderOfLeaving,
  type Keyed,
  mergeSame,
  refuseNamedOtherwise,
} from './natural-key.js';
import { ownersOf, soleGenerals } from './owners.js';
import { permit, permitKind } from './permit.js';
import { permitPlaces } from './permit-places.js';
import { permitSaved } from './permit-rights.js';
import { groupedBy, store } from './store.js';
import { columnsWritten, everyCommand, keyOf, noteDestinations, wantedBy } from './traverse.js';
import { refuseUnwritable, validate } from './validate.js';

/** Returns the changes in the order of the commands, each with its id. */
export async function apply(commands: readonly Command[], work: Circumstances): Promise<Change[]> {
  refuseTwice(commands);
  await turnIfDue();
  const sole = soleGenerals(commands);
  const wanted = wantedBy(commands);
  for (const id of sole?.ids ?? []) wanted.get(sole!.as)?.delete(id);
  const ahead = work.common.ahead(commands, work);
  const [early] = await Promise.all([
    sole && lock(sole, work),
    work.look(wanted),
    work.ids.reserveFor(commands),
    ahead,
  ]);
  await eachInSlices(everyCommand(commands), (command) => mustBeThere(command, work));
  await turnIfDue();
  const locked = early ? byKey(sole!.root, early) : await lockAll(commands, work);
  await lookAgain(commands, locked, work);
  // What is yet to be made is of no version; a collection is of that of its owner.
  for (const { resource, id } of commands)
    work.checkVersion?.(id === undefined ? undefined : locked.get(keyOf(resource, id)));
  await keepOwnFields(commands, locked);
  await giveWay(commands, locked, work);
  noteDestinations(commands, work.facts);
  return applyBatch(commands, locked, work);
}

function mustBeThere({ resource, id, path, isOwn }: Command, { facts }: Work): void {
  if (id === undefined || isOwn || facts.of(resource, id)) return;
  throw path === '' ? notFound(resource.name, id) : notFound(resource.name, id, path);
}

const byKey = (root: ResourceType, rows: ReadonlyMap<number, Locked>): Map<string, Locked> =>
  new Map([...rows].map(([id, row]) => [keyOf(root, id), row]));

/**
 * Generals first, those that other rows hang on among them: everybody comes to them before he comes to what hangs on
 * them.
 */
export async function lockAll(commands: readonly Command[], work: Circumstances): Promise<Map<string, Locked>> {
  const all = [...everyCommand(commands)].filter(({ id }) => id !== undefined);
  const general = work.model.general;
  const tables = groupedBy(all, ({ resource }) => resource.root.name);
  const isGeneral = (group: readonly Command[]): boolean => group[0]!.resource.root === general;
  const generals = tables.find(isGeneral) ?? [];
  const owners = await ownersOf([...everyCommand(commands)], work);
  const locked = new Map<string, Locked>();
  const take = async (root: ResourceType, ids: readonly number[], columns: ReadonlySet<string>): Promise<void> => {
    if (ids.length === 0) return;
    for (const [key, row] of byKey(root, await lock({ root, ids, columns }, work))) locked.set(key, row);
  };
  await take(general, [...generals.map(({ id }) => id!), ...owners], columnsWritten(generals));
  for (const group of tables.filter((one) => !isGeneral(one))) {
    const ids = group.map(({ id }) => id!);
    await take(group[0]!.resource.root, ids, columnsWritten(group));
  }
  return locked;
}

/** Somebody may have moved an entity between the look-up and the lock: what is known of it is then out of date. */
async function lookAgain(
  commands: readonly Command[],
  locked: ReadonlyMap<string, Locked>,
  work: Circumstances,
): Promise<void> {
  const moved = [...everyCommand(commands)].filter((command) => hasMoved(command, locked, work));
  if (moved.length === 0) return;
  for (const { resource, id } of moved) work.facts.forget(resource, id!);
  await work.look(wantedBy(moved));
  for (const command of moved) mustBeThere(command, work);
}

/** Between the look-up and the lock, or by what the request has done since. */
function hasMoved({ resource, id, isOwn }: Command, locked: ReadonlyMap<string, Locked>, { facts }: Work): boolean {
  // Of others it is not looked up where they lie.
  const lies = resource.isGeneral || resource.settings.customFields === 'project';
  const row = !lies || id === undefined || isOwn ? undefined : locked.get(keyOf(resource, id))?.row;
  const fact = id === undefined ? undefined : facts.of(resource, id);
  return row !== undefined && fact !== undefined && row.project_id !== fact.project;
}

export async function applyBatch(
  commands: readonly Command[],
  locked: ReadonlyMap<string, Locked>,
  work: Circumstances,
): Promise<Change[]> {
  const gone = commands.filter((command) => hasMoved(command, locked, work));
  const there = gone.length > 0 ? new Map([...locked, ...(await lockAll(gone, work))]) : locked;
  const changes = commands.map((command) => changeOf(command, there, work));
  await turnIfDue();
  const keyed = await prepare(changes, work);
  await turnIfDue();
  const rest = await findRest(changes, keyed, work);
  if (rest.length > 0) await prepare(rest, work);
  const met = [...keyed.met, ...rest];
  const stored = mergeSame(changes, met);
  refuseNamedOtherwise(met, stored);
  const inOrder = await inOrderOfLeaving(stored, work);
  await permitSaved(stored.filter(isAsked), work);
  await turnIfDue();
  for (const group of inOrder) await store(group, work);
  for (const change of changes) change.id ??= change.sameAs?.id;
  for (const change of stored) noteMove(change, work);
  for (const rules of work.common.behind) await rules.afterSave(changes, work);
  for (const group of families(changes)) await work.rulesOf(group[0]!.resource).afterSave(group, work);
  await turnIfDue();
  await applyItems(changes, { locked: there, applyBatch }, work);
  return changes;
}

/** Whoever refers to it in the same request, or writes it once more, finds it where it lies now. */
function noteMove(change: Change, work: Work): void {
  const { resource, id, isNew, values } = change;
  if (isNew || values.project === undefined) return;
  for (const type of [resource, ...resource.bases])
    if (work.facts.of(type, id!)) work.facts.note(type, [factOf(change, work)]);
}

const families = (changes: readonly Change[]): Change[][] => groupedBy(changes, ({ resource }) => resource.name);

/** Works out what will be stored: what was sent and differs, and what the rules make of it. */
async function prepare(changes: readonly Change[], work: Circumstances): Promise<Keyed> {
  await assignValues(changes, work);
  await eachInSlices(changes, (change) => {
    if (isTop(change)) permitKind(change.actor, change.resource);
    if (isAsked(change) && (change.isNew || !isEmpty(change))) permit(change);
  });
  await resolveNames(changes, work);
  // To send a link again that is there is no creation, whatever is asked of new ones.
  const keyed = await findExisting(changes, work);
  if (keyed.met.length > 0) await assignValues(keyed.met, work);
  if (keyed.met.length > 0) await resolveNames(keyed.met, work);
  // What a rule turns into something else (an effort, a team) is a change of this entity all the same.
  await permitSaved(
    changes.filter((change) => isAsked(change) && !change.isNew && Object.values(change.values).some(isResolved)),
    work,
  );
  for (const group of families(changes)) {
    await work.rulesOf(group[0]!.resource).beforeSave(group, work);
    await turnIfDue();
  }
  for (const rules of work.common.behind) await rules.beforeSave(changes, work);
  // Only now it is known where an entity is to lie, and whether custom fields change.
  for (const { command, values } of changes) {
    const isChanged = command.id !== undefined && !command.isOwn && Object.keys(values).length > 0;
    if (isChanged && !command.resource.settings.operations.update) throw notAllowed(command);
  }
  const asked = changes.filter(isAsked);
  await eachInSlices(asked, permit);
  await permitPlaces(asked, work);
  await eachInSlices(changes, refuseNames);
  await eachInSlices(changes, (change) => {
    if (!change.command.isOwn) validate(change);
    refuseUnwritable(change);
  });
  return keyed;
}

async function resolveNames(changes: readonly Change[], work: Circumstances): Promise<void> {
  for (const rules of work.common.before) {
    await rules.beforeSave(changes, work);
    await turnIfDue();
  }
}

/** A name may turn out to be that of what is stored. */
const isResolved = (value: unknown): boolean => !(value && typeof value === 'object' && 'name' in value);

/** What the address names, or an item of a bulk body; not what is sent with it. */
const isTop = ({ command }: Change): boolean =>
  !command.isOwn && !command.isCarrier && /^(\[\d+\]\.)?$/.test(command.path) && command.ownedBy === undefined;

/** What is sent back as it was read is no change, and nobody needs a right for it. */
const isAsked = ({ command, isNew, values }: Change): boolean =>
  !command.isOwn && !command.isCarrier && (isNew || Object.keys(values).length > 0 || command.tags !== undefined);

function changeOf(command: Command, locked: ReadonlyMap<string, Locked>, work: Circumstances): Change {
  const { id } = command;
  const lockedEntity = id === undefined ? undefined : locked.get(keyOf(command.resource, id));
  // Deleted for good between look-up and lock.
  if (id !== undefined && !lockedEntity) throw notFound(command.resource.name, id, command.path);
  const resource = lockedEntity?.resource ?? command.resource;
  refuseOtherKind(command, resource);
  const { create, update } = command.resource.settings.operations;
  // An item that is sent back as it was read is not changed, wherever it stands.
  const isAllowed = id === undefined ? create : update || command.path !== '';
  if (!command.isOwn && !isAllowed) throw notAllowed(command);
  const { actor, timeZone } = work;
  return {
    resource,
    id,
    isNew: id === undefined,
    values: {},
    before: lockedEntity?.row,
    command,
    actor,
    now: work.now(),
    timeZone,
  };
}

/** Whoever names an element after another kind means another entity. */
function refuseOtherKind({ id, element, path }: Command, resource: ResourceType): void {
  if (id === undefined || element === undefined) return;
  const names = [resource, ...resource.bases].map(({ name }) => name.toLowerCase());
  if (!names.includes(element.toLowerCase())) throw badMember(`${path}Id`, `${id} is no ${element}.`);
}

function notAllowed({ resource, path, id }: Command) {
  const what = id === undefined ? 'created; give the Id of one that exists' : 'changed';
  const why = `${resource.collection} cannot be ${what}.`;
  // The address of a collection takes other items.
  return path === '' ? badRequest(why) : badMember(path.slice(0, -1), why);
}
