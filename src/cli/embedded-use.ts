/**
 * Commands that work at the same time on an embedded database that one of them has started: that one ends it behind the
 * others. Each holds a lock in the database while it works, which nobody has to take back.
 */
import { DatabaseClient } from '../database/client.js';
import { warn } from './output.js';

/** Any number will do as long as nothing else uses it: "wtuse" in ASCII. */
const lock = '512970878821';

const open = async (connectionString: string): Promise<DatabaseClient> => {
  const settings = { statement_timeout: '0', lock_timeout: '0', idle_session_timeout: '0' };
  const client = new DatabaseClient({ connectionString, settings });
  await client.connect();
  return client;
};

/** Undefined: the database is about to end, or has ended. */
export async function beginUse(url: string): Promise<{ end(): Promise<void> } | undefined> {
  let client: DatabaseClient | undefined;
  try {
    client = await open(url);
    await client.query(`select pg_advisory_lock_shared(${lock})`);
    return client;
  } catch {
    client?.terminate('', 'not used');
    return undefined;
  }
}

/** Who comes from now on finds a database that ends: the lock is held until it has ended. */
export async function othersHaveEnded(url: string): Promise<void> {
  const client = await open(url);
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${lock}) as taken`);
  if (rows[0]!.taken) return;
  warn('Other commands work on the database: their end is waited for.');
  await client.query(`select pg_advisory_lock(${lock})`);
}
