/** The service behind a pooler: it works alike, or its start ends with one line that names what is missing. */
import { afterEach, describe, expect, inject, it } from 'vitest';
import { DatabasePool } from '../../src/database/pool.js';
import { Replicas } from '../../src/database/replicas/replicas.js';
import { sessionSettings } from '../../src/database/session.js';
import { SharedClient } from '../../src/database/shared-client.js';
import { basic, TestApp } from '../support/app.js';
import { CuttingProxy } from '../support/cutting-proxy.js';
import { emptyDatabase } from '../support/empty-database.js';
import { FakePooler, type PoolerHabits } from '../support/fake-pooler.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { PgBouncer, pgbouncerPath, pgbouncerVersion } from '../support/pgbouncer.js';
import { Service, until } from '../support/service.js';
import { itemOf, parseXml } from '../support/xml.js';

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

interface Pooler {
  readonly url: string;
  stop(): Promise<void> | void;
}

/** A service whose database has other settings by itself. */
async function startBehind(makePooler: (url: string) => Promise<Pooler>, env: Record<string, string> = {}) {
  const app = await TestApp.start(async (url) => {
    await setAside(url);
    const pooler = await makePooler(url);
    stops.push(() => pooler.stop());
    return { DATABASE_URL: pooler.url, TIME_ZONE: 'Europe/Berlin', STATEMENT_TIMEOUT: '1', ...env };
  });
  stops.push(() => app.stop());
  return app;
}

async function setAside(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const pool = new DatabasePool({ connectionString: url, settings: {}, max: 1 });
  const others = { timezone: 'Asia/Tokyo', datestyle: 'SQL, DMY', intervalstyle: 'sql_standard', jit: 'on' };
  for (const [setting, value] of Object.entries(others))
    await pool.query(`alter database ${name} set ${setting} = '${value}'`);
  await pool.end();
}

/** Dates, time-outs, writes in transactions, and many at once. */
async function expectService(app: TestApp): Promise<void> {
  const [{ id }] = await app.rows('select min(id) id from general where entity_type_id = 4 and delete_date is null');
  await app.rows("update general set planned_start_date = '2026-07-15T22:30:00Z' where id = $1", [id]);
  const path = `/api/v1/UserStories/${id}?include=[PlannedStartDate]`;
  expect(await app.json(path)).toMatchObject({ PlannedStartDate: '/Date(1784154600000+0200)/' });
  expect(itemOf(await parseXml(await app.xml(path)))).toMatchObject({ PlannedStartDate: '2026-07-16T00:30:00' });
  await app.post(`/api/v1/UserStories/${id}`, { PlannedStartDate: '2026-01-16' });
  const stored = 'select extract(epoch from planned_start_date)::int as seconds from general where id = $1';
  expect(await app.rows(stored, [id])).toEqual([{ seconds: Date.parse('2026-01-15T23:00:00Z') / 1000 }]);
  // Filters whose values matter to the plan take a transaction of their own.
  const reads = Array.from({ length: 24 }, (_, at) =>
    app.ask(
      `/api/v1/UserStories?format=json&take=3&where=(Name contains 'a')and(Id gt ${at})&include=[Name,Tasks[Name]]`,
    ),
  );
  const writes = Array.from({ length: 12 }, (_, at) => app.post('/api/v1/Tags', { Name: `pooled ${at}` }));
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(reads.map(() => 200));
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 201));
  await expectTimeout(app);
}

async function expectTimeout(app: TestApp): Promise<void> {
  const blocker = await app.database.connect();
  await blocker.query('begin; lock table severity in access exclusive mode');
  const answer = await app.ask('/api/v1/Severities?format=json');
  await blocker.query('rollback');
  blocker.release();
  expect([answer.status, answer.json.Message]).toEqual([503, expect.stringContaining('took too long')]);
  expect((await app.ask('/api/v1/Severities')).status).toBe(200);
}

describe('F31: a pooler that', () => {
  it.each<[string, PoolerHabits]>([
    ['refuses start-up parameters', { startup: 'refuse' }],
    ['drops start-up parameters', { startup: 'drop' }],
    ['drops start-up parameters and looks like PostgreSQL itself', { startup: 'drop', showsBackend: true }],
    ['keeps them, as long as it keeps the connection', { startup: 'keep' }],
  ])('%s changes nothing', { timeout: 60_000 }, async (_, habits) => {
    await expectService(await startBehind((url) => FakePooler.to(url, habits)));
  });

  it('does not keep a setting ends the start with its name', { timeout: 60_000 }, async () => {
    const habits = { startup: 'drop', replacing: ["'jit', 'off', true", "'jit', 'on' , true"] } as const;
    const starting = startBehind((url) => FakePooler.to(url, habits));
    await expect(starting).rejects.toThrow(
      "DATABASE_URL cannot be used: the database connection does not keep the setting jit ('off' was asked for, 'on' is in force). Connect to PostgreSQL itself, or through a pooler that keeps it.",
    );
    const pooler = await FakePooler.to(inject('databaseUrl'), habits);
    stops.push(() => pooler.stop());
    const service = Service.spawn({ DATABASE_URL: pooler.url });
    expect((await service.ended).code).toBe(1);
    expect(service.output).toMatch(/^worktrack: DATABASE_URL cannot be used: [^\n]*the setting jit [^\n]*\n$/);
  });

  it('refuses start-up parameters lets a new database be made ready', { timeout: 60_000 }, async () => {
    const pooler = await FakePooler.to(await emptyDatabase('behind_a_pooler'), { startup: 'refuse' });
    stops.push(() => pooler.stop());
    const service = Service.spawn({ DATABASE_URL: pooler.url });
    await service.address();
    service.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });

  it('begins to drop them while the service runs fails what is asked through it', async () => {
    const pooler = await FakePooler.to(inject('databaseUrl'), { startup: 'drop' });
    stops.push(() => pooler.stop());
    const settings = sessionSettings({ timeZone: 'Asia/Tokyo' });
    const pool = new DatabasePool({ connectionString: pooler.url, settings, max: 1 });
    stops.push(() => pool.end());
    await expect(pool.query('select 1')).rejects.toThrow('does not keep the setting TimeZone');
  });
});

