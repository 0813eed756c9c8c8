/** Commits that wait for a replica which is away: what the service does about them never ends that wait. */
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { closeApp, createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { prepareDatabase } from '../../src/database/prepare.js';
import { outcomeOf } from '../../src/database/transaction-outcome.js';
import { timelineOfPrimary } from '../../src/database/wal-position.js';
import { BackgroundWork } from '../../src/http/background-work.js';
import { basic } from '../support/app.js';
import { CuttingProxy } from '../support/cutting-proxy.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { until } from '../support/service.js';

let server: OwnPostgres;
let database: pg.Pool;
let proxy: CuttingProxy;
let app: Awaited<ReturnType<typeof createApp>>;
let base: string;
beforeAll(async () => {
  server = await OwnPostgres.start();
  await prepareDatabase(loadConfig({ DATABASE_URL: server.url }));
  database = new pg.Pool({ connectionString: server.url, max: 2 }).on('error', () => undefined);
  proxy = await CuttingProxy.to(server.url);
  app = await createApp(
    loadConfig({ DATABASE_URL: proxy.url, LOG_LEVEL: 'silent', DB_POOL: '4', STATEMENT_TIMEOUT: '1' }),
  );
  await app.listen(0, '127.0.0.1');
  // Its commits would wait, too.
  app.get(BackgroundWork).pause();
  base = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
}, 180_000);
afterAll(async () => {
  if (app) await closeApp(app);
  await proxy?.stop();
  await database?.end();
  await server?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: rows have the shape of their statement
const rows = async (text: string): Promise<any[]> => (await database.query(text)).rows;

async function setStandbys(names: string): Promise<void> {
  await rows(`alter system set synchronous_standby_names = '${names}'`);
  await rows('select pg_reload_conf()');
  await until(async () => (await rows('show synchronous_standby_names'))[0].synchronous_standby_names === names);
}

const waiting = () => rows("select query from pg_stat_activity where wait_event = 'SyncRep' and query = 'commit'");
const stored = async (name: string) => (await rows(`select from tag where name = '${name}'`)).length;

afterEach(async () => {
  await setStandbys('');
  await until(async () => (await waiting()).length === 0);
});

async function write(Name: string) {
  const answer = await fetch(`${base}/api/v1/Tags`, {
    method: 'POST',
    body: JSON.stringify({ Name }),
    headers: { authorization: basic('admin'), 'content-type': 'application/json', accept: 'application/json' },
  });
  return {
    status: answer.status,
    code: ((await answer.json()) as { Code?: string }).Code,
    retryAfter: answer.headers.get('retry-after'),
  };
}

/** Of all that wait. */
const signal = (how: 'cancel' | 'terminate') => () =>
  rows(`select pg_${how}_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);

const unknown = { status: 503, code: 'OutcomeUnknown', retryAfter: null };

it.each([
  ['loses its connection', async () => proxy.breakAll('cut'), true],
  ['is made to wait no more', signal('cancel'), false],
  ['is ended by somebody', signal('terminate'), false],
] as const)('a write whose commit waits and %s is unknown', { timeout: 60_000 }, async (what, meddle, waits) => {
  await setStandbys('nobody');
  const writing = write(what);
  await until(async () => (await waiting()).length > 0);
  await meddle();
  expect(await writing).toEqual(unknown);
  expect(await stored(what)).toBe(waits ? 0 : 1);
  await setStandbys('');
  await until(async () => (await stored(what)) === 1);
  await until(async () => (await write(`${what} after`)).status === 201);
});

it.each([
  ['is made to wait no more', signal('cancel')],
  ['is ended', signal('terminate')],
] as const)(
  'a write whose commit waits and %s is stored once a replica has it',
  { timeout: 60_000 },
  async (what, end) => {
    await setStandbys('nobody');
    const writing = write(`${what} had`);
    await until(async () => (await waiting()).length > 0);
    await end();
    await setStandbys('');
    expect((await writing).status).toBe(201);
  },
);

it('commits that are not answered for long are unknown, go on waiting, and take no more than half of the connections', {
  timeout: 60_000,
}, async () => {
  await setStandbys('nobody');
  expect(await Promise.all([write('first'), write('second')])).toEqual([unknown, unknown]);
  expect(await waiting()).toEqual([{ query: 'commit' }, { query: 'commit' }]);
  expect(await write('third')).toEqual({ status: 503, code: 'Busy', retryAfter: '1' });
  const headers = { authorization: basic('admin') };
  expect((await fetch(`${base}/api/v1/Severities`, { headers })).status).toBe(200);
  expect(await waiting()).toEqual([{ query: 'commit' }, { query: 'commit' }]);
  expect([await stored('first'), await stored('second')]).toEqual([0, 0]);
  await setStandbys('');
  await until(async () => (await write('fourth')).status === 201);
});

it('commits that were made to wait no more hold nothing, and no commit of the service waits in their place', {
  timeout: 60_000,
}, async () => {
  await setStandbys('nobody');
  const writing = [write('left'), write('also left')];
  expect(await Promise.all(writing)).toEqual([unknown, unknown]);
  await signal('cancel')();
  await until(async () => (await write('next')).code !== 'Busy', 30);
  expect(await rows("select query from pg_stat_activity where wait_event = 'SyncRep'")).toEqual([{ query: 'commit' }]);
});

it('a commit that waited when the database told last is held, though it tells no more', async () => {
  await setStandbys('nobody');
  const writer = await database.connect();
  await writer.query('begin');
  const { rows: begun } = await writer.query(
    `insert into tag (name) values ('told') returning pg_current_xact_id()::text as id, now() as now`,
  );
  const timeline = (await rows(`select ${timelineOfPrimary} as timeline`))[0].timeline;
  const committing = writer.query('commit');
  const asking = new pg.Pool({ connectionString: proxy.url, max: 1 }).on('error', () => undefined);
  // No replica is waited for any more by then.
  onTestFinished(async () => {
    proxy.newcomers = 'pass';
    await committing;
    writer.release();
    await asking.end();
  });
  await until(async () => (await waiting()).length > 0);
  let answers = 0;
  const isSecond = (from: string, piece: Buffer) => from === 'server' && piece.includes('in progress') && ++answers > 1;
  void proxy.breakAt(isSecond, 'cut').then(() => {
    proxy.newcomers = 'cut';
  });
  expect([await outcomeOf({ ...begun[0], timeline }, asking, 5000), proxy.newcomers]).toEqual(['held', 'cut']);
});

const page = (path: string, body?: Record<string, string>) =>
  fetch(`${base}${path}`, {
    method: body ? 'POST' : 'GET',
    redirect: 'manual',
    headers: { authorization: basic('admin'), accept: 'application/json', origin: base },
    ...(body && { body: new URLSearchParams(body) }),
  });

it('log-ins, contexts, guesses and background work wait for no replica', { timeout: 60_000 }, async () => {
  await rows("update idempotency_key set create_date = now() - interval '2 days'");
  await setStandbys('nobody');
  expect((await page('/login', { login: 'admin', password: 'admin' })).status).toBe(303);
  expect((await page('/login', { login: 'admin', password: 'wrong' })).status).toBe(401);
  expect((await page('/api/v1/Context?ids=*')).status).toBe(200);
  expect(await app.get(BackgroundWork).look()).toContain('sessions that are over');
  expect(await rows("select query from pg_stat_activity where wait_event = 'SyncRep'")).toEqual([]);
});

it('a new password of one who is logged in waits for the replica', { timeout: 60_000 }, async () => {
  const { headers } = await page('/login', { login: 'admin', password: 'admin' });
  const cookie = headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  await setStandbys('nobody');
  const { status } = await fetch(`${base}/api/v1/Users/LoggedUser/Password`, {
    method: 'POST',
    headers: { cookie, origin: base, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ CurrentPassword: 'admin', NewPassword: 'one that is chosen' }),
  });
  expect(status).toBe(503);
});
