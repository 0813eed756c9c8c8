/**
 * What the migrations make, to compare a database with: they are carried out in a schema of their own, in a transaction
 * that is rolled back.
 */
import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { briefTransaction } from '../database/brief-transactions.js';
import type { DatabaseClient } from '../database/client.js';
import { patience } from '../database/migrate.js';
import { migrations } from '../database/migrations/migrations.js';
import { untimedTransaction } from '../database/session.js';
import { StartError } from '../server/start-failure.js';
import { lockedOut, patiently } from './patiently.js';

export type Reader = Pick<DataSource, 'query'>;

/** The schema that is looked at, and the one that the migrations have made. */
export interface Schemas {
  readonly home: string;
  readonly made: string;
}

/** Reads both in the same way. */
export async function bothSchemas<T>(
  dataSource: DataSource,
  read: (from: Reader, schema: string) => Promise<T>,
): Promise<{ names: Schemas; actual: T; expected: T }> {
  const [{ name: home }] = await dataSource.query('select current_schema()::text as name');
  const actual = await read(dataSource, home);
  // Of this look alone: others may look at the same time.
  const made = `worktrack_doctor_${randomBytes(6).toString('hex')}`;
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await runner.startTransaction('READ COMMITTED');
    await runner.query(`select ${untimedTransaction}`);
    await runner.query("set local lock_timeout = '2s'");
    await runner.query(`create schema ${made}`);
    // Nothing of the real one is within reach.
    await runner.query(`set local search_path = ${made}`);
    for (const Migration of migrations) await new Migration().up(runner);
    return { names: { home, made }, actual, expected: await read(runner, made) };
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/** A statement of PostgreSQL's own that makes the same in the schema that is looked at. */
export const inHome = (definition: string, { home, made }: Schemas): string =>
  definition.replace(` ON ${made}.`, ` ON "${home}".`).replaceAll(`${made}.`, '');

/** Who writes waits while it is done, but not while others are waited for. */
export async function doAtOnce(client: Pick<DatabaseClient, 'query'>, steps: readonly string[]): Promise<void> {
  const work = async (): Promise<boolean> => {
    for (const step of steps) await client.query(step);
    return true;
  };
  if (!(await patiently(patience, () => briefTransaction(client, work)))) throw new StartError(lockedOut(patience));
}
