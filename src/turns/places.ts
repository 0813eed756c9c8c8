/**
 * How many of a kind may be under way at the same time, in all and of one user; a few more are for users of whom none
 * is, so that those who have many keep nobody out.
 */
import { tooManyNow, unavailable } from '../errors.js';

export interface PlaceBounds {
  readonly all: number;
  readonly ofUser: number;
  /** Beyond all, one for each user who has none. */
  readonly spare: number;
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
    if (this.all >= this.bounds.all + (own === 0 ? this.bounds.spare : 0))
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

/** One user has a quarter of all places, and as many more are for users who have none. */
export function withQuarters(all: number): PlaceBounds {
  const quarter = Math.max(1, Math.floor(all / 4));
  return { all, ofUser: quarter, spare: quarter };
}
