/** What a user or requester starts with, and what he cannot be without. Passwords are stored as hashes only. */
import { randomUUID } from 'node:crypto';
import { byDefault, type Change, currentValue, refersTo, refuse, type Work } from '../../command/change.js';
import { forbidden } from '../../errors.js';
import { makeHash } from '../../passwords/password-hash.js';
import { passwordComplaint } from '../../passwords/password-policy.js';
import { startOfDay } from '../../texts/local-times.js';

/**
 * What is no person, such as the System user, is of no kind that can be written; sent back as it is it is no change.
 */
export function refuseSystem(changes: readonly Change[]): void {
  const isChanged = ({ values, command }: Change): boolean =>
    Object.keys(values).length + command.customFields.length > 0;
  if (changes[0]!.resource.name === 'GeneralUser' && changes.some(isChanged)) throw systemStays();
}

export const systemStays = () => forbidden('The System user cannot be changed or deleted.');

export function userRules(changes: readonly Change[], firstRole: number | undefined): void {
  for (const change of changes) {
    if (change.isNew) newUser(change, firstRole);
    emailRule(change);
    for (const [property, name] of amounts) {
      if (Number(change.values[property] ?? 0) < 0) throw refuse(change, name, 'must not be negative.');
    }
    if (change.resource.name === 'Requester' && change.values.isAdministrator === true) {
      throw refuse(change, 'IsAdministrator', 'requesters have no access.');
    }
  }
}

function newUser(change: Change, firstRole: number | undefined): void {
  const { values, now, timeZone, resource } = change;
  values.createDate = now;
  values.globalId = randomUUID();
  if (resource.name !== 'User') return;
  byDefault(change, 'availableFrom', startOfDay(now, timeZone));
  byDefault(change, 'role', refersTo(firstRole));
}

function emailRule(change: Change): void {
  const { values, isNew } = change;
  if (typeof values.email === 'string') values.email = values.email.trim();
  if (!isNew && !('email' in values)) return;
  const email = currentValue<string>(change, 'email');
  if (!email) throw refuse(change, 'Email', 'a value is required.');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw refuse(change, 'Email', 'an address such as name@example.com is needed.');
}

const amounts = [
  ['weeklyAvailableHours', 'WeeklyAvailableHours'],
  ['currentAllocation', 'CurrentAllocation'],
  ['currentAvailableHours', 'CurrentAvailableHours'],
  ['availableFutureAllocation', 'AvailableFutureAllocation'],
  ['availableFutureHours', 'AvailableFutureHours'],
] as const;

/**
 * A hash takes long on purpose: two at a time, and the database hears of us in between, or it would end the
 * transaction.
 */
export async function hashPasswords(changes: readonly Change[], { rows }: Work): Promise<void> {
  const chosen = changes.map(passwordOf);
  for (let at = 0; at < changes.length; at += 2) {
    await Promise.all(changes.slice(at, at + 2).map(({ values }, index) => hash(values, chosen[at + index])));
    if (at % 50 === 48) await rows('select 1');
  }
}

/** A requester signs in nowhere. Null is no password: what is not sent stays. */
function passwordOf(change: Change): string | undefined {
  const { values, resource, isNew } = change;
  const { password } = values;
  delete values.password;
  if (resource.name !== 'User') return undefined;
  if (typeof password !== 'string') {
    if (isNew) throw refuse(change, 'Password', 'a value is required.');
    return undefined;
  }
  const complaint = passwordComplaint(password, currentValue<string>(change, 'login'));
  if (complaint) throw refuse(change, 'Password', complaint);
  return password;
}

async function hash(values: Change['values'], password: string | undefined): Promise<void> {
  if (password !== undefined) values.passwordHash = await makeHash(password);
}
