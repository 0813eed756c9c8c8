/**
 * The memory for long answers, of all requests together. Texts count from the moment the database sends them until the
 * client has taken them. Without room the database waits, or the request before it asks the database. Whoever takes an
 * answer too slowly while others wait, or not at all, is cut off.
 */
import type { ServerResponse } from 'node:http';
import type { Amount } from '../database/text-query.js';
import { ApiError, unavailable } from '../errors.js';
import { type Holder, type MemoryBounds, SharedMemory } from './shared-memory.js';
import { type Ends, type QueuedBytes, queuedNow } from './tcp-queues.js';

export interface AnswerBounds extends MemoryBounds {
  /** Bytes of one answer. */
  readonly answer: number;
  /** Seconds that one may wait before the database is asked, and with a connection that others want. */
  readonly patience: number;
  readonly patienceWithin: number;
  /** Bytes that a client takes each second, at least, while others wait. */
  readonly pace: number;
  /** Seconds without a byte taken. */
  readonly still: number;
}

export const usualAnswerBounds = {
  short: 2 ** 20,
  waiting: 256,
  patience: 10,
  patienceWithin: 2,
  pace: 64 * 1024,
  still: 30,
};

/** Who receives texts from the database. */
export type Receiver = Pick<Holder, 'goOn' | 'fail'>;

export class AnswerRoom extends SharedMemory<HeldAnswer, AnswerBounds> {
  constructor(
    bounds: AnswerBounds,
    private readonly lookAtQueues: () => QueuedBytes = queuedNow,
  ) {
    super(bounds);
  }

  /** Nobody needs to ask for room. */
  get isCalm(): boolean {
    return this.waiting.size === 0 && this.held <= this.bounds.bytes / 2;
  }

  override take(answer: HeldAnswer, bytes: number): boolean {
    this.keepWatch();
    return super.take(answer, bytes);
  }

  protected override full(): ApiError {
    return unavailable(
      'The service holds as many long answers as it has room for. Try again in a moment.',
      2,
      'answers',
    );
  }

  /** While there are any. */
  protected override watch(): boolean {
    let look: QueuedBytes | undefined;
    const queued: QueuedBytes = (ends) => {
      look ??= this.lookAtQueues();
      return look(ends);
    };
    for (const answer of [...this.holders]) {
      if (this.waiting.has(answer)) this.watchWaiting(answer);
      else if (answer.isSent) this.watchSent(answer, queued);
    }
    return this.holders.size > 0;
  }

  private watchWaiting(answer: HeldAnswer): void {
    const { patience, patienceWithin } = this.bounds;
    answer.waited += 1;
    if (answer.waited > (answer.isRead ? patienceWithin : patience)) answer.fail(this.full());
  }

  private watchSent(answer: HeldAnswer, queued: QueuedBytes): void {
    const { pace, still } = this.bounds;
    const taken = answer.takenSince(pace, queued);
    answer.stillFor = taken === 0 ? answer.stillFor + 1 : 0;
    const isSlow = this.waiting.size > 0 && answer.isWatched && taken < pace;
    answer.isWatched = true;
    if (isSlow || answer.stillFor >= still) answer.cutOff();
  }
}

/** What a long answer takes before it is known. */
const reserve = 2 ** 18;

/** The texts of one answer. */
export class HeldAnswer implements Holder {
  /** Bytes of memory. */
  bytes = 0;
  /** The user who asks; unknown until he is let in. */
  owner: number | undefined;
  /** The database is sending it. */
  isRead = false;
  isInParts = false;
  /** The client is taking it. */
  isSent = false;
  /** Bytes that the system took for the client since the room was last looked at. */
  private taken = 0;
  /** Bytes that the system held then, where few were taken. */
  private queued: number | undefined;
  /** The room was looked at since it is being sent. */
  isWatched = false;
  /** Seconds. */
  waited = 0;
  stillFor = 0;
  private isFollowed = false;
  /** Bytes that have come, as many as the client gets. */
  private come = 0;
  /** Bytes reserved for texts that have not come yet. */
  private reserved = 0;
  private receiver: Receiver | undefined;
  /** Called when the client leaves. */
  private left: (() => void) | undefined;

