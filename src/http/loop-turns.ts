/**
 * Shares the time of the event loop among users. What a handler does before it asks the database - resolving and compiling a query - is
 * done in one step, and all requests that have arrived would have theirs in a row. Beyond a few milliseconds of one turn of the loop the
 * rest wait for the next ones, where users take turns: a request waits for one step of each other user, not for all that these ask.
 */
import { Injectable } from '@nestjs/common';

/** Of a turn; then requests wait. */
const milliseconds = 4;

/** So many are begun in one turn at most while others wait: what they do is only seen when they have. */
const mostInTurn = 8;

type Begin = () => void;

@Injectable()
export class LoopTurns {
  /** Those that wait, by user; whoever had a turn just now comes last. */
  private readonly queues = new Map<number, Begin[]>();
  private waiting = 0;
  /** Of this turn of the loop; 0 where nothing was begun in it. */
  private since = 0;

  /** Milliseconds. */
  now = (): number => performance.now();

  /** What to wait for, where the turn is used up. */
  take(userId: number): Promise<void> | undefined {
    if (this.waiting === 0 && this.hasTime()) return undefined;
    return new Promise((resolve) => {
      const queue = this.queues.get(userId);
      if (queue) queue.push(resolve);
      else this.queues.set(userId, [resolve]);
      this.waiting += 1;
    });
  }

  private hasTime(): boolean {
    if (this.since !== 0) return this.now() - this.since < milliseconds;
    this.since = this.now();
    setImmediate(() => this.endTurn());
    return true;
  }

  /** Each of them is followed by what its request does at once. */
  private endTurn(): void {
    this.since = 0;
    if (this.waiting === 0) return;
    for (let count = Math.min(this.waiting, mostInTurn); count > 0; count -= 1) setImmediate(() => this.beginNext());
    setImmediate(() => this.endTurn());
  }

  private beginNext(): void {
    if (this.since === 0) this.since = this.now();
    else if (this.now() - this.since >= milliseconds) return;
    const [userId, queue] = this.queues.entries().next().value!;
    const begin = queue.shift()!;
    this.queues.delete(userId);
    if (queue.length > 0) this.queues.set(userId, queue);
    this.waiting -= 1;
    begin();
  }
}
