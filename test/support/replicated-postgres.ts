/** A PostgreSQL with streaming replicas, made of the binaries that the service brings along. */
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../src/config/config.js';
import { type Account, chooseAccount } from '../../src/database/embedded/account.js';
import { openBinaries } from '../../src/database/embedded/binaries.js';
import { startEmbedded } from '../../src/database/embedded/embedded.js';
import { type Guarded, runGuarded } from '../../src/database/embedded/watchdog.js';
import { prepareDatabase } from '../../src/database/prepare.js';
import { freePort } from '../../src/runtime/free-port.js';
import { until } from './service.js';

/** One of its servers, which may be stopped, killed and started again. */
export class ClusterServer {
  private running: Guarded | undefined;

  constructor(
    private readonly command: (port: number) => string[],
    private readonly account: Account | undefined,
    readonly pgdata: string,
    readonly port: number,
    private readonly password: string,
  ) {}

  get url(): string {
    return `postgres://worktrack:${this.password}@127.0.0.1:${this.port}/worktrack`;
  }

  get pid(): number {
    return Number(readFileSync(join(this.pgdata, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  async start(): Promise<void> {
    const log = openSync(`${this.pgdata}.log`, 'a');
    this.running = runGuarded(this.account, this.command(this.port), log);
    closeSync(log);
    await until(() => this.rows('select 1').catch(() => undefined), 60);
  }

  async end(signal: 'INT' | 'QUIT' | 'KILL' = 'INT'): Promise<void> {
    this.running?.send(signal);
    await this.running?.ended;
  }

  /** It answers nothing any more, and nobody is told. */
  freeze(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(this.pid)], { encoding: 'utf8' });
    const pids = [this.pid, ...children.split('\n').filter(Boolean).map(Number)];
    for (const pid of pids) process.kill(pid, signal);
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows have the shape of their statement
  async rows(text: string, values: unknown[] = []): Promise<any[]> {
    const client = new pg.Client(this.url);
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Whether this replica has replayed all that the other one has. */
  async hasAll(of: ClusterServer): Promise<boolean> {
    const [{ at }] = await of.rows('select pg_current_wal_flush_lsn() at');
    const [{ reached }] = await this.rows('select pg_last_wal_replay_lsn() >= $1::pg_lsn reached', [at]);
    return reached;
  }
}

export class ReplicatedPostgres {
  private constructor(
    readonly primary: ClusterServer,
    readonly replicas: readonly ClusterServer[],
    private readonly directory: string,
  ) {}

  /** With the demonstration data. */
  static async start(replicas: number): Promise<ReplicatedPostgres> {
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-replicated-'));
    // The account that PostgreSQL runs under must reach it.
    chmodSync(directory, 0o711);
    const dataDirectory = join(directory, 'data');
    const embedded = await startEmbedded({ dataDirectory });
    await prepareDatabase(loadConfig({ DATABASE_URL: embedded.url, DEMO_DATA: 'true' }));
    await embedded.stop();
    const pgdata = join(dataDirectory, 'cluster/pgdata');
    const account = chooseAccount(pgdata);
    const binaries = await openBinaries({ directory: dataDirectory, account });
    const { password } = new URL(embedded.url);
    const command = (data: string) => (port: number) => [
      join(binaries.directory, 'bin/postgres'),
      ...['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])],
    ];
    const make = async (data: string) =>
      new ClusterServer(command(data), account, data, await freePort('127.0.0.1'), password);
    const primary = await make(pgdata);
    const copies: ClusterServer[] = [];
    for (let at = 0; at < replicas; at += 1) {
      const copy = await make(`${pgdata}-${at + 1}`);
      seed(primary, copy);
      copies.push(copy);
    }
    const cluster = new ReplicatedPostgres(primary, copies, directory);
    await primary.start();
    await Promise.all(copies.map((copy) => copy.start()));
    return cluster;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.replicas, this.primary].map((server) => server.end('QUIT')));
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const settings = [
  'listen_addresses=127.0.0.1,::1',
  'unix_socket_directories=',
  'shared_buffers=64MB',
  'fsync=off',
  'max_connections=60',
  'timezone=UTC',
  'wal_retrieve_retry_interval=100ms',
];

/** While the primary is stopped: a copy of its files is a replica. */
function seed(primary: ClusterServer, copy: ClusterServer): void {
  execFileSync('cp', ['-a', primary.pgdata, copy.pgdata]);
  const { username, password } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${primary.port} user=${username} password=${password} application_name=r${copy.port}`;
  writeFileSync(join(copy.pgdata, 'standby.signal'), '');
  writeFileSync(join(copy.pgdata, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
}
