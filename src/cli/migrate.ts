/** Brings the database to the current schema and tells what was done. */
import { areShared } from '../database/detect-poolers.js';
import { bringUpToDate } from '../database/migrate.js';
import { sessionSettings } from '../database/session.js';
import { CommandError, exitCodes } from './command-error.js';
import { hasCurrentSchema } from './must-be-current.js';
import { say } from './output.js';
import { withDatabase } from './with-database.js';

export async function migrateOnly(env: NodeJS.ProcessEnv, { check = false } = {}): Promise<void> {
  await withDatabase(env, async (config) => {
    if (check && !(await hasCurrentSchema(config)))
      throw new CommandError('The schema is not current.', exitCodes.findings);
    const { databaseUrl, timeZone } = config;
    const isShared = await areShared({ connectionString: databaseUrl!, settings: sessionSettings(config) });
    if (!check) await bringUpToDate({ databaseUrl: databaseUrl!, timeZone, isShared }, say);
    say('The schema is current.');
  });
}
