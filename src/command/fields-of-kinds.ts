/**
 * Fields that only some kinds of a base type have, sent by that: those of an item's own kind are written, once it is
 * looked up which that is.
 */
import { badMember, unknownMember } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { eachInSlices } from '../turns/slices.js';
import type { Locked } from './circumstances.js';
import type { Command, SentReference, SentScalar } from './command.js';
import { everyCommand, keyOf } from './traverse.js';

export const keepOwnFields = (commands: readonly Command[], locked: ReadonlyMap<string, Locked>): Promise<void> =>
  eachInSlices(everyCommand(commands), (command) => keepOwn(command, locked));

function keepOwn(command: Command, locked: ReadonlyMap<string, Locked>): void {
  const { scalars, references, resource, id, path } = command;
  if (id === undefined || !(scalars.some(ofKinds) || references.some(ofKinds))) return;
  const kind = locked.get(keyOf(resource, id))?.resource ?? resource;
  command.scalars = scalars.flatMap((sent) => ownScalar(sent, kind, path) ?? []);
  command.references = references.flatMap((sent) => ownReference(sent, kind, path) ?? []);
}

const ofKinds = ({ kinds }: Pick<SentScalar, 'kinds'>): boolean => kinds !== undefined;

function ownScalar(sent: SentScalar, kind: ResourceType, path: string): SentScalar | undefined {
  if (!sent.kinds) return sent;
  const { name } = sent.field;
  const field = kind.field(name);
  if (field?.kind !== 'scalar') return otherKind(sent.value === null, `${path}${name}`, kind);
  if (!field.isSettable) return undefined;
  // Of dates it is told where they are compared with what is stored.
  if (field.isRequired && sent.value === null && field.scalar !== 'moment')
    throw badMember(`${path}${name}`, 'a value is required.');
  return { ...sent, field };
}

function ownReference(sent: SentReference, kind: ResourceType, path: string): SentReference | undefined {
  if (!sent.kinds) return sent;
  const { name } = sent.field;
  const field = kind.field(name);
  if (field?.kind !== 'reference') return otherKind(sent.to.kind === 'none', `${path}${name}`, kind);
  return field.isSettable ? { ...sent, field } : undefined;
}

/** Items of other kinds are read with null. */
function otherKind(isNothing: boolean, path: string, { name }: ResourceType): undefined {
  if (!isNothing) throw unknownMember(path, name);
}
