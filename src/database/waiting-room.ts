/**
 * Counts what waits for the database in one process: requests for their turn at a connection, for a look-up of their
 * credential, for what they share with others. It knows neither what is waited for nor time.
 */
import { crowded } from './database-error.js';

/** A user by his id; a text stands for work of the service itself, such as the look-up of one credential. */
export type Owner = number | string;

/** All other work of the service: it is nobody's, so it has no share. */
export const service = 'service';

/** Look-ups of credentials that were not found to be good a moment ago. */
export const newCredentials = 'new credentials';

/** Whose places are all taken: the owner's own, or everybody's. */
export type Crowding = 'owner' | 'all';

export class WaitingRoom {
  private total = 0;
  private readonly byOwner = new Map<Owner, number>();

  constructor(private readonly places: number) {}

  /** Takes a place. One owner has half of the places at most; the last quarter is not for users. */
  enter(owner: Owner): Crowding | undefined {
    const own = this.byOwner.get(owner) ?? 0;
    if (owner !== service && own >= Math.max(1, Math.floor(this.places / 2))) return 'owner';
    if (this.total >= this.placesFor(owner)) return 'all';
    this.byOwner.set(owner, own + 1);
    this.total += 1;
    return undefined;
  }

  /** Users find no place any more. */
  get isFull(): boolean {
    return this.total >= this.placesFor(0);
  }

  /** Waits with a place of its own for what others may wait for, too. */
  async during<T>(owner: Owner, act: () => Promise<T>): Promise<T> {
    const crowding = this.enter(owner);
    if (crowding) throw crowded(crowding);
    try {
      return await act();
    } finally {
      this.leave(owner);
    }
  }

  leave(owner: Owner): void {
    const own = this.byOwner.get(owner)! - 1;
    if (own === 0) this.byOwner.delete(owner);
    else this.byOwner.set(owner, own);
    this.total -= 1;
  }

  private placesFor(owner: Owner): number {
    return typeof owner === 'number' ? Math.ceil((this.places * 3) / 4) : this.places;
  }
}
