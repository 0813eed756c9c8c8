/** What is done by the clock, by one process for all. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Lease } from '../../src/database/lease.js';
import { DatabasePool } from '../../src/database/pool.js';
import { BackgroundWork, jobs } from '../../src/http/background-work.js';
import { ScratchDatabase } from '../support/scratch-database.js';
import { until } from '../support/service.js';

let database: ScratchDatabase;
let pool: DatabasePool;
let first: BackgroundWork;
let second: BackgroundWork;
beforeAll(async () => {
  database = await ScratchDatabase.create();
  pool = new DatabasePool({ connectionString: database.url, settings: {}, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query("delete from setting where name like 'lease%'");
  [first, second] = [new BackgroundWork(pool, logger), new BackgroundWork(pool, logger)];
});

const logger = pino({ enabled: false });
const all = jobs.filter(({ condition }) => !condition).map(({ name }) => name);
const endLease = () =>
  pool.query(
    `update setting set value = value || jsonb_build_object('until', now() - interval '1 second') where name like 'lease%'`,
  );

const months = async (): Promise<string[]> => {
  const partitions = `select relname as name from pg_class where relkind = 'r' and relname ~ '^change_record_\\d' order by relname`;
  return (await pool.query(partitions)).rows.map(({ name }) => name);
};

it('is done once, by whoever holds the lease', async () => {
  expect([await first.look(0), await second.look(0), await first.look(0)]).toEqual([all, [], []]);
});

it('is done by one of many that begin at once', async () => {
  const many = Array.from({ length: 8 }, () => new BackgroundWork(pool, logger));
  const done = await Promise.all(many.map((one) => one.look(0)));
  expect(done.filter((names) => names.length > 0)).toEqual([all]);
});

it('is done by another process when the lease has ended, or was given back', async () => {
  await first.look(0);
  await endLease();
  expect([await second.look(0), await first.look(24 * 3600_000)]).toEqual([all, []]);
  await second.onApplicationShutdown();
  expect(await first.look(25 * 3600_000)).toEqual(all);
});

it('is done again when its time has come', async () => {
  await first.look(0);
  expect([await first.look(4 * 60_000), await first.look(6 * 60_000)]).toEqual([[], all.slice(1)]);
});

it('is tried again where it failed', async () => {
  await pool.query('alter function add_change_partitions rename to away');
  expect(await first.look(0)).toEqual(all.slice(1));
  await pool.query('alter function away rename to add_change_partitions');
  expect(await first.look(60_000)).toEqual(all.slice(0, 1));
});

it('is left without a word when the process ends meanwhile', async () => {
  const lines: string[] = [];
  const own = new DatabasePool({ connectionString: database.url, settings: {}, max: 1 });
  const work = new BackgroundWork(own, pino({ level: 'warn' }, { write: (line) => lines.push(line) }));
  const looking = work.look(0);
  await work.onApplicationShutdown();
  await own.end();
  expect([await looking, lines]).toEqual([[], []]);
});

it('leaves no lease, and is not begun, when the process ends while the lease is being taken', async () => {
  const own = new DatabasePool({ connectionString: database.url, settings: {}, max: 1 });
  const work = new BackgroundWork(own, logger);
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query(`insert into setting (name, value) values ('lease background work', '{}')`);
  const looking = work.look(0);
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await until(async () => (await pool.query(waiting)).rowCount === 1);
  const ended = work.onApplicationShutdown();
  await holder.query('rollback');
  holder.release();
  await ended;
  expect((await pool.query("select name from setting where name like 'lease%'")).rows).toEqual([]);
  expect(await looking).toEqual([]);
  await own.end();
});

it('makes months of the record of changes, and deletes what nobody can use', async () => {
  const before = await months();
  await pool.query(`drop table ${before.at(-1)}`);
  await pool.query(`insert into idempotency_key (user_id, key, fingerprint, create_date)
    select 1, 'k' || n, '', now() - interval '12 hours' * n from generate_series(0, 5) n`);
  await pool.query(`insert into session (id, user_id, create_date)
    select decode(md5(n::text), 'hex'), 1, now() - interval '100 days' * n from generate_series(0, 2) n`);
  await pool.query(`insert into taken_along (kind, id, date)
    select 'TestStep', n, now() - interval '10 hours' * n from generate_series(0, 3) n`);
  await first.look(0);
  expect(await months()).toEqual(before);
  const left = `select (select count(*)::int from idempotency_key) keys, (select count(*)::int from session) sessions,
    (select count(*)::int from taken_along) gone`;
  expect((await pool.query(left)).rows).toEqual([{ keys: 2, sessions: 1, gone: 3 }]);
});

it('a backup that runs keeps months from being made, and nobody from reading or writing the record', async () => {
  const wanted = (await months()).at(-1)!;
  await pool.query(`drop table ${wanted}`);
  const backup = await pool.connect();
  try {
    await backup.query('begin');
    await backup.query('select from change_record limit 1');
    expect(await first.look(0)).toEqual(all.filter((name) => name !== 'months of the record of changes'));
    expect(await months()).not.toContain(wanted);
  } finally {
    await backup.query('rollback');
    backup.release();
  }
  expect(await first.look(60_000)).toEqual(['months of the record of changes']);
  expect(await months()).toContain(wanted);
});

it('looks at the values of tables that have grown, since plans for empty ones are slow for full ones', async () => {
  await pool.query('create table grown (n int) with (autovacuum_enabled = false)');
  await first.look(0);
  const looks = async (rows: number, now: number) => {
    await pool.query('insert into grown select generate_series(1, $1::int)', [rows]);
    const done = (await first.look(now)).includes('statistics of tables that have grown');
    return [done, (await pool.query("select reltuples::int as n from pg_class where relname = 'grown'")).rows[0].n];
  };
  expect([
    await looks(10, 10_000),
    await looks(4990, 20_000),
    await looks(10, 30_000),
    await looks(6000, 40_000),
  ]).toEqual([
    [false, -1],
    [true, 5000],
    [false, 5000],
    [true, 11_010],
  ]);
  await pool.query('drop table grown');
});

it('a lease is held until it ends, and renewed by its holder alone', async () => {
  const [one, other] = [new Lease(pool, 'test', 60), new Lease(pool, 'test', 60)];
  expect([await one.take(), await other.take(), await one.take()]).toEqual([true, false, true]);
  await other.giveBack();
  expect(await other.take()).toBe(false);
  await one.giveBack();
  expect(await other.take()).toBe(true);
});

it('F20: a lease that would last longer than any, since the clock went back, is over', async () => {
  const [one, other] = [new Lease(pool, 'later', 60), new Lease(pool, 'later', 60)];
  expect(await one.take()).toBe(true);
  await pool.query(`update setting set value = value || jsonb_build_object('until', now() + interval '1 hour')
    where name = 'lease later'`);
  expect([await other.take(), await one.take()]).toEqual([true, false]);
});

it('a lease is not over for a process that began to ask before another took it', async () => {
  const early = await pool.connect();
  try {
    await early.query('begin');
    await early.query('select now()');
    expect(await new Lease(pool, 'race', 60).take()).toBe(true);
    expect(await new Lease(early, 'race', 60).take()).toBe(false);
  } finally {
    await early.query('rollback');
    early.release();
  }
});
