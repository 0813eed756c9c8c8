/** How many forms are read at the same time, in all and of one user. */
import { ApiError, unavailable } from '../errors.js';

export class UploadPlaces {
  private readonly taken = new Map<number, number>();
  private all = 0;

  constructor(private readonly places: number) {}

  /** Gives what leaves the place, to be called once. Errors: 429, 503. */
  enter(userId: number): () => void {
    const own = this.taken.get(userId) ?? 0;
    if (own >= Math.max(1, Math.floor(this.places / 4))) throw tooManyOfUser();
    if (this.all >= this.places) throw unavailable('Too many files are being sent. Try again in a moment.', 5);
    this.all += 1;
    this.taken.set(userId, own + 1);
    return () => this.leave(userId);
  }

  private leave(userId: number): void {
    this.all -= 1;
    const left = this.taken.get(userId)! - 1;
    if (left === 0) this.taken.delete(userId);
    else this.taken.set(userId, left);
  }
}

const tooManyOfUser = (): ApiError =>
  new ApiError('TooManyRequests', 'Too many files of this user are being sent. Try again in a moment.', {
    'Retry-After': '5',
  });
