/**
 * Runs a few costly tasks at once. The rest wait, bounded in number and time, and clients have turns: first whoever
 * ranks lowest, of equals whoever had no turn for longest. A full queue refuses the last task of the client that ranks
 * highest, of equals that has most.
 */
import type { ApiError } from '../errors.js';

export interface FairBounds {
  /** The weight of all tasks that run at once; a heavier one counts as much and runs alone. */
  readonly running: number;
  /** So much more for clients of whom nothing runs: these wait for no others. */
  readonly spare?: number;
  /** How many tasks may wait: of all clients, and of one. */
  readonly waiting: number;
  readonly waitingOfClient: number;
  readonly milliseconds: number;
}

/** The connection of a client. */
export interface Leaving {
  /** It is closed, or about to be. */
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** What a task is refused for: that so many of its client wait, or what all clients share. */
export type Fullness = 'client' | 'all';

interface Waiter {
  readonly weight: number;
  start(room: Room): void;
  refuse(): void;
}

/** Where tasks run, by their weight. */
interface Room {
  weight: number;
  readonly bound: number;
}

type Line = Set<Waiter>;

export class FairQueue<Client extends string | number> {
  private readonly room: Room;
  private readonly spare: Room;
  /** How many of each client's. */
  private readonly runningOf = new Map<Client, number>();
  private waiting = 0;
  private isOver = false;
  /** By client; whoever had a turn just now comes last. */
  private readonly lines = new Map<Client, Line>();

  constructor(
    private readonly bounds: FairBounds,
    private readonly refusal: (full: Fullness) => ApiError,
    private readonly rank: (client: Client) => number = () => 0,
  ) {
    this.room = { weight: 0, bound: bounds.running };
    this.spare = { weight: 0, bound: bounds.spare ?? 0 };
  }

  async run<T>(client: Client, task: () => Promise<T>): Promise<T> {
    const end = await this.enter(client);
    try {
      return await task();
    } finally {
      end();
    }
  }

  /** Gives what ends the turn, to be called once. Whoever leaves waits no longer. */
  async enter(client: Client, weight = 1, leaving?: Leaving): Promise<() => void> {
    const counted = Math.min(weight, this.bounds.running);
    const isFree = this.waiting === 0 && fits(counted, this.room);
    const room = isFree ? this.room : await this.turn(client, counted, leaving);
    if (isFree) this.begin(client, counted, room);
    return () => this.end(client, counted, room);
  }

  /** The service ends: nobody waits any more. */
  refuseWaiting(): void {
    this.isOver = true;
    for (const line of [...this.lines.values()]) for (const waiter of [...line]) waiter.refuse();
  }

  private begin(client: Client, weight: number, room: Room): void {
    room.weight += weight;
    this.runningOf.set(client, (this.runningOf.get(client) ?? 0) + 1);
  }

  private end(client: Client, weight: number, room: Room): void {
    room.weight -= weight;
    const left = this.runningOf.get(client)! - 1;
    if (left === 0) this.runningOf.delete(client);
    else this.runningOf.set(client, left);
    this.startWaiting();
  }

  private turn(client: Client, weight: number, leaving: Leaving | undefined): Promise<Room> {
    if (this.isOver || leaving?.destroyed) throw this.refusal('all');
    const length = this.lines.get(client)?.size ?? 0;
    if (length >= this.bounds.waitingOfClient) throw this.refusal('client');
    if (!this.makeRoom(client, length)) throw this.refusal('all');
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void): void => {
        clearTimeout(timer);
        leaving?.off('close', waiter.refuse);
        this.remove(client, waiter);
        settle();
      };
      const waiter: Waiter = {
        weight,
        start: (room) => leave(() => resolve(room)),
        refuse: () => {
          leave(() => reject(this.refusal('all')));
          // Those behind it may be lighter.
          this.startWaiting();
        },
      };
      const timer = setTimeout(waiter.refuse, this.bounds.milliseconds).unref();
      leaving?.once('close', waiter.refuse);
      this.add(client, waiter);
      this.startWaiting();
    });
  }

  private add(client: Client, waiter: Waiter): void {
    this.lines.set(client, (this.lines.get(client) ?? new Set()).add(waiter));
    this.waiting += 1;
  }

  private remove(client: Client, waiter: Waiter): void {
    const line = this.lines.get(client)!;
    line.delete(waiter);
    if (line.size === 0) this.lines.delete(client);
    this.waiting -= 1;
  }

  /** Whether the client, of whom so many wait, may wait as well. */
  private makeRoom(client: Client, length: number): boolean {
    if (this.waiting < this.bounds.waiting) return true;
    const [worst, line] = this.extreme((a, b) => b.rank - a.rank || b.length - a.length)!;
    const gives = this.rank(worst) - this.rank(client) || line.size - (length + 1);
    if (gives > 0) [...line].at(-1)!.refuse();
    return gives > 0;
  }

  /** The room goes to those that wait, so nobody who comes later can take it in between. */
  private startWaiting(): void {
    while (this.startNext());
  }

  private startNext(): boolean {
    const next = this.nextIn(this.room, () => true) ?? this.nextIn(this.spare, (client) => !this.runningOf.has(client));
    if (!next) return false;
    const { client, line, first, room } = next;
    this.lines.delete(client);
    this.lines.set(client, line);
    this.begin(client, first.weight, room);
    first.start(room);
    return true;
  }

  /** Whoever comes first of these clients, as soon as there is room for him. */
  private nextIn(room: Room, isMeant: (client: Client) => boolean) {
    const [client, line] = this.extreme((a, b) => a.rank - b.rank, isMeant) ?? [];
    const [first] = line ?? [];
    return first && fits(first.weight, room) ? { client: client!, line: line!, first, room } : undefined;
  }

  /** The first client by this order; equals are in the order of their last turns. */
  private extreme(
    order: (a: Standing, b: Standing) => number,
    isMeant: (client: Client) => boolean = () => true,
  ): [client: Client, line: Line] | undefined {
    let best: (Standing & { entry: [Client, Line] }) | undefined;
    for (const entry of this.lines) {
      const [client, line] = entry;
      if (!isMeant(client)) continue;
      const standing = { rank: this.rank(client), length: line.size, entry };
      if (!best || order(standing, best) < 0) best = standing;
    }
    return best?.entry;
  }
}

const fits = (weight: number, room: Room): boolean => room.weight + weight <= room.bound;

interface Standing {
  readonly rank: number;
  readonly length: number;
}
