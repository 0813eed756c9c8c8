/** Who PostgreSQL runs as: it refuses root, so a service started by root lends it an unprivileged account. */
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { codeOf, EmbeddedPostgresError, useYourOwn } from './failure.js';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account to run as, or undefined for "as ourselves". Files that already exist decide, whoever made them: a cluster
 * made by an ordinary user keeps working when root starts the service.
 */
export function chooseAccount(existingCluster: string): Account | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  return ownerOf(existingCluster) ?? unprivileged();
}

function ownerOf(path: string): Account | undefined {
  const owner = statSync(path, { throwIfNoEntry: false });
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : undefined;
}

/** It must stand in /etc/passwd: initdb looks up the name of its user id and gives up without one. */
function unprivileged(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  // An account called worktrack is nobody else's; nobody is there on every system.
  for (const name of ['worktrack', 'nobody', 'daemon']) {
    const [, , uid, gid] = accounts.find(([known]) => known === name) ?? [];
    if (Number(uid)) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and /etc/passwd has no account 'worktrack' or 'nobody' for it. ${useYourOwn}`,
  );
}

export interface Outcome {
  /** The exit status, or the code of the system error that kept the program from starting. */
  readonly status: number | string;
  readonly output: string;
}

/**
 * Runs a program to its end as the account, with what it needs of the environment and nothing that could mislead it. It
 * and what it starts end with this process, before others clear away at its exit.
 */
export function runAs(account: Account | undefined, program: string, args: readonly string[]): Promise<Outcome> {
  return new Promise<Outcome>((resolve, reject) => {
    const options = { ...surroundings(account), detached: true };
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const end = (): void => endGroup(child.pid);
    process.prependListener('exit', end);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status: status ?? signal ?? 'error', output }));
    child.on('close', () => process.off('exit', end));
    // Node throws some of the system's refusals and emits others.
  }).catch((error: Error) => ({ status: codeOf(error) ?? 'error', output: error.message }));
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Options of `spawn`: the account, a working directory anyone may be in, and an environment without PG* and LD_*. */
export const surroundings = (account: Account | undefined) => ({
  ...account,
  cwd: '/',
  env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
});
