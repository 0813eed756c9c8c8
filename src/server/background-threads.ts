/**
 * Gives the event loop the first turn at the cores, ahead of the other threads of its process: those that collect
 * garbage, hash passwords, make pictures and read files. A statement of a request comes to its turn among them, too:
 * they rank as the backends of the embedded PostgreSQL do.
 *
 * On Linux each thread has a priority of its own, by its number, and gives it to threads that it starts.
 */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { lowerNiceness } from '../database/backend-priority.js';

/** Node has started those that it keeps before the service listens. */
export function lowerBackgroundThreads(): void {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync('/proc/self/task')) lower(Number(thread));
  } catch {
    // There is no /proc: all goes on as it is.
  }
}

function lower(thread: number): void {
  if (thread === process.pid) return;
  try {
    setPriority(thread, lowerNiceness());
  } catch {
    // The thread has ended, or the system does not allow it.
  }
}
