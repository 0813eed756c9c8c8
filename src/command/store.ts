/**
 * Stores changes set by set: one statement for all new entities of a kind, one for all updates of the same fields.
 * TypeORM would list every column of the shared table for each row; these list the columns that the changes have.
 * Nothing waits for the statements: they travel with those behind them.
 */
import { LRUCache } from 'lru-cache';
import type { Field, ResourceType } from '../model/model.js';
import { scalars } from '../model/scalars.js';
import { turnIfDue } from '../turns/slices.js';
import type { Change, Work } from './change.js';
import { discriminator, insertText, type StoredColumn, updateText } from './storing-statements.js';

export async function store(changes: readonly Change[], work: Work): Promise<void> {
  const created = changes.filter((change) => change.isNew);
  const updated = changes.filter((change) => !change.isNew && Object.keys(change.values).length > 0);
  for (const group of groupedBy(created, ({ resource }) => resource.name)) {
    await insert(group, work);
    await turnIfDue();
  }
  // Updates of the same columns are one statement, whatever kinds they are of.
  for (const group of groupedBy(updated, signature)) update(group, work);
}

const signature = ({ resource, values }: Change): string =>
  `${resource.table}:${Object.keys(values).sort().join(',')}:${resource.root === resource ? '' : resource.root.name}`;

export function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

async function insert(changes: readonly Change[], work: Work): Promise<void> {
  const { resource } = changes[0]!;
  const ids = await idsFor(changes, work);
  changes.forEach((change, at) => {
    change.id = ids?.[at];
    if (isRanked(resource)) change.values[rank] ??= change.id;
  });
  const { text, columns } = statementFor(
    ids ? 'insert' : 'insert without ids',
    insertedProperties(changes),
    changes,
    work,
  );
  const columnValues = columns.map((column) =>
    changes.map(({ values: own }) => bound(own[column.key] ?? column.initial ?? null, column)),
  );
  if (ids) columnValues.unshift(ids);
  await turnIfDue();
  send(text, columnValues, changes, work);
}

/** With the requests that they are of, where these are several. */
function send(text: string, values: readonly unknown[][], changes: readonly Change[], work: Work): void {
  const all = areShared(changes) ? [...values, changes.map(({ command }) => command.requestId ?? null)] : values;
  work.send(text, changes.length === 1 ? all.map(([value]) => value) : all);
}

const areShared = (changes: readonly Change[]): boolean =>
  changes.some(({ command }) => command.requestId !== undefined);

/** Undefined: links that rules add to others, and whose ids nobody needs to know, get them as they are stored. */
function idsFor(changes: readonly Change[], { ids }: Work): Promise<number[]> | number[] | undefined {
  const { resource } = changes[0]!;
  const atHand = ids.takeAtHand(resource, changes.length);
  if (atHand) return atHand;
  const isOfOwner = resource.settings.key.length > 0 && changes.every(({ command }) => command.hasNewOwner);
  return isOfOwner ? undefined : ids.take(resource, changes.length);
}

/**
 * The properties that any of the new rows has; one that none has where all of them are empty, since an insert needs a
 * column.
 */
function insertedProperties(changes: readonly Change[]): string[] {
  const sent = new Set<string>();
  for (const { values } of changes) for (const property in values) sent.add(property);
  if (sent.size > 0) return [...sent].sort();
  const { fields } = changes[0]!.resource;
  return fields
    .filter((field) => field.kind === 'scalar' && field.isSettable && field.column)
    .map(propertyOf)
    .slice(0, 1);
}

const propertyOf = ({ property }: Field): string => property;

/**
 * A new entity without a rank comes behind the others. The highest rank would tell about those that the actor may not
 * see.
 */
const rank = 'numericPriority';

const isRanked = ({ isGeneral }: ResourceType): boolean => isGeneral;

function update(changes: readonly Change[], work: Work): void {
  const { text, columns } = statementFor('update', Object.keys(changes[0]!.values).sort(), changes, work);
  const ids = changes.map(({ id }) => id);
  const columnValues = columns.map((column) => changes.map(({ values }) => bound(values[column.key], column)));
  send(text, [ids, ...columnValues], changes, work);
}

type Kind = 'insert' | 'insert without ids' | 'update';

interface KeyedColumn extends StoredColumn {
  key: string;
}

interface StoringStatement {
  text: string;
  columns: KeyedColumn[];
}

/** One text for a shape of rows: PostgreSQL has planned what the connection was sent before. */
const statements = new LRUCache<string, StoringStatement>({ max: 2000 });

function statementFor(kind: Kind, keys: readonly string[], changes: readonly Change[], work: Work): StoringStatement {
  const { resource } = changes[0]!;
  const [isOne, isShared] = [changes.length === 1, areShared(changes)];
  const key = `${kind}:${resource.name}:${isOne ? 'one' : 'many'}:${isShared ? 'shared' : ''}:${keys.join(',')}`;
  const present = statements.get(key);
  if (present) return present;
  const columns = keys
    .map((property) => ({ key: property, ...columnFor(work, resource, property) }))
    .filter(({ name }) => kind === 'update' || name !== discriminator(resource)?.name);
  const rows = { resource, columns, isOne, isShared, record: work.recordOf(resource.table) };
  const text = kind === 'update' ? updateText(rows) : insertText(rows, kind === 'insert');
  const made = { text, columns };
  statements.set(key, made);
  return made;
}

/** References are stored by their id, documents as JSON. */
function bound(value: unknown, { isMerged }: StoredColumn): unknown {
  if (value === null || value === undefined) return isMerged ? '{}' : null;
  if (isMerged) return JSON.stringify(value);
  return typeof value === 'object' && 'id' in value ? (value as { id: number }).id : value;
}

const columnsByResource = new Map<ResourceType, Map<string, StoredColumn>>();

function columnFor(work: Pick<Work, 'columns'>, resource: ResourceType, property: string): StoredColumn {
  const columns = columnsByResource.get(resource) ?? new Map<string, StoredColumn>();
  columnsByResource.set(resource, columns);
  const column = columns.get(property) ?? describe(work, resource, property);
  columns.set(property, column);
  return column;
}

function describe({ columns }: Pick<Work, 'columns'>, resource: ResourceType, property: string): StoredColumn {
  const field = resource.ofProperty(property);
  if (field?.kind === 'reference') return { name: field.column, type: 'bigint' };
  if (field?.kind === 'scalar' && field.column) {
    const isRank = property === rank && isRanked(resource);
    return { name: field.column, type: scalars[field.scalar].column.type, initial: isRank ? undefined : field.initial };
  }
  // What the service keeps for itself is known to TypeORM alone.
  const column = columns.getMetadata(resource.entity).findColumnWithPropertyName(property);
  if (!column) throw new Error(`${resource.name}.${property} is not stored`);
  const type = String(column.type);
  return { name: column.databaseName, type, isMerged: type === 'jsonb' };
}
