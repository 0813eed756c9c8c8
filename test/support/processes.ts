/** The processes of a service, by the list of the system. */
import { execFileSync } from 'node:child_process';
import type { Service } from './service.js';

/** Of the service alone: on a database of the user's own it has no other children. */
export function workers({ child }: Service): number[] {
  return processes()
    .filter(({ parent }) => parent === child.pid)
    .map(({ pid }) => pid);
}

/** Without those that have ended and are not taken note of. */
export function processes(): { pid: number; parent: number }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = 'Z']) => !state.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}
