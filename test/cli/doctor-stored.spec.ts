/** What `worktrack doctor` finds of words to search by, the record of changes, places and values, and mends. */
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDataSource } from '../../src/database/data-source.js';
import { mendValues } from '../../src/doctor/values.js';
import { checkWords, mendWords } from '../../src/doctor/words.js';
import { valuePlaces } from '../../src/modules/custom-fields/stored-value-rules.js';
import { command } from '../support/command.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let scratch: ScratchDatabase;
let client: pg.Client;

beforeEach(async () => {
  scratch = await ScratchDatabase.create();
  client = new pg.Client(scratch.url);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await scratch.drop();
});

const doctor = (...args: string[]) => command({ DATABASE_URL: scratch.url }, ['doctor', ...args]);

async function withClient<T>(work: (mender: pg.Client) => Promise<T>): Promise<T> {
  const mender = new pg.Client(scratch.url);
  await mender.connect();
  return work(mender).finally(() => mender.end());
}

async function found(limit?: number): Promise<string[]> {
  const source = await createDataSource(scratch.url, { timeZone: 'UTC', pool: 1 }).initialize();
  const findings = await checkWords(source, limit).finally(() => source.destroy());
  return findings.map(({ problem }) => problem);
}

/** Tags (b) have no order. */
const stored = async () =>
  (
    await client.query(
      `select general_id, comment_id, strip(words) as words, ts_filter(words, '{a,c,d}') as places, long_words
       from search_text order by 1, 2`,
    )
  ).rows;

it('finds and mends words that are missing, too many, or those of another text', { timeout: 120_000 }, async () => {
  const before = await stored();
  const [emptied, gone] = (await client.query('select id from general order by id limit 2')).rows;
  const [comment] = (
    await client.query('select id, general_id from comment where general_id > $1 order by id limit 1', [gone.id])
  ).rows;
  await client.query(`update search_text set words = '' where general_id = $1`, [emptied.id]);
  await client.query('delete from search_text where general_id = $1 and comment_id = 0', [gone.id]);
  await client.query(`update search_text set long_words = 'other' where comment_id = $1`, [comment.id]);
  await client.query(`insert into search_text (general_id, comment_id, words) values ($1, 9000000000, '')`, [gone.id]);
  const finding = { check: 'words', problem: 'The words to search by of 3 items are not those of their texts.' };
  const seen = await doctor('--json');
  expect([seen.code, JSON.parse(seen.stdout)]).toEqual([3, [{ ...finding, state: '--fix mends it' }]]);
  const mended = await doctor('--json', '--fix');
  expect([mended.code, JSON.parse(mended.stdout)]).toEqual([0, [{ ...finding, state: 'mended' }]]);
  expect(await stored()).toEqual(before);
  expect(await doctor()).toMatchObject({ code: 0 });
});

it('looks at a part of very many, and tells so', async () => {
  await client.query(`update search_text set words = ''`);
  // Comments have words, too.
  const counts = `select (select count(*)::int from general) as count, (select count(*)::int from search_text) as texts`;
  const [{ count, texts }] = (await client.query(counts)).rows;
  const step = Math.ceil(texts / 10);
  const [problem] = await found(10);
  const [wrong, looked] = /of (\d+) items .*, of (\d+) looked at/.exec(problem!)!.slice(1).map(Number);
  expect(problem).toContain(`, one in ${step}.`);
  expect(looked).toBe(wrong);
  expect([Math.floor(count / step), Math.ceil(count / step)]).toContain(looked);
  await withClient((mender) => mendWords(mender));
  expect(await found()).toEqual([]);
});

