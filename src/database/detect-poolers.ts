/**
 * Completes the configuration with what is found out of the connections at the start: whether a pooler lends them to
 * others, too.
 */
import type { Config } from '../config/config.js';
import { addressesOf } from '../config/database-addresses.js';
import { isShared, keepsNames, type OpenOptions, openClient, UnfitConnectionError } from './open-client.js';
import { sessionSettings } from './session.js';

export interface ConfigWithPoolers extends Config {
  readonly sharesConnections: boolean;
  /** Whether a pooler deals out connections to replicas by transaction. */
  readonly sharesReadConnections: boolean;
  /** Addresses of replicas that were away. */
  readonly unaskedReplicas: readonly string[];
}

export async function detectPoolers(config: Config): Promise<ConfigWithPoolers> {
  const { databaseUrl, readDatabaseUrl } = config;
  const settings = sessionSettings(config);
  const options: OpenOptions = { connectionString: databaseUrl!, settings };
  const replicas: OpenOptions[] = addressesOf(readDatabaseUrl).map((connectionString) => ({
    connectionString,
    settings,
    variable: 'READ_DATABASE_URL',
  }));
  const [sharesConnections, ...sharedReplicas] = await Promise.all([
    areShared(options),
    ...replicas.map((replica) => areShared(replica).catch(isAway)),
  ]);
  const poolers = [...(sharesConnections ? [options] : []), ...replicas.filter((_, at) => sharedReplicas[at])];
  // A pooler before one of them is taken for one before all.
  const sharesReadConnections = sharedReplicas.includes(true);
  const preparedStatements = config.preparedStatements && (poolers.length === 0 || config.requiresPreparedStatements);
  if (preparedStatements) for (const pooler of poolers) await requireNames(pooler);
  const unaskedReplicas = addressesOf(readDatabaseUrl).filter((_, at) => sharedReplicas[at] === undefined);
  const poolerFacts = { sharesConnections, sharesReadConnections, unaskedReplicas, preparedStatements };
  return Object.freeze({ ...config, ...poolerFacts });
}

export async function areShared(options: OpenOptions): Promise<boolean> {
  const client = await openClient(options);
  const isPooled = isShared(client);
  await client.end();
  return isPooled;
}

/** A replica may be away; of one that is there and does not fit the person who starts the service is told. */
function isAway(error: unknown): undefined {
  if (error instanceof UnfitConnectionError) throw error;
}

async function requireNames(options: OpenOptions): Promise<void> {
  if (await keepsNames(options)) return;
  throw new UnfitConnectionError(
    `PREPARED_STATEMENTS=true cannot be kept: the pooler of ${options.variable ?? 'DATABASE_URL'} forgets named statements between transactions. Unset it.`,
  );
}
