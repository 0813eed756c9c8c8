/**
 * The connections of one process to one PostgreSQL, dealt out fairly. What reads runs again once where its connection
 * broke: it changes nothing, so the caller need not know.
 */
import pg, { type PoolClient } from 'pg';
import { ApiError } from '../errors.js';
import { activity } from '../runtime/activity.js';
import type { DatabaseClient } from './client.js';
import { isBroken, isConnectionError, isStatementError } from './connection-error.js';
import { ConnectionScheduler, readiness, type Use, type Waiter } from './connection-scheduler.js';
import { busy, crowded, noteFailedConnecting } from './database-error.js';
import { askLockWaits, askStatus, type DatabaseStatus, type StatusRow, statusIn } from './database-status.js';
import { HeldCommits } from './held-commits.js';
import { LivenessMonitor } from './liveness.js';
import { type PoolOptions, poolConfig } from './pool-config.js';
import { StatementHomes } from './statement-homes.js';
import { type Crowding, type Owner, service, WaitingRoom } from './waiting-room.js';
import { askWritable, WritableAddress } from './writable-address.js';

/** What the driver's types leave out. */
interface Driver {
  readonly _clients: PoolClient[];
  /** The last is lent first. */
  readonly _idle: { readonly client: PoolClient }[];
  newClient(pending: { callback(refused: unknown): void }): void;
}

const Pool = pg.Pool as unknown as new (config: pg.PoolConfig) => pg.Pool & Driver;

type Lent = (refused: unknown, client?: PoolClient, use?: Use) => void;

/** What has been silent for longer is asked whether it is alive ahead of what it is used for. */
const trustedMs = 1000;

const defaultPlaces = 512;

/** How much an owner may use depends on how long ago others asked, and on how long its statements take. */
const lookEveryMs = 250;

/** A server may stay read-only for long, and what is connected anew plans all statements anew. */
const retireEveryMs = 1000;

