/** Starts a PostgreSQL of our own for a service that was given no DATABASE_URL. */
import { resolve } from 'node:path';
import { DatabaseClient } from '../client.js';
import { openBinaries } from './binaries.js';
import { type Cluster, openCluster, superuser, urlOf } from './cluster.js';
import { codeOf, EmbeddedPostgresError, endedByItself, useYourOwn } from './failure.js';
import { openHome } from './home.js';
import { waitUntilFree } from './occupancy.js';
import { panicSince, type Server, startServer, stopServer } from './server.js';
import type { ServerOptions } from './settings.js';

export interface EmbeddedOptions extends ServerOptions {
  /** A directory for this alone; made when it does not exist. */
  readonly dataDirectory: string;
  /** Any free one when not given. */
  readonly port?: number;
  /** Called before the database is made, which takes some seconds; what it throws keeps it from being made. */
  readonly beforeFirst?: () => Promise<void>;
  /** Called when the server ends without having been asked to. */
  readonly onExit?: (reason: string) => void;
}

export interface EmbeddedPostgres {
  /** Holds the password; not for logs. */
  readonly url: string;
  /** Why work on it failed, if it broke since it was started. */
  whyBroken(): Error | undefined;
  stop(): Promise<void>;
}

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    // A directory that cannot be written, a full disk: the system's own words are clear enough for one line.
    if (error instanceof Error && 'syscall' in error && !['EMFILE', 'ENFILE'].includes(codeOf(error) ?? ''))
      throw new EmbeddedPostgresError(`The embedded PostgreSQL cannot start: ${error.message}. ${useYourOwn}`);
    throw error;
  }
}

async function start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = resolve(options.dataDirectory);
  const home = await openHome(dataDirectory);
  const binaries = await openBinaries(home);
  const cluster = await openCluster(home, binaries, options.beforeFirst);
  await waitUntilFree(cluster.pgdata);
  const server = await startServer({ home, binaries, cluster }, options);

  let stopped: Promise<void> | undefined;
  server.ended.then((end) => {
    server.log.close();
    if (stopped) return;
    // One after which the server has come back by itself is not why it ended.
    const reason = panicSince('ready', server) ?? end;
    options.onExit?.(endedByItself(dataDirectory, reason, server.log.path).message);
  });
  const whyBroken = () => {
    const reason = panicSince('start', server);
    return reason === undefined ? undefined : endedByItself(dataDirectory, reason, server.log.path);
  };
  const stop = () => {
    stopped ??= stopServer(server);
    return stopped;
  };
  try {
    await createDatabase(cluster, server);
  } catch (error) {
    // Why it is of no use says more than that it does not end.
    await stop().catch(() => undefined);
    throw whyBroken() ?? error;
  }
  return { url: urlOf(cluster, server.port), whyBroken, stop };
}

/** A database of our own, so that it can be dumped to and restored from any server as one thing. */
export async function createDatabase(cluster: Cluster, server: Pick<Server, 'port'>): Promise<void> {
  const client = new DatabaseClient({ connectionString: urlOf(cluster, server.port, 'postgres') });
  await client.connect();
  try {
    const databases = await client.query('select from pg_database where datname = $1', [superuser]);
    if (databases.rowCount === 0) await client.query(`create database ${superuser}`);
  } finally {
    await client.end();
  }
}
