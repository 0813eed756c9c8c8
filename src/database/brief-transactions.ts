/** Transactions beside those who read and write: each waits for locks of others briefly alone. */
import type { DatabaseClient } from './client.js';
import { isLockRefusal } from './migration-error.js';
import { sessionSettings, untimedTransaction } from './session.js';

type Queryable = Pick<DatabaseClient, 'query'>;

/** What texts of functions and statements mean depends on some of them. */
const settings = sessionSettings({ timeZone: 'UTC', statementTimeoutMs: 0 });
const setting = 'select set_config(name, value, true) from unnest($1::text[], $2::text[]) as asked (name, value)';

/** Less than the second after which PostgreSQL looks for a deadlock: so it is never a request that gives way. */
const lockTimeoutMs = 500;

/** Undefined: others have locked what it needs, and nothing is done. */
export async function unlessLocked<T>(client: Queryable, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await briefTransaction(client, work);
  } catch (error) {
    if (isLockRefusal(error)) return undefined;
    throw error;
  }
}

export async function briefTransaction<T>(client: Queryable, work: () => Promise<T>): Promise<T> {
  try {
    // Each statement sees what was committed before it.
    await client.query('begin isolation level read committed');
    await client.query(setting, [Object.keys(settings), Object.values(settings)]);
    await client.query(`select ${untimedTransaction}`);
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // What brought us here counts, not what follows from it.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
