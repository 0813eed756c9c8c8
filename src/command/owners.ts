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
const hangsBy = byResource((resource): ReferenceField[] => {
  const { visible } = resource.settings;
  const properties = visible.kind === 'through' || visible.kind === 'throughEither' ? visible.references : [];
  return properties.map((property) => resource.referenceOf(property));
});

export const ownerReferences = byResource((resource) =>
  hangsBy(resource).filter(({ target }) => target.isGeneral && target.settings.lies !== 'asProject'),
);

/** References to rows of other tables that hang on Generals themselves, as runs of steps on runs of their cases. */
export const stepReferences = byResource((resource): ReferenceField[] =>
  hangsBy(resource).filter(({ target }) => !target.isGeneral && isHanging(target)),
);

const isHanging = (resource: ResourceType): boolean =>
  ownerReferences(resource).length > 0 || stepReferences(resource).length > 0;

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

const ownersSent = (command: Command): Sent[] => sentBy(ownerReferences(command.resource), command);

const stepsSent = (command: Command): Sent[] => sentBy(stepReferences(command.resource), command);

const sentBy = (by: readonly ReferenceField[], { references }: Command): Sent[] =>
  references.flatMap(({ field, to }) =>
    to.kind === 'id' && by.some(({ column }) => column === field.column) ? [{ field, id: to.id }] : [],
  );

/** The owners that are there already, of rows that are written and of rows that are made. */
export async function ownersOf(commands: readonly Command[], work: Work): Promise<number[]> {
  const hanging = commands.filter(({ resource }) => isHanging(resource));
  // One that is not there for the actor is refused later on, and who refers to it does not wait for others at it.
  const isThere = ({ isOwn }: Command, { field, id }: Sent): boolean =>
    isOwn || work.facts.of(field.target, id) !== undefined;
  const sent = (named: (command: Command) => Sent[]): Sent[] =>
    hanging.flatMap((command) => named(command).filter((one) => isThere(command, one)));
  const owners = new Set(sent(ownersSent).map(({ id }) => id));
  const rows = [
    ...sent(stepsSent).map(({ field, id }) => ({ resource: field.target, id })),
    ...hanging.flatMap(({ resource, id }) => (id === undefined ? [] : { resource, id })),
  ];
  for (const group of groupedBy(rows, ({ resource }) => resource.name)) {
    const ids = new Set(group.map(({ id }) => id));
    for (const owner of await storedOwners(group[0]!.resource, [...ids], work)) owners.add(owner);
  }
  return [...owners];
}

export async function storedOwners(resource: ResourceType, ids: readonly number[], work: Work): Promise<number[]> {
  const owners = await storedIn(resource, ownerReferences(resource), ids, work);
  for (const step of stepReferences(resource)) {
    const steps = await storedIn(resource, [step], ids, work);
    owners.push(...(await storedOwners(step.target, steps, work)));
  }
  return owners;
}

/** What rows refer to by any of the references. */
async function storedIn(
  { table }: ResourceType,
  references: readonly ReferenceField[],
  ids: readonly number[],
  { rows }: Work,
): Promise<number[]> {
  if (references.length === 0 || ids.length === 0) return [];
  const columns = references.map(({ column }) => `t."${column}"`).join(', ');
  const referredTo = await rows<{ id: number }>(
    `select distinct u.id from "${table}" t cross join lateral unnest(array[${columns}]) as u(id)
     where t.id = any($1::bigint[]) and u.id is not null`,
    [ids],
  );
  return referredTo.map(({ id }) => id);
}
