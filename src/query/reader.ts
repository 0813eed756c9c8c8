/**
 * Runs a Statement and gives its rows. Statements are named, so that PostgreSQL plans them once a connection; names are
 * bounded: a text is named at its second use, and a connection keeps the most recent few hundred and forgets the rest.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool, PoolClient, QueryArrayConfig, QueryConfig } from 'pg';
import type { Actor } from '../actor.js';
import type { LateValue, Statement } from '../sql.js';

export interface Late {
  actor: Actor;
  /** Address that links start with, such as `https://work.example.com`. */
  base: string;
}

/** How a connection is asked, and what columns it answers with: each as its type says, or as the text that it was sent as. */
export type Ask<Column> = (client: PoolClient, config: QueryConfig) => Promise<Column[][]>;

const askForValues: Ask<unknown> = async (client, config) => {
  const asked: QueryArrayConfig = { ...config, rowMode: 'array' };
  return (await client.query(asked)).rows;
};

/** What a statement can run on: a pool, or the connection of a transaction under way. */
export type Connection = Pool | PoolClient;

const lateValues: Record<LateValue, (late: Late) => unknown> = {
  'actor.user': ({ actor }) => actor.userId,
  'actor.projects': ({ actor }) => actor.projectIds,
  'actor.teams': ({ actor }) => actor.teamIds,
  base: ({ base }) => base,
};

const namesKept = 300;

export class Reader<Column = unknown> {
  /** Texts that ran before, with the name they have or will have. */
  private readonly names = new LRUCache<string, string>({ max: 2000 });
  private readonly perConnection = new WeakMap<PoolClient, LRUCache<string, true>>();

  constructor(
    private readonly usesNames: boolean,
    private readonly ask: Ask<Column> = askForValues as Ask<Column>,
  ) {}

  /** Rows as arrays of columns. Errors of the database pass through. */
  async rows(statement: Statement, late: Late, connection: Connection): Promise<Column[][]> {
    const values = statement.parameters.map((parameter) =>
      parameter.kind === 'late' ? lateValues[parameter.late](late) : parameter.value,
    );
    if (!isPool(connection)) return this.run(connection, statement.text, values);
    const client = await connection.connect();
    let failure: unknown;
    try {
      if (!statement.isPlannedEachTime) return await this.run(client, statement.text, values);
      return await plannedForValues(client, () => this.run(client, statement.text, values));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // A connection that failed for another reason than its statement is not used again.
      client.release(failure !== undefined && !isStatementError(failure));
    }
  }

  /** Rows as objects by column name, on the connection of a transaction. */
  async objects<R>(text: string, values: readonly unknown[], client: PoolClient): Promise<R[]> {
    const name = this.usesNames ? this.nameFor(client, text) : undefined;
    return (await client.query({ name, text, values: [...values] })).rows as R[];
  }

  /** The statement is on its way when this returns. */
  private async run(client: PoolClient, text: string, values: unknown[]): Promise<Column[][]> {
    const name = this.usesNames ? this.nameFor(client, text) : undefined;
    try {
      return await this.ask(client, { name, text, values });
    } catch (error) {
      // A schema change or a pooler may have taken the prepared statement away; the text itself is as good as ever.
      if (name === undefined || !staleStatement.has(codeOf(error) ?? '')) throw error;
      this.forget(client, name);
      return await this.ask(client, { text, values });
    }
  }

  private nameFor(client: PoolClient, text: string): string | undefined {
    const known = this.names.get(text);
    if (known === undefined) {
      this.names.set(text, `wt_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`);
      return undefined;
    }
    const kept = this.keptBy(client);
    if (kept.get(known) === undefined) {
      const oldest = kept.size >= namesKept ? [...kept.rkeys()][0] : undefined;
      if (oldest !== undefined) this.forget(client, oldest);
      kept.set(known, true);
    }
    return known;
  }

  private keptBy(client: PoolClient): LRUCache<string, true> {
    const known = this.perConnection.get(client);
    if (known) return known;
    const kept = new LRUCache<string, true>({ max: namesKept });
    this.perConnection.set(client, kept);
    return kept;
  }

  /** Nobody waits for it: what the connection is asked next comes behind it. */
  private forget(client: PoolClient, name: string): void {
    this.keptBy(client).delete(name);
    // The driver remembers by name what it has parsed; it has no call to make it forget.
    const driver = client as PoolClient & { connection?: { parsedStatements?: Record<string, string> } };
    if (driver.connection?.parsedStatements) delete driver.connection.parsedStatements[name];
    client.query(`deallocate "${name}"`).catch(() => undefined);
  }
}

/** The three travel together. In a transaction of its own, so that the setting ends with it, also where a pooler deals out connections. */
async function plannedForValues<T>(client: PoolClient, run: () => Promise<T>): Promise<T> {
  const [begun, result, ended] = await Promise.allSettled([
    client.query('begin; set local plan_cache_mode = force_custom_plan'),
    run(),
    client.query('commit'),
  ]);
  if (result.status === 'fulfilled' && begun.status === 'fulfilled' && ended.status === 'fulfilled')
    return result.value;
  throw [begun, result, ended].find((settled) => settled.status === 'rejected')?.reason;
}

const isPool = (connection: Connection): connection is Pool => 'totalCount' in connection;

const staleStatement = new Set(['0A000', '26000', '42P05']);

export const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};

/** An error with an SQLSTATE that leaves the connection usable. */
function isStatementError(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('08') && !code.startsWith('57P');
}
