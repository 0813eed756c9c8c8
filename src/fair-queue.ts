/**
 * Runs a few costly tasks at once. The rest wait, bounded in number and time, and clients have turns: first whoever ranks lowest, of
 * equals whoever had no turn for longest. A full queue refuses the last task of the client that ranks highest, of equals that has most.
 */
import type { ApiError } from './errors.js';

export interface FairBounds {
  /** The weight of all tasks that run at once; a heavier one runs alone. */
  readonly running: number;
  /** Of all clients, and of one. */
  readonly waiting: number;
  readonly waitingOfClient: number;
  readonly milliseconds: number;
}

/** The connection of a client. */
export interface Leaving {
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

interface Waiter {
  readonly weight: number;
  start(): void;
  refuse(): void;
}

type Line = Set<Waiter>;

export class FairQueue<Client extends string | number> {
  /** Tasks, and their weight. */
  private running = 0;
  private weight = 0;
  private waiting = 0;
  /** By client; whoever had a turn just now comes last. */
  private readonly lines = new Map<Client, Line>();

  constructor(
    private readonly bounds: FairBounds,
    private readonly refusal: () => ApiError,
    private readonly rank: (client: Client) => number = () => 0,
  ) {}

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
    if (this.waiting > 0 || !this.hasRoomFor(weight)) await this.turn(client, weight, leaving);
    else this.begin(weight);
    return () => this.end(weight);
  }

  private hasRoomFor(weight: number): boolean {
    return this.running === 0 || this.weight + weight <= this.bounds.running;
  }

  private begin(weight: number): void {
    this.running += 1;
    this.weight += weight;
  }

  private end(weight: number): void {
    this.running -= 1;
    this.weight -= weight;
    this.startWaiting();
  }

  private turn(client: Client, weight: number, leaving: Leaving | undefined): Promise<void> {
    const length = this.lines.get(client)?.size ?? 0;
    if (length >= this.bounds.waitingOfClient || !this.makeRoom(client, length)) throw this.refusal();
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void): void => {
        clearTimeout(timer);
        leaving?.off('close', waiter.refuse);
        this.remove(client, waiter);
        settle();
      };
      const waiter: Waiter = {
        weight,
        start: () => leave(resolve),
        refuse: () => {
          leave(() => reject(this.refusal()));
          // Those behind it may be lighter.
          this.startWaiting();
        },
      };
      const timer = setTimeout(waiter.refuse, this.bounds.milliseconds).unref();
      leaving?.once('close', waiter.refuse);
      this.add(client, waiter);
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
    const next = this.extreme((a, b) => a.rank - b.rank);
    if (!next) return false;
    const [client, line] = next;
    const [first] = line;
    if (!this.hasRoomFor(first!.weight)) return false;
    this.lines.delete(client);
    this.lines.set(client, line);
    this.begin(first!.weight);
    first!.start();
    return true;
  }

  /** The first client by this order; equals are in the order of their last turns. */
  private extreme(order: (a: Standing, b: Standing) => number): [client: Client, line: Line] | undefined {
    let best: (Standing & { entry: [Client, Line] }) | undefined;
    for (const entry of this.lines) {
      const [client, line] = entry;
      const standing = { rank: this.rank(client), length: line.size, entry };
      if (!best || order(standing, best) < 0) best = standing;
    }
    return best?.entry;
  }
}

interface Standing {
  readonly rank: number;
  readonly length: number;
}
