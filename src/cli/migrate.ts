/** Brings the database to the current schema and tells what was done. */
import { areShared } from '../database/detect-poolers.js';
import { bringUpToDate } from '../database/migrate.js';
import { sessionSettings } from '../database/session.js';
import { withDatabase } from './with-database.js';

export async function migrateOnly(env: NodeJS.ProcessEnv): Promise<void> {
  await withDatabase(env, async (config) => {
    const { databaseUrl, timeZone } = config;
    const isShared = await areShared({ connectionString: databaseUrl!, settings: sessionSettings(config) });
    const done = await bringUpToDate(databaseUrl!, timeZone, isShared);
    process.stdout.write(done.length > 0 ? `${done.join('\n')}\n` : 'The schema is current.\n');
  });
}
