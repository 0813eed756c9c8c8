/**
 * Runs a chore on the database that the service uses, embedded or not: beside the service where that runs, else started
 * for the chore. Only what fills a database makes one: elsewhere a DATA_DIR without one is most likely misspelt.
 */
import { type Config, loadConfig } from '../config/config.js';
import { type EmbeddedPostgres, startEmbedded } from '../database/embedded/embedded.js';
import { mustHaveCluster } from '../database/embedded/home.js';
import { otherEmbedded, runningEmbedded } from '../database/embedded/running.js';
import { databaseAt, mustBeSame } from '../database/same-database.js';
import { whenReachable } from '../database/when-reachable.js';
import { commandFailure, embeddedRefused, refusedByServer } from '../server/start-failure.js';
import { beginUse, othersHaveEnded } from './embedded-use.js';
import { warn } from './output.js';

export async function withDatabase(
  env: NodeJS.ProcessEnv,
  work: (config: Config) => Promise<void>,
  { makesOne = false } = {},
): Promise<void> {
  const config = loadConfig(env);
  const databaseUrl = config.migrateDatabaseUrl ?? config.databaseUrl;
  if (databaseUrl) {
    const run = async (): Promise<void> => {
      await mustLeadToOne(config);
      await work({ ...config, databaseUrl });
    };
    return run().catch(refusedByServer(config));
  }
  if (!makesOne) await mustHaveCluster(config.dataDir);
  const database = await openEmbedded(config.dataDir);
  try {
    const refused = embeddedRefused(config.dataDir, database.whyBroken);
    await work({ ...config, databaseUrl: database.url }).catch(refused);
  } finally {
    await database.end();
  }
}

/** A command goes on while the pooler that DATABASE_URL leads through is away. */
async function mustLeadToOne({ databaseUrl, migrateDatabaseUrl, waitForDatabaseSeconds }: Config): Promise<void> {
  if (!migrateDatabaseUrl) return;
  const migrated = await whenReachable(() => databaseAt(migrateDatabaseUrl), waitForDatabaseSeconds, warn);
  const served = await databaseAt(databaseUrl!).catch((error: unknown) => {
    warn(`It is not sure that DATABASE_URL leads to the database of MIGRATE_DATABASE_URL. ${commandFailure(error)}`);
    return undefined;
  });
  mustBeSame(served, migrated);
}

interface Opened {
  readonly url: string;
  /** Where this command has started it. */
  readonly whyBroken?: EmbeddedPostgres['whyBroken'];
  end(): Promise<void>;
}

const patienceMs = 60_000;

/** Tries again for a while: other commands may start or end the embedded database at the same time. */
async function openEmbedded(dataDirectory: string, until = performance.now() + patienceMs): Promise<Opened> {
  const url = await runningEmbedded(dataDirectory);
  const use = url && (await beginUse(url));
  if (url && use) return { url, end: () => use.end() };
  try {
    return endedBehindOthers(await startEmbedded({ dataDirectory }));
  } catch (error) {
    if (performance.now() > until || !(await otherEmbedded(dataDirectory))) throw error;
    return openEmbedded(dataDirectory, until);
  }
}

function endedBehindOthers({ url, whyBroken, stop }: EmbeddedPostgres): Opened {
  const end = async (): Promise<void> => {
    // A database that cannot be asked has ended already.
    await othersHaveEnded(url).catch(() => undefined);
    await stop();
  };
  return { url, whyBroken, end };
}