  constructor(
    private readonly room: AnswerRoom,
    private readonly response: Pick<ServerResponse, 'closed' | 'once' | 'destroy'> & {
      readonly destroyed?: boolean;
      readonly socket?: Ends | null;
    },
  ) {}

  goOn(): void {
    this.receiver?.goOn();
  }

  fail(refusal: ApiError): void {
    this.receiver?.fail(refusal);
  }

  /** The client has left. */
  get isGone(): boolean {
    // A response within the service, to a tool, is never closed.
    return this.response.closed || this.response.destroyed === true;
  }

  /** Ahead of what may be long: what to wait for. Errors: 503. */
  enter(): Promise<void> | undefined {
    if (this.room.isCalm) return undefined;
    if (this.isGone) return Promise.reject(nobodyWaits());
    return new Promise((resolve, reject) => {
      const fail = (refusal: ApiError): void => {
        this.leave();
        reject(refusal);
      };
      this.reserved = reserve;
      if (this.hold(reserve, { goOn: resolve, fail })) resolve();
    });
  }

  /** Whether more may come at once; else the receiver is notified. */
  add({ bytes, memory }: Amount, receiver: Receiver): boolean {
    this.isRead = true;
    this.come += bytes;
    const more = Math.max(0, memory - this.reserved);
    this.reserved -= memory - more;
    const { answer } = this.room.bounds;
    if (this.come <= answer && !this.isGone) return this.hold(more, receiver);
    receiver.fail(this.isGone ? nobodyWaits() : new AnswerTooLong(answer));
    return false;
  }

  whileWanted<T>(promise: Promise<T>): Promise<T> {
    this.follow();
    return new Promise((resolve, reject) => {
      this.left = () => reject(nobodyWaits());
      const answered = (value: T): void => {
        this.left = undefined;
        resolve(value);
      };
      promise.then(answered, (failure: unknown) => {
        this.left = undefined;
        reject(failure);
      });
    });
  }

  end(): void {
    this.receiver = undefined;
    this.room.stopWaiting(this);
  }

  /** The client took so much. */
  give({ bytes, memory }: Amount): void {
    this.taken += bytes;
    this.room.give(this, memory);
  }

  /** Bytes that the client took since this was last asked, or `enough` of them where that is not known yet. */
  takenSince(enough: number, queued: QueuedBytes): number {
    const taken = this.taken;
    const before = this.queued;
    this.taken = 0;
    this.queued = taken < enough ? queued(this.response.socket) : undefined;
    if (this.queued === undefined) return taken;
    return before === undefined ? enough : Math.max(0, taken + before - this.queued);
  }

  /** There is nothing to hold any more, or not yet. */
  leave(): void {
    this.room.leave(this);
    this.come = 0;
    this.reserved = 0;
    this.waited = 0;
    this.isRead = false;
  }

  cutOff(): void {
    this.leave();
    this.response.destroy();
  }

  /** Who waits for room is not left waiting. */
  private close(): void {
    this.left?.();
    if (this.room.isWaiting(this)) this.fail(nobodyWaits());
    this.leave();
  }

  private follow(): void {
    if (!this.isFollowed) this.response.once('close', () => this.close());
    this.isFollowed = true;
  }

  private hold(bytes: number, receiver: Receiver): boolean {
    this.follow();
    this.receiver = receiver;
    return this.room.take(this, bytes);
  }
}

export const nobodyWaits = (): ApiError => unavailable('The client is gone.');

/** Fewer items may fit. */
export class AnswerTooLong extends ApiError {
  constructor(mostBytes: number) {
    super(
      'TooMuch',
      `The answer would take more than ${mostBytes / 2 ** 20} MiB. Ask for fewer items by take, or for fewer fields by include.`,
    );
  }
}
