/**
 * The connections of one process to one PostgreSQL, dealt out fairly. What reads runs again once where its connection broke: it
 * changes nothing, so the caller need not know.
 */
import pg, { type PoolClient } from 'pg';
import { activity } from '../activity.js';
import { ApiError } from '../errors.js';
import { BatchingSocket } from './batching-socket.js';
import { type ClientOptions, DatabaseClient } from './client.js';
import { ConnectionScheduler, mostConnections, readiness, type Use, type Waiter } from './connection-scheduler.js';
import { busy, crowded, isCutOff } from './database-error.js';
import { LivenessMonitor } from './liveness.js';
import type { SessionSettings } from './session.js';
import { SharedClient } from './shared-client.js';
import { type Crowding, type Owner, service, WaitingRoom } from './waiting-room.js';

export interface PoolOptions {
  readonly connectionString: string;
  readonly settings: SessionSettings;
  /** Whether a pooler may lend its connections to others, too. */
  readonly isShared?: boolean;
  /** Connections that one user may use. There are a few more, for others and for the service itself. */
  readonly max: number;
  /** Where those are counted that wait; of all pools of the process. */
  readonly waitingRoom?: WaitingRoom;
  /** How long anybody waits for a connection. */
  readonly waitingTimeoutMs?: number;
  /** False: statements travel one by one, as copying rows needs. */
  readonly pipeline?: boolean;
}

export interface DatabaseStatus {
  /** It takes no writes: a replica, or set so. */
  readonly isReadOnly: boolean;
  /** How far a replica is behind. */
  readonly lagSeconds: number;
}

/** A replica that has replayed all that came is not late, as long as something would come. */
const askStatus = `select current_setting('transaction_read_only')::boolean as "isReadOnly",
  case when not pg_is_in_recovery() then 0
    when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then 0
    else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)
  end::float8 as "lagSeconds"`;

type Lent = (refused: unknown, client?: PoolClient) => void;

/** What has been silent for longer is asked whether it is alive ahead of what it is used for. */
const trustedMs = 1000;

const defaultPlaces = 512;

/** How much an owner may use depends on how long ago others asked, and on how long its statements take. */
const lookEveryMs = 250;

