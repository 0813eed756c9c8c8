/**
 * The connection of one transaction, watched message by message. Statements that may write or lock are held back until
 * the server has answered that the transaction is open. None is sent once an answer says that it is not open any more,
 * or that one of its statements failed. So nothing takes effect outside of the transaction.
 */
import type { PoolClient, QueryResult, Submittable } from 'pg';
import type { DatabasePool } from './pool.js';
import { setUpVersion } from './set-up-version.js';
import { warning } from './transaction-outcome.js';
import { timelineOfPrimary } from './wal-position.js';

type Phase = 'beginning' | 'open' | 'attempting' | 'committing' | 'over';

/** Who writes, and by which request: every change is recorded with it. */
export interface Author {
  readonly userId: number;
  readonly requestId: string;
  /** Milliseconds that a statement waits for a lock, where that is less than in other transactions. */
  readonly lockTimeoutMs?: number;
}

/**
 * One message: where `begin` fails, nothing else of it is carried out. The id tells later what became of the
 * transaction. What is written into the text is a number and an id that the service has made. The time is rounded as
 * where the database stores it.
 */
const begin = ({
  userId,
  requestId,
  lockTimeoutMs,
}: Author): string => `begin isolation level read committed; select pg_current_xact_id() as id, ${timelineOfPrimary} as timeline,
  (extract(epoch from now()::timestamptz(3)) * 1000)::float8 as milliseconds, ${setUpVersion} as "setUp",
  set_config('worktrack.author', '${Number(userId)}', true), set_config('worktrack.request', '${requestId.replace(/[^\w.:-]/g, '')}', true)${lockTimeoutMs === undefined ? '' : `, set_config('lock_timeout', '${Number(lockTimeoutMs)}', true)`}`;

/** SQLSTATE; `commit` outside of a transaction succeeds with this as a warning. */
const noTransaction = '25P01';

export class TransactionConnection {
  /** For every statement that may write or lock. */
  readonly writing: PoolClient;
  /** For statements that change and lock nothing: they travel along with `begin` and `commit`. */
  readonly reading: PoolClient;
  /** Settled when the server has answered whether the transaction is open. */
  readonly begun: Promise<void>;
  /** PostgreSQL's id of the transaction; empty until it is open. */
  id = '';
  /** Of the log that it is in: after a failover another transaction may have the same id. */
  timeline = '';
  /** The first failure of `begin` or of a statement. */
  failure: unknown;
  /** The server answered outside of the transaction, where a statement takes effect alone. */
  isLost = false;
  private phase: Phase = 'beginning';
  private begunAt: Date | undefined;
  private setUp: string | undefined;
  private readonly pending: Promise<unknown>[] = [];
  /** What the server answers comes from within the transaction: from its beginning to its end. */
  private isWithin = false;
  private isInDoubt = false;

  static async begin(pool: DatabasePool, author: Author): Promise<TransactionConnection> {
    return new TransactionConnection(await pool.borrow(author.userId), author);
  }

  private constructor(
    private readonly client: PoolClient,
    author: Author,
  ) {
    this.writing = viewOf(client, (query) => this.write(query));
    this.reading = viewOf(client, (query) => this.read(query));
    client.on('error', this.failed).on('notice', this.warned);
    client.connection.on('errorMessage', this.refused).on('readyForQuery', this.ready);
    this.begun = this.ask(begin(author), (results) => this.open(results as unknown as QueryResult[]));
    this.begun.catch(this.failed);
  }

  /**
   * When it began, by the clock of the database: clocks of machines differ. It is known once a look-up was answered.
   */
  get now(): Date {
    if (!this.begunAt) throw this.reason();
    return this.begunAt;
  }

  /** Of the set-up of processes as it was then. Known as early. */
  get setUpVersion(): string {
    if (this.setUp === undefined) throw this.reason();
    return this.setUp;
  }

  /** What nobody waits for before all is done. */
  dependOn(work: Promise<unknown>): void {
    this.pending.push(work.catch(this.failed));
  }

  /**
   * Nothing is committed before everything has been answered. Throws the first failure, also where nobody noticed it.
   */
  async allDone(): Promise<void> {
    await this.begun;
    await Promise.all(this.pending);
    this.mustBeOpen();
  }

  private mustBeOpen(): void {
    if (this.phase !== 'open') throw this.reason();
  }

  /** Reads. An error that is an `expected` one leaves the transaction open, and as it was before. */
  async attempt<T>(read: () => Promise<T>, isExpected: (error: unknown) => boolean): Promise<T> {
    if (this.phase === 'beginning') await this.begun;
    this.mustBeOpen();
    const saved = this.ask('savepoint attempt', () => this.turn('open', 'attempting'));
    const [, result] = await Promise.allSettled([saved, read()]);
    if (this.phase !== 'attempting') throw this.reason();
    if (result.status === 'fulfilled') {
      this.turn('attempting', 'open');
      this.ask('release savepoint attempt').catch(this.failed);
      return result.value;
    }
    const undone = isExpected(result.reason)
      ? this.ask('rollback to savepoint attempt; release savepoint attempt')
      : Promise.reject(result.reason);
    await undone.catch(this.failed);
    this.turn('attempting', 'open');
    throw result.reason;
  }

