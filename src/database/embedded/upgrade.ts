/**
 * Moves an embedded cluster of an older version of PostgreSQL: both versions run, the older one for reading alone, and
 * what was copied from the one to the other takes the place of the old data in the end. These are kept beside it.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Binaries, openBinaries } from './binaries.js';
import {
  type Cluster,
  initialiseData,
  majorOf,
  majorVersionOf,
  openCluster,
  passwordFileOf,
  passwordIn,
  urlOf,
} from './cluster.js';
import { createDatabase } from './embedded.js';
import { EmbeddedPostgresError, endedByItself } from './failure.js';
import { clusterOf, type Home, mustHaveCluster, openHome } from './home.js';
import { waitUntilFree } from './occupancy.js';
import { olderBinaries, removeOlderBinaries } from './older-binaries.js';
import { panicSince, type Server, startServer, stopServer } from './server.js';
import { keptOf, swap, upgradedOf } from './swap.js';

export interface Upgrading {
  readonly dataDirectory: string;
  /** Of the older version; fetched from npm when not given. */
  readonly binaries?: string;
  tell(line: string): void;
  /** Copies all data from one address to the other, and checks them; `folder` has room for what lies in between. */
  copy(from: string, to: string, folder: string): Promise<void>;
}

export interface Upgraded {
  readonly from: string;
  readonly to: string;
  /** Where the old data are; undefined where nothing was to do. */
  readonly kept?: string;
}

export async function upgradeCluster(upgrading: Upgrading): Promise<Upgraded> {
  const home = await homeOf(upgrading.dataDirectory);
  const pgdata = clusterOf(home.directory);
  const binaries = await openBinaries(home);
  const [from, to] = [await majorVersionOf(home.directory), majorOf(binaries)];
  // A cluster of this version is as it should be, and a newer one is refused.
  if (Number(from) >= Number(to)) await openCluster(home, binaries);
  if (from === to) {
    await removeCopy(home);
    upgrading.tell(`The database is of PostgreSQL ${to} already.`);
    return { from, to };
  }
  const kept = keptOf(pgdata, from);
  if (existsSync(kept)) throw new EmbeddedPostgresError(`${kept} is there from an earlier upgrade: move it away.`);
  await waitUntilFree(pgdata);
  upgrading.tell(`PostgreSQL ${from} is got ready.`);
  const older = await olderBinaries(from, home, upgrading.binaries);
  const made = await makeCopy({ home, older, binaries }, upgrading);
  await swap(pgdata, from, made);
  await removeCopy(home);
  await removeOlderBinaries(from, home);
  return { from, to, kept };
}

/** The data of older versions that upgrades have kept; gives their number. */
export async function removeKept(dataDirectory: string): Promise<number> {
  const { directory } = await homeOf(dataDirectory);
  const folder = dirname(clusterOf(directory));
  const old = (await readdir(folder)).filter((name) => /^pgdata-\d+$/.test(name));
  for (const name of old) await rm(join(folder, name), { recursive: true });
  return old.length;
}

async function homeOf(dataDirectory: string): Promise<Home> {
  await mustHaveCluster(resolve(dataDirectory));
  return openHome(resolve(dataDirectory));
}

interface Versions {
  readonly home: Home;
  readonly older: Binaries;
  /** Programs of this version of PostgreSQL. */
  readonly binaries: Binaries;
}

/** The older server runs all the time: nobody else starts it. */
async function makeCopy(versions: Versions, upgrading: Upgrading): Promise<string> {
  const { home, older } = versions;
  const cluster = { pgdata: clusterOf(home.directory), password: await passwordIn(home.directory) };
  await waitUntilFree(cluster.pgdata);
  const source = await startServer({ home, binaries: older, cluster }, { readOnly: true });
  return whileRunning(source, upgrading, async () => {
    try {
      return await fillCopy(versions, { cluster, port: source.port }, upgrading);
    } catch (error) {
      // It holds what the old data hold, and takes the room that these may need.
      await removeCopy(home).catch(() => undefined);
      throw error;
    }
  });
}

async function fillCopy(
  versions: Versions,
  { cluster, port }: { cluster: Cluster; port: number },
  upgrading: Upgrading,
): Promise<string> {
  const { copy, tell } = upgrading;
  const { home, binaries } = versions;
  const folder = await emptyFolder(home);
  const pgdata = join(folder, 'pgdata');
  tell(`A database of PostgreSQL ${majorOf(binaries)} is made.`);
  await initialiseData(pgdata, passwordFileOf(home.directory), versions);
  const target = await startServer(
    { home: { ...home, directory: folder }, binaries, cluster: { ...cluster, pgdata } },
    {},
  );
  await whileRunning(target, upgrading, async () => {
    await createDatabase(cluster, target);
    await copy(urlOf(cluster, port), urlOf(cluster, target.port), folder);
  });
  return pgdata;
}

async function whileRunning<T>(
  server: Server,
  { dataDirectory }: Pick<Upgrading, 'dataDirectory'>,
  work: () => Promise<T>,
): Promise<T> {
  const ended = server.ended.then((end) => {
    server.log.close();
    throw endedByItself(dataDirectory, end);
  });
  ended.catch(() => undefined);
  try {
    return await Promise.race([work(), ended]);
  } catch (error) {
    // Its log may go with the copy.
    const reason = panicSince('start', server);
    throw reason === undefined ? error : endedByItself(dataDirectory, reason);
  } finally {
    await stopServer(server);
  }
}

/** What an upgrade that was interrupted has left goes first. */
async function emptyFolder(home: Home): Promise<string> {
  await removeCopy(home);
  const folder = folderOf(home);
  await mkdir(folder);
  await chmod(folder, 0o711);
  return folder;
}

const folderOf = ({ directory }: Home): string => join(directory, 'upgrade');

/** Once its server has ended. */
async function removeCopy(home: Home): Promise<void> {
  const folder = folderOf(home);
  await waitUntilFree(join(folder, 'pgdata'));
  for (const left of [folder, upgradedOf(clusterOf(home.directory))]) await rm(left, { recursive: true, force: true });
}
