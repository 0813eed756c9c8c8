/** Makes a database ready to serve: schema, first administrator, demonstration data where that is wanted. */
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { Passwords } from '../auth/passwords.js';
import type { Config } from '../config.js';
import { createDataSource } from './data-source.js';
import { migrate } from './migrate.js';
import { ensureAdministrator } from './seeds/administrator.js';

export interface DatabaseState {
  hasDefaultPassword: boolean;
  hasDemoData: boolean;
}

const defaultPassword = 'admin';

export async function prepareDatabase(config: Config): Promise<DatabaseState> {
  const dataSource = await createDataSource(config.databaseUrl!, { timeZone: config.timeZone, pool: 2 }).initialize();
  try {
    await migrate(dataSource);
    return await withClient(dataSource, (client) => fill(client, config));
  } finally {
    await dataSource.destroy();
  }
}

async function fill(client: PoolClient, config: Config): Promise<DatabaseState> {
  // Replicas that start at once must not both load the data.
  await client.query('begin');
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('worktrack.prepare'))");
    await administrator(client, config);
    await demonstration(client, config);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  return { hasDefaultPassword: await hasDefaultPassword(client), hasDemoData: await hasDemoData(client) };
}

/** ADMIN_PASSWORD counts when the administrator is made, and later as long as the default password still holds. */
async function administrator(client: PoolClient, { adminPassword }: Config): Promise<void> {
  const created = await ensureAdministrator(client, () => Passwords.hash(adminPassword ?? defaultPassword));
  if (created || adminPassword === undefined || adminPassword === defaultPassword) return;
  if (!(await hasDefaultPassword(client))) return;
  await client.query('update general_user set password_hash = $1 where id = 1', [await Passwords.hash(adminPassword)]);
}

async function demonstration(client: PoolClient, { demoData }: Config): Promise<void> {
  if (!demoData || (await hasDemoData(client))) return;
  const { rows } = await client.query('select exists (select 1 from general) as used');
  if (rows[0].used) return;
  // Loaded on the first start only; keeping it out of later ones keeps them quick.
  const { loadDemo } = await import('./seeds/demo/load-demo.js');
  await loadDemo(client, { now: new Date(), passwordHash: await Passwords.hash('demo') });
}

async function hasDefaultPassword(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query(
    'select password_hash from general_user where id = 1 and is_active and delete_date is null',
  );
  const hash: string | null | undefined = rows[0]?.password_hash;
  return hash ? new Passwords().verify({ userId: 1, passwordHash: hash }, 'admin', defaultPassword) : false;
}

async function hasDemoData(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query("select exists (select 1 from setting where name = 'demo-data') as loaded");
  return rows[0].loaded;
}

async function withClient<T>(dataSource: DataSource, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    return await work((await runner.connect()) as PoolClient);
  } finally {
    await runner.release();
  }
}
