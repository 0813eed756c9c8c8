/**
 * Turns of large bodies to be read and carried out. What is made of a body takes many times its bytes until the request is answered: an
 * element of four bytes takes two hundred. So a few large bodies at a time are taken up, one of each user in turn; short ones do not wait.
 */
import { type ApiError, unavailable } from '../errors.js';

export interface TurnBounds {
  /** A body of so many bytes does not wait. */
  readonly short: number;
  /** Of large bodies that are taken up at once; a longer one is taken up alone. */
  readonly bytes: number;
  /** Large bodies that may wait at once. */
  readonly waiting: number;
  /** How long one may wait. */
  readonly milliseconds: number;
}

export const usualTurnBounds = { short: 64 * 1024, bytes: 2 * 2 ** 20, waiting: 256, milliseconds: 10_000 };

interface Waiter {
  readonly bytes: number;
  start(): void;
}

export class BodyTurns {
  private running = 0;
  private bytes = 0;
  private waiting = 0;
  /** By user; whoever had a turn just now comes last. */
  private readonly queues = new Map<number, Waiter[]>();

  constructor(private readonly bounds: TurnBounds) {}

  /** Gives what ends the turn, nothing for a short body. Errors: 503. */
  async enter(userId: number, bytes: number): Promise<(() => void) | undefined> {
    if (bytes <= this.bounds.short) return undefined;
    if (this.waiting > 0 || !this.hasRoomFor(bytes)) await this.wait(userId, bytes);
    else this.begin(bytes);
    return () => this.end(bytes);
  }

  private hasRoomFor(bytes: number): boolean {
    return this.running === 0 || this.bytes + bytes <= this.bounds.bytes;
  }

  private begin(bytes: number): void {
    this.running += 1;
    this.bytes += bytes;
  }

  private end(bytes: number): void {
    this.running -= 1;
    this.bytes -= bytes;
    while (this.startNext());
  }

  private wait(userId: number, bytes: number): Promise<void> {
    if (this.waiting >= this.bounds.waiting) return Promise.reject(full());
    this.waiting += 1;
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        this.begin(bytes);
        resolve();
      };
      const waiter = { bytes, start };
      const timer = setTimeout(() => {
        this.remove(userId, waiter);
        reject(full());
      }, this.bounds.milliseconds).unref();
      this.queues.set(userId, [...(this.queues.get(userId) ?? []), waiter]);
    });
  }

  /** Whether the next user's first could begin. Its user goes to the end of the order. */
  private startNext(): boolean {
    const next = this.queues.entries().next().value;
    if (!next) return false;
    const [userId, [first]] = next;
    if (!this.hasRoomFor(first!.bytes)) return false;
    const rest = this.remove(userId, first!);
    this.queues.delete(userId);
    if (rest.length > 0) this.queues.set(userId, rest);
    first!.start();
    return true;
  }

  private remove(userId: number, waiter: Waiter): Waiter[] {
    const rest = this.queues.get(userId)!.filter((one) => one !== waiter);
    if (rest.length > 0) this.queues.set(userId, rest);
    else this.queues.delete(userId);
    this.waiting -= 1;
    return rest;
  }
}

const full = (): ApiError =>
  unavailable('The service is busy with as many large bodies as it takes up at once. Try again in a moment.', 2);
