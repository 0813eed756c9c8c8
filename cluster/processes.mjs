/** Programs that a run starts, each ended by its own id, with what it says in a file. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

export const run = (program, ...args) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** While a load runs, which this would hold up if it waited. */
export const runBeside = (program, ...args) => promisify(execFile)(program, args);

export class Program {
  constructor(command, { log, env = {} }) {
    const output = openSync(log, 'a');
    const [program, ...args] = command;
    this.child = spawn(program, args, { stdio: ['ignore', output, output], env: { PATH: process.env.PATH, ...env } });
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
  }

  signal(name) {
    this.child.kill(name);
  }

  /** Politely, and after a while not. */
  async end(name = 'SIGTERM', patienceMs = 15_000) {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.signal(name);
    if ((await Promise.race([this.ended, pause(patienceMs, 'late', { ref: false })])) === 'late')
      this.signal('SIGKILL');
    await this.ended;
  }
}

/** The process and all that descend from it. */
export function familyOf(pid) {
  const rows = readdirSync('/proc').flatMap((name) => parentOf(name));
  const family = [pid];
  for (const one of family) for (const [child, parent] of rows) if (parent === one) family.push(child);
  return family;
}

/** Without a program, which would hold up the load. */
function parentOf(name) {
  if (!/^\d+$/.test(name)) return [];
  try {
    return [[Number(name), Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ')[1])]];
  } catch {
    return [];
  }
}

export function signalAll(pids, name) {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

export const pidIn = (path) => Number(readFileSync(path, 'utf8').split('\n')[0]);

export async function until(what, ask, seconds = 60) {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const value = await Promise.resolve(ask()).catch(() => undefined);
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`);
    await pause(50);
  }
}
