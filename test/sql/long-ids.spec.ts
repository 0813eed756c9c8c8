/** Ids are 64 bits wide, wherever they are, and go on beyond 32 bits. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { columnTypes } from '../../src/database/column-types.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
let client: pg.Client;

// biome-ignore lint/suspicious/noExplicitAny: rows have the shape of their statement
const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await client.query(text, values)).rows;

async function add(table: string, row: Record<string, unknown>): Promise<number> {
  const columns = Object.keys(row);
  const places = columns.map((_, at) => `$${at + 1}`);
  const text = `insert into "${table}" (${columns}) values (${places}) returning ${table}.*`;
  return (await rows(text, Object.values(row)))[0].id;
}

const general = (entity_type_id: number, row: Record<string, unknown>): Promise<number> =>
  add('general', { entity_type_id, name: 'x', create_date: 'now', modify_date: 'now', ...row });

async function item(project_id: number, own_effort: number): Promise<number> {
  const [state] = await rows('select min(id) as id from entity_state where entity_type_id = 4 and is_initial');
  const feature_id = await general(9, { project_id });
  const user_story_id = await general(4, { project_id, feature_id, entity_state_id: state.id });
  const task = await general(5, { project_id, user_story_id });
  await add('role_effort', { assignable_id: task, role_id: 1, own_effort });
  await add('time', { assignable_id: task, role_id: 1, spent: 1, remain: 2, date: 'now', create_date: 'now' });
  return user_story_id;
}

const totals = `select id, effort, effort_completed, effort_to_do, time_spent, time_remain, progress
  from general where entity_type_id in (1, 4, 5, 9) order by id`;

beforeAll(async () => {
  database = await ScratchDatabase.create();
  client = new pg.Client({ connectionString: database.url, types: columnTypes });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

it('leaves 32 bits to no id but those that are the same in every installation', async () => {
  const short = await rows(
    `select distinct c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0
       and a.atttypid in ('int'::regtype, 'int[]'::regtype) and a.attname ~ '(^|_)ids?$' and a.attname <> 'entity_type_id'
     order by 1`,
  );
  expect(short.map((row) => row.name)).toEqual([
    'custom_rule.id',
    'entity_type.id',
    'general_conversion.from_general_type_id',
    'global_settings.id',
    'migration.id',
  ]);
});

it('gives references the type of what they refer to', async () => {
  const differing = await rows(
    `select k.conname as name from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1] where k.contype = 'f' and a.atttypid <> b.atttypid`,
  );
  expect(differing).toEqual([]);
});

it('leaves no list of short ids to functions', async () => {
  const functions = await rows(
    `select p.oid::regprocedure::text as name from pg_proc p join pg_language l on l.oid = p.prolang
     where p.pronamespace = 'public'::regnamespace and l.lanname in ('sql', 'plpgsql')
       and pg_get_functiondef(p.oid) ~ '\\mint(eger)?\\[\\]'`,
  );
  // Parts of a date.
  expect(functions.map((row) => row.name)).toEqual(['moment_of(text)']);
});

it('F21: lets totals follow what is written beyond 32 bits', async () => {
  for (const table of ['general', 'role_effort', 'time']) {
    await rows(`alter sequence ${table}_id_seq restart with 3000000000`);
  }
  const project = await general(1, { process_id: 3 });
  const story = await item(project, 11);
  expect(story).toBeGreaterThan(3_000_000_000);
  await rows('select fold_spans(array(select distinct span_id from span_delta))');
  const kept = await rows(totals);
  expect(kept.find(({ id }) => id === project).effort).toBe('11.0000');
  await rows('select recompute_totals()');
  expect(await rows(totals)).toEqual(kept);
});

it('F21: ends ids where numbers in JSON are no longer exact', async () => {
  const sequences = await rows(
    "select distinct max_value from pg_sequences where schemaname = 'public' and sequencename <> 'migration_id_seq'",
  );
  expect(sequences).toEqual([{ max_value: Number.MAX_SAFE_INTEGER }]);
});
