/** Opens a database that may not be there yet, as after a machine has started: tries again for a while, and says so. */
import { setTimeout as pause } from 'node:timers/promises';
import { isCutOff, isTimedOut } from './database-error.js';
import type { Tell } from './migrate.js';

const everyMs = 500;

export async function whenReachable<T>(open: () => Promise<T>, seconds: number, tell: Tell): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      if (!isAway(error) || performance.now() >= end) throw error;
      if (attempt === 1) tell(`The database cannot be reached yet. Waiting for it up to ${seconds} seconds.`);
    }
    await pause(everyMs);
  }
}

/**
 * Nothing is there, or it is starting or full. What only somebody can mend, such as a wrong password, is not waited
 * for.
 */
export const isAway = (error: unknown): boolean =>
  isCutOff(error) || isTimedOut(error) || away.has((error as { code?: unknown } | null)?.code) || hasNoSocket(error);

/** The file of a Unix socket appears when its server starts. */
const hasNoSocket = (error: unknown): boolean => {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'connect';
};

const away = new Set<unknown>([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '53300',
  '25006',
]);
