/**
 * Counts what waits for the database in one process: requests for their turn at a connection, for a look-up of their
 * credential, for what they share with others. Where all places are taken, whoever has most of them gives one to an
 * owner with fewer. It knows neither what is waited for nor time.
 */
import { crowded } from './database-error.js';

/** A user by his id; a text stands for work of the service itself, such as the look-up of one credential. */
export type Owner = number | string;

/** All other work of the service: it is nobody's, so it has no share. */
export const service = 'service';

/** Look-ups of credentials that were not found to be good a moment ago. */
export const newCredentials = 'new credentials';

/** Whose places are all taken: the owner's own, or everybody's. Or there are none any more, since the service ends. */
export type Crowding = 'owner' | 'all' | 'end';

/** What waits in a place. */
export interface Occupant {
  readonly owner: Owner;
  /** Waits no longer, and gets the reason. False where it cannot leave any more. */
  giveWay(why: Crowding): boolean;
}

export class WaitingRoom {
  /** The service ends: nobody waits but for the next part of an answer. */
  private isEnding = false;
  /** Nobody waits. */
  isOver = false;
  /** The users to whom answers are being sent in parts. */
  private readonly inParts = new Set<{ readonly userId: number }>();
  private total = 0;
  private ofUsers = 0;
  /** Occupants by owner, the eldest first. */
  private readonly byOwner = new Map<Owner, Set<Occupant>>();

  constructor(private readonly places: number) {}

  /** Takes a place. One owner has half of the places at most; the last quarter is not for users. */
  enter(occupant: Occupant): Crowding | undefined {
    const { owner } = occupant;
    const own = this.byOwner.get(owner) ?? new Set();
    if (!this.mayWait(owner)) return 'end';
    if (owner !== service && own.size >= Math.max(1, Math.floor(this.places / 2))) return 'owner';
    if (this.isFullFor(owner) && !this.makeRoom(owner, own.size)) return 'all';
    this.byOwner.set(owner, own.add(occupant));
    this.count(owner, 1);
    return undefined;
  }

  /** Users find no place any more, unless others give them theirs. */
  get isFull(): boolean {
    return this.isFullFor(0);
  }

  /**
   * Waits with a place of its own for what others may wait for, too. `mayLeave`: whether it can be refused while it
   * waits; nothing of it may happen afterwards.
   */
  during<T>(owner: Owner, act: () => Promise<T>, mayLeave = (): boolean => true): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveWay = (why: Crowding): boolean => {
        const leaves = mayLeave();
        if (leaves) reject(crowded(why));
        return leaves;
      };
      const occupant = { owner, giveWay };
      const crowding = this.enter(occupant);
      if (crowding) return reject(crowded(crowding));
      const leave = (): void => this.leave(occupant);
      act().finally(leave).then(resolve, reject);
    });
  }

  /** Does nothing for one who has left already. */
  leave(occupant: Occupant): void {
    const { owner } = occupant;
    const own = this.byOwner.get(owner);
    if (!own?.delete(occupant)) return;
    if (own.size === 0) this.byOwner.delete(owner);
    this.count(owner, -1);
  }

  /** An answer is being sent in parts: its user may wait when others may not any more. Gives what ends that. */
  sendInParts(userId: number): () => void {
    const answer = { userId };
    this.inParts.add(answer);
    return () => void this.inParts.delete(answer);
  }

  /** The service ends: what waits gives way, and answers in parts as well where all do. */
  refuseWaiting(all: boolean): void {
    this.isEnding = true;
    this.isOver = all;
    for (const [owner, occupants] of [...this.byOwner]) {
      if (this.mayWait(owner)) continue;
      for (const occupant of [...occupants]) if (occupant.giveWay('end')) this.leave(occupant);
    }
  }

  /** What is no user's, such as a look-up of a credential, may be for a part of any of the answers. */
  private mayWait(owner: Owner): boolean {
    if (!this.isEnding) return true;
    if (this.isOver) return false;
    return [...this.inParts].some(({ userId }) => typeof owner !== 'number' || userId === owner);
  }

  private count(owner: Owner, one: 1 | -1): void {
    this.total += one;
    if (typeof owner === 'number') this.ofUsers += one;
  }

  private isFullFor(owner: Owner): boolean {
    return this.total >= this.places || this.areUsersFull(owner);
  }

  private areUsersFull(owner: Owner): boolean {
    return typeof owner === 'number' && this.ofUsers >= Math.ceil((this.places * 3) / 4);
  }

  /** Whoever has most of the places that the owner may have gives one of them: of those that can leave, the last. */
  private makeRoom(owner: Owner, own: number): boolean {
    const mayGive = (other: Owner): boolean =>
      this.areUsersFull(owner) ? typeof other === 'number' : other !== service;
    const giving = [...this.byOwner]
      .filter(([other, { size }]) => mayGive(other) && size > own + 1)
      .sort(([, one], [, other]) => other.size - one.size);
    for (const [, occupants] of giving) {
      const last = [...occupants].findLast((occupant) => occupant.giveWay('owner'));
      if (last) this.leave(last);
      if (last) return true;
    }
    return false;
  }
}