it('mends what somebody writes meanwhile as it is written', async () => {
  const [{ id }] = (await client.query('select id from general where entity_type_id = 4 order by id limit 1')).rows;
  await client.query(`update search_text set words = '' where general_id = $1`, [id]);
  await client.query('begin');
  await client.query(`update general set name = 'zebra' where id = $1`, [id]);
  const pause = async (): Promise<void> => void (await client.query('commit'));
  await withClient((mender) => mendWords(mender, { lockTimeoutMs: 20, attempts: 2, pause }));
  const { rows } = await client.query(`select words @@ 'zebra' as has from search_text where general_id = $1`, [id]);
  expect(rows[0]).toEqual({ has: true });
  expect(await found()).toEqual([]);
});

it('says that it could not mend what is never free', async () => {
  const [{ id }] = (await client.query('select id from general where entity_type_id = 4 order by id limit 1')).rows;
  await client.query(`update search_text set words = '' where general_id = $1`, [id]);
  await client.query('begin; lock table search_text in share mode');
  const once = { lockTimeoutMs: 20, attempts: 1, pause: async () => undefined };
  await withClient((mender) =>
    expect(mendWords(mender, once)).rejects.toThrow(
      'Not all words to search by were mended. They were given no lock in 1 attempts',
    ),
  );
  await client.query('commit');
});

it('passes over functions of others that are named like those of the record', { timeout: 120_000 }, async () => {
  await client.query(`create function record_role_of_mine_insert() returns trigger language plpgsql as
    $$ begin return null; end $$; create function record_role_delete(role bigint) returns bigint language sql as 'select role'`);
  const seen = await doctor('--json');
  expect([seen.code, seen.stdout, seen.stderr]).toEqual([0, '[]\n', '']);
  await client.query('drop function record_role_of_mine_insert(), record_role_delete(bigint)');
});

it('finds and mends columns that are not recorded', { timeout: 120_000 }, async () => {
  const triggers = async () =>
    (
      await client.query(`select proname, length(pg_get_functiondef(oid)) as length from pg_proc
        where proname ~ '^record_role_(insert|update|delete)$' order by 1`)
    ).rows;
  const before = await triggers();
  await client.query(`call record_no_more('role', 'description is_pair')`);
  const findings = ['description', 'is_pair'].map((column) => ({
    check: 'record',
    problem: `What others than the service change in the column ${column} of role is not recorded.`,
  }));
  const seen = await doctor('--json');
  expect([seen.code, JSON.parse(seen.stdout)]).toEqual([
    3,
    findings.map((one) => ({ ...one, state: '--fix mends it' })),
  ]);
  const mended = await doctor('--json', '--fix');
  expect([mended.code, JSON.parse(mended.stdout)]).toEqual([0, findings.map((one) => ({ ...one, state: 'mended' }))]);
  expect(await triggers()).toEqual(before);
});

it('finds tasks, runs and times that lie elsewhere than what they belong to', { timeout: 120_000 }, async () => {
  const places = async () => (await client.query('select id, project_id from "time" order by id')).rows;
  const before = await places();
  const [time] = (
    await client.query(
      `select t.id, t.project_id as project, other.id as other from "time" t, general g, general other
       where g.id = t.assignable_id and other.entity_type_id = 1 and other.id <> t.project_id order by t.id limit 1`,
    )
  ).rows;
  const [unplaced] = (
    await client.query('select id from "time" where assignable_id is not null order by id desc limit 1')
  ).rows;
  const part = async (kind: number) =>
    (
      await client.query(
        `select t.id, t.project_id as project, p.id as other from general t join general o on o.id = t.project_id
         join general p on p.entity_type_id = 1 and p.process_id = o.process_id and p.id <> o.id and p.delete_date is null
       where t.entity_type_id = $1 and t.delete_date is null order by t.id, p.id limit 1`,
        [kind],
      )
    ).rows[0];
  const parts = [
    ['Tasks', await part(5)],
    ['TestPlanRuns', await part(14)],
  ];
  await client.query('set session_replication_role = replica');
  await client.query('update "time" set project_id = $2 where id = $1', [time.id, time.other]);
  await client.query('update "time" set project_id = null where id = $1', [unplaced.id]);
  for (const [, { id, other }] of parts)
    await client.query('update general set project_id = $2 where id = $1', [id, other]);
  await client.query('set session_replication_role = origin');
  const byHand = parts.map(([path, { id, project }]) => ({
    check: 'places',
    problem: `1 ${path} lie in another project than what they belong to, ${id} first; POST /api/v1/${path}/${id} with {"Project":{"Id":${project}}} moves that.`,
    state: 'needs you',
  }));
  const own = { check: 'places', problem: '2 times are spent on another project than that of their item.' };
  const seen = async (...args: string[]) =>
    JSON.parse((await doctor('--json', ...args)).stdout).filter(({ check }: { check: string }) => check === 'places');
  expect(await seen()).toEqual([...byHand, { ...own, state: '--fix mends it' }]);
  expect(await seen('--fix')).toEqual([...byHand, { ...own, state: 'mended' }]);
  expect(await seen()).toEqual(byHand);
  expect(await places()).toEqual(before);
});

