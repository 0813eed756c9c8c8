/**
 * Links are known by what they join: to name one that is there already changes it, and does not make a second one. So a
 * request may be sent twice, and the parts of an entity sent back with it.
 */
import { badMember, conflict } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { type Change, current, type Row, referenced, type Work } from './change.js';
import { groupedBy } from './store.js';
import { keyOf } from './traverse.js';

/** Changes that are known by what they join, as far as they were looked for. */
export interface Keyed {
  /** Whether they are there or not. */
  readonly asked: ReadonlySet<Change>;
  /** Those that turned out to mean a row which is there: their values must be worked out again. */
  readonly met: readonly Change[];
}

/** Looks up the rows of changes that name all that they join. */
export async function findExisting(changes: readonly Change[], work: Work): Promise<Keyed> {
  const whole = changes.filter((change) => change.isNew && isKeyed(change) && isWhole(change));
  const met: Change[] = [];
  for (const group of groupedBy(whole, ({ resource }) => resource.name)) met.push(...(await existingOf(group, work)));
  return { asked: new Set(whole), met };
}

/** Changes that rules had to add to. */
export async function findRest(changes: readonly Change[], { asked }: Keyed, work: Work): Promise<readonly Change[]> {
  const rest = changes.filter((change) => !asked.has(change));
  return (await findExisting(rest, work)).met;
}

/** The changes to store, each row once: of those that mean the same the others have `sameAs`. */
export function mergeSame(changes: readonly Change[], met: readonly Change[]): Change[] {
  const byJoin = new Set(met);
  const first = new Map<string, Change>();
  return changes.filter((change) => {
    if (!isKeyed(change) || !(change.isNew || byJoin.has(change))) return true;
    const key = `${change.resource.name}:${keyText(change)}`;
    const same = first.get(key);
    if (!same) {
      first.set(key, change);
      return true;
    }
    // What a rule adds is there already.
    if (!change.command.isOwn) refuseDifferent(change, same);
    change.sameAs = same;
    return false;
  });
}

const isKeyed = ({ resource }: Change): boolean => resource.settings.key.length > 0;

const isWhole = (change: Change): boolean =>
  change.resource.settings.key.every((property) => referenced(change, property) !== undefined);

/** The same link twice is one; twice with different values it is not clear which is meant. */
function refuseDifferent(change: Change, first: Change): void {
  // A new one starts at an instant of its own.
  const isCompared = (value: unknown): boolean => !(value instanceof Date);
  if (contentOf(change, isCompared) !== contentOf(first, isCompared)) throw sentTwice(change);
}

/** Of links that are named by what they join, those that are named by their Id as well, and given otherwise there. */
export function refuseNamedOtherwise(met: readonly Change[], stored: readonly Change[]): void {
  if (met.length === 0) return;
  const byJoin = new Set(met);
  const keyOfChange = ({ resource, id }: Change): string => keyOf(resource, id!);
  const byId = new Map(
    stored.filter((one) => !one.isNew && !byJoin.has(one) && tellsMore(one)).map((one) => [keyOfChange(one), one]),
  );
  for (const change of met) {
    const other = byId.get(keyOfChange(change));
    if (other && (change.command.isOwn ? joinsOthers(other) : contentOf(change) !== contentOf(other)))
      throw sentTwice(change);
  }
}

/** A rule that adds a link says only what it joins. */
const joinsOthers = ({ resource, values }: Change): boolean =>
  resource.settings.key.some((property) => property in values);

/** More than its Id, and in whose collection it stands. */
const tellsMore = ({ values, command }: Change): boolean =>
  command.scalars.length > 0 || Object.keys(values).length > 0;

const contentOf = ({ values }: Change, isCompared: (value: unknown) => boolean = () => true): string =>
  JSON.stringify(
    Object.entries(values)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .filter(([, value]) => isCompared(value)),
  );

const sentTwice = ({ command }: Change) =>
  badMember(command.path.slice(0, -1), 'the same is sent twice with different values.');

const keyText = (change: Change): string =>
  change.resource.settings.key.map((property) => current(change, property) ?? '').join(':');

