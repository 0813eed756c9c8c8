/** Runs a Statement and gives its rows. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Connection as DatabaseConnection, PoolClient, QueryArrayConfig, QueryConfig } from 'pg';
import type { Actor } from '../actor.js';
import type { TextHold } from '../database/text-query.js';
import { ApiError } from '../errors.js';
import type { LateValue, Statement } from '../sql.js';
import { planBytes } from './limits.js';

export interface Late {
  actor: Actor;
  /** Address that links start with, such as `https://work.example.com`. */
  base: string;
  /** Counts the texts that are read, and may make the database wait. */
  hold?: TextHold;
  /** Of the entity that is asked for, or whose collection is. */
  id?: number;
  /** Of the entities that are looked up, by place; most statements have one list. */
  ids?: readonly (readonly number[])[];
}

/**
 * How a connection is asked, and what columns it answers with: each as its type says, or as the text that it was sent
 * as.
 */
export type Ask<Column> = (client: PoolClient, config: QueryConfig, hold?: TextHold) => Promise<Column[][]>;

const askForValues: Ask<unknown> = async (client, config) => {
  const asked: QueryArrayConfig = { ...config, rowMode: 'array' };
  return (await client.query(asked)).rows;
};

/** Lends connections for reading, to each user in turn, for a statement of so many bytes. */
export interface ReadPool {
  read<T>(use: (client: PoolClient) => Promise<T>, userId: number, text?: string): Promise<T>;
}

/** What a statement can run on: a pool, or the connection of a transaction under way. */
export type Connection = ReadPool | PoolClient;

const lateValues: Record<LateValue, (late: Late, place?: number) => unknown> = {
  'actor.user': ({ actor }) => actor.userId,
  'actor.projects': ({ actor }) => actor.projectIds,
  'actor.teams': ({ actor }) => actor.teamIds,
  'context.projects': ({ actor }) => actor.context?.projectIds,
  'context.teams': ({ actor }) => actor.context?.teamIds,
  base: ({ base }) => base,
  id: ({ id }) => id,
  ids: ({ ids }, place = 0) => ids?.[place],
};

/** Whether statements that come again are named, and how many bytes of plans each connection keeps of them. */
export interface NamedStatements {
  readonly preparedStatements: boolean;
  readonly planBytes: number;
}

export class Reader<Column = unknown> {
  private readonly names: StatementNames | undefined;

  constructor(
    { preparedStatements, planBytes }: NamedStatements,
    private readonly ask: Ask<Column> = askForValues as Ask<Column>,
  ) {
    this.names = preparedStatements ? new StatementNames(planBytes) : undefined;
  }

  /** Rows as arrays of columns. Errors of the database pass through. */
  rows(statement: Statement, late: Late, connection: Connection): Promise<Column[][]> {
    const values = statement.parameters.map((parameter) =>
      parameter.kind === 'late' ? lateValues[parameter.late](late, parameter.place) : parameter.value,
    );
    const { text, isPlannedEachTime, isLong } = statement;
    if (!isPool(connection)) return this.run(connection, text, values, late.hold);
    const read = () =>
      connection.read(
        (client) => {
          if (late.hold?.isGone) return Promise.reject(abandoned());
          const run = () => this.run(client, text, values, late.hold);
          const running = isPlannedEachTime ? plannedForValues(client, run) : run();
          return late.hold?.whileWanted(running) ?? running;
        },
        late.actor.userId,
        text,
      );
    const entering = isLong ? late.hold?.enter() : undefined;
    return entering ? entering.then(read) : read();
  }

  /** Rows as objects by column name, on the connection of a transaction. */
  async objects<R>(text: string, values: readonly unknown[], client: PoolClient): Promise<R[]> {
    const name = this.names?.of(client, text);
    return (await client.query({ name, text, values: [...values] })).rows as R[];
  }

  /** The rows of a statement of ours, on the connection of a transaction. */
  within(text: string, values: readonly unknown[], client: PoolClient): Promise<Column[][]> {
    return this.run(client, text, values as unknown[]);
  }

