/**
 * The replicas of the primary. Reads that say what they must see run on one that has replayed it; all others, and those
 * for which no replica serves, on the primary. Replicas that are late, paused or gone are left, and come back by
 * themselves.
 */
import type { PoolClient } from 'pg';
import { isBroken } from '../connection-error.js';
import type { Use as ConnectionUse } from '../connection-scheduler.js';
import type { DatabaseStatus } from '../database-status.js';
import type { DatabasePool } from '../pool.js';
import type { Owner } from '../waiting-room.js';
import { hasReplayed, laterOf, parsePosition, type WalPosition, walStart } from '../wal-position.js';
import { isAway } from '../when-reachable.js';
import { PrimaryHistory } from './lag.js';
import { mayRunElsewhere } from './may-run-elsewhere.js';
import { askEveryMs, WatchedServer } from './watched-server.js';

type Use<T> = (client: PoolClient) => Promise<T>;

/** As it was when all were asked last. */
export interface ReplicaState {
  readonly isAway: boolean;
  /** It holds another database than the primary. */
  readonly isOfAnother: boolean;
  /** Infinity: longer than replicas may be late, or it goes a way of its own. */
  readonly lagMs: number;
}

/** A replica this late hardly replays what was written a moment ago. */
const closeMs = 300;

/**
 * What was acknowledged so long before the primary was lost has reached the replicas that it waits for. Accounts may be
 * as old.
 */
const acknowledgedMs = 1000;

/** What is wanted of a replica: a place in the log, or whatever the primary has acknowledged. */
type Wanted = WalPosition | 'all that is acknowledged';

interface Serving {
  readonly server: WatchedServer;
  /** When both were asked last. It stays the primary when it starts again, though DATABASE_URL leads nowhere yet. */
  wasPrimary: boolean;
  /** Where the primary was when it was first seen that every commit waits for this one. */
  appliesAllSince?: WalPosition;
  /** On each of its connections, which a balancer may lead to different servers. */
  readonly replayed: WeakMap<PoolClient, WalPosition>;
}

export class Replicas {
  /**
   * Reads that ran on a replica, on the primary for want of one, and those of which the replica had not replayed
   * enough.
   */
  readonly reads = { replica: 0, primary: 0, behind: 0 };
  /** Called once one is left, counted from 1, until it serves again. */
  onLeft: ((replica: number, cause: string) => void) | undefined;
  private readonly watchedPrimary: WatchedServer;
  private readonly serving: readonly Serving[];
  private readonly history: PrimaryHistory;
  /** The one that was the primary last. */
  private primaryStartedAt: string | undefined;
  private readonly left = new Set<WatchedServer>();
  private timer: NodeJS.Timeout | undefined;
  private turn = 0;

  constructor(
    readonly primary: DatabasePool,
    readonly pools: readonly DatabasePool[],
    private readonly maxLagMs: number,
  ) {
    this.watchedPrimary = new WatchedServer(primary, false);
    this.serving = pools.map((pool) => ({
      server: new WatchedServer(pool, true),
      wasPrimary: false,
      replayed: new WeakMap(),
    }));
    this.history = new PrimaryHistory(maxLagMs);
  }

  get areThere(): boolean {
    return this.pools.length > 0;
  }

