/** Refuses a database whose schema is not that of this version: commands change nothing there. */
import type { Config } from '../config/config.js';
import { isCurrent } from '../database/migrate.js';
import { openClient } from '../database/open-client.js';
import { sessionSettings } from '../database/session.js';
import { CommandError } from './command-error.js';

export async function mustBeCurrent(config: Config): Promise<void> {
  if (await hasCurrentSchema(config)) return;
  throw new CommandError('The schema of the database is not current: run "worktrack migrate", or start the service.');
}

export async function hasCurrentSchema(config: Config): Promise<boolean> {
  const client = await openClient({ connectionString: config.databaseUrl!, settings: sessionSettings(config) });
  try {
    return await isCurrent(client);
  } finally {
    await client.end();
  }
}
