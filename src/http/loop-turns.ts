/**
 * Shares the time of the event loop among users. What a handler does before it asks the database - resolving and
 * compiling a query - is done in one step, and all requests that have arrived would have theirs in a row. Beyond a few
 * milliseconds of one turn of the loop the rest wait for the next ones, where users take turns: a request waits for one
 * step of each other user, not for all that these ask.
 *
 * Each request has several turns of the loop, and each of them would meet a long step of somebody who asks without a
 * pause. So whoever has had most of the time of late rests after a long step for a multiple of its time, while others
 * ask.
 */
import { Injectable } from '@nestjs/common';
import { LastAskers } from '../turns/last-askers.js';
import { RecentTimes } from '../turns/recent-times.js';

/** Of a turn; then requests wait. A longer step is a long one; so much in long steps of late is much. */
const milliseconds = 4;
const muchMs = 100;

/** So many are begun in one turn at most while others wait: what they do is only seen when they have. */
const mostInTurn = 8;

/** A rest is so many times as long as the step, and no longer than this. */
const restFactor = 3;
const longestRestMs = 200;

type Begin = () => void;

@Injectable()
export class LoopTurns {
  /** Those that wait, by user; whoever had a turn just now comes last. */
  private readonly queues = new Map<number, Begin[]>();
  private waiting = 0;
  /** Users that rest, with those of theirs that wait. */
  private readonly resting = new Map<number, Begin[]>();
  /** Of this turn of the loop; 0 where nothing was begun in it. */
  private since = 0;
  private isTurning = false;
  /** In long steps. */
  private readonly recent = new RecentTimes<number>(muchMs);
  /** In all steps. */
  private readonly spent = new RecentTimes<number>(muchMs);
  private readonly askers = new LastAskers<number>();

  /** The service ends: whoever has waited is refused. */
  isOver = false;

  /** Milliseconds. */
  now = (): number => performance.now();

  /** What to wait for, where the turn is used up or the user rests. */
  take(userId: number): Promise<void> | undefined {
    const now = this.now();
    this.askers.note(userId, now);
    const rest = this.resting.get(userId);
    if (rest) return new Promise((resolve) => rest.push(resolve));
    if (this.waiting === 0 && this.hasTime(now)) {
      this.measure(userId, now);
      return undefined;
    }
    return new Promise((resolve) => this.queue(userId, [resolve]));
  }

  /** The same for whoever waited for something together with others: nobody begins at once. */
  next(userId: number): Promise<void> {
    const rest = this.resting.get(userId);
    return new Promise((resolve) => {
      if (rest) rest.push(resolve);
      else this.queue(userId, [resolve]);
    });
  }

  refuseWaiting(): void {
    this.isOver = true;
  }

  private hasTime(now: number): boolean {
    if (this.since !== 0) return now - this.since < milliseconds;
    this.since = now;
    this.turn();
    return true;
  }

  private queue(userId: number, begins: Begin[]): void {
    const queue = this.queues.get(userId);
    if (queue) queue.push(...begins);
    else if (begins.length > 0) this.queues.set(userId, begins);
    this.waiting += begins.length;
    if (this.waiting > 0) this.turn();
  }

  private turn(): void {
    if (this.isTurning) return;
    this.isTurning = true;
    setImmediate(() => this.endTurn());
  }

  /** Each of them is followed by what its request does at once. */
  private endTurn(): void {
    this.since = 0;
    this.isTurning = false;
    if (this.waiting === 0) return;
    for (let count = Math.min(this.waiting, mostInTurn); count > 0; count -= 1) setImmediate(() => this.beginNext());
    this.turn();
  }

  private beginNext(): void {
    const now = this.now();
    if (this.since === 0) this.since = now;
    else if (now - this.since >= milliseconds) return;
    const next = this.nextIn(now);
    if (!next) return;
    const [userId, queue] = next;
    const begin = queue.shift()!;
    this.queues.delete(userId);
    if (queue.length > 0) this.queues.set(userId, queue);
    this.waiting -= 1;
    this.measure(userId, now);
    begin();
  }

  private nextIn(now: number): [userId: number, queue: Begin[]] | undefined {
    let next: [userId: number, queue: Begin[]] | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const entry of this.queues) {
      const ms = this.spent.of(entry[0], now);
      if (ms < least) [next, least] = [entry, ms];
    }
    return next;
  }

  /** A step ends when the promises that it has fulfilled have been followed. */
  private measure(userId: number, since: number): void {
    if (!this.askers.hasOthers(userId, since)) return;
    queueMicrotask(() => process.nextTick(() => this.end(userId, this.now() - since)));
  }

  private end(userId: number, ms: number): void {
    const now = this.now();
    this.spent.add(userId, ms, now);
    if (ms < milliseconds) return;
    this.recent.add(userId, ms, now);
    if (this.resting.has(userId) || !this.recent.isMost(userId, now)) return;
    const queue = this.queues.get(userId) ?? [];
    this.queues.delete(userId);
    this.waiting -= queue.length;
    this.resting.set(userId, queue);
    setTimeout(() => this.endRest(userId), Math.min(restFactor * ms, longestRestMs));
  }

  private endRest(userId: number): void {
    const queue = this.resting.get(userId)!;
    this.resting.delete(userId);
    this.queue(userId, queue);
  }
}
