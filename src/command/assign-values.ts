/** Takes the values of a command over into its change: what does not differ from what is stored is left out. */
import { badMember } from '../errors.js';
import type { ReferenceField, ResourceType, ScalarField } from '../model/model.js';
import { isClearable } from '../model/sent-fields.js';
import { isInCalendar } from '../texts/local-times.js';
import { eachInSlices } from '../turns/slices.js';
import type { Change, Work } from './change.js';
import type { Command, ScalarValue, SentReference, SentScalar } from './command.js';

export async function assignValues(changes: readonly Change[], work: Work): Promise<void> {
  await work.look(hiddenBehindNull(changes));
  await eachInSlices(changes, (change) => {
    for (const sent of change.command.scalars) assignScalar(change, sent);
    for (const sent of change.command.references) assignReference(change, sent, work);
  });
}

function assignScalar(change: Change, sent: SentScalar): void {
  if (isStoredValue(change, sent)) return;
  const { values, timeZone, command } = change;
  const { field, value } = sent;
  if (value === null && field.scalar === 'moment' && field.isRequired)
    throw badMember(`${command.path}${field.name}`, 'a value is required.');
  values[field.property] = meant(value, field, timeZone);
}

/** The entity a value is sent for, as it is stored. */
export type Written = Pick<Change, 'actor' | 'before' | 'command' | 'timeZone'>;

/** Whether a value is what is stored already, as far as the actor may know. */
export function isStoredValue({ actor, before, timeZone }: Written, sent: SentScalar): boolean {
  const { field, value, also = [] } = sent;
  if (!before || !field.column) return false;
  // What is hidden reads as nothing, and nothing that is sent tells what it is.
  if (field.isPrivate && !actor.isAdministrator && before.id !== actor.userId) return value === null;
  const stored = before[field.column];
  // So does a date that cannot be shown: sending that back must not take it away.
  if (value === null && field.scalar === 'moment' && isBeyondCalendar(stored, timeZone)) return true;
  const dates = value instanceof Date ? [value, ...also] : [];
  return [meant(value, field, timeZone), ...dates].some((one) => isSame(stored, one, field));
}

function meant(sent: ScalarValue, { initial, standsFor }: ScalarField, timeZone: string): ScalarValue {
  // Where nothing is not possible, it means what an entity starts with.
  if (sent === null) return initial ?? null;
  return standsFor && sent instanceof Date ? standsFor(sent, timeZone) : sent;
}

/** The driver reads an infinite date as a number. */
const isBeyondCalendar = (stored: unknown, timeZone: string): boolean =>
  typeof stored === 'number' || (stored instanceof Date && !isInCalendar(stored, timeZone));

function isSame(stored: unknown, value: ScalarValue, { scalar }: ScalarField): boolean {
  if (stored === undefined) return false;
  if (stored === null || value === null) return stored === value;
  switch (scalar) {
    case 'decimal':
      return fourPlaces(String(stored)) === fourPlaces(String(value));
    case 'moment':
      return value instanceof Date && (stored as Date).getTime() === value.getTime();
    case 'long':
      return String(stored) === String(value);
    default:
      return stored === value;
  }
}

/** The same for what is stored as the same. */
export const spelledValue = ({ field, value }: SentScalar): ScalarValue =>
  field.scalar === 'decimal' && value !== null ? fourPlaces(String(value)) : value;

/** Without rounding: what differs in a fifth place is stored and rounded there. */
function fourPlaces(text: string): string {
  const [whole = '0', places = ''] = text.replace(/^\+/, '').split('.');
  return `${whole.replace(/^(-?)0+(?=\d)/, '$1')}.${places.replace(/0+$/, '').padEnd(4, '0')}`;
}

function assignReference(change: Change, sent: SentReference, { facts }: Work): void {
  if (isStoredReference(change, sent, facts)) return;
  const { values, before, command } = change;
  const { field, to } = sent;
  switch (to.kind) {
    case 'none':
      // What a new entity cannot be without is left to its defaults.
      if (!before && !isClearable(field, change.resource)) return;
      if (!isClearable(field, change.resource)) throw badMember(`${command.path}${field.name}`, 'a value is required.');
      values[field.writesTo] = null;
      return;
    case 'id':
      if (!isKnown(command, field) && !facts.of(field.target, to.id)) throw unknownReference(command, field, to.id);
      values[field.writesTo] = { id: to.id };
      return;
    case 'name':
      values[field.writesTo] = { name: to.name };
  }
}

/** Whether it points already where it is to point, as far as the actor may know. */
export function isStoredReference(change: Written, { field, to }: SentReference, facts: Work['facts']): boolean {
  const { before, command } = change;
  if (!before) return false;
  const stored = before[field.column];
  // What the actor may not see reads as nothing: sending that back must not take it away.
  if (to.kind === 'none') return stored === null || !isThere(field.target, Number(stored), facts);
  return to.kind === 'id' && stored === to.id && (isKnown(command, field) || isShown(change, field, facts));
}

/** What was read can be sent back. A guess at what was not shown is answered as any other. */
const isShown = ({ actor, before }: Written, { target, column }: ReferenceField, facts: Work['facts']): boolean =>
  actor.isAdministrator || isThere(target, Number(before?.[column]), facts);

/**
 * A reference to it shows it: people are remembered, even when they are deleted, unless they are there and of another
 * kind, such as the System user where a User is meant.
 */
const isThere = (target: ResourceType, id: number, facts: Work['facts']): boolean =>
  facts.of(target, id) !== undefined || (target.settings.remembered && facts.of(target.root, id) === undefined);

const isKnown = ({ isOwn, ownedBy }: Change['command'], { writesTo }: ReferenceField): boolean =>
  isOwn === true || ownedBy === writesTo;

/** What does not exist and what may not be seen are refused in the same words. */
export const unknownReference = ({ path }: Pick<Command, 'path'>, { name, target }: ReferenceField, id: number) =>
  badMember(`${path}${name}.Id`, `there is no ${target.name} with Id ${id}, or access to it is forbidden.`);

/** The entities that references which are to be cleared point at now. */
export function hiddenBehindNull(changes: readonly Pick<Change, 'before' | 'command'>[]): Map<ResourceType, number[]> {
  const wanted = new Map<ResourceType, number[]>();
  for (const { before, command } of changes) {
    for (const { field, to } of before ? command.references : []) {
      const stored = before![field.column];
      if (to.kind !== 'none' || typeof stored !== 'number') continue;
      // As of its own kind, people also as of any.
      for (const type of new Set([field.target, field.target.settings.remembered ? field.target.root : field.target])) {
        const ids = wanted.get(type) ?? [];
        ids.push(stored);
        wanted.set(type, ids);
      }
    }
  }
  return wanted;
}

/** A name that no rule turned into an id. */
export function refuseNames({ resource, values, command }: Change): void {
  for (const property in values) {
    const value = values[property];
    if (typeof value !== 'object' || value === null || 'id' in value) continue;
    const field = resource.ofProperty(property);
    if (field?.kind !== 'reference') continue;
    throw badMember(`${command.path}${field.name}`, 'a reference needs the Id of an existing entity.');
  }
}
