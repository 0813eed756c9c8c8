/**
 * What is sent by a base type is written as the item's own kind has it, once it is looked up which that is: fields that
 * only some kinds have, and fields that only some kinds cannot be without.
 */
import { badMember, unknownMember } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { eachInSlices } from '../turns/slices.js';
import type { Locked } from './circumstances.js';
import type { Command, SentReference, SentScalar } from './command.js';
import { everyCommand, keyOf } from './traverse.js';
import { isNullSendable } from './typed-scalar.js';

export const keepOwnFields = (commands: readonly Command[], locked: ReadonlyMap<string, Locked>): Promise<void> =>
  eachInSlices(everyCommand(commands), (command) => keepOwn(command, locked));

function keepOwn(command: Command, locked: ReadonlyMap<string, Locked>): void {
  const { scalars, references, resource, id, path } = command;
  const kind = id === undefined ? undefined : locked.get(keyOf(resource, id))?.resource;
  if (!kind || kind === resource) return;
  command.scalars = scalars.flatMap((sent) => ownScalar(sent, kind, path) ?? []);
  command.references = references.flatMap((sent) => ownReference(sent, kind, path) ?? []);
}

function ownScalar(sent: SentScalar, kind: ResourceType, path: string): SentScalar | undefined {
  if (isOurs(sent)) return sent;
  const { name } = sent.field;
  const field = kind.field(name);
  if (field?.kind !== 'scalar') return otherKind(sent.value === null, `${path}${name}`, kind);
  if (!field.isSettable) return undefined;
  if (sent.value === null && !isNullSendable(field)) throw badMember(`${path}${name}`, 'a value is required.');
  return { ...sent, field };
}

/** What no client may send, the service itself writes. */
const isOurs = ({ field, kinds }: SentScalar | SentReference): boolean => !kinds && !field.isSettable;

function ownReference(sent: SentReference, kind: ResourceType, path: string): SentReference | undefined {
  if (isOurs(sent)) return sent;
  const { name } = sent.field;
  const field = kind.field(name);
  if (field?.kind !== 'reference') return otherKind(sent.to.kind === 'none', `${path}${name}`, kind);
  return field.isSettable ? { ...sent, field } : undefined;
}

/** Items of other kinds are read with null. */
function otherKind(isNothing: boolean, path: string, { name }: ResourceType): undefined {
  if (!isNothing) throw unknownMember(path, name);
}
