/** The rows that a list shows an administrator, found in the tables without the read pipeline. */
import type { ReferenceField, ResourceType } from '../../src/model/model.js';
import type { TestApp } from './app.js';
import { model } from './builder.js';

export interface Listing {
  /** A condition on the rows of the table. */
  where?: string;
  /** A whole query for the ids. */
  rows?: string;
}

/** The ids of a collection; undefined where the service has no such resource. */
export async function listedIds(
  app: TestApp,
  collection: string,
  { where = 'true', rows }: Listing = {},
): Promise<number[] | undefined> {
  const resource = model.collection(collection);
  if (rows === undefined && resource === undefined) return undefined;
  const matchingRows = await app.rows(rows ?? allOf(resource!, where));
  const ids = matchingRows.map((row): number => row.id);
  const hidden = resource ? await hiddenWithOwner(app, resource, ids) : new Set();
  return ids.filter((id) => !hidden.has(id));
}

function allOf({ discriminator, settings, table }: ResourceType, where: string): string {
  const kinds = discriminator?.values?.map((value) => `'${value}'`).join(', ');
  const conditions = [
    ...(kinds ? [`${discriminator!.column}::text in (${kinds})`] : []),
    ...(settings.softDelete ? ['delete_date is null'] : []),
    where,
  ];
  return `select id from "${table}" where ${conditions.join(' and ')}`;
}

/** What belongs to a deleted entity is hidden with it, and what belongs to that. */
async function hiddenWithOwner(app: TestApp, resource: ResourceType, ids: readonly number[]): Promise<Set<number>> {
  const hidden = new Set<number>();
  for (const { column, target } of ownersOf(resource)) {
    const links = await app.rows(`select id, ${column} as owner from "${resource.table}" where id = any($1)`, [ids]);
    const owners = links.map((link): number => link.owner);
    const gone =
      target.root.name === 'General' ? await deleted(app, owners) : await hiddenWithOwner(app, target, owners);
    for (const { id, owner } of links) if (gone.has(owner)) hidden.add(id);
  }
  return hidden;
}

function ownersOf({ fields, settings }: ResourceType): ReferenceField[] {
  const rule = settings.visible;
  const owners = rule.kind === 'through' || rule.kind === 'throughEither' ? rule.references : [];
  return fields.filter((field) => field.kind === 'reference' && owners.includes(field.property)) as ReferenceField[];
}

const deleted = async (app: TestApp, ids: readonly number[]): Promise<Set<number>> =>
  new Set(
    (await app.rows('select id from general where id = any($1) and delete_date is not null', [ids])).map(
      ({ id }) => id,
    ),
  );