it('finds values that fit no custom field of their process, and takes them away', { timeout: 120_000 }, async () => {
  const valuesOf = async (table: string, id: number) =>
    (await client.query(`select custom_values from "${table}" where id = $1`, [id])).rows[0].custom_values;
  const firstOf = async (table: string, where = 'true') =>
    (await client.query(`select id from "${table}" where ${where} order by id limit 1`)).rows[0].id;
  const story = await firstOf(
    'general',
    `entity_type_id = 4 and custom_values ?& array['Score', 'Due', 'Notes', 'Spec', 'Ready'] and project_id in
       (select id from general where process_id = 3)`,
  );
  const [time, user] = [await firstOf('time'), await firstOf('general_user', `kind = 'User'`)];
  const [before, ofTime, ofUser] = [
    await valuesOf('general', story),
    await valuesOf('time', time),
    await valuesOf('general_user', user),
  ];
  const { Score, Due, Notes, ...rest } = before;
  const add = (table: string, id: number, values: object) =>
    client.query(`update "${table}" set custom_values = (custom_values - 'Notes') || $2 where id = $1`, [id, values]);
  await add('general', story, { Score: 'high', Due: 'soon', Gone: 1, notes: Notes });
  await add('time', time, { Gone: true });
  await add('general_user', user, { ...ofUser, Gone: 'x' });
  const seen = async (...args: string[]) =>
    JSON.parse((await doctor('--json', ...args)).stdout).filter(({ check }: { check: string }) => check === 'values');
  const finding = { check: 'values', problem: '6 values fit no custom field of the process and kind of their entity.' };
  expect(await seen()).toEqual([{ ...finding, state: '--fix mends it' }]);
  expect(await seen('--fix')).toEqual([{ ...finding, state: 'mended' }]);
  expect(await valuesOf('general', story)).toEqual({ ...rest, Notes });
  expect([await valuesOf('time', time), await valuesOf('general_user', user)]).toEqual([ofTime, ofUser]);
  expect(await seen()).toEqual([]);
});

it('keeps values that somebody writes beside those that it takes away', { timeout: 120_000 }, async () => {
  const [{ id }] = (
    await client.query(`update general set custom_values = custom_values || '{"Gone": 1}'
      where id = (select min(id) from general where custom_values ? 'Notes') returning id`)
  ).rows;
  await client.query('begin');
  await client.query(`update general set custom_values = custom_values || '{"Notes": "new"}' where id = $1`, [id]);
  const pause = async (): Promise<void> => void (await client.query('commit'));
  const limits = { lockTimeoutMs: 20, attempts: 2, pause };
  await withClient((mender) => mendValues(mender, valuePlaces[0]!, limits));
  const { rows } = await client.query('select custom_values as of from general where id = $1', [id]);
  expect([rows[0].of.Notes, 'Gone' in rows[0].of]).toEqual(['new', false]);
});
