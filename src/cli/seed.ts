/** Adds a large amount of data for measuring, set-based. */
import type { Config } from '../config/config.js';
import { isShared, openClient, openOutsideTransactions } from '../database/open-client.js';
import { prepareDatabase } from '../database/prepare.js';
import { seedBulk } from '../database/seeds/bulk.js';
import { sessionSettings } from '../database/session.js';
import { CommandError, exitCodes } from './command-error.js';
import { say } from './output.js';
import { withDatabase } from './with-database.js';

export async function seed(env: NodeJS.ProcessEnv, count: string): Promise<void> {
  const generals = Number(count);
  if (!/^\d{1,8}$/.test(count) || generals < 1 || generals > 10_000_000) {
    throw new CommandError(`--generals takes a whole number from 1 to 10000000, not '${count}'.`, exitCodes.usage);
  }
  const fill = async (config: Config): Promise<void> => {
    await prepareDatabase(config, say);
    const settings = sessionSettings({ timeZone: config.timeZone, statementTimeoutMs: 0 });
    const client = await openClient({ connectionString: config.databaseUrl!, settings });
    const place = { databaseUrl: config.databaseUrl!, isShared: isShared(client) };
    const outside = await openOutsideTransactions(place);
    try {
      await seedBulk(client, { generals, onProgress: say, outside });
    } finally {
      await Promise.all([client.end(), outside.end()]);
    }
  };
  await withDatabase(env, fill, { makesOne: true });
}
