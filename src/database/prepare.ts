/** Makes a database ready to serve: schema, first administrator, demonstration data where that is wanted. */
import type { ClientBase } from 'pg';
import type { Config } from '../config/config.js';
import { isHash, makeHash, matchesHash } from '../passwords/password-hash.js';
import { addChangeMonths } from './add-change-months.js';
import { bringUpToDate, isCurrent, type Tell } from './migrate.js';
import { isShared, openClient, openForQuestions } from './open-client.js';
import { anotherDatabase } from './same-database.js';
import { ensureAdministrator } from './seeds/administrator.js';
import { sessionSettings, untimedTransaction } from './session.js';
import { differingClocks } from './zone-clocks.js';

/** What lets a database be served to its own machine alone. */
export interface KnownPasswords {
  hasDefaultPassword: boolean;
  hasDemoData: boolean;
}

export interface DatabaseState extends KnownPasswords {
  /** Tells in what the clocks of the service are others by Node.js. */
  differingClocks?: string;
}

const defaultPassword = 'admin';

export async function prepareDatabase(given: Config, tell?: Tell): Promise<DatabaseState> {
  const config = { ...given, databaseUrl: given.migrateDatabaseUrl ?? given.databaseUrl };
  // Loading the demonstration data, and waiting for another process that does, may take longer than a request may.
  const settings = sessionSettings({ ...config, statementTimeoutMs: 0 });
  const client = await openClient({ connectionString: config.databaseUrl!, settings });
  try {
    if (!(await isCurrent(client))) {
      const { databaseUrl, timeZone } = config;
      await bringUpToDate({ databaseUrl: databaseUrl!, timeZone, isShared: isShared(client) }, tell);
    }
    const clocks = await differingClocks(config.timeZone, async (text) => (await client.query(text)).rows);
    const state = { ...(await fill(client, config)), differingClocks: clocks };
    // A month of which some changes lie among the others gets no table of its own any more. Why it failed is reported
    // when the same is done by the clock.
    await client.query(addChangeMonths).catch(() => undefined);
    return state;
  } finally {
    await client.end();
  }
}

/** What a database will be once it has been made. */
export const stateOfNew = ({ adminPassword = defaultPassword, demoData }: Config): DatabaseState => ({
  hasDefaultPassword: adminPassword === defaultPassword,
  hasDemoData: demoData,
});

async function fill(client: ClientBase, config: Config): Promise<KnownPasswords> {
  // Replicas that start at once must not both load the data.
  await client.query('begin isolation level read committed');
  try {
    await client.query(`select ${untimedTransaction}`);
    await client.query("select pg_advisory_xact_lock(hashtext('worktrack.prepare'))");
    await administrator(client, config);
    await demonstration(client, config);
    await client.query('commit');
  } catch (error) {
    // Why it failed counts, not that the connection may be lost with it.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  return knownPasswords(client);
}

/** Of one that has been made ready by another address, if it has the tables that were made there. */
export async function knownPasswordsAt(databaseUrl: string): Promise<KnownPasswords> {
  const client = await openForQuestions(databaseUrl);
  try {
    return await knownPasswords(client);
  } catch (error) {
    throw missing.has((error as { code?: unknown }).code) ? anotherDatabase() : error;
  } finally {
    await client.end();
  }
}

/** A table, or a column of one that is of another program. */
const missing = new Set<unknown>(['42P01', '42703']);

const knownPasswords = async (client: ClientBase): Promise<KnownPasswords> => ({
  hasDefaultPassword: await hasDefaultPassword(client),
  hasDemoData: await hasDemoData(client),
});

/** ADMIN_PASSWORD counts when the administrator is made, and later as long as the default password still holds. */
async function administrator(client: ClientBase, { adminPassword }: Config): Promise<void> {
  const created = await ensureAdministrator(client, () => makeHash(adminPassword ?? defaultPassword));
  if (created || adminPassword === undefined || adminPassword === defaultPassword) return;
  if (!(await hasDefaultPassword(client))) return;
  await client.query('update general_user set password_hash = $1 where id = 1', [await makeHash(adminPassword)]);
}

async function demonstration(client: ClientBase, { demoData, timeZone }: Config): Promise<void> {
  if (!demoData || (await hasDemoData(client))) return;
  const { rows } = await client.query('select exists (select 1 from general) as used');
  if (rows[0].used) return;
  // Loaded on the first start only; keeping it out of later ones keeps them quick.
  const { loadDemo } = await import('./seeds/demo/load-demo.js');
  await loadDemo(client, { now: new Date(), timeZone, passwordHash: await makeHash('demo') });
  // The first requests come before PostgreSQL would look at the tables by itself.
  await client.query('analyze');
}

async function hasDefaultPassword(client: ClientBase): Promise<boolean> {
  // Who may not log in now may be activated later.
  const { rows } = await client.query('select password_hash from general_user where id = 1');
  const hash: string | null | undefined = rows[0]?.password_hash;
  return hash && isHash(hash) ? matchesHash(hash, defaultPassword) : false;
}

async function hasDemoData(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query("select exists (select 1 from setting where name = 'demo-data') as loaded");
  return rows[0].loaded;
}
