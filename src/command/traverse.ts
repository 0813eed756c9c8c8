/** Walks a tree of commands: all of them, what they refer to, which columns they write. */
import type { ReferenceField, ResourceType } from '../model/model.js';
import type { Command } from './command.js';
import type { Facts } from './facts.js';

/** The commands and, behind each, those for the items of its collections. */
export function* everyCommand(commands: readonly Command[]): Generator<Command> {
  for (const command of commands) {
    yield command;
    for (const { items } of command.collections) yield* everyCommand(items);
  }
}

/** One text for each entity: kinds of one root share their ids. */
export const keyOf = (resource: ResourceType, id: number): string => `${resource.root.name}:${id}`;

/** Whether more than an Id was sent. */
export const saysMore = ({ scalars, references, collections, customFields, tags }: Command): boolean =>
  scalars.length + references.length + collections.length + customFields.length > 0 || tags !== undefined;

/** The ids that commands name, by the type they are named as. */
export function wantedBy(commands: readonly Command[]): Map<ResourceType, Set<number>> {
  const wanted = new Map<ResourceType, Set<number>>();
  const want = (resource: ResourceType, id: number): void => {
    const ids = wanted.get(resource);
    if (ids) ids.add(id);
    else wanted.set(resource, new Set([id]));
  };
  for (const { resource, id, references, isOwn } of everyCommand(commands)) {
    if (isOwn) continue;
    if (id !== undefined) want(resource, id);
    for (const { field, to } of references) if (to.kind === 'id') want(field.target, to.id);
  }
  return wanted;
}

/** Notes where Generals are to lie: rules of what is a part of one ask, in whatever order the request names them. */
export function noteDestinations(commands: readonly Command[], { destinations }: Pick<Facts, 'destinations'>): void {
  for (const { resource, id, references } of everyCommand(commands)) {
    if (id === undefined || !resource.isGeneral) continue;
    const to = references.find(({ field }) => field.writesTo === 'project')?.to;
    if (to?.kind === 'id') destinations.set(id, to.id);
  }
}

/** To another project, by its own reference to that or with what it becomes a part of. */
export const mayMove = (command: Command): boolean =>
  referencesWritten(command).some(({ field: { writesTo, isPart } }) => writesTo === 'project' || isPart);

/** An item that comes to another process keeps its values of fields that are defined there. */
export const mayLoseValues = (command: Command): boolean => mayMove(command) || getsProcess(command);

/** So does all that lies in it. */
export const getsProcess = (command: Command): boolean =>
  referencesWritten(command).some(
    ({ kind, field: { writesTo } }) => kind.settings.customFields === 'own' && writesTo === 'process',
  );

interface OfKind {
  kind: ResourceType;
  field: ReferenceField;
}

/**
 * With that to the owner of the collection which the item was sent in. What only some kinds of a base type have is
 * what any of them makes of it, until it is looked up which kind the item is of.
 */
function referencesWritten({ references, ownedBy, resource }: Command): OfKind[] {
  const sent = references.flatMap(({ field, kinds }): OfKind[] =>
    kinds ? kinds.flatMap((kind) => ofKind(kind, field)) : [{ kind: resource, field }],
  );
  return ownedBy === undefined ? sent : [...sent, { kind: resource, field: resource.referenceOf(ownedBy) }];
}

function ofKind(kind: ResourceType, { name }: ReferenceField): OfKind[] {
  const field = kind.field(name);
  return field?.kind === 'reference' ? [{ kind, field }] : [];
}

export function columnsWritten(commands: readonly Command[]): Set<string> {
  const columns = new Set<string>();
  for (const command of commands) {
    const { scalars, customFields } = command;
    // Another project may define others.
    if (customFields.length > 0 || mayLoseValues(command)) columns.add('custom_values');
    for (const { field } of scalars) if (field.column) columns.add(field.column);
    for (const { field } of referencesWritten(command)) columns.add(field.column);
  }
  return columns;
}
