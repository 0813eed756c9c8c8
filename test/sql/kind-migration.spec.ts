/** What a kind of Generals that a later migration adds is to the database: the same as the kind that it begins as. */
import type { DataSource, QueryRunner } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDataSource } from '../../src/database/data-source.js';
import { KindMigration, type NewKind } from '../../src/database/migrations/kind-migration.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
let source: DataSource;
let runner: QueryRunner;

beforeAll(async () => {
  database = await ScratchDatabase.create();
  source = createDataSource(database.url, { timeZone: 'UTC', pool: 1 });
  await source.initialize();
  runner = source.createQueryRunner();
});
afterAll(async () => {
  await runner.release();
  await source.destroy();
  await database.drop();
});

const migrationOf = (kind: NewKind) =>
  new (class extends KindMigration {
    name = 'Hazards';
    kind = kind;
  })();

const add = async (table: string, row: Record<string, unknown>): Promise<number> => {
  const columns = Object.keys(row);
  const values = columns.map((_, at) => `$${at + 1}`);
  const [{ id }] = await runner.query(
    `insert into "${table}" (${columns}) values (${values}) returning id`,
    Object.values(row),
  );
  return id;
};

/** An item with effort and time that is closed in the end: its totals and those of its feature. */
async function lifeOf(kind: number) {
  const [feature] = await runner.query(
    'select id, project_id, effort from general where entity_type_id = 9 and delete_date is null order by id limit 1',
  );
  const [{ first, last }] = await runner.query(
    `select max(s.id) filter (where s.is_initial) as first, max(s.id) filter (where s.is_default_final) as last
     from entity_state s join general p on p.process_id = s.process_id where p.id = $1 and s.entity_type_id = $2
       and s.parent_entity_state_id is null`,
    [feature.project_id, kind],
  );
  const dates = { create_date: 'now', modify_date: 'now' };
  const place = { project_id: feature.project_id, feature_id: feature.id };
  const id = await add('general', { entity_type_id: kind, name: 'x', entity_state_id: first, ...place, ...dates });
  await add('role_effort', { assignable_id: id, role_id: 1, own_effort: 5 });
  await add('time', {
    ...{ assignable_id: id, role_id: 1, user_id: 1, project_id: feature.project_id },
    ...{ spent: 2, remain: 3, date: 'now', create_date: 'now' },
  });
  const open = await stateOf(id);
  await runner.query('update general set entity_state_id = $2 where id = $1', [id, last]);
  return { open, closed: await stateOf(id), gain: Number((await stateOf(feature.id)).effort) - Number(feature.effort) };
}

const stateOf = async (id: number) => {
  const [row] = await runner.query(
    `select g.effort, g.effort_completed, g.time_spent, g.time_remain, g.progress, s.name,
       (select count(*)::int from simple_history h
        where h.general_id = g.id and h.entity_type_id = g.entity_type_id) as past
     from general g left join entity_state s on s.id = g.entity_state_id where g.id = $1`,
    [id],
  );
  return row;
};

const functions = () =>
  runner.query(`select oid::regprocedure::text as name, pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = current_schema()::regnamespace and prokind = 'f' order by 1`);

it.each([
  [33, 8],
  [34, 16],
  [35, 17],
] as const)('kind %i is summed up and remembered as kind %i, and goes without a trace', async (id, like) => {
  const before = await functions();
  const migration = migrationOf({ id, name: 'Hazard', like });
  await migration.up(runner);
  const [hazard, other] = [await lifeOf(id), await lifeOf(like)];
  expect(hazard).toEqual(other);
  expect(hazard.closed.name).not.toBe(hazard.open.name);

  const items = `(select id from general where entity_type_id = ${id})`;
  for (const table of ['time', 'role_effort'])
    await runner.query(`delete from "${table}" where assignable_id in ${items}`);
  for (const table of ['simple_history', 'full_history'])
    await runner.query(`delete from ${table} where general_id in ${items}`);
  await runner.query(`delete from general where id in ${items}`);
  await migration.down(runner);
  expect(await functions()).toEqual(before);
});

it('takes over how a process is set up', async () => {
  const migration = migrationOf({ id: 36, name: 'Danger', like: 8 });
  await migration.up(runner);
  const setUp = (kind: number) =>
    runner.query(
      `select p.name as process, s.name, s.role_id, s.is_initial, s.is_final, s.is_default_final,
         (select count(*)::int from entity_state_step t where t.from_id = s.id) as steps,
         (select count(*)::int from priority where entity_type_id = $1) as priorities,
         (select count(*)::int from role_entity_type where entity_type_id = $1) as roles
       from entity_state s join process p on p.id = s.process_id
       where s.entity_type_id = $1 and s.parent_entity_state_id is null order by p.id, s.id`,
      [kind],
    );
  const made = await setUp(36);
  expect(made).toEqual(await setUp(8));
  expect(made.length).toBeGreaterThan(0);
});
