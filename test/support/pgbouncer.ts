/** A real PgBouncer in front of the suite's PostgreSQL, on machines that have one. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/runtime/free-port.js';
import { until } from './service.js';

export const pgbouncerPath = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

export const pgbouncerVersion = pgbouncerPath
  ? execFileSync(pgbouncerPath, ['--version'], { encoding: 'utf8' }).split('\n', 1)[0]!
  : 'PgBouncer';

/** Newer ones can keep named statements for their clients. */
const [major = 0, minor = 0] = (/\d+\.\d+/.exec(pgbouncerVersion)?.[0] ?? '').split('.').map(Number);
const canKeepNames = major > 1 || minor >= 21;
const namesForgotten: Record<string, string> = canKeepNames ? { max_prepared_statements: '0' } : {};

export class PgBouncer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    readonly url: string,
  ) {}

  /** All clients come as the user of the address. */
  static async to(databaseUrl: string, settings: Record<string, string>): Promise<PgBouncer> {
    const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
    const database = pathname.slice(1);
    const port = await freePort('127.0.0.1');
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-pgbouncer-'));
    chmodSync(directory, 0o755);
    const file = join(directory, 'pgbouncer.ini');
    const all = { listen_addr: '127.0.0.1', listen_port: port, auth_type: 'any', unix_socket_dir: '', ...settings };
    const lines = Object.entries({ ...all, ...namesForgotten }).map(([name, value]) => `${name} = ${value}`);
    const target = `host=${hostname} port=${serverPort} user=${username} password=${password}`;
    writeFileSync(file, `[databases]\n${database} = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
    const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn(pgbouncerPath!, [...asUser, file], { stdio: 'ignore' });
    await until(() => isListening(port));
    return new PgBouncer(child, directory, `postgres://${username}@127.0.0.1:${port}/${database}`);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
