/**
 * Names of statements, so that PostgreSQL plans them once a connection. They are bounded: a text is named at its second use, and
 * a connection keeps the most recent ones, as many as their plans leave room for, and forgets the rest.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Connection, PoolClient } from 'pg';
import { planBytes } from './cost.js';

const namesKept = 300;
/** Bytes of plans in one connection to the database. */
const plansKept = 32 * 2 ** 20;

export class StatementNames {
  /** Texts that ran before, with the name they have or will have. */
  private readonly names = new LRUCache<string, string>({
    max: 2000,
    maxSize: 16 * 2 ** 20,
    sizeCalculation: (_, { length }) => length,
  });
  /** Names by text. Several views of a client share its connection. */
  private readonly perConnection = new WeakMap<Connection, LRUCache<string, string>>();

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
    const kept = this.perConnection.get(client.connection) ?? namesOf(client);
    this.perConnection.set(client.connection, kept);
    kept.set(text, name);
    return name;
  }
}

const namesOf = (client: PoolClient): LRUCache<string, string> =>
  new LRUCache({
    max: namesKept,
    maxSize: plansKept,
    sizeCalculation: (_, text) => planBytes(text),
    dispose: (name) => deallocate(client, name),
  });

/** Nobody waits for it: what the connection is asked next comes behind it. */
function deallocate(client: PoolClient, name: string): void {
  // The driver remembers by name what it has parsed; it has no call to make it forget.
  const driver = client as PoolClient & { connection?: { parsedStatements?: Record<string, string> } };
  if (driver.connection?.parsedStatements) delete driver.connection.parsedStatements[name];
  client.query(`deallocate "${name}"`).catch(() => undefined);
}
