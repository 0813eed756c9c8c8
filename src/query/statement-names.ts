/**
 * Names of statements, so that PostgreSQL plans them once a connection. They are bounded: a text is named at its second use, and
 * a connection keeps the most recent few hundred and forgets the rest.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PoolClient } from 'pg';

interface Kept {
  name: string;
  /** Grows with each use of any statement. */
  lastUse: number;
}

const namesKept = 300;

export class StatementNames {
  /** Texts that ran before, with the name they have or will have. */
  private readonly names = new LRUCache<string, string>({ max: 2000 });
  private readonly perConnection = new WeakMap<PoolClient, Map<string, Kept>>();
  private uses = 0;

  /** Undefined: the text runs for the first time, and may never come again. */
  of(client: PoolClient, text: string): string | undefined {
    this.uses += 1;
    const known = this.perConnection.get(client)?.get(text);
    if (!known) return this.keep(client, text);
    known.lastUse = this.uses;
    return known.name;
  }

  /** Nobody waits for it: what the connection is asked next comes behind it. */
  forget(client: PoolClient, text: string): void {
    const kept = this.perConnection.get(client);
    const known = kept?.get(text);
    if (!known) return;
    kept!.delete(text);
    // The driver remembers by name what it has parsed; it has no call to make it forget.
    const driver = client as PoolClient & { connection?: { parsedStatements?: Record<string, string> } };
    if (driver.connection?.parsedStatements) delete driver.connection.parsedStatements[known.name];
    client.query(`deallocate "${known.name}"`).catch(() => undefined);
  }

  private keep(client: PoolClient, text: string): string | undefined {
    const name = this.names.get(text);
    if (name === undefined) {
      this.names.set(text, `wt_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`);
      return undefined;
    }
    const kept = this.perConnection.get(client) ?? new Map<string, Kept>();
    this.perConnection.set(client, kept);
    if (kept.size >= namesKept) this.forget(client, leastRecent(kept));
    kept.set(text, { name, lastUse: this.uses });
    return name;
  }
}

const leastRecent = (kept: ReadonlyMap<string, Kept>): string =>
  [...kept].reduce((least, one) => (one[1].lastUse < least[1].lastUse ? one : least))[0];