export class DatabasePool extends pg.Pool {
  /** Called when it connects again, with the time for which it could not. */
  onReconnected: ((awayMs: number) => void) | undefined;
  private awaySince: number | undefined;
  private readonly scheduler: ConnectionScheduler;
  private readonly waitingTimeoutMs: number;
  /** While anybody waits. */
  private looking: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    const onConnecting = (isConnected: boolean): void => this.noteConnecting(isConnected);
    super({ ...poolConfig(options), onConnecting } as unknown as pg.PoolConfig);
    this.scheduler = new ConnectionScheduler(options.max, options.waitingRoom ?? new WaitingRoom(defaultPlaces));
    this.waitingTimeoutMs = options.waitingTimeoutMs ?? 5000;
    this.query = this.ask as typeof this.query;
    // An idle connection that breaks is replaced.
    this.on('error', () => undefined);
    this.on('connect', (client) => clientOf(client).verify());
    this.on('acquire', (client) => {
      if (clientOf(client).silentMs >= trustedMs) clientOf(client).ping();
    });
  }

  /** Reads on a connection of its own, and gives it back. In callbacks, which costs a request a few promises less. */
  read<T>(use: (client: PoolClient) => Promise<T>, owner: Owner = service, bytes = 0, times = 2): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (failure: unknown): void => {
        if (times === 1 || !isBroken(failure)) reject(failure);
        // Those that broke along with it are known by then.
        else setImmediate(() => this.readAgain(use, owner, bytes, times - 1).then(resolve, reject));
      };
      const lent: Lent = (refused, client) => {
        if (refused || !client) return fail(refused);
        use(client).then(
          (result) => {
            client.release();
            resolve(result);
          },
          (failure: unknown) => {
            giveBack(client, failure);
            fail(failure);
          },
        );
      };
      this.lend(owner, lent, bytes);
    });
  }

  private readAgain<T>(...read: Parameters<typeof this.read<T>>): Promise<T> {
    activity.retries.read += 1;
    return this.read(...read);
  }

  /** The rows of one `select` of a user. */
  async rowsFor<R extends pg.QueryResultRow>(userId: number, text: string, values: unknown[]): Promise<R[]> {
    return (await this.read((client) => client.query<R>(text, values), userId, text.length)).rows;
  }

  /** A connection of one's own, to be released. */
  borrow(owner: Owner): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      this.lend(owner, (refused, client) => (refused || !client ? reject(refused) : resolve(client)));
    });
  }

  /** What the database answers on a connection that nothing else uses while others are busy. */
  async probe(): Promise<DatabaseStatus> {
    const { rows } = await this.read((client) => client.query<DatabaseStatus>(askStatus), readiness);
    return rows[0]!;
  }

  get connectionsInUse(): number {
    return this.scheduler.inUse;
  }

  get waitingRequests(): number {
    return this.scheduler.waiting;
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

  /** For a statement of so many bytes. */
  private lend(owner: Owner, lent: Lent, bytes = 0): void {
    const use = this.scheduler.begin(owner, bytes);
    if (use) this.open(use, lent);
    else this.wait(owner, lent, bytes);
  }

  /** The scheduler lets nobody come here for whom there is no room in the driver's pool: nothing waits there. */
  private open(use: Use, lent: Lent): void {
    super.connect((refused, client) => {
      if (refused || !client) {
        this.scheduler.end(use);
        return lent(refused);
      }
      this.endWithRelease(client, use);
      lent(undefined, client);
    });
  }

  /** The connection keeps this until it is lent again: it must hold nothing of what was read on it. */
  private endWithRelease(client: PoolClient, use: Use): void {
    const { release } = client;
    client.release = (broken) => {
      release(broken);
      this.scheduler.end(use);
    };
  }

  private wait(owner: Owner, lent: Lent, bytes: number): void {
    const timer = setTimeout(() => {
      this.scheduler.withdraw(waiter);
      lent(this.waitedTooLong());
    }, this.waitingTimeoutMs).unref();
    const start = (use: Use): void => {
      clearTimeout(timer);
      this.open(use, lent);
    };
    const refuse = (crowding: Crowding = 'owner'): void => {
      clearTimeout(timer);
      lent(crowded(crowding));
    };
    const waiter: Waiter = { owner, bytes, start, refuse };
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
    return this.awaySince === undefined ? busy() : new Error('timeout exceeded when trying to connect');
  }

  /** As the driver's, whose signature is a dozen overloads; but a `select` is read. */
  private ask(asked: string | pg.QueryConfig, ...rest: never[]): unknown {
    const text = typeof asked === 'string' ? asked : asked.text;
    const isPromised = typeof rest.at(-1) !== 'function';
    // No function whose effect must not come twice is called from here.
    if (!isPromised || !/^\s*select\b/i.test(text)) return super.query(asked, ...rest);
    return this.read((client) => client.query(asked, ...rest));
  }

  private noteConnecting(isConnected: boolean): void {
    if (!isConnected) {
      this.awaySince ??= performance.now();
    } else if (this.awaySince !== undefined) {
      this.onReconnected?.(performance.now() - this.awaySince);
      this.awaySince = undefined;
    }
  }
}

const poolConfig = ({
  isShared,
  pipeline = true,
  ...options
}: PoolOptions): Omit<pg.PoolConfig, 'Client'> & ClientOptions => ({
  ...options,
  max: mostConnections(options.max),
  ...{ Client: isShared ? SharedClient : DatabaseClient },
  monitor: new LivenessMonitor(Number(options.settings.statement_timeout ?? 0)),
  // Nobody waits in the driver's pool, and the monitor ends what takes too long to connect.
  connectionTimeoutMillis: 0,
  // Kept: what was prepared on a connection is gone with it, and a timer at every release is not free.
  idleTimeoutMillis: 0,
  // Statements that do not wait for one another travel together.
  pipeline,
  stream: () => new BatchingSocket(),
});

/** Of 08 are what poolers say when they have lost the server. */
const isConnectionError = (code: string): boolean => code.startsWith('08');

/** The connection is lost, and not after a long silence: what changes nothing may be asked again at once. */
function isBroken(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (isCutOff(error) || (typeof code === 'string' && isConnectionError(code))) && !/timeout/.test(String(error));
}

/** An error with an SQLSTATE that leaves the connection usable. */
function isStatementError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !isConnectionError(code) && !isCutOff(error);
}

/** A connection that failed for another reason than its statement is not used again. */
function giveBack(client: PoolClient, failure: unknown): void {
  if (failure instanceof ApiError)
    void clientOf(client)
      .drain()
      .then((isUsable) => client.release(!isUsable));
  else client.release(!isStatementError(failure));
}

const clientOf = (client: PoolClient): DatabaseClient => client as unknown as DatabaseClient;
