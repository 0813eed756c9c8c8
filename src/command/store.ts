/**
 * Stores changes set by set: one statement for all new entities of a kind, one for all updates of the same fields. TypeORM
 * would list every column of the shared table for each row; these list the columns that the changes have.
 */
import type { Field, ResourceType } from '../model/model.js';
import { scalars } from '../model/scalars.js';
import type { Change, Work } from './change.js';

interface StoredColumn {
  name: string;
  /** PostgreSQL type of the elements of the array that the values arrive in. */
  type: string;
  /** Takes the place of nothing in a new row; the database's own default is the same. */
  initial?: string | number | boolean;
  /** Values are merged into what is there: null takes a member away. */
  isMerged?: boolean;
}

export async function store(changes: readonly Change[], work: Work): Promise<void> {
  const created = changes.filter((change) => change.isNew);
  const updated = changes.filter((change) => !change.isNew && Object.keys(change.values).length > 0);
  for (const group of groupedBy(created, ({ resource }) => resource.name)) await insert(group, work);
  // Updates of the same columns are one statement, whatever kinds they are of.
  for (const group of groupedBy(updated, signature)) await update(group, work);
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
  const keys = insertedProperties(changes);
  const kind = discriminator(resource);
  const columns = keys
    .map((key) => ({ key, column: columnFor(work, resource, key) }))
    .filter(({ column }) => column.name !== kind?.name);
  const names = columns.map(({ column }) => `"${column.name}"`);
  const given = columns.map(({ column }, index) => `$${index + 1}::${column.type}[]`);
  const selected = columns.map(({ column }) => selectedValue(column, resource));
  const text = `with sent as materialized (
      select nextval('${sequenceOf(resource)}')::int as id, u.* from unnest(${given.join(', ')}) with ordinality as u(${names.join(', ')}, ord)),
    stored as (insert into "${resource.table}" (id${kind ? `, "${kind.name}"` : ''}, ${names.join(', ')})
      select id${kind ? `, ${kind.value}` : ''}, ${selected.join(', ')} from sent order by ord)
    select id from sent order by ord`;
  const values = columns.map(({ key, column }) => changes.map(({ values: own }) => own[key] ?? column.initial ?? null));
  const rows = await work.rows<{ id: number }>(
    text,
    values.map((all, index) => all.map((value) => bound(value, columns[index]!.column))),
  );
  rows.forEach((row, index) => {
    (changes[index] as { id?: number }).id = row.id;
  });
}

/** The properties that any of the new rows has; one that none has where all of them are empty, since an insert needs a column. */
function insertedProperties(changes: readonly Change[]): string[] {
  const sent = [...new Set(changes.flatMap(({ values }) => Object.keys(values)))].sort();
  if (sent.length > 0) return sent;
  const { fields } = changes[0]!.resource;
  return fields
    .filter((field) => field.kind === 'scalar' && field.isSettable && field.column)
    .map(propertyOf)
    .slice(0, 1);
}

const propertyOf = ({ property }: Field): string => property;

const rank = 'numeric_priority';

/** A new entity without a rank comes behind the others. The highest rank would tell about those that the actor may not see. */
function selectedValue(column: StoredColumn, resource: ResourceType): string {
  const sent = `sent."${column.name}"`;
  if (column.isMerged) return `jsonb_strip_nulls(${sent})`;
  if (column.name !== rank || resource.root.name !== 'General') return sent;
  return `coalesce(${sent}, sent.id)`;
}

async function update(changes: readonly Change[], work: Work): Promise<void> {
  const { resource, values: first } = changes[0]!;
  const columns = Object.keys(first)
    .sort()
    .map((key) => ({ key, column: columnFor(work, resource, key) }));
  const names = columns.map(({ column }) => `"${column.name}"`);
  const given = columns.map(({ column }, index) => `$${index + 2}::${column.type}[]`);
  const assigned = columns.map(({ column }) =>
    column.isMerged
      ? `"${column.name}" = jsonb_strip_nulls(t."${column.name}" || sent."${column.name}")`
      : `"${column.name}" = sent."${column.name}"`,
  );
  const text = `update "${resource.table}" t set ${assigned.join(', ')}
    from unnest($1::int[], ${given.join(', ')}) as sent(id, ${names.join(', ')}) where t.id = sent.id`;
  await work.rows(text, [
    changes.map(({ id }) => id),
    ...columns.map(({ key, column }) => changes.map(({ values }) => bound(values[key], column))),
  ]);
}

/** Identity columns take their numbers from a sequence that PostgreSQL names after them. */
const sequenceOf = ({ table }: ResourceType): string => `${table}_id_seq`;

function discriminator({ discriminator: declared }: ResourceType): { name: string; value: string } | undefined {
  const own = declared?.values?.[0];
  if (!declared || own === undefined) return undefined;
  return { name: declared.column, value: declared.type === 'int' ? String(Number(own)) : `'${own}'` };
}

/** References are stored by their id, documents as JSON. */
function bound(value: unknown, { isMerged }: StoredColumn): unknown {
  if (value === null || value === undefined) return isMerged ? '{}' : null;
  if (isMerged) return JSON.stringify(value);
  return typeof value === 'object' && 'id' in value ? (value as { id: number }).id : value;
}

const columnsByResource = new Map<ResourceType, Map<string, StoredColumn>>();

export function columnFor(work: Pick<Work, 'columns'>, resource: ResourceType, property: string): StoredColumn {
  const columns = columnsByResource.get(resource) ?? new Map<string, StoredColumn>();
  columnsByResource.set(resource, columns);
  const column = columns.get(property) ?? describe(work, resource, property);
  columns.set(property, column);
  return column;
}

function describe({ columns }: Pick<Work, 'columns'>, resource: ResourceType, property: string): StoredColumn {
  const field = resource.ofProperty(property);
  if (field?.kind === 'reference') return { name: field.column, type: 'int' };
  if (field?.kind === 'scalar' && field.column) {
    const isRank = field.column === rank && resource.root.name === 'General';
    return { name: field.column, type: scalars[field.scalar].column.type, initial: isRank ? undefined : field.initial };
  }
  // What the service keeps for itself is known to TypeORM alone.
  const column = columns.getMetadata(resource.entity).findColumnWithPropertyName(property);
  if (!column) throw new Error(`${resource.name}.${property} is not stored`);
  const type = String(column.type);
  return { name: column.databaseName, type, isMerged: type === 'jsonb' };
}
