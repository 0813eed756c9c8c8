/** What `worktrack doctor` finds of a schema that is not as the migrations make it, and what of that it mends. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command } from '../support/command.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let scratch: ScratchDatabase;
let client: pg.Client;
beforeAll(async () => {
  scratch = await ScratchDatabase.create();
  client = new pg.Client(scratch.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await scratch.drop();
});

async function doctor(...args: string[]): Promise<[code: number | null, findings: [problem: string, state: string][]]> {
  const env = { DATABASE_URL: scratch.url, DATA_DIR: join(tmpdir(), 'worktrack-doctor-of-schemas') };
  const { code, stdout } = await command(env, ['doctor', '--json', ...args]);
  const findings = JSON.parse(stdout) as { check: string; problem: string; state: string }[];
  expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(['schema']));
  return [code, findings.map(({ problem, state }) => [problem, state])];
}

const one = async (text: string): Promise<string> => Object.values<string>((await client.query(text)).rows[0])[0]!;

it('is told what is off, missing, detached or behind, and mends triggers and sequences', {
  timeout: 240_000,
}, async () => {
  const triggers = (table: string) =>
    `select string_agg(tgname, ', ' order by tgname) from pg_trigger where tgrelid = '${table}'::regclass and not tgisinternal`;
  const [ofGeneral, ofComment] = [await one(triggers('general')), await one(triggers('comment'))];
  const month = await one(`select max(c.relname) from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = 'change_record'::regclass and c.relname <> 'change_record_other'`);
  const key = await one(`select min(conname) from pg_constraint where conrelid = 'tag'::regclass and contype = 'p'`);
  const reference = await one(
    `select min(conname) from pg_constraint where conrelid = '"time"'::regclass and contype = 'f'`,
  );
  const unchecked = await one(
    `select string_agg(conname, ', ' order by conname) from pg_constraint where conrelid = 'revision'::regclass and contype = 'f'`,
  );
  const dropped = ofComment.split(', ')[0]!;
  const behind = `select setval('general_id_seq', 5)`;
  for (const statement of [
    'alter table general disable trigger user',
    'alter table revision disable trigger all',
    `drop trigger "${dropped}" on comment`,
    `alter table "time" drop constraint "${reference}"`,
    `alter table tag drop constraint "${key}" cascade`,
    'alter table general alter name drop not null',
    `alter table change_record detach partition ${month}`,
    behind,
    // What somebody has added is left alone.
    'create table mine (id bigint generated always as identity, name text)',
    'insert into mine overriding system value values (7)',
  ])
    await client.query(statement);
  const highest = await one('select max(id) from general');

  const forUs = (state: string): [string, string][] => [
    [`Triggers of comment are missing: ${dropped}.`, state],
    [`Triggers of general are disabled: ${ofGeneral}.`, state],
    [`The sequence of general.id is behind its rows, the highest of which is ${highest}.`, state],
  ];
  const forPeople: [string, string][] = [
    [`Constraints of tag are missing: ${key}.`, 'needs you'],
    [`Constraints of time are missing: ${reference}.`, 'needs you'],
    [`Constraints of revision are not checked: ${unchecked}.`, 'needs you'],
    ['Columns of general take null: name.', 'needs you'],
    [`The table ${month} is detached from change_record: what it holds is not read.`, 'needs you'],
  ];
  const [code, findings] = await doctor();
  expect(code).toBe(3);
  expect(findings).toEqual(expect.arrayContaining([...forUs('--fix mends it'), ...forPeople]));

  const [, mended] = await doctor('--fix');
  expect(mended).toEqual(expect.arrayContaining([...forUs('mended'), ...forPeople]));
  const [, left] = await doctor();
  expect(left).toEqual(expect.arrayContaining(forPeople));
  for (const [problem] of forUs('')) expect(left.map(([each]) => each)).not.toContain(problem);
  expect(await one(triggers('comment'))).toBe(ofComment);
  expect(await one('select last_value from general_id_seq')).toBe(highest);
});

it('tells a column and a function that are missing alone, since all else reads them', {
  timeout: 120_000,
}, async () => {
  await client.query('alter table general drop column description cascade; drop function recompute_totals()');
  const [code, findings] = await doctor();
  expect(code).toBe(3);
  expect(findings).toContainEqual(['Columns of general are missing: description.', 'needs you']);
  expect(findings).toContainEqual([
    expect.stringMatching(/^Functions are missing: .*recompute_totals\(\)/),
    'needs you',
  ]);
});
