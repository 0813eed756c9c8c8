/** Finds the embedded PostgreSQL that a running service has on a data directory, for chores beside it. */
import { setTimeout as pause } from 'node:timers/promises';
import { passwordIn, urlOf } from './cluster.js';
import { clusterOf, pointer } from './home.js';
import { isServing, occupantOf } from './occupancy.js';

/** Its address, which holds the password; undefined where none runs. */
export async function runningEmbedded(dataDirectory: string): Promise<string | undefined> {
  return (await lookFor(dataDirectory)).url;
}

const patienceMs = 30_000;

/** The same, for whoever could not start one: another process may be about to. */
export async function otherEmbedded(dataDirectory: string): Promise<string | undefined> {
  for (const since = performance.now(); performance.now() - since < patienceMs; await pause(25)) {
    const { url, isComing } = await lookFor(dataDirectory);
    if (url || !isComing) return url;
  }
  return undefined;
}

async function lookFor(dataDirectory: string): Promise<{ url?: string; isComing: boolean }> {
  // What is wrong with the directory is for the start to say.
  const directory = (await pointer(dataDirectory).catch(() => undefined)) ?? dataDirectory;
  const pgdata = clusterOf(directory);
  const occupant = await occupantOf(pgdata);
  if (!occupant || !(await isServing(occupant.pid, pgdata))) return { isComing: false };
  if (occupant.status !== 'ready') return { isComing: occupant.status !== 'stopping' };
  return { url: urlOf({ password: await passwordIn(directory) }, occupant.port), isComing: false };
}
