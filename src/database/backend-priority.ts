/**
 * Gives the event loop the first turn at the cores, ahead of the statements of the embedded PostgreSQL: all requests
 * pass the loop, and one that waits for a core behind the statements of a few makes everybody wait.
 *
 * Linux shares the cores by `nice`, and before that among sessions where it groups processes by them
 * (`sched_autogroup_enabled`). PostgreSQL makes each backend a session, so each would get as much time as the whole
 * service. Both shares are lowered, of the backends of this process alone.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The name of the embedded cluster. The titles of its processes hold it. */
export const embeddedClusterName = 'worktrack-embedded';

/** As `nice` counts: some third of the share of the event loop, where both want the same core. */
const below = 5;
const lowest = 19;

/** That of what comes behind the event loop of this process, whatever priority it was started with. */
export const lowerNiceness = (): number => Math.min(lowest, getPriority() + below);

/** Linux refuses a second change of a session's share by one user within a tenth of a second. */
const retryMs = 150;
const mostTries = 20;

/** `port`: of this end of the connection that leads to the backend. Other processes are left as they are. */
export function lowerPriority(pid: number | null, port: number | undefined): void {
  if (process.platform !== 'linux' || pid === null || port === undefined || !isEmbedded(pid, port)) return;
  try {
    setPriority(pid, lowerNiceness());
  } catch {
    // The system does not allow it, or the backend has ended: all goes on as it is.
  }
  lowerSession(pid, port, mostTries);
}

/** The process id may be one of another machine: the port in the title tells whether it is our database. */
function isEmbedded(pid: number, port: number): boolean {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    return title.startsWith(`postgres: ${embeddedClusterName}: `) && title.includes(`(${port}) `);
  } catch {
    return false;
  }
}

function lowerSession(pid: number, port: number, tries: number): void {
  try {
    // Before it is one of its own, a change would meet this process as well.
    if (sessionOf(pid) === sessionOf('self')) return;
    writeFileSync(`/proc/${pid}/autogroup`, String(below));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || tries === 0) return;
    setTimeout(() => isEmbedded(pid, port) && lowerSession(pid, port, tries - 1), retryMs).unref();
  }
}

const sessionOf = (pid: number | 'self'): string => readFileSync(`/proc/${pid}/autogroup`, 'latin1').split(' ')[0]!;
