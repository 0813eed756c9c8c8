/** Runs a chore on the database that the service would use, embedded or not, and closes it again. */
import { type Config, loadConfig } from '../config.js';
import { startEmbedded } from '../database/embedded/embedded.js';

export async function withDatabase(env: NodeJS.ProcessEnv, work: (config: Config) => Promise<void>): Promise<void> {
  const config = loadConfig(env);
  if (config.databaseUrl) return work(config);
  const embedded = await startEmbedded({ dataDirectory: config.dataDir });
  try {
    await work({ ...config, databaseUrl: embedded.url });
  } finally {
    await embedded.stop();
  }
}
