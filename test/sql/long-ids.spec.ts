/** The migration that makes ids bigint: what was there before it is there after it, and goes on beyond 32 bits. */
import { randomBytes } from 'node:crypto';
import 'reflect-metadata';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { columnTypes } from '../../src/database/column-types.js';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { LongIds1700000000026 } from '../../src/database/migrations/26-long-ids.js';
import { migrations } from '../../src/database/migrations/migrations.js';
import { urlOf } from '../support/database.js';

const name = `long_ids_${randomBytes(6).toString('hex')}`;
const url = (): string => urlOf(inject('databaseUrl'), name);
let client: pg.Client;

// biome-ignore lint/suspicious/noExplicitAny: rows have the shape of their statement
const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await client.query(text, values)).rows;

async function onServer(text: string): Promise<void> {
  const server = new pg.Client(inject('databaseUrl'));
  await server.connect();
  await server.query(text);
  await server.end();
}

async function upTo(last: readonly (typeof migrations)[number][]): Promise<string[]> {
  const source = createDataSource(url(), { timeZone: 'UTC', pool: 1, statementTimeoutMs: 0 });
  source.setOptions({ migrations: [...last] });
  await source.initialize();
  try {
    return await migrate(source);
  } finally {
    await source.destroy();
  }
}

/** Columns as they were before the migration. */
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
  await add('assignment', { assignable_id: task, general_user_id: person, role_id: 1 });
  await add('time', { assignable_id: task, role_id: 1, spent: 1, remain: 2, date: 'now', create_date: 'now' });
  await add('comment', { general_id: task, owner_id: person, description: 'x', create_date: 'now' });
  return user_story_id;
}

const tables = async (): Promise<string[]> =>
  (
    await rows("select tablename from pg_tables where schemaname = 'public' and tablename <> 'migration' order by 1")
  ).map(({ tablename }) => tablename);

/** Each row as a text, views included. */
async function contents(): Promise<Record<string, string[]>> {
  const views = ['assigned_effort', 'project_allocation', 'inbound_assignable', 'outbound_assignable'];
  const all: Record<string, string[]> = {};
  for (const table of [...(await tables()), ...views]) {
    all[table] = (await rows(`select t::text as row from "${table}" t order by 1`)).map(({ row }) => row);
  }
  return all;
}

const totals = `select id, effort, effort_completed, effort_to_do, time_spent, time_remain, progress
  from general where entity_type_id in (1, 4, 5, 9) order by id`;

let person: number;
let before: Record<string, string[]>;
let project: number;
beforeAll(async () => {
  await onServer(`create database ${name}`);
  await upTo(migrations.slice(0, migrations.indexOf(LongIds1700000000026)));
  client = new pg.Client({ connectionString: url(), types: columnTypes });
  await client.connect();
  [{ id: person }] = await rows('select min(id) as id from general_user');
  project = await general(1, { process_id: 3 });
  const [one, other] = [await item(project, 5), await item(project, 7)];
  await add('relation', { master_id: one, slave_id: other, relation_type_id: 1 });
  await add('project_member', { project_id: project, user_id: person, role_id: 1 });
  before = await contents();
});

afterAll(async () => {
  await client.end();
  await onServer(`drop database ${name} with (force)`);
});

it('keeps all rows and totals', async () => {
  expect(before.general?.length).toBe(7);
  expect(await upTo(migrations)).toContain('LongIds1700000000026');
  const after = await contents();
  for (const table of Object.keys(before)) expect([table, after[table]]).toEqual([table, before[table]]);
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
  const story = await item(project, 11);
  expect(story).toBeGreaterThan(3_000_000_000);
  await rows('select fold_spans(array(select distinct span_id from span_delta))');
  const kept = await rows(totals);
  expect(kept.find(({ id }) => id === project).effort).toBe('23.0000');
  await rows('select recompute_totals()');
  expect(await rows(totals)).toEqual(kept);
});

it('F21: ends ids where numbers in JSON are no longer exact', async () => {
  const sequences = await rows(
    "select distinct max_value from pg_sequences where schemaname = 'public' and sequencename <> 'migration_id_seq'",
  );
  expect(sequences).toEqual([{ max_value: Number.MAX_SAFE_INTEGER }]);
});
