/** Keeps what was loaded for a moment, and lets everybody who wants the same meanwhile join one load. */
import { LRUCache } from 'lru-cache';
import type { WaitingRoom } from '../database/waiting-room.js';

export interface Keeping {
  readonly entries: number;
  readonly milliseconds: number;
  /** Where those are counted that join a load. */
  readonly waiting?: WaitingRoom;
}

/** Ages are measured here: the cache would set a timer for each millisecond in which it is asked. */
interface Kept<V> {
  value: V;
  since: number;
}

type Loading<V> = (wasKept: boolean) => Promise<V | undefined>;

export class TtlCache<K extends number | string, V extends object> {
  private readonly kept: LRUCache<K, Kept<V>>;
  private readonly milliseconds: number;
  private readonly waiting: WaitingRoom | undefined;
  private readonly underWay = new Map<K, Promise<V | undefined>>();
  private clearings = 0;

  constructor({ entries, milliseconds, waiting }: Keeping) {
    this.kept = new LRUCache({ max: entries });
    this.milliseconds = milliseconds;
    this.waiting = waiting;
  }

  get(key: K): V | undefined {
    const kept = this.kept.get(key);
    return kept && performance.now() - kept.since < this.milliseconds ? kept.value : undefined;
  }

  /**
   * Loads whether or not something is kept; `ask` gets whether something was, however old. What does not exist is
   * not kept: it may exist the next moment.
   */
  load(key: K, ask: Loading<V>): Promise<V | undefined> {
    const joined = this.underWay.get(key);
    if (joined) return this.waiting ? this.waiting.during(`load ${key}`, () => joined) : joined;
    const asked = this.ask(key, ask);
    this.underWay.set(key, asked);
    const end = (): void => {
      if (this.underWay.get(key) === asked) this.underWay.delete(key);
    };
    asked.then(end, end);
    return asked;
  }

  /** Forgets everything; a load under way keeps nothing either, since it may have begun before a change. */
  clear(): void {
    this.clearings += 1;
    this.underWay.clear();
    this.kept.clear();
  }

  private async ask(key: K, ask: Loading<V>): Promise<V | undefined> {
    const { clearings } = this;
    // Age counts from the question: the answer may describe the moment it was asked.
    const since = performance.now();
    const value = await ask(this.kept.has(key));
    if (clearings !== this.clearings) return value;
    if (value) this.kept.set(key, { value: value, since });
    else this.kept.delete(key);
    return value;
  }
}
