/** Carries out what a `RowsMigration` does to rows, some at a time, while others read and write. */
import { type Advance, openOutsideTransactions } from './concurrent-index.js';
import { isLockRefusal, migrationLockedOut } from './migration-error.js';
import type { RowsMigration } from './migrations/rows-migration.js';
import { sessionSettings, untimedTransaction } from './session.js';

interface Place {
  readonly databaseUrl: string;
  readonly isShared: boolean;
}

interface Patience {
  /** For some rows. */
  readonly attempts: number;
  pause(): Promise<void>;
}

/** What texts of functions and statements mean depends on some of them. */
const settings = sessionSettings({ timeZone: 'UTC', statementTimeoutMs: 0 });
const setting = 'select set_config(name, value, true) from unnest($1::text[], $2::text[]) as asked (name, value)';

/** Less than the second after which PostgreSQL looks for a deadlock: so it is never a request that gives way. */
const lockTimeoutMs = 500;

/** Goes on where an earlier attempt of this process was interrupted. */
export async function renewRows(
  migration: RowsMigration,
  place: Place,
  { attempts, pause }: Patience,
  advance: Advance,
): Promise<void> {
  const client = await openOutsideTransactions(place);
  const ask = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows;
  const inTransaction = async <T>(work: () => Promise<T>): Promise<T> => {
    // Each statement sees what was committed before it.
    await ask('begin isolation level read committed');
    await ask(setting, [Object.keys(settings), Object.values(settings)]);
    await ask(`select ${untimedTransaction}`);
    await ask(`set local lock_timeout = ${lockTimeoutMs}`);
    const result = await work();
    await ask('commit');
    return result;
  };
  const renew = async (ids: readonly string[]): Promise<void> => {
    for (let refusals = 1; ; refusals++) {
      try {
        return await inTransaction(() => migration.renew(ids, ask));
      } catch (error) {
        if (!isLockRefusal(error)) throw error;
        if (refusals === attempts) throw migrationLockedOut(migration.name, attempts, undefined);
        await ask('rollback');
        await pause();
      }
    }
  };
  try {
    const left = await inTransaction(() => migration.list(ask));
    const total = left.length;
    while (left.length > 0) {
      const ids = left.slice(0, migration.atOnce);
      await renew(ids);
      left.splice(0, ids.length);
      advance(`${migration.name}: words of stored texts`, total - left.length, total);
    }
  } finally {
    await client.end();
  }
}
