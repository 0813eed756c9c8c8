/** The months to come in the record of changes, and what keeps them ready. */
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { DatabasePool } from '../../src/database/pool.js';
import { ChangePartitions } from '../../src/http/change-partitions.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
let pool: DatabasePool;
let partitions: ChangePartitions;
beforeAll(async () => {
  database = await ScratchDatabase.create();
  pool = new DatabasePool({ connectionString: database.url, settings: {}, max: 1 });
  await pool.query('select 1');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  partitions = new ChangePartitions(pool, pino({ enabled: false }));
  partitions.onApplicationBootstrap();
});
afterEach(() => {
  partitions.onApplicationShutdown();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const names = async (): Promise<string[]> => {
  const partitions = `select relname as name from pg_class where relkind = 'r' and relname ~ '^change_record_\\d' order by relname`;
  return (await pool.query(partitions)).rows.map(({ name }) => name);
};

/** The first addition; what `meanwhile` does happens while it is under way. */
async function added(meanwhile = (): void => undefined): Promise<void> {
  const asked = vi.spyOn(pool, 'query');
  vi.advanceTimersByTime(60_000);
  expect(asked).toHaveBeenCalledOnce();
  meanwhile();
  await asked.mock.results[0]!.value;
  await new Promise(setImmediate);
}

it('are added a minute after the start, and again later', async () => {
  const all = await names();
  await pool.query(`drop table ${all.at(-1)}`);
  await added();
  expect(await names()).toEqual(all);
  expect(vi.getTimerCount()).toBe(1);
});

it('are not added again where the service ended meanwhile', async () => {
  await added(() => partitions.onApplicationShutdown());
  expect(vi.getTimerCount()).toBe(0);
});

it('are not added where the service ended before', () => {
  partitions.onApplicationShutdown();
  expect(vi.getTimerCount()).toBe(0);
});
