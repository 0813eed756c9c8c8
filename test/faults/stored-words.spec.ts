/** Migrations that renew the words of stored texts, beside those who read and write them meanwhile. */
import 'reflect-metadata';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate, type Patience } from '../../src/database/migrate.js';
import { migrations } from '../../src/database/migrations/migrations.js';
import { RowsMigration } from '../../src/database/migrations/rows-migration.js';
import { eventually } from '../support/eventually.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
const opened: pg.Client[] = [];

beforeEach(async () => {
  database = await ScratchDatabase.create();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.end()));
  await database.drop();
});

async function open(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, options: '-c statement_timeout=10000' });
  await client.connect();
  opened.push(client);
  return client;
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const limits = (attempts = 100): Patience => ({ lockTimeoutMs: 50, attempts, pause: soon });

class RenewsWords1800000000006 extends RowsMigration {
  name = 'RenewsWords1800000000006';
  file = '0.3/words-of-rows.sql';
  override readonly atOnce: number = 1;
}

async function upgrade(
  attempts?: number,
  tell?: (line: string) => void,
  Renews = RenewsWords1800000000006,
): Promise<string[]> {
  const source = createDataSource(database.url, { timeZone: 'UTC', pool: 2, statementTimeoutMs: 60_000 });
  source.setOptions({ migrations: [...migrations, Renews] });
  await source.initialize();
  return migrate(source, limits(attempts), { tell }).finally(() => source.destroy());
}

/** Two Generals whose words are to be renewed, of which somebody is writing the second, and another connection. */
async function twoGenerals() {
  const [holder, other] = [await open(), await open()];
  const { rows } = await other.query('select id from general order by id limit 2');
  const ids: string[] = rows.map(({ id }) => id);
  await other.query(`update general set description = '测试' where id = any($1::bigint[])`, [ids]);
  await other.query(`update search_text set words = '' where general_id = any($1::bigint[])`, [ids]);
  await holder.query('begin');
  await holder.query(`update general set description = '搜索' where id = $1`, [ids[1]]);
  const withWord = async (word: string) =>
    (
      await other.query(
        `select general_id as id from search_text, search_query(array[$1], '{f}', '{null}', '{f}') asked
         where general_id = any($2::bigint[]) and words @@ asked`,
        [word, ids],
      )
    ).rows.map(({ id }) => id);
  return { ids, holder, other, withWord };
}

it('are renewed a few at a time, and those that somebody writes as they are written', async () => {
  const { ids, holder, other, withWord } = await twoGenerals();
  const migrating = upgrade();
  migrating.catch(() => undefined);
  await expect.poll(() => withWord('测试'), { timeout: 20_000 }).toEqual([ids[0]]);
  // The first is done, and nobody waits for it.
  await other.query(`set lock_timeout = '1s'; update general set description = '测试工作' where id = ${ids[0]}`);
  await holder.query('commit');
  expect(await migrating).toEqual(['RenewsWords1800000000006']);
  expect([await withWord('工作'), await withWord('搜索'), await withWord('测试')]).toEqual([
    [ids[0]],
    [ids[1]],
    [ids[0]],
  ]);
});

it('of long texts are renewed in transactions of few items', async () => {
  const client = await open();
  const { rows } = await client.query('select id from general where entity_type_id = 4 order by id limit 3');
  const ids = rows.map(({ id }) => id);
  // Together two of them are longer than a transaction takes up.
  await client.query(
    `insert into comment (description, general_id, owner_id, create_date)
     select repeat('测试 ', 14000), id, 1, now() from unnest($1::bigint[]) id, generate_series(1, 6)`,
    [ids],
  );
  await client.query(`update search_text set words = '' where general_id = any($1::bigint[])`, [ids]);
  class RenewsManyWords extends RenewsWords1800000000006 {
    override readonly atOnce = 200;
  }
  expect(await upgrade(undefined, undefined, RenewsManyWords)).toEqual(['RenewsWords1800000000006']);
  const { rows: transactions } = await client.query(
    `select count(distinct xmin::text)::int as of_item, sum(count(distinct xmin::text)) over ()::int as of_all
     from search_text where general_id = any($1::bigint[]) and words @@ '测' group by general_id`,
    [ids],
  );
  expect(transactions).toEqual(ids.map(() => ({ of_item: 1, of_all: 3 })));
});

