/**
 * The database that is served: started when it is our own, prepared, and asked where the service may be heard with it.
 */
import { weakPasswords } from '../auth/weak-passwords.js';
import type { Config } from '../config/config.js';
import { mostConnections } from '../database/connection-scheduler.js';
import { type EmbeddedPostgres, startEmbedded } from '../database/embedded/embedded.js';
import type { Tell } from '../database/migrate.js';
import { type DatabaseState, knownPasswordsAt, prepareDatabase, stateOfNew } from '../database/prepare.js';
import { databaseAt, mustBeSame } from '../database/same-database.js';
import { whenReachable } from '../database/when-reachable.js';
import { listeningHost } from '../runtime/listening-host.js';
import { endProcess } from './end-process.js';
import { refuseTakenPorts } from './listen.js';
import { complain } from './standard-error.js';
import { embeddedRefused, refusedByServer } from './start-failure.js';

export interface OpenDatabase {
  /** As it was configured, with the database and the host that are used. */
  readonly config: Config;
  readonly state: DatabaseState;
  /** What whoever starts the service should know. */
  readonly notices: readonly string[];
  readonly embedded?: EmbeddedPostgres;
}

/** `onStarted` is given the embedded one before anything else may fail. */
export async function openDatabase(
  given: Config,
  tell: Tell,
  onStarted: (embedded: EmbeddedPostgres) => void,
): Promise<OpenDatabase> {
  const embedded = given.databaseUrl ? undefined : await startOurs(given, tell).catch(embeddedRefused(given.dataDir));
  if (embedded) onStarted(embedded);
  const config: Config = { ...given, databaseUrl: given.databaseUrl ?? embedded!.url };
  const refused = embedded ? embeddedRefused(given.dataDir, embedded.whyBroken) : refusedByServer(given);
  const state = await prepare(config, tell, refused);
  const { host, notice } = listeningHost(config, state);
  const notices = [notice, weakPasswords(config, state), state.differingClocks].filter((one) => one !== undefined);
  return { config: { ...config, host }, state, notices, embedded };
}

/** What is served decides where it may be heard, also where it is not sure that it is what was made ready. */
async function prepare(config: Config, tell: Tell, refused: (error: unknown) => never): Promise<DatabaseState> {
  const { databaseUrl, migrateDatabaseUrl } = config;
  const reach = <T>(open: () => Promise<T>): Promise<T> => whenReachable(open, config.waitForDatabaseSeconds, tell);
  const migrating = migrateDatabaseUrl && (await reach(() => databaseAt(migrateDatabaseUrl)).catch(refused));
  const isSure = !migrateDatabaseUrl || mustBeSame(await reach(() => databaseAt(databaseUrl!)), migrating);
  const state = await reach(() => prepareDatabase(config, tell)).catch(refused);
  return isSure ? state : { ...state, ...(await reach(() => knownPasswordsAt(databaseUrl!))) };
}

const startOurs = (config: Config, tell: Tell): Promise<EmbeddedPostgres> =>
  startEmbedded({
    dataDirectory: config.dataDir,
    connections: mostConnections(config.pool) * config.workers,
    beforeFirst: async () => {
      await refuseTakenPorts({ ...config, host: listeningHost(config, stateOfNew(config)).host });
      tell('The first start makes a PostgreSQL database, which takes some seconds.');
    },
    onExit: (reason) => {
      complain(reason);
      void endProcess(1);
    },
  });
