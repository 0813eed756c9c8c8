/**
 * Caches the results of checks of credentials for two seconds at most, so that the next request with the same one costs
 * a look-up. The keys are digests, so that a dump of the memory shows no credential. The caller decides whether an
 * entry still holds, for example by whether its account has changed since.
 */
import { hash, randomBytes } from 'node:crypto';

const second = 1_000;
const mostEntries = 5_000;

export class CredentialCache<V extends object> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();
  private rotation: NodeJS.Timeout | undefined;
  /** Of this process alone, so that a digest tells nothing about a text that could be guessed. */
  private readonly salt = randomBytes(32).toString('base64');

  get(text: string): V | undefined {
    const key = this.keyOf(text);
    return this.young.get(key) ?? this.old.get(key);
  }

  set(text: string, proven: V): void {
    if (this.young.size >= mostEntries) return;
    this.young.set(this.keyOf(text), proven);
    this.rotation ??= setInterval(() => this.rotate(), second).unref();
  }

  private keyOf(text: string): string {
    return hash('sha256', this.salt + text, 'base64');
  }

  private rotate(): void {
    this.old = this.young;
    this.young = new Map();
    if (this.old.size > 0) return;
    clearInterval(this.rotation);
    this.rotation = undefined;
  }
}
