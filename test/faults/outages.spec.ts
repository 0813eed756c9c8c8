/**
 * The service as a process whose database is taken away and given back: it stays, and its log says what happened in a
 * few lines.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockWaiters } from '../support/connections.js';
import { answering, CuttingProxy, sending } from '../support/cutting-proxy.js';
import { bareDatabase } from '../support/empty-database.js';
import { Service, until } from '../support/service.js';

const headers = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };

let DATABASE_URL: string;
let proxy: CuttingProxy;
let service: Service;
let address: string;

beforeAll(async () => {
  DATABASE_URL = await bareDatabase('taken_away');
  proxy = await CuttingProxy.to(DATABASE_URL);
  service = Service.spawn({ DATABASE_URL: proxy.url, DB_POOL: '4' });
  address = await service.address();
});
afterAll(async () => {
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  await proxy.stop();
});

let refusedReads = 0;
/** Its status. The value is one that shows when its statement passes. */
async function read(value = 'none'): Promise<number> {
  const { status } = await fetch(`${address}/api/v1/Roles?format=json&where=Name ne '${value}'`, { headers });
  if (status === 503) refusedReads += 1;
  return status;
}

const readsAgain = () => until(async () => (await read()) === 200);

const lines = (): Record<string, unknown>[] =>
  service.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

const warnings = () => lines().filter(({ level, msg }) => level === 'warn' && /cannot be reached/.test(String(msg)));
const refused = () => warnings().reduce((sum, { refusals }) => sum + Number(refusals), 0);

it.each(['cut', 'reset'] as const)('stays when connections are %s while it reads', async (how) => {
  for (let round = 0; round < 8; round += 1) {
    await readsAgain();
    const moment = round % 2 === 0 ? answering : sending;
    const value = `${how}${round}`;
    const [status] = await Promise.all([read(value), proxy.breakAt(moment(value), how)]);
    expect([200, 503]).toContain(status);
  }
  await readsAgain();
});

it('F3: stays when all backends are ended, again and again', async () => {
  const killer = new pg.Client(DATABASE_URL);
  await killer.connect();
  const statuses = new Set<number>();
  for (let round = 0; round < 10; round += 1) {
    const answers = Array.from({ length: 8 }, () => read());
    await killer.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    for (const status of await Promise.all(answers)) statuses.add(status);
  }
  await killer.end();
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await readsAgain();
});

it('stays while the database takes no connections', async () => {
  const server = new URL(DATABASE_URL);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const keeper = new pg.Client(server.href);
  await keeper.connect();
  await keeper.query(`alter database ${name} allow_connections false`);
  try {
    await keeper.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    const statuses = [await read('closed'), await read('closed'), await read('closed')];
    expect(statuses).toEqual([503, 503, 503]);
    expect((await fetch(`${address}/health/ready`)).status).toBe(503);
  } finally {
    await keeper.query(`alter database ${name} allow_connections true`);
    await keeper.end();
  }
  await readsAgain();
});

it('counts what it refuses in one warning a second, and says when the database is back', async () => {
  await proxy.refuse();
  proxy.breakAll('reset');
  await until(async () => (await read()) === 503);
  const statuses = await Promise.all(Array.from({ length: 60 }, () => read()));
  expect(new Set(statuses)).toEqual(new Set([503]));
  await until(() => refused() === refusedReads);
  const times = warnings().map(({ time }) => Date.parse(String(time)));
  // Timers are exact to a millisecond or two.
  expect(times.filter((time, at) => at > 0 && time - times[at - 1]! < 950)).toEqual([]);
  expect(warnings().at(-1)).toMatchObject({ cause: expect.stringContaining('ECONNREFUSED') });
  await proxy.accept();
  await readsAgain();
  await until(() => lines().some(({ level, msg }) => level === 'info' && msg === 'The database can be reached again.'));
});

