/** Adds a large amount of data for measuring, set-based. */
import { openClient } from '../database/open-client.js';
import { prepareDatabase } from '../database/prepare.js';
import { seedBulk } from '../database/seeds/bulk.js';
import { sessionSettings } from '../database/session.js';
import { withDatabase } from './with-database.js';

export async function seed(env: NodeJS.ProcessEnv, count = '200000'): Promise<void> {
  const generals = Number(count);
  if (!/^\d{1,8}$/.test(count) || generals < 1 || generals > 10_000_000) {
    throw new Error(`--generals takes a whole number from 1 to 10000000, not '${count}'`);
  }
  await withDatabase(env, async (config) => {
    const tell = (line: string): void => void process.stdout.write(`${line}\n`);
    await prepareDatabase(config, tell);
    const settings = sessionSettings({ timeZone: config.timeZone, statementTimeoutMs: 0 });
    const client = await openClient({ connectionString: config.databaseUrl!, settings });
    try {
      await seedBulk(client, { generals, onProgress: tell });
    } finally {
      await client.end();
    }
  });
}
