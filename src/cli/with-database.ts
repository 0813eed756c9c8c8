/** Runs a chore on the database that the service uses, embedded or not: beside the service where that runs, else started for the chore. */
import { type Config, loadConfig } from '../config.js';
import { startEmbedded } from '../database/embedded/embedded.js';
import { runningEmbedded } from '../database/embedded/running.js';

export async function withDatabase(env: NodeJS.ProcessEnv, work: (config: Config) => Promise<void>): Promise<void> {
  const config = loadConfig(env);
  if (config.databaseUrl) return work(config);
  const running = await runningEmbedded(config.dataDir);
  if (running) return work({ ...config, databaseUrl: running });
  const embedded = await startEmbedded({ dataDirectory: config.dataDir });
  try {
    await work({ ...config, databaseUrl: embedded.url });
  } finally {
    await embedded.stop();
  }
}
