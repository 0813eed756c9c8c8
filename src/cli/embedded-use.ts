/**
 * Commands that work at the same time on an embedded database that one of them has started: that one ends it behind the
 * others. Each holds a lock in the database while it works, which nobody has to take back.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseClient } from '../database/client.js';
import { warn } from './output.js';

/** Any number will do as long as nothing else uses it: "wtuse" in ASCII. */
const lock = '513054962533';

const open = async (connectionString: string): Promise<DatabaseClient> => {
  const settings = { statement_timeout: '0', lock_timeout: '0', idle_session_timeout: '0' };
  const client = new DatabaseClient({ connectionString, settings });
  await client.connect();
  return client;
};

/** Undefined: the database is about to end, has ended, or is being made. */
export async function beginUse(url: string): Promise<{ end(): Promise<void> } | undefined> {
  let client: DatabaseClient | undefined;
  try {
    client = await open(url);
    if (await takes(client, 'pg_try_advisory_lock_shared')) return client;
  } catch (error) {
    if (!isAway(error as Failure)) throw error;
  }
  client?.terminate('', 'not used');
  return undefined;
}

const everyMs = 100;

/**
 * Who comes from now on finds a database that ends: the lock is held until it has ended. It is asked for again and
 * again, since a statement that waits for a lock holds up those that make an index while others write.
 */
export async function othersHaveEnded(url: string): Promise<void> {
  const client = await open(url);
  for (let turn = 0; !(await takes(client, 'pg_try_advisory_lock')); turn++) {
    if (turn === 0) warn('Other commands work on the database: their end is waited for.');
    await pause(everyMs);
  }
}

async function takes(client: DatabaseClient, take: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${take}(${lock}) as taken`);
  return rows[0]!.taken;
}

interface Failure {
  readonly code?: string;
  readonly message: string;
}

/** It ends, or is not ready yet; whatever else is wrong stays for whoever asked. */
const isAway = ({ code = '', message }: Failure): boolean =>
  /^(57P0[123]|3D000|ECONNREFUSED|ECONNRESET)$/.test(code) || /connection terminated/i.test(message);
