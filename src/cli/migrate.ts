/** Brings the database to the current schema and tells what was done. */
import { bringUpToDate } from '../database/migrate.js';
import { withDatabase } from './with-database.js';

export async function migrateOnly(env: NodeJS.ProcessEnv): Promise<void> {
  await withDatabase(env, async ({ databaseUrl, timeZone }) => {
    const done = await bringUpToDate(databaseUrl!, timeZone);
    process.stdout.write(done.length > 0 ? `${done.join('\n')}\n` : 'The schema is current.\n');
  });
}
