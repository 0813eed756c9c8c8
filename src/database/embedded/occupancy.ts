/** Makes sure no server runs on a data directory, and clears away what a killed one left there. */
import { execFileSync } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { codeOf, EmbeddedPostgresError } from './failure.js';

/** PostgreSQL's own note about itself: who runs here, on which port, in which state. */
export interface Occupant {
  readonly pid: number;
  readonly port: number;
  readonly status: string;
}

export async function occupantOf(pgdata: string): Promise<Occupant | undefined> {
  const text = await readFile(pidFile(pgdata), 'utf8').catch(() => undefined);
  const lines = text?.split('\n').map((line) => line.trim());
  return lines && { pid: Math.abs(Number(lines[0])), port: Number(lines[3]), status: lines[7] ?? '' };
}

const patienceMs = 1500;

/**
 * A server whose service was killed a moment ago is about to end, so it gets a little time, and more when it says that
 * it is stopping.
 */
export async function waitUntilFree(pgdata: string): Promise<void> {
  const since = performance.now();
  for (;;) {
    const occupant = await occupantOf(pgdata);
    if (!occupant) return;
    // Whoever has just made the note is about to write it; a crash leaves it empty for good.
    const isWritten = occupant.pid > 0 || performance.now() - since > patienceMs;
    if (isWritten && !(await isServing(occupant.pid, pgdata))) return removeLeftover(pgdata, occupant);
    if (performance.now() - since > (occupant.status === 'stopping' ? 15_000 : patienceMs) && isWritten)
      throw new EmbeddedPostgresError(
        `The database in ${pgdata} is in use by another process (PostgreSQL runs on it with process id ${occupant.pid}). Stop that one first, or set DATA_DIR.`,
      );
    await pause(25);
  }
}

/**
 * PostgreSQL takes any living process with the noted id for its predecessor and refuses to start. After a reboot, and
 * always in containers, that id may be anybody's. Should processes of the old server still live, it notices by their
 * shared memory.
 */
async function removeLeftover(pgdata: string, seen: Occupant): Promise<void> {
  const now = await occupantOf(pgdata);
  if (isDeepStrictEqual(now, seen)) await rm(pidFile(pgdata), { force: true });
}

export async function isServing(pid: number, pgdata: string): Promise<boolean> {
  if (!pid || !isAlive(pid)) return false;
  try {
    // A server works in its data directory.
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(pgdata));
  } catch (error) {
    // Where there is no /proc the program's name must do; another user's process cannot be ours.
    return codeOf(error) === 'ENOENT' && process.platform !== 'linux' && programOf(pid).includes('postgres');
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function programOf(pid: number): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

const pidFile = (pgdata: string): string => join(pgdata, 'postmaster.pid');