it('says nothing of a database that is back where it has only no room for more', { timeout: 60_000 }, async () => {
  const server = new URL(DATABASE_URL);
  const role = 'of_few_connections';
  server.pathname = '/postgres';
  const keeper = new pg.Client(server.href);
  await keeper.connect();
  await keeper.query(`create role ${role} login password '${role}'`);
  await keeper.query(`create database ${role} owner ${role}`);
  const url = Object.assign(new URL(DATABASE_URL), { username: role, password: role, pathname: role }).href;
  const other = Service.spawn({ DATABASE_URL: url, DB_POOL: '8' });
  const base = await other.address();
  await keeper.query(`alter role ${role} connection limit 2`);
  const ask = async () => (await fetch(`${base}/api/v1/Roles?format=json`, { headers })).status;
  await until(async () => (await Promise.all(Array.from({ length: 24 }, ask))).includes(503));
  await until(async () => (await Promise.all(Array.from({ length: 4 }, ask))).includes(200));
  await other.says(/"level":"warn",.*"cause":"too many connections for role/);
  expect(other.output).not.toContain('reached again');
  other.kill('SIGTERM');
  await other.ended;
  await keeper.query(`drop database ${role} with (force)`);
  await keeper.query(`drop role ${role}`);
  await keeper.end();
});

it('counts what it refuses because one user asks too much', { timeout: 60_000 }, async () => {
  const other = Service.spawn({ DATABASE_URL, DB_POOL: '1', WAITING_LIMIT: '1', WAITING_TIMEOUT: '60' });
  const base = await other.address();
  const locking = new pg.Client(DATABASE_URL);
  await locking.connect();
  await locking.query('begin; lock table severity in access exclusive mode');
  const ask = () => fetch(`${base}/api/v1/Severities?format=json`, { headers });
  const first = ask();
  await lockWaiters(locking);
  const answers = [ask(), ask(), ask()];
  // One of them waits.
  expect((await Promise.race(answers)).status).toBe(429);
  await locking.query('commit');
  await locking.end();
  expect((await first).status).toBe(200);
  await Promise.all(answers);
  await other.says(
    /"refusals":1,"status":"TooManyRequests","reason":"user_queue","msg":"Too many requests of this user wait/,
  );
  other.kill('SIGTERM');
  await other.ended;
});

it('F2: does not start, and says so in one line, where nothing answers', { timeout: 60_000 }, async () => {
  const silent = await CuttingProxy.to(DATABASE_URL);
  silent.newcomers = 'swallow';
  const other = Service.spawn({ DATABASE_URL: silent.url });
  expect(await other.ended).toEqual({ code: 1, signal: null });
  expect(other.output).toBe(
    'worktrack: The database of DATABASE_URL cannot be used: Connection terminated: no answer while connecting.\n',
  );
  await silent.stop();
});

it('F2: starts when the database can be reached, where it may wait for it', { timeout: 120_000 }, async () => {
  const late = await CuttingProxy.to(DATABASE_URL);
  await late.refuse();
  const other = Service.spawn({ DATABASE_URL: late.url, WAIT_FOR_DATABASE: '600' });
  await other.says(/^The database cannot be reached yet. Waiting for it up to 600 seconds.\n/);
  await late.accept();
  expect((await fetch(`${await other.address()}/health/ready`)).status).toBe(200);
  expect(other.output.match(/cannot be reached yet/g)).toHaveLength(1);
  other.kill('SIGTERM');
  expect(await other.ended).toEqual({ code: 0, signal: null });
  await late.stop();
});

it('starts when the Unix socket of the database is there, where it may wait for it', { timeout: 60_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'worktrack-socket-'));
  const { hostname, port, username, password, pathname } = new URL(DATABASE_URL);
  const path = `postgres://${username}:${password}@${encodeURIComponent(directory)}${pathname}`;
  const other = Service.spawn({ DATABASE_URL: path, WAIT_FOR_DATABASE: '600' });
  await other.says(/^The database cannot be reached yet. Waiting for it up to 600 seconds.\n/);
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    for (const socket of [client, database]) socket.on('error', () => undefined);
    client.pipe(database).pipe(client);
  }).listen(join(directory, '.s.PGSQL.5432'));
  expect((await fetch(`${await other.address()}/health/ready`)).status).toBe(200);
  other.kill('SIGTERM');
  expect(await other.ended).toEqual({ code: 0, signal: null });
  server.close();
  await rm(directory, { recursive: true });
});

/** Where namespaces of processes may be made. */
const alone = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'];
const canBeAlone = spawnSync(alone[0]!, [...alone.slice(1), 'true']).status === 0;

it.each([
  ['', true],
  [' as process 1 of a container', canBeAlone],
])(
  'ends at once when it is told to while it waits for the database%s',
  { timeout: 60_000 },
  async (where, isPossible) => {
    if (!isPossible) return;
    const late = await CuttingProxy.to(DATABASE_URL);
    await late.refuse();
    const env = { DATABASE_URL: late.url, WAIT_FOR_DATABASE: '600' };
    const other = where === '' ? Service.spawn(env) : Service.spawnBy(alone, env);
    await other.says(/Waiting for it up to 600 seconds/);
    const pid = where === '' ? other.child.pid! : await until(() => childOf(other.child.pid!));
    process.kill(pid, 'SIGTERM');
    expect(await other.ended).toEqual({ code: 0, signal: null });
    await late.stop();
  },
);

const childOf = (pid: number): number | undefined =>
  Number(spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout.trim()) || undefined;

it('does not wait for what only a person can mend', { timeout: 60_000 }, async () => {
  const missing = new URL(DATABASE_URL);
  missing.pathname += '_missing';
  const other = Service.spawn({ DATABASE_URL: missing.href, WAIT_FOR_DATABASE: '600' });
  expect(await other.ended).toEqual({ code: 1, signal: null });
  expect(other.output).toMatch(/^worktrack: The database of DATABASE_URL cannot be used: .*\n$/);
});

it('has logged no fault, and no stack', () => {
  expect(lines().filter(({ level }) => level !== 'info' && level !== 'warn')).toEqual([]);
  expect(service.output.split('\n').filter((line) => /^\s+at |"stack"|Unhandled/.test(line))).toEqual([]);
});
