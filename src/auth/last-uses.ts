/**
 * When something was last used, to the minute: noted in memory and written for all together a moment later, so that no
 * request waits for it or is a write because of it.
 */
import { LRUCache } from 'lru-cache';

const minute = 60_000;

export class LastUses {
  /** When it was last written, or about to be, in milliseconds of the process's own clock. */
  private readonly noted = new LRUCache<string, number>({ max: 10_000 });
  private readonly pending = new Set<string>();
  private timer?: NodeJS.Timeout;

  /** `write` sets the date of all that have these keys to now. */
  constructor(private readonly write: (keys: string[]) => Promise<unknown>) {}

  note(key: string): void {
    const now = performance.now();
    if (now - (this.noted.get(key) ?? -minute) < minute) return;
    this.noted.set(key, now);
    this.pending.add(key);
    this.timer ??= setTimeout(() => void this.flush(), 500).unref();
  }

  /** Never fails: when something was used is not worth a request. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const keys = [...this.pending];
    this.pending.clear();
    if (keys.length === 0) return;
    await this.write(keys).catch(() => {
      for (const key of keys) this.noted.delete(key);
    });
  }
}
