/**
 * Runs a few costly tasks at once. The rest wait, bounded in number and time, and clients have turns: first whoever ranks lowest, of
 * equals whoever had no turn for longest. A full queue refuses the last task of the client that ranks highest.
 */
import type { ApiError } from '../errors.js';

export interface FairBounds {
  readonly running: number;
  /** Of all clients, and of one. */
  readonly waiting: number;
  readonly waitingOfClient: number;
  readonly milliseconds: number;
}

interface Waiter {
  start(): void;
  refuse(): void;
}

type Line = Set<Waiter>;

export class FairQueue {
  private running = 0;
  private waiting = 0;
  /** By client; whoever had a turn just now comes last. */
  private readonly lines = new Map<string, Line>();

  constructor(
    private readonly bounds: FairBounds,
    private readonly rank: (client: string) => number,
    private readonly refusal: () => ApiError,
  ) {}

  async run<T>(client: string, task: () => Promise<T>): Promise<T> {
    if (this.running < this.bounds.running) this.running += 1;
    else await this.turn(client);
    try {
      return await task();
    } finally {
      this.pass();
    }
  }

  private turn(client: string): Promise<void> {
    const line = this.lines.get(client) ?? new Set();
    if (line.size >= this.bounds.waitingOfClient || !this.makeRoom(client, line.size)) throw this.refusal();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => this.leave(client, waiter, timer, resolve),
        refuse: () => this.leave(client, waiter, timer, () => reject(this.refusal())),
      };
      const timer = setTimeout(waiter.refuse, this.bounds.milliseconds).unref();
      this.lines.set(client, line.add(waiter));
      this.waiting += 1;
    });
  }

  private leave(client: string, waiter: Waiter, timer: NodeJS.Timeout, end: () => void): void {
    clearTimeout(timer);
    const line = this.lines.get(client)!;
    line.delete(waiter);
    if (line.size === 0) this.lines.delete(client);
    this.waiting -= 1;
    end();
  }

  /** Whether the client, of whom so many wait, may wait as well. */
  private makeRoom(client: string, length: number): boolean {
    if (this.waiting < this.bounds.waiting) return true;
    const [worst, line] = this.extreme((a, b) => b.rank - a.rank || b.length - a.length)!;
    const gives = this.rank(worst) - this.rank(client) || line.size - (length + 1);
    if (gives > 0) [...line].at(-1)!.refuse();
    return gives > 0;
  }

  /** The place goes to one that waits, so nobody who comes later can take it in between. */
  private pass(): void {
    const next = this.extreme((a, b) => a.rank - b.rank);
    if (!next) {
      this.running -= 1;
      return;
    }
    const [client, line] = next;
    this.lines.delete(client);
    this.lines.set(client, line);
    const [first] = line;
    first!.start();
  }

  /** The first client by this order; equals are in the order of their last turns. */
  private extreme(order: (a: Standing, b: Standing) => number): [client: string, line: Line] | undefined {
    let best: (Standing & { entry: [string, Line] }) | undefined;
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
