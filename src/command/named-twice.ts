/** Refuses a body that names one entity twice and says different things of it: which of the two should win? */

import { badMember } from '../errors.js';
import { ownerReference } from '../model/collections.js';
import type { Command } from './command.js';
import { keyOf } from './traverse.js';

export function refuseTwice(commands: readonly Command[]): void {
  const entities = new Map<string, Entity>();
  for (const naming of everyNaming(commands)) {
    const { resource, id, path, isCarrier } = naming.command;
    if (id === undefined || isCarrier) continue;
    const key = keyOf(resource, id);
    const entity = entities.get(key) ?? { owners: new Map() };
    entities.set(key, entity);
    if (isListedTwice(entity, naming) || isContradicted(entity, naming)) {
      throw badMember(`${path}Id`, `${resource.name} ${id} is in the body twice.`);
    }
  }
}

interface Naming {
  command: Command;
  isTop: boolean;
  /** Of an item that refers to the entity it was sent with: that entity, by the property of the reference. */
  owner?: { property: string; key: unknown };
}

/** What was sent so far of an entity that is there. */
interface Entity {
  isTop?: boolean;
  /** The last naming that says more than an Id and collections. */
  described?: Command;
  owners: Map<string, unknown>;
}

function* everyNaming(commands: readonly Command[]): Generator<Naming> {
  for (const command of commands) yield* namingsOf({ command, isTop: true });
}

function* namingsOf(naming: Naming): Generator<Naming> {
  yield naming;
  const { resource, id, collections } = naming.command;
  for (const { field, items } of collections) {
    const property = items.length > 0 ? ownerReference(field)?.property : undefined;
    // One that is yet to be made is nobody but itself.
    const owner =
      property === undefined ? undefined : { property, key: id === undefined ? naming : keyOf(resource, id) };
    for (const command of items) yield* namingsOf({ command, isTop: false, owner });
  }
}

/** In a bulk body every entity stands once. */
function isListedTwice(entity: Entity, { isTop }: Naming): boolean {
  const isAgain = isTop && entity.isTop === true;
  entity.isTop ||= isTop;
  return isAgain;
}

function isContradicted(entity: Entity, { command, owner }: Naming): boolean {
  let isOther = false;
  for (const [property, key] of ownersIn(command, owner)) {
    isOther ||= entity.owners.has(property) && entity.owners.get(property) !== key;
    entity.owners.set(property, key);
  }
  if (!describes(command)) return isOther;
  // What is named once, as nearly everything is, is not spelled.
  isOther ||= entity.described !== undefined && contentOf(entity.described) !== contentOf(command);
  entity.described = command;
  return isOther;
}

const describes = ({ scalars, references, customFields, tags }: Command): boolean =>
  scalars.length + references.length + customFields.length > 0 || tags !== undefined;

/** Whom it refers to, by its own references or by where it stands, which counts. */
function ownersIn({ references }: Command, owner: Naming['owner']): Map<string, unknown> {
  const owners = new Map<string, unknown>();
  for (const { field, to } of references) {
    if (to.kind === 'id') owners.set(field.writesTo, keyOf(field.target, to.id));
    if (to.kind === 'none') owners.set(field.writesTo, undefined);
  }
  if (owner) owners.set(owner.property, owner.key);
  return owners;
}

const contentOf = ({ scalars, references, customFields, tags }: Command): string =>
  JSON.stringify([
    scalars.map(({ field, value }) => [field.name, value]),
    references.map(({ field, to }) => [field.name, to]),
    customFields,
    tags,
  ]);
