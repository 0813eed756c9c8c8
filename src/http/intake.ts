/**
 * Bounds what one turn of the event loop takes in. Node reads every connection that has something to read, and makes
 * all requests that it finds there, some 600 in 64 KiB, before anything else goes on. Once a turn has taken in requests
 * for some milliseconds, the other connections are read in the next one, those first that brought nothing for longest.
 */
import type { Socket } from 'node:net';

/** The time of one turn of the event loop in which requests are taken in. */
const milliseconds = 8;

/** What Node's types leave out. */
interface Handled {
  readonly _handle: { readonly reading: boolean; readStop(): void; readStart(): void } | null;
}

export class Intake {
  /** When the turn began to take in requests; 0 where it has not. */
  private since = 0;
  private isStopped = false;
  private stopped: Socket[] = [];

  /** `connections` come in the order in which they are read. */
  constructor(private readonly connections: () => Iterable<Socket>) {}

  /** Milliseconds. */
  now = (): number => performance.now();

  /** A request has come. */
  note(): void {
    const now = this.now();
    if (this.since === 0) this.begin(now);
    else if (!this.isStopped && now - this.since >= milliseconds) this.stop();
  }

  private begin(now: number): void {
    this.since = now;
    setImmediate(() => this.end());
  }

  private stop(): void {
    this.isStopped = true;
    for (const socket of this.connections()) {
      const { _handle: handle } = socket as unknown as Handled;
      if (!handle?.reading) continue;
      handle.readStop();
      this.stopped.push(socket);
    }
  }

  /** Those that were paused meanwhile, or are closed, are not read on. */
  private end(): void {
    this.since = 0;
    this.isStopped = false;
    for (const socket of this.stopped) {
      const { _handle: handle } = socket as unknown as Handled;
      if (handle?.reading) handle.readStart();
    }
    this.stopped = [];
  }
}
