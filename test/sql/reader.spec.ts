/** How statements are run: by one plan for all values, or planned for them, whatever came before on the connection. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import { DatabasePool } from '../../src/database/pool.js';
import { sessionSettings } from '../../src/database/session.js';
import { queryTextRows } from '../../src/database/text-query.js';
import { type Late, Reader } from '../../src/query/reader.js';
import type { Statement } from '../../src/sql.js';

const late: Late = {
  actor: { userId: 1, isAdministrator: true, isObserver: false, isReadOnly: false, projectIds: [], teamIds: [] },
  base: '',
};
const mode: Statement = { text: "select current_setting('plan_cache_mode')", parameters: [] };
const broken: Statement = { text: 'select 1 / (select 0)', parameters: [], isPlannedEachTime: true };

const singleConnection = (): DatabasePool =>
  new DatabasePool({ connectionString: inject('databaseUrl'), settings: sessionSettings({ timeZone: 'UTC' }), max: 1 });

let pool: DatabasePool;

const named = loadConfig({});

beforeAll(() => {
  pool = singleConnection();
});
afterAll(() => pool.end());

describe.each([true, false])('with names: %s', (usesNames) => {
  const reader = new Reader({ ...named, preparedStatements: usesNames });
  const modeOf = async (statement: Statement) => (await reader.rows(statement, late, pool))[0]![0];

  it('plans once for all values, unless the statement says that they matter', async () => {
    expect(await modeOf(mode)).toBe('force_generic_plan');
    expect(await modeOf({ ...mode, isPlannedEachTime: true })).toBe('force_custom_plan');
    expect(await modeOf(mode)).toBe('force_generic_plan');
  });

  it('goes back to that when the statement fails', async () => {
    await expect(reader.rows(broken, late, pool)).rejects.toMatchObject({ code: '22012' });
    expect(await modeOf(mode)).toBe('force_generic_plan');
  });
});

describe('texts as they are sent', () => {
  const reader = new Reader(named, queryTextRows);
  const sample: Statement = {
    text: "select n, n > 1, nullif(n, 2), 'Größe' || n from generate_series(1, $1::int) n",
    parameters: [{ kind: 'value', value: 2 }],
  };
  const rows = [
    ['1', 'f', '1', 'Größe1'],
    ['2', 't', null, 'Größe2'],
  ];
  let single: DatabasePool;

  beforeAll(() => {
    single = singleConnection();
  });
  afterAll(() => single.end());

  it('are the same before and after the statement has a name', async () => {
    for (let turn = 0; turn < 3; turn++) expect(await reader.rows(sample, late, single)).toEqual(rows);
    expect(await reader.rows({ ...sample, text: `${sample.text} where false` }, late, single)).toEqual([]);
  });

  it('do not get into one another', async () => {
    const counts = [1, 2, 3, 4, 5];
    const answers = await Promise.all(
      counts.map((value) => reader.rows({ ...sample, parameters: [{ kind: 'value', value }] }, late, single)),
    );
    expect(answers.map(({ length }) => length)).toEqual(counts);
  });

  it('a failure is told, with where it was asked, and the connection goes on', async () => {
    for (let turn = 0; turn < 3; turn++) {
      const failed = reader.rows({ ...broken, isPlannedEachTime: false }, late, single);
      await expect(failed).rejects.toMatchObject({ code: '22012', stack: expect.stringContaining('text-query') });
      await expect(reader.rows({ text: 'selec', parameters: [] }, late, single)).rejects.toMatchObject({
        code: '42601',
      });
      expect(await reader.rows(sample, late, single)).toEqual(rows);
    }
  });

  it('come from a few hundred named statements at most, the most recent ones', async () => {
    const numbered = (n: number): Statement => ({ text: `select ${n} as numbered`, parameters: [] });
    const again = async (n: number) => {
      for (let time = 1; time <= 2; time += 1)
        expect(await reader.rows(numbered(n), late, single)).toEqual([[String(n)]]);
    };
    for (let n = 1; n <= 320; n += 1) {
      await again(n);
      // What is used all the time stays.
      await again(1);
    }
    const { rows: named } = await single.query(
      `select statement from pg_prepared_statements where statement like '%as numbered'`,
    );
    expect(named.length).toBeLessThanOrEqual(300);
    const texts = named.map(({ statement }: { statement: string }) => statement);
    expect(texts).toContain(numbered(1).text);
    expect(texts).toContain(numbered(320).text);
    expect(texts).not.toContain(numbered(2).text);
    await again(2);
  });

  it('are read again when the prepared statement is gone', async () => {
    await single.query('deallocate all');
    expect(await reader.rows(sample, late, single)).toEqual(rows);
    expect(await reader.rows(sample, late, single)).toEqual(rows);
  });
});

describe('statements whose plans are large', () => {
  /** As large to the reader as hundreds of tables; the database does not read remarks. */
  const large = (at: number): Statement => ({ text: `select ${at} /* ${' from "x"'.repeat(200)} */`, parameters: [] });
  const runAll = async (reader: Reader): Promise<void> => {
    for (let at = 0; at < 20; at++) for (const _ of [1, 2, 3]) await reader.rows(large(at), late, pool);
  };
  const kept = async (): Promise<number> =>
    (await pool.query('select count(*)::int as n from pg_prepared_statements where statement like \'%from "x"%\''))
      .rows[0].n;

  it('are forgotten by the connection, the oldest first', async () => {
    await runAll(new Reader(named));
    expect(await kept()).toBeGreaterThan(0);
    expect(await kept()).toBeLessThan(8);
  });

  it('are kept where the setting leaves them room', async () => {
    await runAll(new Reader({ ...named, planBytes: 2 ** 30 }));
    expect(await kept()).toBe(20);
  });

  it('are forgotten within a transaction that failed, too, and prepared again later', async () => {
    const reader = new Reader(named);
    await runAll(reader);
    const client = await pool.connect();
    await client.query('begin');
    await client.query('select 1 / (select 0)').catch(() => undefined);
    for (let at = 0; at < 20; at++) await reader.rows(large(at), late, client).catch(() => undefined);
    await client.query('rollback');
    client.release();
    await runAll(reader);
    expect(await kept()).toBeLessThan(8);
  });
});