describe.skipIf(!pgbouncerPath)(pgbouncerVersion, () => {
  const behind = (settings: Record<string, string>) => (url: string) => PgBouncer.to(url, settings);
  // Fewer connections than the service has, so that they are shared.
  const byTransaction = { pool_mode: 'transaction', default_pool_size: '2' };
  const bySession = { pool_mode: 'session', default_pool_size: '20' };
  const ignoring = { ignore_startup_parameters: 'extra_float_digits,options,jit,statement_timeout' };

  it.each([
    ['by transaction', byTransaction],
    ['by transaction, in turns', { ...byTransaction, server_round_robin: '1' }],
    ['by transaction, with start-up parameters ignored', { ...byTransaction, ...ignoring }],
    ['by session', bySession],
    ['by session, with start-up parameters ignored', { ...bySession, ...ignoring }],
  ])('%s changes nothing', { timeout: 60_000 }, async (_, settings) => {
    await expectService(await startBehind(behind(settings)));
  });

  it.each([
    ['by transaction', byTransaction],
    ['by session', bySession],
  ])('%s tells of a zone that PostgreSQL does not have', { timeout: 60_000 }, async (_, settings) => {
    const pooler = await PgBouncer.to(inject('databaseUrl'), settings);
    stops.push(() => pooler.stop());
    const service = Service.spawn({ DATABASE_URL: pooler.url, TIME_ZONE: 'IST' });
    expect((await service.ended).code).toBe(1);
    expect(service.output).toMatch(/^worktrack: TIME_ZONE is 'IST', which PostgreSQL does not have; .*\.\n$/);
  });

  it('by transaction leaves migrations to a direct address', { timeout: 60_000 }, async () => {
    const direct = await emptyDatabase('behind_pgbouncer');
    const pooler = await PgBouncer.to(direct, byTransaction);
    stops.push(() => pooler.stop());
    const service = Service.spawn({ DATABASE_URL: pooler.url, MIGRATE_DATABASE_URL: direct });
    const address = await service.address();
    expect((await fetch(`${address}/health/ready?for=writes`)).status).toBe(200);
    service.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });

  it('by transaction: once its database answers again, a line tells so', { timeout: 120_000 }, async () => {
    const database = await OwnPostgres.start();
    stops.push(() => database.stop());
    const pooler = await PgBouncer.to(database.url, { ...byTransaction, server_login_retry: '1' });
    stops.push(() => pooler.stop());
    const service = Service.spawn({ DATABASE_URL: pooler.url, DEMO_DATA: 'false' });
    stops.push(() => service.kill('SIGKILL'));
    const address = await service.address();
    const headers = { authorization: basic('admin') };
    const status = async () => (await fetch(`${address}/api/v1/Severities`, { headers })).status;
    expect(await status()).toBe(200);
    await database.end('SIGKILL');
    await until(async () => (await status()) === 503);
    await database.begin();
    await until(async () => (await status()) === 200, 60);
    await service.says(/"level":"info",.*"database":"primary","awayMs":\d+,"msg":"The database can be reached again."/);
  });

  it('by session keeps prepared statements where they are asked for', { timeout: 60_000 }, async () => {
    await expectService(await startBehind(behind(bySession), { PREPARED_STATEMENTS: 'true' }));
  });

  it('by transaction cannot keep prepared statements', { timeout: 60_000 }, async () => {
    await expect(startBehind(behind(byTransaction), { PREPARED_STATEMENTS: 'true' })).rejects.toThrow(
      /^PREPARED_STATEMENTS=true cannot be kept: the pooler of DATABASE_URL forgets named statements/,
    );
  });

  it('by statement cannot keep transactions', { timeout: 60_000 }, async () => {
    await expect(startBehind(behind({ pool_mode: 'statement' }))).rejects.toThrow(
      /^DATABASE_URL cannot be used: the database connection does not keep transactions/,
    );
  });
});

describe('F31, F32: a replica behind a pooler that was away at the start', () => {
  it.each<PoolerHabits>([
    { startup: 'refuse' },
    { startup: 'drop' },
    { startup: 'keep' },
  ])('serves once it is there: %j', async (habits) => {
    let proxy!: CuttingProxy;
    const app = await TestApp.start(async (url) => {
      const pooler = await FakePooler.to(url, habits);
      proxy = await CuttingProxy.to(pooler.url);
      stops.push(
        () => pooler.stop(),
        () => proxy.stop(),
      );
      await proxy.refuse();
      return { READ_DATABASE_URL: proxy.url };
    });
    stops.push(() => app.stop());
    const read = async () => {
      expect((await app.ask('/api/v1/Severities', { headers: { 'x-read-after': '0' } })).status).toBe(200);
      return app.nest.get(Replicas).reads.replica;
    };
    expect(await read()).toBe(0);
    await proxy.accept();
    await until(async () => (await read()) > 3);
    const { _clients: clients } = app.nest.get(Replicas).pools[0] as unknown as { _clients: unknown[] };
    expect(clients.filter((client) => !(client instanceof SharedClient))).toEqual([]);
  });
});
