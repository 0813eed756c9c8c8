/** Work of which each attempt waits for locks briefly, and pauses between them let others through. */
import { isLockedOut, type Patience } from '../database/migrate.js';

/** Undefined: it was locked out each time. */
export async function patiently<T>({ attempts, pause }: Patience, work: () => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await pause();
    try {
      return await work();
    } catch (error) {
      if (!isLockedOut(error)) throw error;
    }
  }
  return undefined;
}

export const lockedOut = ({ attempts }: Patience): string =>
  `They were given no lock in ${attempts} attempts: end what writes to the database for long.`;