  /** Fails unless the server says, and without a warning, that it has committed; whether it did is to be asked. */
  commit(): Promise<void> {
    this.phase = 'committing';
    return this.end('commit', ({ command }) => {
      if (command !== 'COMMIT') throw notOpen('The transaction was rolled back.');
      if (this.isLost) throw this.reason();
      if (this.isInDoubt) throw notOpen('The commit has not waited for its replica.');
    });
  }

  async rollback(): Promise<void> {
    const mayBeOpen = this.phase === 'beginning' || (this.id !== '' && !this.isLost);
    this.phase = 'over';
    if (!mayBeOpen) {
      this.discard();
      return;
    }
    try {
      await this.end('rollback', () => undefined);
      await this.begun;
      this.release();
    } catch {
      this.discard();
    }
  }

  /** Gives the connection back; one that is still in a transaction, or lost it, is of no use to anybody. */
  release(): void {
    if (this.isLost || this.client.getTransactionStatus() !== 'I') {
      this.discard();
      return;
    }
    this.phase = 'over';
    this.unwatch();
    this.client.release();
  }

  /** Whatever is still open ends with the connection. */
  discard(): void {
    this.phase = 'over';
    this.client.release(true);
    this.unwatch();
    this.client.connection.stream.destroy();
  }

  private turn(from: Phase, to: Phase): void {
    if (this.phase === from) this.phase = to;
  }

  private open(results: QueryResult[]): void {
    if (this.client.getTransactionStatus() !== 'T') throw notOpen('The server has not begun a transaction.');
    const [{ id, timeline, milliseconds, setUp }] = results[1]!.rows;
    this.begunAt = new Date(milliseconds);
    this.id = id;
    this.timeline = timeline;
    this.setUp = setUp;
    this.isWithin = true;
    this.turn('beginning', 'open');
  }

  private end(text: string, take: (result: QueryResult) => void): Promise<void> {
    return this.ask(text, take, () => {
      this.isWithin = false;
    });
  }

  private write(query: Query): unknown {
    if (this.phase === 'open') return this.send(query);
    return this.phase === 'beginning' ? this.hold(query) : refuse(query, this.reason());
  }

  private read(query: Query): unknown {
    return this.phase === 'over' ? refuse(query, this.reason()) : this.send(query);
  }

  private hold(query: Query): unknown {
    const sent = this.begun.then(() => this.write(query));
    if (!isOwn(query)) return sent;
    sent.catch(() => refuse(query, this.reason()));
    return query;
  }

  /** What is sent within one turn of the event loop travels together. */
  private send(query: Query, answered?: Answered): unknown {
    const { stream } = this.client.connection;
    stream.cork();
    try {
      return answered ? this.client.query(query as string, answered) : this.client.query(query as string);
    } finally {
      stream.uncork();
    }
  }

  /** `take` sees the answer as it arrives, before that of any later statement. */
  private ask(text: string, take: (result: QueryResult) => void = () => {}, answered = () => {}): Promise<void> {
    return new Promise((resolve, reject) => {
      this.send(text, (error, result) => {
        answered();
        if (error) return reject(error);
        try {
          resolve(take(result));
        } catch (failure) {
          reject(failure);
        }
      });
    });
  }

  private reason(): unknown {
    return this.failure ?? notOpen('The transaction is over.');
  }

  /**
   * Of the connection, whenever that is; statements of whoever had it before may still fail while `begin` is on its
   * way.
   */
  private readonly failed = (error: unknown): void => {
    if (this.phase === 'committing' || this.phase === 'over') return;
    this.failure ??= error;
    this.phase = 'over';
  };

  private readonly refused = (error: unknown): void => {
    if (this.phase === 'open') this.failed(error);
  };

  private readonly ready = ({ status }: { status: string }): void => {
    if (status === 'I') this.lose();
  };

  private readonly warned = ({ code }: { code?: string }): void => {
    if (code === noTransaction) this.lose();
    if (code === warning && this.phase === 'committing') this.isInDoubt = true;
  };

  private lose(): void {
    if (!this.isWithin) return;
    this.isLost = true;
    this.failure ??= notOpen('The server answered outside of the transaction.');
    this.phase = 'over';
  }

  private unwatch(): void {
    this.client.off('error', this.failed).off('notice', this.warned);
    this.client.connection.off('errorMessage', this.refused).off('readyForQuery', this.ready);
  }
}

const notOpen = (message: string): Error => Object.assign(new Error(message), { code: noTransaction });

type Answered = (error: Error | null, result: QueryResult) => void;

/**
 * What `query` of a client is given first: a text, a configuration, or a query of one's own, which answers by itself.
 */
type Query = string | object;

interface OwnQuery extends Submittable {
  handleError(error: unknown): void;
}

const isOwn = (query: Query): query is OwnQuery => typeof query === 'object' && 'submit' in query;

function refuse(query: Query, reason: unknown): unknown {
  if (!isOwn(query)) return Promise.reject(reason);
  query.handleError(reason);
  return query;
}

/**
 * The same connection to whoever asks, except for how it is asked: with a configuration or a query, not with a
 * callback.
 */
const viewOf = (client: PoolClient, ask: (query: Query) => unknown): PoolClient =>
  Object.create(client, {
    query: { value: (query: Query, values?: unknown[]) => ask(values ? { text: query, values } : query) },
  });
