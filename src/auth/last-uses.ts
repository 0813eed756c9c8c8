/**
 * Keeps the date when something was last used, to the minute. Uses are collected in memory and written together half a
 * second later, so that no request waits for it and no read becomes a write.
 */
import { LRUCache } from 'lru-cache';

const minute = 60_000;

export class LastUses {
  /** By key: when the date was last written, or put into `pending`, on the monotonic clock of the process. */
  private readonly lastWrites = new LRUCache<string, number>({ max: 10_000 });
  private readonly pending = new Set<string>();
  private timer?: NodeJS.Timeout;

  /** `write` sets the date of all that have these keys to now. */
  constructor(private readonly write: (keys: string[]) => Promise<unknown>) {}

  note(key: string): void {
    const now = performance.now();
    if (now - (this.lastWrites.get(key) ?? -minute) < minute) return;
    this.lastWrites.set(key, now);
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
      for (const key of keys) this.lastWrites.delete(key);
    });
  }
}
