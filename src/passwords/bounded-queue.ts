/** Runs a few costly tasks at once and lets a few more wait; further ones are refused with 503. */
import { unavailable } from '../errors.js';

export interface Bounds {
  readonly running: number;
  readonly waiting: number;
}

export class BoundedQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly bounds: Bounds) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.turn();
    try {
      return await task();
    } finally {
      this.pass();
    }
  }

  private turn(): Promise<void> | undefined {
    if (this.running < this.bounds.running) {
      this.running += 1;
      return undefined;
    }
    if (this.waiting.length >= this.bounds.waiting)
      throw unavailable('Too many logins at once. Try again in a moment.', 1, 'password_checks');
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The place goes to whoever has waited longest, so nobody who comes later can take it in between. */
  private pass(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
