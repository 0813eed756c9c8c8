/** Which logins proved their password to this process, and by which one: the most recent ones, as keyed digests. */
import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { loginKey } from './login-attempts.js';
import type { LoginAndPassword } from './parse-basic.js';

export class ProvenLogins {
  private readonly digests = new LRUCache<string, string>({ max: 5_000 });
  /** Of this process alone, so that a dump of the memory helps nobody to guess. */
  private readonly key = randomBytes(32).toString('base64');

  add(credentials: LoginAndPassword): void {
    this.digests.set(loginKey(credentials.login), this.digestOf(credentials));
  }

  /** By this very text. Whether it still holds is for the database to say. */
  has(credentials: LoginAndPassword): boolean {
    return this.digests.get(loginKey(credentials.login)) === this.digestOf(credentials);
  }

  /** By whatever password. */
  hasLogin(login: string): boolean {
    return this.digests.has(loginKey(login));
  }

  private digestOf({ login, password }: LoginAndPassword): string {
    return hash('sha256', `${this.key}:${login}\0${password}`, 'base64');
  }
}
