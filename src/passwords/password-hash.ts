/**
 * Hashes passwords with argon2id and checks them, a bounded number at once; in Unicode's NFC, whatever form a keyboard
 * makes.
 */

import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { badMember } from '../errors.js';
import { BoundedQueue } from './bounded-queue.js';
import { longestPassword } from './longest-password.js';

/** About 12 ms and 19 MiB each. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * For the process: hashing occupies at most three of the four threads that Node shares with files and name look-ups.
 */
const queue = new BoundedQueue({ running: 1, waiting: 64 });

/** Anybody may cause password checks, so one processor stays free for requests that need none. */
export const checkBounds = { running: Math.min(2, Math.max(1, availableParallelism() - 1)), waiting: 64 };
const checks = new BoundedQueue(checkBounds);

export async function makeHash(password: string): Promise<string> {
  if (password === '') throw badMember('Password', 'must not be empty.');
  if (!fits(password)) throw badMember('Password', `is longer than ${longestPassword} bytes.`);
  return queue.run(() => hash(password.normalize('NFC'), cost));
}

export const matchesHash = (passwordHash: string, password: string): Promise<boolean> =>
  checks.run(() => verify(passwordHash, password.normalize('NFC')));

/** Anything else, such as the mark of a disabled login, matches no password. */
export const isHash = (passwordHash: string): boolean => passwordHash.startsWith('$argon2');

export const fits = (password: string): boolean => password !== '' && Buffer.byteLength(password) <= longestPassword;

/** A hash that no password matches, for logins that do not exist: checking it takes as long as checking a real one. */
export const unmatchableHash = ((): string => {
  const [salt, digest] = [randomBytes(16), randomBytes(32)].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${salt}$${digest}`;
})();
