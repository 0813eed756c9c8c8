/** The Generals that rows of other tables hang on: whoever writes such a row moves what is kept of its owner. */
import { byResource } from '../model/by-resource.js';
import type { ReferenceField, ResourceType } from '../model/model.js';
import type { Work } from './change.js';
import type { Command } from './command.js';
import type { Wanted } from './lock.js';
import { groupedBy } from './store.js';
import { columnsWritten, everyCommand } from './traverse.js';

/**
 * What makes a row visible is what it hangs on; projects aside, which too many things hang on to wait for one another.
 */
export const ownerReferences = byResource((resource): ReferenceField[] => {
  const { visible } = resource.settings;
  const properties = visible.kind === 'through' || visible.kind === 'throughEither' ? visible.references : [];
  return properties.flatMap((property) => {
    const field = resource.ofProperty(property);
    const isOwner = field?.kind === 'reference' && field.target.isGeneral && field.target.settings.lies !== 'asProject';
    return isOwner ? [field] : [];
  });
});

const ownerColumns = byResource((resource) => new Set(ownerReferences(resource).map(({ column }) => column)));

/**
 * The Generals that commands lock, where all of them are named in the commands and as one type: then one statement
 * finds out whether they exist for the actor, locks them and reads what they are.
 */
export function soleGenerals(
  commands: readonly Command[],
): Required<Pick<Wanted, 'root' | 'ids' | 'columns' | 'as'>> | undefined {
  const ids = new Set<number>();
  const types = new Set<ResourceType>();
  const written: Command[] = [];
  for (const command of everyCommand(commands)) {
    const { resource, id, isOwn } = command;
    const owners = ownersSent(command);
    if (id !== undefined && !resource.isGeneral) return undefined;
    if (isOwn && (id !== undefined || owners.length > 0)) return undefined;
    for (const { field, id: owner } of owners) {
      types.add(field.target);
      ids.add(owner);
    }
    if (id === undefined) continue;
    types.add(resource);
    ids.add(id);
    written.push(command);
  }
  const [as] = types;
  return as && types.size === 1 ? { root: as.root, ids: [...ids], columns: columnsWritten(written), as } : undefined;
}

interface Sent {
  field: ReferenceField;
  id: number;
}

function ownersSent({ resource, references }: Command): Sent[] {
  const columns = ownerColumns(resource);
  return references.flatMap(({ field, to }) =>
    to.kind === 'id' && columns.has(field.column) ? [{ field, id: to.id }] : [],
  );
}

/** The owners that are there already, of rows that are written and of rows that are made. */
export async function ownersOf(commands: readonly Command[], work: Work): Promise<number[]> {
  const hanging = commands.filter(({ resource }) => ownerReferences(resource).length > 0);
  const owners = new Set<number>();
  for (const command of hanging) {
    // One that is not there for the actor is refused later on, and who refers to it does not wait for others at it.
    const isThere = ({ field, id }: Sent): boolean => command.isOwn || work.facts.of(field.target, id) !== undefined;
    for (const { id } of ownersSent(command).filter(isThere)) owners.add(id);
  }
  for (const group of groupedBy(hanging, ({ resource }) => resource.name)) {
    const ids = group.flatMap(({ id }) => id ?? []);
    for (const owner of await storedOwners(group[0]!.resource, ids, work)) owners.add(owner);
  }
  return [...owners];
}

export async function storedOwners(resource: ResourceType, ids: readonly number[], { rows }: Work): Promise<number[]> {
  const columns = ownerReferences(resource).map(({ column }) => column);
  if (columns.length === 0 || ids.length === 0) return [];
  const ownerRows = await rows<{ owner: number }>(
    `select distinct u.owner from "${resource.table}" t cross join lateral unnest(array[${columns.map((column) => `t."${column}"`).join(', ')}]) as u(owner)
     where t.id = any($1::bigint[]) and u.owner is not null`,
    [ids],
  );
  return ownerRows.map(({ owner }) => owner);
}