export class DatabasePool extends Pool {
  /** Called when a statement is answered again, with the time for which the server was away. */
  onReconnected: ((awayMs: number) => void) | undefined;
  readonly heldCommits: HeldCommits;
  private awaySince: number | undefined;
  private readonly scheduler: ConnectionScheduler;
  private readonly waitingTimeoutMs: number;
  private readonly monitor: LivenessMonitor;
  private readonly writable: WritableAddress | undefined;
  private readonly homes = new StatementHomes<PoolClient>();
  /** Of connections to a server that takes no writes any more. */
  private readonly retired = new WeakSet<PoolClient>();
  private retiredAt = Number.NEGATIVE_INFINITY;
  /** While anybody waits. */
  private looking: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    const onUnreachable = (): void => this.noteAway();
    const monitor = new LivenessMonitor(Number(options.settings.statement_timeout ?? 0));
    const { databaseUrl } = options;
    const writable = databaseUrl === undefined ? undefined : new WritableAddress(databaseUrl);
    super({ ...poolConfig(options, writable), monitor, onUnreachable } as unknown as pg.PoolConfig);
    this.monitor = monitor;
    this.writable = writable;
    this.scheduler = new ConnectionScheduler(options.max, options.waitingRoom ?? new WaitingRoom(defaultPlaces));
    this.heldCommits = new HeldCommits(options.max);
    this.waitingTimeoutMs = options.waitingTimeoutMs ?? 5000;
    this.query = this.ask as typeof this.query;
    // An idle connection that breaks is replaced.
    this.on('error', () => undefined);
    this.on('connect', (client) => {
      if (this.isAway) this.awaitAnswer(client);
      if (options.isShared) this.watchServer(client);
      clientOf(client).verify();
      if (this.writable) this.watchWritable(client);
    });
    this.on('acquire', (client) => {
      if (clientOf(client).silentMs >= trustedMs) clientOf(client).ping();
    });
  }

  /** Reads on a connection of its own, and gives it back. In callbacks, which costs a request a few promises less. */
  read<T>(ask: (client: PoolClient, use: Use) => Promise<T>, owner: Owner = service, text = '', times = 2): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (failure: unknown): void => {
        if (times === 1 || !isBroken(failure)) reject(failure);
        // Those that broke along with it are known by then.
        else setImmediate(() => this.readAgain(ask, owner, text, times - 1).then(resolve, reject));
      };
      const lent: Lent = (refused, client, use) => {
        if (refused || !client) return fail(refused);
        ask(client, use!).then(
          (result) => {
            client.release();
            resolve(result);
          },
          (failure: unknown) => {
            use!.tells = isBroken(failure) ? 'nothing' : 'least';
            giveBack(client, failure);
            fail(failure);
          },
        );
      };
      this.lend(owner, lent, text);
    });
  }

  private readAgain<T>(...read: Parameters<typeof this.read<T>>): Promise<T> {
    activity.retries.read += 1;
    return this.read(...read);
  }

  /** The rows of one `select` of a user. */
  async rowsFor<R extends pg.QueryResultRow>(userId: number, text: string, values: unknown[]): Promise<R[]> {
    return (await this.read((client) => client.query<R>(text, values), userId, text)).rows;
  }

  /** A connection of one's own, to be released. */
  borrow(owner: Owner): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      this.lend(owner, (refused, client) => (refused || !client ? reject(refused) : resolve(client)));
    });
  }

  /** What the database answers on a connection that nothing else uses while others are busy. */
  async probe(): Promise<DatabaseStatus> {
    const { rows } = await this.read((client) => client.query<StatusRow>(askStatus), readiness);
    return statusIn(rows[0]!);
  }

  /** What runs on its connections fails at once, and each is replaced when it is needed. */
  breakConnections(reason: string): void {
    this.monitor.terminateAll(reason);
  }

  /** Statements that wait for a lock, of whatever process; asked as `probe` is. */
  async lockWaits(): Promise<number> {
    const { rows } = await this.read((client) => client.query<{ waiting: number }>(askLockWaits), readiness);
    return rows[0]!.waiting;
  }

  /** From a failure to connect to the next answer. */
  get isAway(): boolean {
    return this.awaySince !== undefined;
  }

  get connectionsInUse(): number {
    return this.scheduler.inUse;
  }

  get waitingRequests(): number {
    return this.scheduler.waiting;
  }

  /**
   * Opens one connection after the other, as long as there are fewer, and lets `prepare` use each before it is lent.
   * Nobody waits for that. Errors: those of connecting, and of `prepare`.
   */
  async openUpTo(connections: number, prepare: (client: PoolClient) => Promise<unknown>): Promise<void> {
    while (this.totalCount < connections) {
      const client = await this.another();
      if (!client) return;
      await prepare(client).finally(() => client.release());
    }
  }

  /** A connection that was not there. None where the database is away, or others use all that the service may. */
  private another(): Promise<PoolClient | undefined> {
    const use = this.writable && this.writable.current === undefined ? undefined : this.scheduler.begin(service);
    if (!use) return Promise.resolve(undefined);
    const { _idle: idle } = this;
    return new Promise((resolve, reject) => {
      const kept = idle.splice(0);
      super.connect((refused, client) => {
        if (client) this.endWithRelease(client, use);
        else this.scheduler.end(use);
        if (refused) reject(refused);
        else resolve(client);
      });
      idle.unshift(...kept);
    });
  }

  /** As the driver's; for work of the service itself. */
  override connect(): Promise<PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<PoolClient> | undefined {
    if (!callback) return this.borrow(service);
    this.lend(service, (refused, client) =>
      callback(refused as Error | undefined, client, client?.release ?? (() => {})),
    );
    return undefined;
  }

  /** For one statement, where the text is known. */
  private lend(owner: Owner, lent: Lent, text = ''): void {
    const use = this.scheduler.begin(owner, text);
    if (use) this.open(use, lent);
    else this.wait(owner, lent, text);
  }

  /** The scheduler lets nobody come here for whom there is no room in the driver's pool: nothing waits there. */
  private open(use: Use, lent: Lent): void {
    const fail = (refused: unknown): void => {
      use.tells = 'nothing';
      this.scheduler.end(use);
      noteFailedConnecting(refused);
      lent(refused);
    };
    const { writable } = this;
    const find = (): void => void writable?.find().then(() => this.connectTo(use, lent, fail), fail);
    if (writable && writable.current === undefined) find();
    // Another one may take writes by now.
    else this.connectTo(use, lent, writable?.hasSeveral ? find : fail);
  }

  private connectTo(use: Use, lent: Lent, fail: (refused: unknown) => void): void {
    this.putBestLast(use.text);
    super.connect((refused, client) => {
      if (refused || !client) return fail(refused);
      this.homes.note(client, use.text);
      this.endWithRelease(client, use);
      lent(undefined, client, use);
    });
  }

  /** A connection may fail before it is begun: files for TLS are read anew for each, and may be gone for now. */
  override newClient(pending: Parameters<Driver['newClient']>[0]): void {
    const { _clients: clients } = this;
    const { length } = clients;
    try {
      super.newClient(pending);
    } catch (refused) {
      clients.length = length;
      this.noteAway();
      process.nextTick(() => pending.callback(refused));
    }
  }

  private putBestLast(text: string): void {
    const { _idle: idle } = this;
    if (idle.length > 1) idle.push(...idle.splice(this.homes.bestOf(idle, text), 1));
  }

  /** The connection keeps this until it is lent again: it must hold nothing of what was read on it. */
  private endWithRelease(client: PoolClient, use: Use): void {
    const { release } = client;
    client.release = (broken) => {
      release(broken || this.retired.has(client));
      this.scheduler.end(use);
    };
  }

  /** A failover makes the server that a connection leads to a replica, or read-only. */
  private watchWritable(client: PoolClient): void {
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === readOnlyCode) this.retire();
    });
    if (!this.writable?.hasSeveral) return;
    clientOf(client).query<{ isWritable: boolean }>(askWritable, (error: Error | null, result: pg.QueryResult) => {
      // A server that does not tell is not asked for the next one: all are.
      if (error) this.writable?.forget();
      if (error || result.rows[0].isWritable) return;
      this.retire();
      clientOf(client).terminate('ECONNRESET', 'the server takes no writes');
    });
  }

  /** All that there are lead to the same server: those that are idle end, others once they are given back. */
  private retire(): void {
    this.writable?.forget();
    const now = performance.now();
    if (now - this.retiredAt < retireEveryMs) return;
    this.retiredAt = now;
    for (const client of this._clients) this.retired.add(client);
    this.monitor.terminateIdle('the server takes no writes');
  }

  private wait(owner: Owner, lent: Lent, text: string): void {
    const timer = setTimeout(() => {
      this.scheduler.withdraw(waiter);
      lent(this.waitedTooLong());
    }, this.waitingTimeoutMs).unref();
    const start = (use: Use): void => {
      clearTimeout(timer);
      this.open(use, lent);
    };
    const refuse = (crowding: Crowding): void => {
      clearTimeout(timer);
      lent(crowded(crowding));
    };
    const waiter: Waiter = { owner, text, start, refuse };
    const crowding = this.scheduler.wait(waiter);
    if (crowding) refuse(crowding);
    else this.looking ??= setInterval(() => this.look(), lookEveryMs).unref();
  }

  private look(): void {
    this.scheduler.startWaiting();
    if (this.scheduler.hasWaiting) return;
    clearInterval(this.looking);
    this.looking = undefined;
  }

  private waitedTooLong(): Error {
    return this.isAway ? new Error('timeout exceeded when trying to connect') : busy();
  }

  /** As the driver's, whose signature is a dozen overloads; but a `select` is read. */
  private ask(asked: string | pg.QueryConfig, ...rest: never[]): unknown {
    const text = typeof asked === 'string' ? asked : asked.text;
    const isPromised = typeof rest.at(-1) !== 'function';
    // No function whose effect must not come twice is called from here.
    if (!isPromised || !/^\s*select\b/i.test(text)) return super.query(asked, ...rest);
    return this.read((client) => client.query(asked, ...rest));
  }

  /** A pooler can be connected to while its server is away. */
  private watchServer({ connection }: PoolClient): void {
    connection.on('errorMessage', ({ code = '' }: { code?: string }) => {
      if (isConnectionError(code)) this.noteAway();
    });
  }

  private noteAway(): void {
    if (this.isAway) return;
    this.awaySince = performance.now();
    for (const client of this._clients) this.awaitAnswer(client);
  }

  private awaitAnswer({ connection }: PoolClient): void {
    connection.once('commandComplete', this.noteAnswer);
  }

  private readonly noteAnswer = (): void => {
    if (this.awaySince === undefined) return;
    this.onReconnected?.(performance.now() - this.awaySince);
    this.awaySince = undefined;
    for (const { connection } of this._clients) connection.off('commandComplete', this.noteAnswer);
  };
}

/** As PostgreSQL refuses writes of a replica, and of a transaction that may only read. */
const readOnlyCode = '25006';

/** A connection that failed for another reason than its statement is not used again. */
function giveBack(client: PoolClient, failure: unknown): void {
  if (failure instanceof ApiError)
    void clientOf(client)
      .drain()
      .then((isUsable) => client.release(!isUsable));
  else client.release(!isStatementError(failure));
}

const clientOf = (client: PoolClient): DatabaseClient => client as unknown as DatabaseClient;
