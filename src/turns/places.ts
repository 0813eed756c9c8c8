/** How many of a kind may be under way at the same time, in all and of one user. */
import { tooManyNow, unavailable } from '../errors.js';

export interface PlaceBounds {
  readonly all: number;
  readonly ofUser: number;
}

const retryAfterSeconds = 5;

export class Places {
  private readonly taken = new Map<number, number>();
  private all = 0;

  /** `what` is sent or read, in words for clients. */
  constructor(
    private readonly bounds: PlaceBounds,
    private readonly what: string,
  ) {}

  /** Gives what leaves the place; called again it does nothing. Errors: 429, 503. */
  enter(userId: number): () => void {
    const own = this.taken.get(userId) ?? 0;
    if (own >= this.bounds.ofUser)
      throw tooManyNow(
        'transfers',
        `Too many ${this.what} of this user at once. Try again in a moment.`,
        retryAfterSeconds,
      );
    if (this.all >= this.bounds.all)
      throw unavailable(`Too many ${this.what} at once. Try again in a moment.`, retryAfterSeconds, 'transfers');
    this.all += 1;
    this.taken.set(userId, own + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.leave(userId);
      isTaken = false;
    };
  }

  private leave(userId: number): void {
    this.all -= 1;
    const left = this.taken.get(userId)! - 1;
    if (left === 0) this.taken.delete(userId);
    else this.taken.set(userId, left);
  }
}

/** One user has a quarter of all places. */
export const withQuarters = (all: number): PlaceBounds => ({ all, ofUser: Math.max(1, Math.floor(all / 4)) });