it('that are never free end the upgrade, which tells whom it waits for; the next one completes it', async () => {
  const { ids, holder, withWord } = await twoGenerals();
  const [{ pid }] = (await holder.query('select pg_backend_pid() as pid')).rows;
  const lines: string[] = [];
  const migrating = upgrade(3, (line) => lines.push(line));
  await expect(migrating).rejects.toThrow(
    `RenewsWords1800000000006 was given no lock in 3 attempts for the last 1 items: end process ${pid} of the database, in`,
  );
  expect(lines.filter((line) => line.includes('waits for'))).toEqual([
    expect.stringMatching(
      `^RenewsWords1800000000006 waits for process ${pid} of the database, in a transaction since [0-9:]{8} UTC, with 1 of \\d+ items left[.]$`,
    ),
  ]);
  expect(await withWord('测试')).toEqual([ids[0]]);
  await holder.query('rollback');
  expect(await upgrade()).toEqual(['RenewsWords1800000000006']);
  expect(await withWord('测试')).toEqual(ids);
});

it('of one that somebody writes keep none of the others waiting', async () => {
  const { ids, holder, other, withWord } = await twoGenerals();
  await holder.query(`rollback; begin; update general set description = '搜索' where id = ${ids[0]}`);
  const migrating = upgrade();
  migrating.catch(() => undefined);
  await expect.poll(() => withWord('测试'), { timeout: 20_000 }).toEqual([ids[1]]);
  await expect
    .poll(async () => (await other.query('select general_id as id from renewal_left')).rows, { timeout: 20_000 })
    .toEqual([{ id: ids[0] }]);
  await holder.query('commit');
  expect(await migrating).toEqual(['RenewsWords1800000000006']);
  expect([await withWord('测试'), await withWord('搜索')]).toEqual([[ids[1]], [ids[0]]]);
});

it('wait for who has locked all of them', async () => {
  const { ids, holder, withWord } = await twoGenerals();
  await holder.query('rollback; begin; lock table search_text');
  const lines: string[] = [];
  const migrating = upgrade(undefined, (line) => lines.push(line));
  migrating.catch(() => undefined);
  await eventually(async () =>
    expect(lines).toContainEqual(
      expect.stringMatching(/ waits for process \d+ of .*, with (\d+) of \1 items left[.]$/),
    ),
  );
  await holder.query('commit');
  expect(await migrating).toEqual(['RenewsWords1800000000006']);
  expect(await withWord('测试')).toEqual(ids);
});

it('are renewed whatever the list of another migration holds', async () => {
  const { ids, holder, other, withWord } = await twoGenerals();
  await holder.query('rollback');
  await other.query(`create table renewal_left (general_id bigint primary key);
    comment on table renewal_left is 'AnotherOne1800000000009'`);
  expect(await upgrade()).toEqual(['RenewsWords1800000000006']);
  expect(await withWord('测试')).toEqual(ids);
});

it('are renewed by a process that goes on where the one before was killed', async () => {
  const { ids, holder, other, withWord } = await twoGenerals();
  const migrating = upgrade();
  migrating.catch(() => undefined);
  await expect.poll(() => withWord('测试'), { timeout: 20_000 }).toEqual([ids[0]]);
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ~ 'search_text' and pid <> pg_backend_pid() and pid <> $1`;
  const [{ pid }] = (await holder.query('select pg_backend_pid() as pid')).rows;
  await eventually(async () => expect((await other.query(end, [pid])).rowCount).toBe(1));
  await expect(migrating).rejects.toThrow(/^RenewsWords1800000000006 failed/);
  await holder.query('commit');
  // What is done is not done again.
  await other.query(`update search_text set words = '' where general_id = any($1::bigint[])`, [ids]);
  expect(await upgrade()).toEqual(['RenewsWords1800000000006']);
  expect([await withWord('测试'), await withWord('搜索')]).toEqual([[], [ids[1]]]);
  expect((await other.query(`select to_regclass('renewal_left') as left`)).rows).toEqual([{ left: null }]);
});
