/**
 * Checks passwords. A check that succeeded is remembered, so that a client which sends its password with every request
 * is hashed once.
 */
import { hash as digest, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { fits, isHash, matchesHash, unmatchableHash } from '../passwords/password-hash.js';

export interface PasswordOwner {
  readonly userId: number;
  readonly passwordHash: string | null;
}

@Injectable()
export class Passwords {
  private readonly verified = new LRUCache<string, true>({ max: 5_000 });
  private readonly underWay = new Map<string, Promise<boolean>>();
  /** Of this process alone: what is remembered tells nothing about a password, even from a memory dump of its keys. */
  private readonly key = randomBytes(32).toString('base64');

  /** Whether this very password was found right before, with this very hash; costs no hashing. */
  isVerified({ userId, passwordHash }: PasswordOwner, password: string): boolean {
    if (passwordHash === null || !fits(password)) return false;
    return this.verified.get(this.keyOf(userId, passwordHash, password)) === true;
  }

  /** An unknown login takes as long as a wrong password: it is checked against a hash that nothing matches. */
  async verify(owner: PasswordOwner | undefined, login: string, password: string): Promise<boolean> {
    if (!fits(password)) return false;
    const ownHash = owner?.passwordHash;
    const isOwned = ownHash != null && isHash(ownHash);
    const passwordHash = isOwned ? ownHash : unmatchableHash;
    const key = this.keyOf(isOwned ? owner!.userId : login.toLowerCase(), passwordHash, password);
    if (this.verified.get(key)) return true;
    return this.joined(key, passwordHash, password);
  }

  /** A client that opens many connections at once sends one password many times: one hash answers them all. */
  private joined(key: string, passwordHash: string, password: string): Promise<boolean> {
    const pending = this.underWay.get(key);
    if (pending) return pending;
    const verified = this.remembered(key, passwordHash, password).finally(() => this.underWay.delete(key));
    this.underWay.set(key, verified);
    return verified;
  }

  private async remembered(key: string, passwordHash: string, password: string): Promise<boolean> {
    const isRight = await matchesHash(passwordHash, password);
    if (isRight) this.verified.set(key, true);
    return isRight;
  }

  private keyOf(who: number | string, passwordHash: string, password: string): string {
    // In one call; an HMAC guards against nothing here, since what it gives is never shown, and costs four times as
    // much.
    return digest('sha256', `${this.key}:${who}:${passwordHash}:${password.normalize('NFC')}`, 'base64');
  }
}