  watch(): void {
    if (this.areThere) this.timer ??= setInterval(() => this.askAll(), askEveryMs).unref();
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.pools.map((pool) => pool.end()));
  }

  /** As it was when it was asked last. Undefined: it is away. `unasked` before that, and without replicas. */
  get primaryStatus(): DatabaseStatus | 'unasked' | undefined {
    return this.watchedPrimary.wasAsked ? this.watchedPrimary.status : 'unasked';
  }

  get isPrimaryAway(): boolean {
    const { status } = this.watchedPrimary;
    return status === undefined || status.isReplica;
  }

  get states(): ReplicaState[] {
    return this.serving.map((one) => {
      const { server } = one;
      const { status } = server;
      const isOfAnother = this.isOfAnother(server);
      const isOnItsWay = status && !isOfAnother && !this.goesItsOwnWay(status, one);
      const lagMs = isOnItsWay ? this.history.lagOf(status.position) : Number.POSITIVE_INFINITY;
      const isAway = status === undefined;
      return { isAway, isOfAnother, lagMs: lagMs <= this.maxLagMs ? lagMs : Number.POSITIVE_INFINITY };
    });
  }

  /** Whether every commit waits for one of them, so that it may serve whoever cannot tell what he has written. */
  get haveOneThatAppliesAll(): boolean {
    return this.serving.some((one) => placeOf('all that is acknowledged', one) !== undefined);
  }

  /** On a replica that has replayed what is wanted, else on the primary. */
  async read<T>(wanted: Wanted, use: Use<T>, owner: Owner, text = '', least: WalPosition = walStart): Promise<T> {
    const tried = new Set<Serving>();
    for (let one = this.choose(wanted, tried); one; one = this.choose(wanted, tried)) {
      tried.add(one);
      const result = await this.readFrom(one, laterOf(least, placeOf(wanted, one)!), use, owner, text);
      if (result !== nothing) return result;
    }
    this.reads.primary += 1;
    return this.primary.read(use, owner, text);
  }

  /**
   * For what the service itself must know of callers: from the primary. While that is away nobody changes it, and a
   * replica tells it that has replayed what the primary had a moment before: the very end of the log may have reached
   * nobody, and was acknowledged to nobody then.
   */
  async readForService<T>(use: Use<T>, owner: Owner): Promise<T> {
    const wanted = this.history.before(acknowledgedMs) ?? walStart;
    const fallBack = (): Promise<T> => this.read(wanted, use, owner);
    if (!this.areThere) return this.primary.read(use, owner);
    if (this.isPrimaryAway && this.choose(wanted, new Set())) return fallBack();
    try {
      const result = await this.beforePrimaryIsAway(this.primary.read(use, owner));
      return result === nothing ? fallBack() : result;
    } catch (error) {
      if (!isAway(error) && !isBroken(error)) throw error;
      this.watchedPrimary.suspect();
      return fallBack();
    }
  }

  /** Nobody waits for what a primary was asked that answers nothing any more. */
  private async beforePrimaryIsAway<T>(reading: Promise<T>): Promise<T | typeof nothing> {
    let takeBack = (): void => undefined;
    const away = new Promise<typeof nothing>((resolve) => {
      takeBack = this.watchedPrimary.onceAway(() => resolve(nothing));
    });
    try {
      return await Promise.race([reading, away]);
    } finally {
      takeBack();
      reading.catch(() => undefined);
    }
  }

  private askAll(): void {
    void this.watchedPrimary.ask().then((status) => {
      if (status && !status.isReplica) this.notePrimary(status);
      this.noteThoseThatApplyAll();
    });
    for (const [at, one] of this.serving.entries())
      void one.server.ask().then((status) => {
        if (status && status.startedAt === this.primaryStartedAt) one.wasPrimary = true;
        this.tellWhenLeft(one.server, at + 1);
      });
  }

  private notePrimary({ position, startedAt }: DatabaseStatus): void {
    this.history.note(position, performance.now());
    const isSame = startedAt === this.primaryStartedAt;
    this.primaryStartedAt = startedAt;
    for (const one of this.serving) {
      const { status } = one.server;
      one.wasPrimary = status ? status.startedAt === startedAt : one.wasPrimary && isSame;
    }
  }

  private tellWhenLeft(server: WatchedServer, replica: number): void {
    if (server.pool.ending) return;
    const cause = this.isOfAnother(server) ? 'It holds another database than the primary.' : messageOf(server.failure);
    if (cause === undefined) this.left.delete(server);
    else if (!this.left.has(server)) {
      this.left.add(server);
      this.onLeft?.(replica, cause);
    }
  }

  /** False as long as a server has not been asked. */
  private isOfAnother({ database }: WatchedServer): boolean {
    const { database: own } = this.watchedPrimary;
    return database !== undefined && own !== undefined && database !== own;
  }

  private noteThoseThatApplyAll(): void {
    const { status } = this.watchedPrimary;
    const names = this.serving.map(({ server }) => server.status?.standbyName);
    for (const [at, one] of this.serving.entries()) {
      const name = names[at];
      // One of two that say so may follow another standby.
      const isOnly = name !== undefined && names.indexOf(name) === names.lastIndexOf(name);
      const isWaitedFor = isOnly && status?.appliedBy.includes(name);
      one.appliesAllSince = isWaitedFor ? (one.appliesAllSince ?? status!.position) : undefined;
    }
  }

  /** One that may have replayed it, in turns. */
  private choose(wanted: Wanted, tried: ReadonlySet<Serving>): Serving | undefined {
    this.turn += 1;
    for (let at = 0; at < this.serving.length; at += 1) {
      const one = this.serving[(this.turn + at) % this.serving.length]!;
      const place = placeOf(wanted, one);
      if (place && !tried.has(one) && this.mayServe(one, place)) return one;
    }
    return undefined;
  }

  private mayServe(one: Serving, wanted: WalPosition): boolean {
    const { server } = one;
    const { status } = server;
    const { latest } = this.history;
    if (!status || !latest || status.position.timeline < wanted.timeline) return false;
    if (this.isOfAnother(server) || this.goesItsOwnWay(status, one)) return false;
    const lagMs = this.history.lagOf(status.position);
    return lagMs <= this.maxLagMs && (lagMs <= closeMs || hasReplayed(status.position, wanted));
  }

  /** Promoted beside the primary; or on its timeline, and started on a copy of its files. */
  private goesItsOwnWay({ position, isReplica, startedAt }: DatabaseStatus, { wasPrimary }: Serving): boolean {
    const { latest } = this.history;
    if (latest === undefined) return false;
    if (position.timeline > latest.timeline) return !this.isPrimaryAway;
    return !isReplica && !wasPrimary && startedAt !== this.primaryStartedAt;
  }

  private async readFrom<T>(
    one: Serving,
    wanted: WalPosition,
    use: Use<T>,
    owner: Owner,
    text: string,
  ): Promise<T | typeof nothing> {
    const { pool } = one.server;
    const { timeline } = one.server.status?.position ?? walStart;
    const useFresh = async (client: PoolClient, lent: ConnectionUse): Promise<T | typeof nothing> => {
      if (await hasReplayedOn(client, one, { ...wanted, timeline })) return use(client);
      lent.tells = 'nothing';
      return nothing;
    };
    try {
      const result = await pool.read(useFresh, owner, text, 1);
      this.reads[result === nothing ? 'behind' : 'replica'] += 1;
      return result;
    } catch (error) {
      if (!mayRunElsewhere(error)) throw error;
      return nothing;
    }
  }
}

const messageOf = (failure: unknown): string | undefined => (failure instanceof Error ? failure.message : undefined);

const nothing = Symbol('not read');

/** Undefined: it cannot be sure to have it. */
const placeOf = (wanted: Wanted, { appliesAllSince }: Serving): WalPosition | undefined =>
  typeof wanted === 'string' ? appliesAllSince : wanted;

/**
 * What was replayed stays replayed. Behind a pooler the next statement may run on another connection, of the same
 * server.
 */
async function hasReplayedOn(client: PoolClient, { replayed }: Serving, wanted: WalPosition): Promise<boolean> {
  const earlier = replayed.get(client);
  if (earlier && hasReplayed(earlier, wanted)) return true;
  const { rows } = await client.query<{ lsn: string }>(askReplayed);
  const position = parsePosition(`${wanted.timeline.toString(16)}-${rows[0]!.lsn}`);
  if (position) replayed.set(client, position);
  return position !== undefined && hasReplayed(position, wanted);
}

const askReplayed = `select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end)::text as lsn`;
