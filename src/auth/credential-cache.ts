/**
 * What a credential, as it came, proved a moment ago: finding that is all that most requests cost. It is kept by a
 * digest, so that a dump of the memory shows no credential, and for two seconds at most. Whether the proof still holds
 * is for the asker to tell, from what may have changed since.
 */
import { hash, randomBytes } from 'node:crypto';

const second = 1_000;
const most = 5_000;

export class CredentialCache<V extends object> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();
  private turning: NodeJS.Timeout | undefined;
  /** Of this process alone, so that a digest tells nothing about a text that could be guessed. */
  private readonly salt = randomBytes(32).toString('base64');

  get(text: string): V | undefined {
    const key = this.keyOf(text);
    return this.young.get(key) ?? this.old.get(key);
  }

  set(text: string, proven: V): void {
    if (this.young.size >= most) return;
    this.young.set(this.keyOf(text), proven);
    this.turning ??= setInterval(() => this.turn(), second).unref();
  }

  private keyOf(text: string): string {
    return hash('sha256', this.salt + text, 'base64');
  }

  private turn(): void {
    this.old = this.young;
    this.young = new Map();
    if (this.old.size > 0) return;
    clearInterval(this.turning);
    this.turning = undefined;
  }
}
