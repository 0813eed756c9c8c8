/**
 * Memory that requests share: bytes count from the moment they come. Without room a holder waits; the eldest that waits
 * goes on beyond the limit, one at a time, so that some holder always comes to its end.
 */
import { ending } from '../database/database-error.js';
import type { ApiError } from '../errors.js';

export interface MemoryBounds {
  /** The most bytes of all holders together. */
  readonly bytes: number;
  /** A quarter of the memory is for those alone of whom so many bytes are held in all, whatever others hold. */
  readonly short: number;
  /** Holders that may wait at once. */
  readonly waiting: number;
}

export interface Holder {
  /** Whose it is; nobody's is its own. */
  readonly owner?: number | undefined;
  /** It is sent in parts: when the service ends, it is the last that may wait. */
  readonly isInParts?: boolean;
  /** Kept by the memory. */
  bytes: number;
  /** It waited, and has room now. */
  goOn(): void;
  /** It has to leave. */
  fail(refusal: ApiError): void;
}

export abstract class SharedMemory<H extends Holder, Bounds extends MemoryBounds = MemoryBounds> {
  private taken = 0;
  /** Bytes that owners hold of whom little is held. */
  private takenShort = 0;
  /** Eldest first. */
  protected readonly holders = new Set<H>();
  protected readonly waiting = new Set<H>();
  protected beyond: H | undefined;
  private readonly byOwner = new Map<unknown, number>();
  private watching: NodeJS.Timeout | undefined;
  /** The service ends: nobody waits, but for holders that are sent in parts. */
  private isEnding = false;
  private isOver = false;

  constructor(readonly bounds: Bounds) {}

  /** Bytes. */
  get held(): number {
    return this.taken;
  }

  isWaiting(holder: H): boolean {
    return this.waiting.has(holder);
  }

  /** Whether the holder may go on at once; else it is notified when it may, or that it may not. */
  take(holder: H, bytes: number): boolean {
    this.holders.add(holder);
    this.count(holder, bytes);
    if (this.hasRoomFor(holder)) return true;
    if (!this.mayWait(holder) || this.waiting.size >= this.bounds.waiting) {
      holder.fail(this.mayWait(holder) ? this.full() : ending());
      return false;
    }
    this.waiting.add(holder);
    this.keepWatch();
    this.letOn();
    return !this.waiting.has(holder);
  }

  /** The service ends: who waits is refused, and who is sent in parts as well where all are. */
  refuseWaiting(all: boolean): void {
    this.isEnding = true;
    this.isOver = all;
    for (const holder of [...this.waiting]) if (!this.mayWait(holder)) holder.fail(ending());
  }

  private mayWait({ isInParts = false }: H): boolean {
    return !this.isEnding || (isInParts && !this.isOver);
  }

  /** The holder takes no more. */
  stopWaiting(holder: H): void {
    this.waiting.delete(holder);
  }

  /** Some of what a holder has is gone. */
  give(holder: H, bytes: number): void {
    const given = Math.min(bytes, holder.bytes);
    this.count(holder, -given);
    this.letOn();
  }

  leave(holder: H): void {
    if (!this.holders.delete(holder)) return;
    this.waiting.delete(holder);
    if (this.beyond === holder) this.beyond = undefined;
    this.give(holder, holder.bytes);
  }

  /** What who has no room is refused with. */
  protected abstract full(): ApiError;

  /** Once a second, as long as it says that this is needed. */
  protected abstract watch(): boolean;

  protected keepWatch(): void {
    this.watching ??= setInterval(() => {
      if (this.watch()) return;
      clearInterval(this.watching);
      this.watching = undefined;
    }, 1000).unref();
  }

  /** The holder goes on beyond the limit. */
  protected pass(holder: H): void {
    this.beyond = holder;
  }

  private count(holder: H, bytes: number): void {
    const owner = holder.owner ?? holder;
    const before = this.byOwner.get(owner) ?? 0;
    const held = before + bytes;
    if (held === 0) this.byOwner.delete(owner);
    else this.byOwner.set(owner, held);
    holder.bytes += bytes;
    this.taken += bytes;
    this.takenShort += this.ifShort(held) - this.ifShort(before);
  }

  private ifShort(bytes: number): number {
    return bytes <= this.bounds.short ? bytes : 0;
  }

  private letOn(): void {
    if (this.waiting.size === 0) return;
    for (const holder of this.holders) {
      if (!this.waiting.has(holder)) continue;
      if (!this.beyond && !this.hasRoomFor(holder)) this.pass(holder);
      if (!this.hasRoomFor(holder)) continue;
      this.waiting.delete(holder);
      holder.goOn();
    }
  }

  private hasRoomFor(holder: H): boolean {
    const { bytes, short } = this.bounds;
    if (holder === this.beyond) return true;
    const held = this.byOwner.get(holder.owner ?? holder) ?? 0;
    if (held > short) return this.taken <= 0.75 * bytes;
    // Where little is wanted, nobody waits for the one that is beyond the limit.
    return this.takenShort <= 0.25 * bytes || this.taken - (this.beyond?.bytes ?? 0) <= bytes;
  }
}
