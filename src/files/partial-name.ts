/** Who writes a file tells it by its name, so that others know whether it is still being written. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export const machine = createHash('sha256')
  .update(hostname() + nameBy(() => readlinkSync('/proc/self/ns/pid')) + nameBy(() => readFileSync('/etc/machine-id')))
  .digest('hex')
  .slice(0, 8);

export const partialSuffix = `.${machine}-${process.pid}.part`;

/** Whether the process that wrote a file of this name is a former one of this machine. */
export function isAbandoned(name: string): boolean {
  const [, where, pid] = /\.([0-9a-f]{8})-(\d{1,10})\.part$/.exec(name) ?? [];
  return where === machine && Number(pid) !== process.pid && !isRunning(pid!);
}

/** Whether there is a process of that number here. */
export function isRunning(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Containers may share a host name, and count their processes each for itself; so may machines that share a directory.
 * Linux alone has a name for either.
 */
function nameBy(ask: () => string | Buffer): string {
  try {
    return String(ask());
  } catch {
    return '';
  }
}
