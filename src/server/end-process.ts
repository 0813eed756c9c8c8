/** The end of the process, also where threads that it would wait for hang in operations on stored files. */
import { threadsHang } from '../turns/file-threads.js';
import { complain, complainOf } from './standard-error.js';

/** With this status, else that of the process; by SIGKILL where a directory of files hangs: Node waits for threads. */
export async function endProcess(status?: number): Promise<never> {
  if (await threadsHang()) {
    complain('DATA_DIR/files does not answer, so the process ends by SIGKILL.');
    // Behind all others of that event, which write the last lines.
    process.on('exit', () => process.kill(process.pid, 'SIGKILL'));
  }
  // Node 20 takes undefined for 0, whatever the process has.
  process.exit(status ?? process.exitCode);
}

/** Node would print all that the error holds, such as values in an error of the database. */
export function endOnUncaught(): void {
  process.on('uncaughtException', (error: unknown) => {
    complainOf(error);
    void endProcess(1);
  });
}
