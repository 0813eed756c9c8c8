/** Settings on a connection that a pooler shares out: each transaction has them, and leaves none behind. */
import pg, { type PoolClient, type QueryResult } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sessionSettings } from '../../src/database/session.js';
import { SharedClient } from '../../src/database/shared-client.js';
import { queryTextRows } from '../../src/database/text-query.js';

const zone = "select current_setting('TimeZone') as zone";
const ours = 'Asia/Tokyo';

let client: SharedClient;
let others: string;

/** Past the settings. */
const bare = (text: string, from = client): Promise<QueryResult> => query.call(from, text);

const query = pg.Client.prototype.query as (this: SharedClient, text: string) => Promise<QueryResult>;

beforeAll(async () => {
  const settings = sessionSettings({ timeZone: ours, statementTimeoutMs: 7000 });
  client = new SharedClient({ connectionString: inject('databaseUrl'), settings, pipeline: true });
  await client.connect();
  others = (await bare(zone)).rows[0].zone;
});
afterAll(() => client.end());

const inForce = async (): Promise<string> => (await client.query(zone)).rows[0].zone;

const byCallback = (...asked: unknown[]): Promise<string> =>
  new Promise((resolve, reject) => {
    client.query(...(asked as [string]), (error: Error | null, result: QueryResult) =>
      error ? reject(error) : resolve(result.rows[0].zone),
    );
  });

describe('a single statement has them', () => {
  it.each<[string, () => Promise<string>]>([
    ['without values', inForce],
    ['with values', async () => (await client.query(`${zone}, $1::int`, [1])).rows[0].zone],
    ['with a name', async () => (await client.query({ name: 'zone', text: zone })).rows[0].zone],
    ['with a name that is there', async () => (await client.query({ name: 'zone', text: zone })).rows[0].zone],
    ['as arrays', async () => (await client.query({ text: zone, rowMode: 'array' })).rows[0][0]],
    ['as texts', async () => (await queryTextRows(client as unknown as PoolClient, { text: zone }))[0]![0]!],
    ['by callback', () => byCallback(zone)],
    ['by callback, with values', () => byCallback(`${zone}, $1::int`, [1])],
  ])('%s', async (_, ask) => {
    expect(await ask()).toBe(ours);
    expect((await bare(zone)).rows[0].zone).toBe(others);
  });

  it('and none of several that travel together sees the results of another', async () => {
    const counts = Array.from({ length: 5 }, (_, at) => at);
    const answers = await Promise.all(counts.map((n) => client.query(`select * from generate_series(1, ${n}) n`)));
    expect(answers.map(({ rows, rowCount, command }) => [rows.length, rowCount, command])).toEqual(
      counts.map((n) => [n, n, 'SELECT']),
    );
  });

  it('and goes on when one fails', async () => {
    await expect(client.query('select 1 / (select 0)')).rejects.toMatchObject({ code: '22012' });
    await expect(client.query('selec')).rejects.toMatchObject({ code: '42601' });
    expect(await inForce()).toBe(ours);
  });
});

describe.each(['commit', 'rollback'])('a transaction has them until its %s', (end) => {
  it.each([
    ['begin'],
    ['BEGIN'],
    ['start transaction'],
    ['begin; set local plan_cache_mode = force_custom_plan'],
  ])('that %s opens', async (begin) => {
    const [begun, first, second, ended] = await Promise.all([
      client.query(begin),
      client.query(`${zone}, current_setting('statement_timeout') as timeout`),
      bare(zone),
      client.query(end),
    ]);
    expect([first.rows, second.rows, ended.command]).toEqual([
      [{ zone: ours, timeout: '7s' }],
      [{ zone: ours }],
      end.toUpperCase(),
    ]);
    expect((begun.length ? begun[0] : begun).command).toMatch(/BEGIN|START/);
    expect((await bare(zone)).rows[0].zone).toBe(others);
  });

  it('also behind a savepoint', async () => {
    await client.query('begin');
    await client.query('savepoint here');
    await client.query('select 1');
    await client.query('rollback to savepoint here');
    expect(await inForce()).toBe(ours);
    await client.query(end);
  });
});

it('leaves a plan for the values of one statement as it was asked for', async () => {
  await client.query('begin; set local plan_cache_mode = force_custom_plan');
  const { rows } = await client.query("select current_setting('plan_cache_mode') as mode");
  await client.query('commit');
  expect(rows).toEqual([{ mode: 'force_custom_plan' }]);
});

it('runs nothing when a setting fails', async () => {
  const wrong = new SharedClient({ connectionString: inject('databaseUrl'), settings: { TimeZone: 'Mars/Olympus' } });
  await wrong.connect();
  await expect(wrong.query('create temporary table never_made (id int)')).rejects.toMatchObject({ code: '22023' });
  const { rows } = await bare("select to_regclass('never_made') as made", wrong);
  expect(rows).toEqual([{ made: null }]);
  await wrong.end();
});
