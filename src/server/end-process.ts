/** The end of the process, also where threads that it would wait for hang in operations on stored files. */
import { setTimeout as pause } from 'node:timers/promises';
import { beginNoMore, filesAreInUse, filesAtRest } from '../turns/file-threads.js';
import { complain, complainOf } from './standard-error.js';

/** With this status, else that of the process. What is under way on stored files may take so long. */
export async function endProcess(status?: number, patienceMs = 1000): Promise<never> {
  if (filesAreInUse()) await endWhereFilesHang(status, patienceMs);
  // Node 20 takes undefined for 0, whatever the process has.
  process.exit(status ?? process.exitCode);
}

/** Node waits for its threads: where they hang, nothing but a signal ends it. Else it goes on. */
export async function endWhereFilesHang(status = process.exitCode ?? 0, patienceMs = 30_000): Promise<void> {
  beginNoMore();
  await Promise.race([filesAtRest(), pause(patienceMs, undefined, { ref: false })]);
  if (!filesAreInUse()) return;
  complain(`DATA_DIR/files does not answer, so the process is killed in place of its end with status ${status}.`);
  // Behind all others of that event, which write the last lines.
  process.on('exit', () => {
    process.kill(process.pid, 'SIGKILL');
    // Process 1 of a container is not killed by what it sends itself.
    process.abort();
  });
  process.exit(status);
}

/** Node would print all that the error holds, such as values in an error of the database. */
export function endOnUncaught(): void {
  process.on('uncaughtException', (error: unknown) => {
    complainOf(error);
    void endProcess(1);
  });
}
