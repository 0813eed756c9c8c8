/**
 * Hashes passwords with argon2id and checks them. A check that succeeded is remembered, so that a client which sends its
 * password with every request is hashed once. Passwords are compared in Unicode's NFC, whatever form a keyboard makes.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { LRUCache } from 'lru-cache';
import { badMember } from '../errors.js';
import { BoundedQueue } from './bounded-queue.js';

/** In bytes of UTF-8, as sent. */
const longest = 1024;

/** About 12 ms and 19 MiB each. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One for the process: hashing occupies two of the four threads that Node shares with files and name look-ups. */
const queue = new BoundedQueue({ running: 2, waiting: 64 });

export interface PasswordOwner {
  readonly userId: number;
  readonly passwordHash: string | null;
}

@Injectable()
export class Passwords {
  private readonly verified = new LRUCache<string, true>({ max: 5_000 });
  private readonly underWay = new Map<string, Promise<boolean>>();
  /** Of this process alone: what is remembered tells nothing about a password, even from a memory dump of its keys. */
  private readonly key = randomBytes(32);

  static async hash(password: string): Promise<string> {
    if (password === '') throw badMember('Password', 'must not be empty.');
    if (!fits(password)) throw badMember('Password', `is longer than ${longest} bytes.`);
    return queue.run(() => hash(password.normalize('NFC'), cost));
  }

  /** Whether this very password was found right before, with this very hash; costs no hashing. */
  isVerified({ userId, passwordHash }: PasswordOwner, password: string): boolean {
    if (passwordHash === null || !fits(password)) return false;
    return this.verified.get(this.keyOf(userId, passwordHash, password)) === true;
  }

  /** An unknown login takes as long as a wrong password: it is checked against a hash that nothing matches. */
  async verify(owner: PasswordOwner | undefined, login: string, password: string): Promise<boolean> {
    if (!fits(password)) return false;
    const ownHash = owner?.passwordHash;
    const isOwned = ownHash != null && isArgon2(ownHash);
    const passwordHash = isOwned ? ownHash : unmatched;
    const key = this.keyOf(isOwned ? owner!.userId : login.toLowerCase(), passwordHash, password);
    return this.verified.get(key) ?? this.joined(key, passwordHash, password);
  }

  /** A client that opens many connections at once sends one password many times: one hash answers them all. */
  private joined(key: string, passwordHash: string, password: string): Promise<boolean> {
    const known = this.underWay.get(key);
    if (known) return known;
    const verified = this.remembered(key, passwordHash, password).finally(() => this.underWay.delete(key));
    this.underWay.set(key, verified);
    return verified;
  }

  private async remembered(key: string, passwordHash: string, password: string): Promise<boolean> {
    const isRight = await queue.run(() => verify(passwordHash, password.normalize('NFC')));
    if (isRight) this.verified.set(key, true);
    return isRight;
  }

  private keyOf(who: number | string, passwordHash: string, password: string): string {
    const mac = createHmac('sha256', this.key);
    return mac.update(`${who}:${passwordHash}:${password.normalize('NFC')}`).digest('base64');
  }
}

/** Anything else, such as a mark of a disabled login, is no hash and matches nothing. */
const isArgon2 = (passwordHash: string): boolean => passwordHash.startsWith('$argon2');

const fits = (password: string): boolean => password !== '' && Buffer.byteLength(password) <= longest;

/** Costs what a real hash costs; that anything matches its random digest is as likely as guessing one. */
const unmatched = ((): string => {
  const [salt, digest] = [randomBytes(16), randomBytes(32)].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${salt}$${digest}`;
})();
