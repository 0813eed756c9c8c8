/** The embedded PostgreSQL keeps its data, never outlives its service, and recovers from whatever happened to it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  rmdir,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from '../../src/database/embedded/embedded.js';
import { EmbeddedPostgresError } from '../../src/database/embedded/failure.js';

let place: string;
let dataDirectory: string;
const running = new Set<EmbeddedPostgres>();
const children = new Set<ChildProcess>();

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'worktrack-embedded-'));
  await chmod(place, 0o755);
  dataDirectory = join(place, 'data', 'postgres');
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all([...running].map((server) => server.stop()));
  children.clear();
  running.clear();
});

afterAll(() => rm(place, { recursive: true, force: true, maxRetries: 20 }));

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbedded({ dataDirectory, throwaway: true, ...options });
  running.add(server);
  return server;
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  // A server that ends under a connection is what some of these tests are about.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

const isRoot = process.getuid?.() === 0;
const pidFile = (directory = dataDirectory) => join(directory, 'cluster', 'pgdata', 'postmaster.pid');
async function emptyFile(name: string): Promise<string> {
  await writeFile(join(place, name), '');
  return join(place, name);
}

const serverId = async (directory = dataDirectory) =>
  Number((await readFile(pidFile(directory), 'utf8')).split('\n')[0]);

/** Waits until a server that starts writes a line to its log, behind what was there before. */
async function writes(log: string, before: number, line: string, started: Promise<unknown>): Promise<void> {
  while (!(await readFile(log, 'utf8')).slice(before).includes(line)) await Promise.race([pause(20), started]);
}

