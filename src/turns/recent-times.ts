/** How much time users took of late, each and together. What is a second ago counts a third. */
import { LRUCache } from 'lru-cache';

const forgettingMs = 1000;

interface Sum {
  readonly ms: number;
  readonly at: number;
}

const none: Sum = { ms: 0, at: 0 };

const sumAt = ({ ms, at }: Sum, now: number): number => ms * Math.exp((at - now) / forgettingMs);

export class RecentTimes<Owner extends string | number> {
  private readonly sums = new LRUCache<Owner, Sum>({ max: 1000 });
  private total = none;

  /** All times are in milliseconds. */
  constructor(private readonly much: number) {}

  add(owner: Owner, ms: number, now: number): void {
    this.sums.set(owner, { ms: sumAt(this.sums.get(owner) ?? none, now) + ms, at: now });
    this.total = { ms: sumAt(this.total, now) + ms, at: now };
  }

  of(owner: Owner, now: number): number {
    return sumAt(this.sums.get(owner) ?? none, now);
  }

  /** The owner took much, and more than all others together: where a machine is slow, everybody takes much. */
  isMost(owner: Owner, now: number): boolean {
    const sum = this.sums.get(owner);
    if (!sum) return false;
    const ms = sumAt(sum, now);
    return ms > this.much && ms > sumAt(this.total, now) / 2;
  }
}