  /** The statement is on its way when this returns. */
  private run(client: PoolClient, text: string, values: unknown[], hold?: TextHold): Promise<Column[][]> {
    const name = this.names?.of(client, text);
    const asked = this.ask(client, { name, text, values }, hold);
    if (name === undefined) return asked;
    return asked.catch((error: unknown) => {
      // A schema change or a pooler may have taken the prepared statement away; the text itself is as good as ever.
      if (!staleStatement.has(codeOf(error) ?? '')) throw error;
      this.names!.forget(client, text);
      return this.ask(client, { text, values }, hold);
    });
  }
}

/** As the database says it of a statement that was cancelled: the connection is good. */
const abandoned = (): Error => Object.assign(new Error('The client is gone.'), { code: '57014' });

/**
 * The three travel together. In a transaction of its own, so that the setting ends with it, also where a pooler deals
 * out connections.
 */
async function plannedForValues<T>(client: PoolClient, run: () => Promise<T>): Promise<T> {
  const beginning = client.query('begin isolation level read committed; set local plan_cache_mode = force_custom_plan');
  const running = run();
  const all = Promise.allSettled([beginning, running, client.query('commit')]);
  // What the service itself refused is not waited for: whoever lent the connection ends it.
  await running.catch(throwRefusal);
  const [begun, result, ended] = await all;
  if (result.status === 'fulfilled' && begun.status === 'fulfilled' && ended.status === 'fulfilled')
    return result.value;
  const cause = [begun, result, ended].find((settled) => settled.status === 'rejected')?.reason;
  // What the next one wrote on it would never be committed.
  if (client.getTransactionStatus() !== 'I') throw new Error('Connection terminated within a transaction.', { cause });
  throw cause;
}

function throwRefusal(failure: unknown): void {
  if (failure instanceof ApiError) throw failure;
}

const isPool = (connection: Connection): connection is ReadPool => 'read' in connection;

const staleStatement = new Set(['0A000', '26000', '42P05']);

export const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};

// --- names -----------------------------------------------------------------------------------------------------------

/** What the smallest statement counts as: there are never more than some hundreds. */
const leastPlanBytes = 112 * 1024;

class StatementNames {
  /** Texts that ran before, with the name they have or will have. */
  private readonly names = new LRUCache<string, string>({
    max: 2000,
    maxSize: 16 * 2 ** 20,
    sizeCalculation: (_, { length }) => length,
  });
  /** Names by text. Several views of a client share its connection. */
  private readonly perConnection = new WeakMap<DatabaseConnection, LRUCache<string, string>>();

  constructor(private readonly planBytes: number) {}

  /** Undefined: the text runs for the first time, and may never come again. */
  of(client: PoolClient, text: string): string | undefined {
    return this.perConnection.get(client.connection)?.get(text) ?? this.keep(client, text);
  }

  forget(client: PoolClient, text: string): void {
    this.perConnection.get(client.connection)?.delete(text);
  }

  private keep(client: PoolClient, text: string): string | undefined {
    const name = this.names.get(text);
    if (name === undefined) {
      this.names.set(text, `wt_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`);
      return undefined;
    }
    const kept = this.perConnection.get(client.connection) ?? namesOf(client.connection, this.planBytes);
    this.perConnection.set(client.connection, kept);
    kept.set(text, name);
    return name;
  }
}

const namesOf = (connection: DatabaseConnection, maxSize: number): LRUCache<string, string> =>
  new LRUCache({
    maxSize,
    sizeCalculation: (_, text) => Math.max(leastPlanBytes, planBytes(text)),
    dispose: (name) => forgetStatement(connection, name),
  });

/** What the driver's types leave out. */
interface DriverConnection {
  /** The driver remembers by name what it has parsed; it has no call to make it forget. */
  parsedStatements: Record<string, string>;
  close(what: { type: 'S'; name: string }): void;
}

/**
 * The server forgets a statement behind what it was asked before, also where a transaction has failed: `deallocate`
 * would be refused there.
 */
function forgetStatement(connection: DatabaseConnection, name: string): void {
  const driver = connection as DatabaseConnection & DriverConnection;
  delete driver.parsedStatements[name];
  if (connection.stream.writable) driver.close({ type: 'S', name });
}