const columnsOf = (resource: ResourceType): string[] =>
  resource.settings.key.map((property) => {
    const field = resource.ofProperty(property);
    if (field?.kind !== 'reference') throw new Error(`${resource.name}.${property} is no reference`);
    return field.column;
  });

async function existingOf(changes: readonly Change[], work: Work): Promise<Change[]> {
  const old = changes.filter(({ command }) => !command.hasNewOwner || command.followsOthers);
  const existing = await rowsOf(old, work);
  return old.filter((change) => {
    const row = existing.get(keyText(change));
    if (row) becomeUpdate(change, row);
    return row !== undefined;
  });
}

type KeyedRow = Row & { id: number };

/** The rows that join the same, by that. */
async function rowsOf(changes: readonly Change[], work: Work): Promise<Map<string, KeyedRow>> {
  if (changes.length === 0) return new Map();
  const { resource } = changes[0]!;
  const columns = columnsOf(resource);
  const rows = await work.rows<KeyedRow>(
    `select t.* from "${resource.table}" t where (${columns.map((column) => `t."${column}"`).join(', ')}) in
       (select * from unnest(${columns.map((_, index) => `$${index + 1}::bigint[]`).join(', ')})) order by t.id for no key update`,
    resource.settings.key.map((property) => changes.map((change) => current(change, property) ?? null)),
  );
  return new Map(rows.map((row) => [columns.map((column) => row[column]).join(':'), row]));
}

/**
 * The changes in the order in which they are to be stored: those that come to join what others of them still join come
 * behind these. What stays joined is not joined by another one.
 */
export async function inOrderOfLeaving(stored: readonly Change[], work: Work): Promise<readonly (readonly Change[])[]> {
  const rejoined = stored.filter((change) => !change.isNew && joinsOthers(change));
  if (rejoined.length === 0) return [stored];
  refuseJoinedTwice(stored);
  const leaving = await leavingFor(rejoined, work);
  const left = new Set(stored);
  const waits = (change: Change): boolean => {
    const other = leaving.get(change);
    return other !== undefined && left.has(other);
  };
  const order: Change[][] = [];
  while (left.size > 0) {
    const next = [...left].filter((change) => !waits(change));
    const [first] = left;
    // Each of a circle waits for another one, since the database compares them one by one.
    if (next.length === 0) throw joinedAlready(first!, leaving.get(first!)!);
    order.push(next);
    for (const change of next) left.delete(change);
  }
  return order;
}

function refuseJoinedTwice(stored: readonly Change[]): void {
  const joined = new Set<string>();
  for (const change of stored) {
    if (!isKeyed(change) || !(change.isNew || joinsOthers(change))) continue;
    const key = `${change.resource.name}:${keyText(change)}`;
    if (joined.has(key))
      throw badMember(joiningMember(change), `another ${change.resource.name} of the body joins the same.`);
    joined.add(key);
  }
}

/** The changes that leave what others come to join, by these. */
async function leavingFor(rejoined: readonly Change[], work: Work): Promise<Map<Change, Change>> {
  const leaving = new Map<Change, Change>();
  for (const group of groupedBy(rejoined, ({ resource }) => resource.name)) {
    const existing = await rowsOf(group, work);
    const byId = new Map(group.map((change) => [change.id, change]));
    for (const change of group) {
      const id = existing.get(keyText(change))?.id;
      if (id === undefined || id === change.id) continue;
      const other = byId.get(id);
      if (!other) throw joinedAlready(change, { id });
      leaving.set(change, other);
    }
  }
  return leaving;
}

const joinedAlready = (change: Change, { id }: Pick<Change, 'id'>) =>
  conflict(`${joiningMember(change)}: ${change.resource.name} ${id} joins the same already.`, 'AlreadyExists');

function joiningMember({ resource, command, values }: Change): string {
  const property = resource.settings.key.find((one) => one in values)!;
  return `${command.path}${resource.referenceOf(property).name}`;
}

/** What a new row starts with says nothing about one that is there. */
function becomeUpdate(change: Change, row: KeyedRow): void {
  for (const property of Object.keys(change.values)) delete change.values[property];
  change.id = row.id;
  change.isNew = false;
  change.before = row;
}
