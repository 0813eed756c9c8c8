/** Brings the database to the current schema. Replicas that start at once wait for one another. */
import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { migrations } from './migrations/migrations.js';

// Any number will do as long as nothing else uses it: "worktrk" in ASCII.
const lock = '33620408428065387';

export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  try {
    await runner.query('set statement_timeout = 0');
    await runner.query(`select pg_advisory_lock(${lock})`);
    const done = await dataSource.runMigrations();
    return done.map((migration) => migration.name);
  } finally {
    // Ending the session's lock must not hide the error that brought us here.
    await runner.query(`select pg_advisory_unlock(${lock})`).catch(() => undefined);
    await runner.query('reset statement_timeout').catch(() => undefined);
    await runner.release();
  }
}

/** Whether nothing is left to do. Asked without TypeORM, so that most starts need not wait for it to learn all entities. */
export async function isCurrent(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('migration') is not null as known");
  if (!rows[0].known) return false;
  const { rows: done } = await client.query<{ name: string }>('select name from migration');
  const names = new Set(done.map(({ name }) => name));
  return migrations.every(({ name }) => names.has(name));
}
