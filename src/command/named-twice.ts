/** Entities that a body names in several places. */
import { badMember } from '../errors.js';
import { ownerReference } from '../model/collections.js';
import type { Sliced } from '../turns/slices.js';
import type { Command, SentCollection, SentReference } from './command.js';
import { keyOf } from './traverse.js';

export interface Naming {
  command: Command;
  isTop: boolean;
  /** The collection it stands in. */
  within?: SentCollection;
  /** Of an item that refers to the entity it was sent with: that entity, by the property of the reference. */
  owner?: { property: string; key: string; id?: number };
}

/** In a bulk body every entity stands once. */
export function refuseTwice(commands: readonly Command[]): void {
  const listed = new Set<string>();
  for (const command of commands) {
    if (command.id === undefined || command.isCarrier) continue;
    const key = keyOf(command.resource, command.id);
    if (listed.has(key)) throw namedTwice(command);
    listed.add(key);
  }
}

export const namedTwice = ({ resource, id, path }: Command) =>
  badMember(`${path}Id`, `${resource.name} ${id} is in the body twice.`);

/** Of each entity that is there already, where it is named. */
export function* namingsByEntity(commands: readonly Command[]): Sliced<Map<string, Naming[]>> {
  const entities = new Map<string, Naming[]>();
  for (const naming of everyNaming(commands)) {
    yield;
    const { resource, id, isCarrier } = naming.command;
    if (id === undefined || isCarrier) continue;
    const key = keyOf(resource, id);
    const namings = entities.get(key);
    if (namings) namings.push(naming);
    else entities.set(key, [naming]);
  }
  return entities;
}

function* everyNaming(commands: readonly Command[]): Generator<Naming> {
  for (const command of commands) yield* namingsOf({ command, isTop: true });
}

function* namingsOf(naming: Naming): Generator<Naming> {
  yield naming;
  const { resource, id, path, collections } = naming.command;
  for (const within of collections) {
    const { field, items } = within;
    const property = items.length > 0 ? ownerReference(field)?.property : undefined;
    // One that is yet to be made is nobody but itself.
    const key = id === undefined ? path : keyOf(resource, id);
    const owner = property === undefined ? undefined : { property, key, id };
    for (const command of items) yield* namingsOf({ command, isTop: false, within, owner });
  }
}

/** The reference of an item that names another owner than the one whose collection it stands in. */
export const refersElsewhere = (
  { references }: Pick<Command, 'references'>,
  owner: { property: string; id?: number },
): SentReference | undefined =>
  references.find(({ field, to }) => field.writesTo === owner.property && to.kind === 'id' && to.id !== owner.id);
