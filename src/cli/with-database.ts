/**
 * Runs a chore on the database that the service uses, embedded or not: beside the service where that runs, else started
 * for the chore. Only what fills a database makes one: elsewhere a DATA_DIR without one is most likely misspelt.
 */
import { type Config, loadConfig } from '../config/config.js';
import { startEmbedded } from '../database/embedded/embedded.js';
import { mustHaveCluster } from '../database/embedded/home.js';
import { runningEmbedded } from '../database/embedded/running.js';

export async function withDatabase(
  env: NodeJS.ProcessEnv,
  work: (config: Config) => Promise<void>,
  { makesOne = false } = {},
): Promise<void> {
  const config = loadConfig(env);
  const databaseUrl = config.migrateDatabaseUrl ?? config.databaseUrl;
  if (databaseUrl) return work({ ...config, databaseUrl });
  if (!makesOne) await mustHaveCluster(config.dataDir);
  const running = await runningEmbedded(config.dataDir);
  if (running) return work({ ...config, databaseUrl: running });
  const embedded = await startEmbedded({ dataDirectory: config.dataDir });
  try {
    await work({ ...config, databaseUrl: embedded.url });
  } finally {
    await embedded.stop();
  }
}
