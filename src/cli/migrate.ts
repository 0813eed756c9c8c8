/** Brings the database to the current schema and tells what was done. */
import { areShared } from '../database/detect-poolers.js';
import { bringUpToDate } from '../database/migrate.js';
import { sessionSettings } from '../database/session.js';
import { withDatabase } from './with-database.js';

export async function migrateOnly(env: NodeJS.ProcessEnv): Promise<void> {
  await withDatabase(env, async (config) => {
    const { databaseUrl, timeZone } = config;
    const isShared = await areShared({ connectionString: databaseUrl!, settings: sessionSettings(config) });
    const tell = (line: string): void => void process.stdout.write(`${line}\n`);
    await bringUpToDate({ databaseUrl: databaseUrl!, timeZone, isShared }, tell);
    tell('The schema is current.');
  });
}
