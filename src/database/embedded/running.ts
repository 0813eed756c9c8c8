/** Finds the embedded PostgreSQL that a running service has on a data directory, for chores beside it. */
import { passwordIn, urlOf } from './cluster.js';
import { clusterOf, pointer } from './home.js';
import { isServing, occupantOf } from './occupancy.js';

/** Its address, which holds the password; undefined where none runs. */
export async function runningEmbedded(dataDirectory: string): Promise<string | undefined> {
  // What is wrong with the directory is for the start to say.
  const directory = (await pointer(dataDirectory).catch(() => undefined)) ?? dataDirectory;
  const pgdata = clusterOf(directory);
  const occupant = await occupantOf(pgdata);
  if (occupant?.status !== 'ready' || !(await isServing(occupant.pid, pgdata))) return undefined;
  return urlOf({ password: await passwordIn(directory) }, occupant.port);
}
