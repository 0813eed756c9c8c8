/**
 * A server of the cluster, asked ten times a second where it is. One that owes an answer for longer is away, and what
 * runs on its connections fails, so that it runs elsewhere: a network that swallows what is sent tells nobody.
 */

import type { DatabaseStatus } from '../database-status.js';
import type { DatabasePool } from '../pool.js';
import { walStart } from '../wal-position.js';

export const askEveryMs = 100;

/**
 * So often it may be found to owe an answer when it is to be asked again. Counted and not measured, so that a process
 * that was busy or stopped itself first reads what has arrived.
 */
const mostOwed = 7;

export class WatchedServer {
  /** What it answered last. Undefined: it could not be asked. */
  private answered: DatabaseStatus | undefined;
  private isAsked = false;
  private owed = 0;
  private isCut = false;
  /** What it failed with when it was asked last. */
  failure: unknown;
  /** Which one it is, also while it is away. Undefined: it has not answered yet. */
  database: string | undefined;
  /** An answer, or none, is there. */
  wasAsked = false;
  private latest = walStart;
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly pool: DatabasePool,
    /** Whether its connections are broken when it is silent. */
    private readonly breaks: boolean,
  ) {}

  /** Undefined while it is away. */
  get status(): DatabaseStatus | undefined {
    return this.isSilent ? undefined : this.answered;
  }

  /** Calls once when it is found to be away, unless it is taken back by what this gives. */
  onceAway(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Of a server whose connections fail, before it is asked again. */
  suspect(): void {
    this.answered = undefined;
  }

  /** Not while an answer is on its way. Gives a status that is new. */
  async ask(): Promise<DatabaseStatus | undefined> {
    if (this.isAsked) {
      this.owed += 1;
      this.breakWhenSilent();
      return undefined;
    }
    this.isAsked = true;
    this.isCut = false;
    const [answered, failure] = await this.pool.probe().then(
      (status) => [status, undefined] as const,
      (error: unknown) => [undefined, error] as const,
    );
    this.failure = failure;
    this.isAsked = false;
    this.owed = 0;
    this.wasAsked = true;
    this.answered = answered && this.withTimeline(answered);
    this.database = answered?.database ?? this.database;
    if (!this.answered) this.tellAway();
    return this.answered;
  }

  private get isSilent(): boolean {
    return this.owed >= mostOwed;
  }

  /** A replica whose primary is gone tells the timeline of its last checkpoint; it has not gone back to that. */
  private withTimeline(status: DatabaseStatus): DatabaseStatus {
    const { position } = status;
    const { timeline, lsn } = this.latest;
    this.latest = position.lsn < lsn ? position : { ...position, timeline: Math.max(timeline, position.timeline) };
    return { ...status, position: this.latest };
  }

  private breakWhenSilent(): void {
    if (!this.isSilent) return;
    this.tellAway();
    if (!this.breaks || this.isCut) return;
    this.isCut = true;
    this.pool.breakConnections('the server does not answer');
  }

  private tellAway(): void {
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }
}
