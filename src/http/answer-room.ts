/**
 * The memory for long answers, of all requests together. Texts count from the moment the database sends them until the client has taken
 * them. Without room the database waits; the eldest goes on beyond the limit, one at a time, so that some answer always comes to its
 * end. Whoever takes an answer too slowly while others wait, or not at all, is cut off.
 */
import type { ServerResponse } from 'node:http';
import { type ApiError, badRequest, unavailable } from '../errors.js';

export interface AnswerBounds {
  /** Bytes of one answer. */
  readonly answer: number;
  /** Bytes of all of them. Long answers leave a quarter of it to the short. */
  readonly bytes: number;
  /** Bytes of a short one. */
  readonly short: number;
  /** Answers that may wait at once. */
  readonly waiting: number;
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
export interface Receiver {
  goOn(): void;
  fail(refusal: ApiError): void;
}

export class AnswerRoom {
  private bytes = 0;
  /** Eldest first. */
  private readonly answers = new Set<HeldAnswer>();
  private readonly waiting = new Map<HeldAnswer, Receiver>();
  private beyond: HeldAnswer | undefined;
  private watching: NodeJS.Timeout | undefined;

  constructor(readonly bounds: AnswerBounds) {}

  /** Nobody needs to ask for room. */
  get isCalm(): boolean {
    return this.waiting.size === 0 && this.bytes <= this.bounds.bytes / 2;
  }

  get held(): number {
    return this.bytes;
  }

  /** Whether more may come at once; else the receiver is told when it may, or that it may not. */
  take(answer: HeldAnswer, bytes: number, receiver: Receiver): boolean {
    this.answers.add(answer);
    this.bytes += bytes;
    this.watching ??= setInterval(() => this.watch(), 1000).unref();
    if (this.hasRoomFor(answer)) return true;
    if (this.waiting.size >= this.bounds.waiting) {
      receiver.fail(noRoom());
      return false;
    }
    this.waiting.set(answer, receiver);
    this.letOn();
    return !this.waiting.has(answer);
  }

  give(answer: HeldAnswer, bytes: number): void {
    if (!this.answers.has(answer)) return;
    this.bytes -= bytes;
    if (this.waiting.size > 0) this.letOn();
  }

  leave(answer: HeldAnswer): void {
    if (!this.answers.delete(answer)) return;
    this.bytes -= answer.bytes;
    this.waiting.delete(answer);
    if (this.beyond === answer) this.beyond = undefined;
    if (this.waiting.size > 0) this.letOn();
  }

  private letOn(): void {
    for (const answer of this.answers) {
      const receiver = this.waiting.get(answer);
      if (!receiver) continue;
      if (!this.beyond && !this.hasRoomFor(answer)) this.beyond = answer;
      if (!this.hasRoomFor(answer)) continue;
      this.waiting.delete(answer);
      receiver.goOn();
    }
  }

  private hasRoomFor(answer: HeldAnswer): boolean {
    const { bytes, short } = this.bounds;
    return answer === this.beyond || this.bytes <= (answer.bytes <= short ? bytes : 0.75 * bytes);
  }

  /** Each second while there are any. */
  private watch(): void {
    for (const answer of [...this.answers]) this.watchOne(answer, this.waiting.get(answer));
    if (this.answers.size > 0) return;
    clearInterval(this.watching);
    this.watching = undefined;
  }

  private watchOne(answer: HeldAnswer, receiver: Receiver | undefined): void {
    const { patience, patienceWithin, pace, still } = this.bounds;
    if (receiver) {
      answer.waited += 1;
      if (answer.waited > (answer.isRead ? patienceWithin : patience)) receiver.fail(noRoom());
      return;
    }
    if (!answer.isSent) return;
    answer.stillFor = answer.taken === 0 ? answer.stillFor + 1 : 0;
    const isSlow = this.waiting.size > 0 && answer.isWatched && answer.taken < pace;
    answer.isWatched = true;
    answer.taken = 0;
    if (isSlow || answer.stillFor >= still) answer.cutOff();
  }
}

/** What a long answer takes before it is known. */
const reserve = 2 ** 20;

/** The texts of one answer. */
export class HeldAnswer {
  bytes = 0;
  /** The database is sending it. */
  isRead = false;
  /** The client is taking it. */
  isSent = false;
  /** Bytes that the client took since the room was last looked at. */
  taken = 0;
  /** The room was looked at since it is being sent. */
  isWatched = false;
  /** Seconds. */
  waited = 0;
  stillFor = 0;
  private isFollowed = false;
  /** Of its bytes, those that have not come. */
  private reserved = 0;

  constructor(
    private readonly room: AnswerRoom,
    private readonly response: Pick<ServerResponse, 'closed' | 'once' | 'destroy'>,
  ) {}

  /** Ahead of what may be long: what to wait for. Errors: 503. */
  enter(): Promise<void> | undefined {
    if (this.room.isCalm) return undefined;
    if (this.response.closed) return Promise.reject(nobodyWaits());
    return new Promise((resolve, reject) => {
      const fail = (refusal: ApiError): void => {
        this.leave();
        reject(refusal);
      };
      this.reserved = reserve;
      if (this.hold(reserve, { goOn: resolve, fail })) resolve();
    });
  }

  /** Whether more may come at once; else the receiver is told. */
  add(said: number, receiver: Receiver): boolean {
    this.isRead = true;
    const bytes = Math.max(0, said - this.reserved);
    this.reserved -= said - bytes;
    const { answer } = this.room.bounds;
    if (this.bytes + bytes <= answer && !this.response.closed) return this.hold(bytes, receiver);
    receiver.fail(this.response.closed ? nobodyWaits() : answerTooLong(answer));
    return false;
  }

  private hold(bytes: number, receiver: Receiver): boolean {
    if (!this.isFollowed) this.response.once('close', () => this.leave());
    this.isFollowed = true;
    this.bytes += bytes;
    return this.room.take(this, bytes, receiver);
  }

  /** The client took so many bytes. */
  give(bytes: number): void {
    const given = Math.min(bytes, this.bytes);
    this.bytes -= given;
    this.taken += given;
    this.room.give(this, given);
  }

  /** There is nothing to hold any more, or not yet. */
  leave(): void {
    this.room.leave(this);
    this.bytes = 0;
    this.reserved = 0;
    this.waited = 0;
    this.isRead = false;
  }

  cutOff(): void {
    this.leave();
    this.response.destroy();
  }
}

const answerTooLong = (bytes: number): ApiError =>
  badRequest(
    `The answer would take more than ${bytes / 2 ** 20} MiB. Ask for fewer items by take, or for fewer fields by include.`,
  );

const nobodyWaits = (): ApiError => unavailable('The client is gone.');

const noRoom = (): ApiError =>
  unavailable('The service holds as many long answers as it has room for. Try again in a moment.', 2);
