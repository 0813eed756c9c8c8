/**
 * Which logins proved their password to this process, and by which one: the most recent ones, as keyed digests. Such a
 * password is taken however busy the service is, so a refusal in its place tells that another one is wrong: after ten
 * of these the login waits like all others for ten minutes. Nothing is kept of logins that proved nothing, which wait
 * in any case.
 */
import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { loginKey } from './login-attempts.js';
import type { LoginAndPassword } from './parse-basic.js';

const max = 5_000;
const mostRefused = 10;

export class ProvenLogins {
  private readonly digests = new LRUCache<string, string>({ max });
  /** Of logins with a digest alone, so that made-up ones drive none out. */
  private readonly refused = new LRUCache<string, number>({ max, ttl: 600_000, noUpdateTTL: true });
  /** Of this process alone, so that a dump of the memory helps nobody to guess. */
  private readonly key = randomBytes(32).toString('base64');

  add(credentials: LoginAndPassword): void {
    this.digests.set(loginKey(credentials.login), this.digestOf(credentials));
  }

  /** Whether its password may be taken before its turn. */
  passes(login: string): boolean {
    return this.digestFor(login) !== undefined;
  }

  /** Whether this very password may. Whether it still holds is for the database to say. */
  has(credentials: LoginAndPassword): boolean {
    return this.digestFor(credentials.login) === this.digestOf(credentials);
  }

  /** A password of this login was refused unchecked. */
  noteRefusal(login: string): void {
    const key = loginKey(login);
    if (this.digests.has(key)) this.refused.set(key, (this.refused.get(key) ?? 0) + 1);
  }

  private digestFor(login: string): string | undefined {
    const key = loginKey(login);
    return (this.refused.get(key) ?? 0) < mostRefused ? this.digests.get(key) : undefined;
  }

  private digestOf({ login, password }: LoginAndPassword): string {
    return hash('sha256', `${this.key}:${loginKey(login)}\0${password.normalize('NFC')}`, 'base64');
  }
}
