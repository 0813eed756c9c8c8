/**
 * The connections of one process to one PostgreSQL. What reads runs again once where its connection broke: it changes nothing, so
 * the caller need not know.
 */
import pg, { type PoolClient } from 'pg';
import { BatchingSocket } from './batching-socket.js';
import { type ClientOptions, DatabaseClient } from './client.js';
import { isCutOff } from './database-error.js';
import { LivenessMonitor } from './liveness.js';
import type { SessionSettings } from './session.js';
import { SharedClient } from './shared-client.js';

export interface PoolOptions {
  readonly connectionString: string;
  readonly settings: SessionSettings;
  /** Whether a pooler may lend its connections to others, too. */
  readonly isShared?: boolean;
  readonly max: number;
}

/** What has been silent for longer is asked whether it is alive ahead of what it is used for. */
const trustedMs = 1000;

export class DatabasePool extends pg.Pool {
  /** Called when it connects again, with the time for which it could not. */
  onReconnected: ((awayMs: number) => void) | undefined;
  private awaySince: number | undefined;

  constructor(options: PoolOptions) {
    const onConnecting = (isConnected: boolean): void => this.noteConnecting(isConnected);
    super({ ...poolConfig(options), onConnecting } as unknown as pg.PoolConfig);
    this.query = this.ask as typeof this.query;
    // An idle connection that breaks is replaced.
    this.on('error', () => undefined);
    this.on('connect', (client) => clientOf(client).verify());
    this.on('acquire', (client) => {
      if (clientOf(client).silentMs >= trustedMs) clientOf(client).ping();
    });
  }

  /** Reads on a connection of its own, and gives it back. In callbacks, which costs a request a few promises less. */
  read<T>(use: (client: PoolClient) => Promise<T>, times = 2): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (failure: unknown): void => {
        if (times === 1 || !isBroken(failure)) reject(failure);
        // Those that broke along with it are known by then.
        else setImmediate(() => this.read(use, times - 1).then(resolve, reject));
      };
      this.connect((refused, client, release) => {
        if (refused || !client) return fail(refused);
        use(client).then(
          (result) => {
            release();
            resolve(result);
          },
          (failure: unknown) => {
            // A connection that failed for another reason than its statement is not used again.
            release(!isStatementError(failure));
            fail(failure);
          },
        );
      });
    });
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

const poolConfig = ({ isShared, ...options }: PoolOptions): Omit<pg.PoolConfig, 'Client'> & ClientOptions => ({
  ...options,
  ...{ Client: isShared ? SharedClient : DatabaseClient },
  monitor: new LivenessMonitor(Number(options.settings.statement_timeout ?? 0)),
  // Of those who wait for a connection.
  connectionTimeoutMillis: 5000,
  // Kept: what was prepared on a connection is gone with it, and a timer at every release is not free.
  idleTimeoutMillis: 0,
  // Statements that do not wait for one another travel together.
  pipeline: true,
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

const clientOf = (client: PoolClient): DatabaseClient => client as unknown as DatabaseClient;