/** A zombie has ended, too, but nobody has taken note of it. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function within(milliseconds: number, what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${milliseconds} ms: ${what}`);
    await pause(10);
  }
}

it('starts, answers, and keeps its data when it is started again', async () => {
  const first = await start();
  expect(await ask(first.url, 'select 1')).toEqual([1]);
  expect(await ask(first.url, "select lower('ÄÖ'), current_database(), current_setting('server_encoding')")).toEqual([
    'äö',
    'worktrack',
    'UTF8',
  ]);
  await ask(first.url, 'create table kept as select 42 as answer');
  await Promise.all([first.stop(), first.stop()]);
  expect(await stat(pidFile()).catch(() => 'gone')).toBe('gone');

  const before = Date.now();
  const second = await start();
  expect(await ask(second.url, 'select answer from kept')).toEqual([42]);
  expect(Date.now() - before).toBeLessThan(2000);
});

it('lets nobody in without the password, which only its owner can read', async () => {
  const { url } = await start();
  const { password, port } = new URL(url);
  await expect(ask(`postgres://worktrack:wrong@127.0.0.1:${port}/worktrack`, 'select 1')).rejects.toThrow(/password/);
  expect((await stat(join(dataDirectory, 'cluster', 'password'))).mode & 0o777).toBe(0o600);
  expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(password);
  expect(
    await ask(url, "select current_setting('listen_addresses'), current_setting('unix_socket_directories')"),
  ).toEqual(['127.0.0.1', '']);
});

it('is not misled by a variable that is meant for another server', async () => {
  vi.stubEnv('PGSSLMODE', 'require');
  try {
    expect(await ask((await start()).url, 'select 1')).toEqual([1]);
  } finally {
    vi.unstubAllEnvs();
  }
});

it('syncs to disk unless it is told that its data may be lost', async () => {
  const settings =
    "select current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes')";
  const quick = await start();
  expect(await ask(quick.url, settings)).toEqual(['off', 'off', 'off']);
  await quick.stop();
  const safe = await start({ throwaway: false });
  expect(await ask(safe.url, settings)).toEqual(['on', 'on', 'on']);
});

it('refuses a second start on the same directory in one line, and the first goes on', async () => {
  const first = await start();
  await expect(start()).rejects.toThrow(/^The database in \S+ is in use by another process .*\.$/);
  expect(await ask(first.url, 'select 1')).toEqual([1]);
});

it.each<[string, () => Promise<string>]>([
  [
    'where no directory can be made',
    async () => (process.platform === 'linux' ? '/proc/worktrack/data' : '/dev/null/data'),
  ],
  ['that is a file', () => emptyFile('file')],
  ['below a file', async () => join(await emptyFile('above'), 'data')],
])('refuses a directory %s, in one line', async (_, made) => {
  const refusal: Error = await start({ dataDirectory: await made() }).catch((error) => error);
  expect(refusal).toBeInstanceOf(EmbeddedPostgresError);
  expect(refusal.message).toMatch(/^The embedded PostgreSQL cannot start: .* Set DATABASE_URL .*$/);
});

it('refuses a port that is taken when it was asked for', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  await expect(start({ port })).rejects.toThrow(`The port ${port} of the embedded PostgreSQL is taken.`);
  listener.close();
  expect((await start({ port })).url).toContain(`:${port}/`);
});

it('tells when the server ends by itself, and recovers', async () => {
  const reasons: string[] = [];
  await start({ onExit: (reason) => reasons.push(reason) });
  process.kill(await serverId(), 'SIGKILL');
  await within(2000, 'told', () => reasons.length > 0);
  const place = `The embedded database in DATA_DIR (${dataDirectory})`;
  const log = join(dataDirectory, 'postgres.log');
  expect(reasons).toEqual([`${place} ended by itself (exit status 137). Its log is ${log}.`]);
  running.clear();
  expect(await ask((await start()).url, 'select answer from kept')).toEqual([42]);
});

it.each([
  ['the last PANIC', 'PANIC:  first\nPANIC:  last\n', /ended by itself \(last\)/],
  ['its status where a PANIC was followed by a recovery', '', /ended by itself \(exit status 137\)/],
  ['its status where there is no log', undefined, /ended by itself \(exit status 137\)/],
])('tells %s when the server ends by itself', async (_, written, pattern) => {
  const log = join(dataDirectory, 'postgres.log');
  await appendFile(log, 'PANIC:  earlier\n');
  const reasons: string[] = [];
  await start({ onExit: (reason) => reasons.push(reason) });
  await (written === undefined ? rm(log) : appendFile(log, written));
  process.kill(await serverId(), 'SIGKILL');
  await within(2000, 'told', () => reasons.length > 0);
  expect(reasons).toEqual([expect.stringMatching(pattern)]);
  running.clear();
});

it('knows why it broke, of what its log has since it was started', async () => {
  const log = join(dataDirectory, 'postgres.log');
  await appendFile(log, 'PANIC:  earlier\n');
  const server = await start();
  expect(server.whyBroken()).toBeUndefined();
  await appendFile(log, 'PANIC:  now\ndatabase system is ready to accept connections\n');
  expect(server.whyBroken()?.message).toContain(`(${dataDirectory}) ended by itself (now). Its log is ${log}.`);
});

it('is not misled by a note of a killed server whose process id is somebody else now', async () => {
  const server = await start();
  const note = (await readFile(pidFile(), 'utf8')).replace(/^\d+/, String(process.pid));
  await server.stop();
  running.clear();
  const { uid, gid } = await stat(join(dataDirectory, 'cluster', 'pgdata'));
  await writeFile(pidFile(), note, { mode: 0o600 });
  if (isRoot) await chown(pidFile(), uid, gid);
  expect(await ask((await start()).url, 'select 1')).toEqual([1]);
});

it.each(['', '48', 'half of a n'])('is not kept from its start by a note that a crash cut off: %j', async (note) => {
  await (await start()).stop();
  running.clear();
  const { uid, gid } = await stat(join(dataDirectory, 'cluster', 'pgdata'));
  await writeFile(pidFile(), note, { mode: 0o600 });
  if (isRoot) await chown(pidFile(), uid, gid);
  expect(await ask((await start()).url, 'select 1')).toEqual([1]);
});

it.each<[string, RegExp]>([
  ['password', /^The database in .*password is damaged: it holds no password\. .*$/],
  ['pgdata/PG_VERSION', /^The database in .*PG_VERSION is damaged: it holds no version\. .*$/],
  ['pgdata/global/pg_control', /^PostgreSQL did not start: .*pg_control.* Its log is .*$/],
])('refuses a cluster whose %s is empty or gone, in one line', async (file, line) => {
  const directory = join(place, `without-${file.replaceAll('/', '-')}`);
  await (await start({ dataDirectory: directory })).stop();
  await truncate(join(directory, 'cluster', file), 0);
  await expect(start({ dataDirectory: directory })).rejects.toThrow(line);
  await rm(join(directory, 'cluster', file));
  await expect(start({ dataDirectory: directory })).rejects.toThrow(
    /^(The database in|PostgreSQL did not start:) .*\.$/,
  );
});

it.each([
  ['once', false],
  ['while one of its processes has not noticed', true],
])('recovers where it was killed right behind a rollback of an unlogged table: %s', async (_, isHeld) => {
  const directory = join(place, `rolled-back-${isHeld}`);
  const { url } = await start({ dataDirectory: directory });
  const [one, other] = [new pg.Client(url), new pg.Client(url)];
  for (const client of [one, other]) {
    client.on('error', () => {});
    await client.connect();
  }
  await other.query("alter system set wal_writer_delay = '10s'");
  await other.query('select pg_reload_conf()');
  await one.query('begin; create unlogged table gone (id int)');
  await other.query('set synchronous_commit = on; create table kept (id int)');
  await one.query('rollback');
  const backend = Number((await other.query('select pg_backend_pid() as id')).rows[0].id);
  const ended = new Promise((resolve) => one.once('end', resolve));
  if (isHeld) process.kill(backend, 'SIGSTOP');
  try {
    const log = join(directory, 'postgres.log');
    const before = (await readFile(log, 'utf8')).length;
    process.kill(await serverId(directory), isHeld ? 'SIGKILL' : 'SIGQUIT');
    await ended;
    const started = start({ dataDirectory: directory });
    if (isHeld) await writes(log, before, 'pre-existing shared memory block', started);
    if (isHeld) process.kill(backend, 'SIGCONT');
    expect(await ask((await started).url, 'select count(*)::int from kept')).toEqual([0]);
    expect((await readFile(log, 'utf8')).slice(before)).toMatch(/could not create file .*: File exists/);
  } finally {
    if (isHeld && isThere(backend)) process.kill(backend, 'SIGKILL');
  }
});

it('starts although an earlier first start was killed in the middle', async () => {
  const other = join(place, 'half-made');
  await mkdir(join(other, 'cluster.new-Xa3bYz', 'pgdata', 'base'), { recursive: true });
  await appendFile(join(other, 'cluster.new-Xa3bYz', 'pgdata', 'PG_VERSION'), '18\n');
  expect(await ask((await start({ dataDirectory: other })).url, 'select 1')).toEqual([1]);
});

it('clears away what an interrupted first start has left, once it is old', async () => {
  await (await start()).stop();
  running.clear();
  const [old, young] = ['old', 'young'].map((name) => join(dataDirectory, `cluster.new-${name}`)) as [string, string];
  for (const path of [old, young]) await mkdir(path);
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(old, hourAgo, hourAgo);
  await start();
  const left = (await readdir(dataDirectory)).filter((name) => name.startsWith('cluster.new-'));
  expect(left).toEqual([basename(young)]);
  await rmdir(young);
});

it('is made once when two first starts meet', async () => {
  const other = join(place, 'met');
  const both = await Promise.allSettled([start({ dataDirectory: other }), start({ dataDirectory: other })]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await readdir(other)).sort()).toEqual(['cluster', 'postgres.log']);
});

it.runIf(isRoot).each([
  [0o1777, 0o1777],
  [0o755, 0o755],
  [0o700, 0o701],
])('takes no right from a directory that was there: %o becomes %o', async (mode, expected) => {
  const there = join(place, `there-${mode}`);
  await mkdir(there);
  await chmod(there, mode);
  expect(await ask((await start({ dataDirectory: there })).url, 'select 1')).toEqual([1]);
  expect((await stat(there)).mode & 0o7777).toBe(expected);
});

it.runIf(isRoot)('lives elsewhere when its account cannot enter the directory, and is found there again', async () => {
  const closed = join(place, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const inside = join(closed, 'postgres');
  const first = await start({ dataDirectory: inside });
  const [elsewhere = ''] = (await readFile(join(inside, 'LOCATION'), 'utf8')).split('\n');
  try {
    expect(elsewhere).toMatch(/^\/var\/lib\/worktrack\/closed-postgres-/);
    await ask(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start({ dataDirectory: inside });
    expect(await ask(second.url, 'select answer from kept')).toEqual([42]);
    await second.stop();
    await rm(elsewhere, { recursive: true });
    await expect(start({ dataDirectory: inside })).rejects.toThrow(
      /LOCATION says .* does not exist: restore it, or delete/,
    );
  } finally {
    await rm(elsewhere, { recursive: true, force: true });
    // Stays when there are others in it.
    await rmdir('/var/lib/worktrack').catch(() => {});
  }
});

/** By plain Node, away from the test runner. */
async function startInProcess(): Promise<{ service: ChildProcess; url: string }> {
  const script = `import { startEmbedded } from '${resolve('build/database/embedded/embedded.js')}';
    process.on('SIGINT', () => {});
    const { url } = await startEmbedded({ dataDirectory: '${dataDirectory}' });
    console.log(url);
    setInterval(() => {}, 1000);`;
  const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.add(service);
  const [line] = await once(service.stdout!, 'data');
  return { service, url: String(line).trim() };
}

