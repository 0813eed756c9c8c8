/**
 * Names of statements, so that PostgreSQL plans them once a connection. They are bounded: a text is named at its second
 * use, and a connection keeps the most recent ones, as many as their plans leave room for, and forgets the rest.
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
    const kept = this.perConnection.get(client.connection) ?? namesOf(client.connection);
    this.perConnection.set(client.connection, kept);
    kept.set(text, name);
    return name;
  }
}

const namesOf = (connection: Connection): LRUCache<string, string> =>
  new LRUCache({
    max: namesKept,
    maxSize: plansKept,
    sizeCalculation: (_, text) => planBytes(text),
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
function forgetStatement(connection: Connection, name: string): void {
  const driver = connection as Connection & DriverConnection;
  delete driver.parsedStatements[name];
  if (connection.stream.writable) driver.close({ type: 'S', name });
}
