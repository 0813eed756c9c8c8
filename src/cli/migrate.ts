/** Brings the database to the current schema and tells what was done. */
import { createDataSource } from '../database/data-source.js';
import { migrate } from '../database/migrate.js';
import { withDatabase } from './with-database.js';

export async function migrateOnly(env: NodeJS.ProcessEnv): Promise<void> {
  await withDatabase(env, async ({ databaseUrl, timeZone }) => {
    const dataSource = await createDataSource(databaseUrl!, { timeZone, pool: 2 }).initialize();
    try {
      const done = await migrate(dataSource);
      process.stdout.write(done.length > 0 ? `${done.join('\n')}\n` : 'The schema is current.\n');
    } finally {
      await dataSource.destroy();
    }
  });
}