it('waits for a process of a crashed server that has not noticed the crash', async () => {
  let tell!: (reason: string) => void;
  const ended = new Promise((resolve) => {
    tell = resolve;
  });
  const { url } = await start({ onExit: tell });
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const backend = Number((await client.query('select pg_backend_pid() as id')).rows[0].id);
  process.kill(backend, 'SIGSTOP');
  try {
    process.kill(await serverId(), 'SIGKILL');
    await ended;
    const log = join(dataDirectory, 'postgres.log');
    const before = (await readFile(log, 'utf8')).length;
    const started = start();
    await writes(log, before, 'pre-existing shared memory block', started);
    process.kill(backend, 'SIGCONT');
    expect(await ask((await started).url, 'select 1')).toEqual([1]);
  } finally {
    if (isThere(backend)) process.kill(backend, 'SIGKILL');
    await client.end().catch(() => {});
  }
});

it('ends within a second when its service is killed, and recovers', async () => {
  const { service, url } = await startInProcess();
  await ask(url, 'create table committed as select 7 as n');
  const server = await serverId();
  service.kill('SIGKILL');
  await within(1000, 'PostgreSQL ended', () => !isThere(server));
  expect(await ask((await start()).url, 'select n from committed')).toEqual([7]);
});

it('can be started at once by the successor of a killed service', async () => {
  const { service } = await startInProcess();
  service.kill('SIGKILL');
  expect(await ask((await start()).url, 'select 1')).toEqual([1]);
});

it('outlives a Ctrl-C, for its service to finish what it is doing', async () => {
  const { service, url } = await startInProcess();
  process.kill(-service.pid!, 'SIGINT');
  expect(await ask(url, 'select pg_sleep(0.2), 1')).toContain(1);
  expect(isThere(await serverId())).toBe(true);
});
