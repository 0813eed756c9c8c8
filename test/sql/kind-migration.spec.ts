/** What a kind of Generals that a later migration adds is to the database: the same as the kind that it begins as. */
import type { DataSource, QueryRunner } from 'typeorm';
import { expect, it, onTestFinished } from 'vitest';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { KindMigration, type NewKind, treatChecks, treatNoMore } from '../../src/database/migrations/kind-migration.js';
import { migrations } from '../../src/database/migrations/migrations.js';
import { released } from '../support/released-database.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let source: DataSource;
let runner: QueryRunner;

async function open(database: ScratchDatabase): Promise<void> {
  source = createDataSource(database.url, { timeZone: 'UTC', pool: 2 });
  await source.initialize();
  runner = source.createQueryRunner();
  onTestFinished(async () => {
    await runner.release();
    await source.destroy();
    await database.drop();
  });
}

const migrationOf = (kind: NewKind, name = 'Hazards1900000000009') =>
  new (class extends KindMigration {
    name = name;
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

/** Functions, and what the table of Generals takes. */
const definitions = () =>
  runner.query(`select oid::regprocedure::text as name, pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = current_schema()::regnamespace and prokind = 'f'
    union all select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'general'::regclass
    order by 1`);

/** Numbers that nobody's own kind is likely to have. */
const kinds = [
  [90_033, 8],
  [90_034, 16],
  [90_035, 17],
] as const;

it.each(kinds)('kind %i is summed up and remembered as kind %i, and goes without a trace', async (id, like) => {
  await open(await ScratchDatabase.create());
  const before = await definitions();
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
  expect(
    await add('custom_field', { name: 'Danger', field_type: 'Text', entity_type_id: id, process_id: 1 }),
  ).toBeTruthy();
  await migration.down(runner);
  expect(await definitions()).toEqual(before);
});

it('so they are where all migrations since 0.2.0 come after them', async () => {
  await open(await released('0.2.0'));
  for (const [at, [id, like]] of kinds.entries()) {
    const added = migrationOf({ id, name: 'Hazard', like }, `Hazards190000000000${at}`);
    await added.up(runner);
    await runner.query('insert into migration (timestamp, name) values ($1, $2)', [1_900_000_000_000 + at, added.name]);
    source.migrations.push(added);
  }
  expect(await migrate(source)).toEqual(migrations.slice(1).map(({ name }) => name));
  for (const [id, like] of kinds) expect(await lifeOf(id)).toEqual(await lifeOf(like));
});

it('one of before whose items have no project needs none after an upgrade either', async () => {
  await open(await released('0.2.0'));
  const added = migrationOf({ id: 90_033, name: 'Hazard', like: 8 });
  await added.up(runner);
  await runner.query('insert into migration (timestamp, name) values (1900000000009, $1)', [added.name]);
  source.migrations.push(added);
  // Checks were the business of whoever added a kind.
  await treatChecks(runner, (check) => treatNoMore(check, 90_033));
  const row = { entity_type_id: 90_033, name: 'x', create_date: 'now', modify_date: 'now' };
  await add('general', row);
  expect(await migrate(source)).toEqual(migrations.slice(1).map(({ name }) => name));
  expect(await add('general', row)).toBeTruthy();
});

/** A list of kinds, a case or a comparison. */
const namesKinds =
  /entity_type_id\b[^;()]{0,20}\([^)]*\b(8|16|17)\b|\bwhen (8|16|17) then|entity_type_id (=|<>) (8|16|17)\b/i;

it('functions of kinds alone name those that others are like: whatever others become, they forget none', async () => {
  await open(await ScratchDatabase.create());
  const all: { name: string; text: string }[] = await runner.query(
    `select proname as name, prosrc as text from pg_proc
     where pronamespace = current_schema()::regnamespace and prokind = 'f' order by 1`,
  );
  expect(all.filter(({ text }) => namesKinds.test(text)).map(({ name }) => name)).toEqual([
    'kind_is_historic',
    'kind_is_in_features',
    'kind_is_in_spans',
    'kind_is_part',
    'kind_is_work',
    'kind_level',
    'kind_parent',
  ]);
});

it.each(kinds)('kind %i may end before the start that was planned for it, as kind %i', async (id, like) => {
  await open(await ScratchDatabase.create());
  await migrationOf({ id, name: 'Hazard', like }).up(runner);
  const [place] = await runner.query('select project_id from general where entity_type_id = 9 order by id limit 1');
  const row = { name: 'x', create_date: 'now', modify_date: 'now', start_date: '2026-03-05', end_date: '2026-03-01' };
  for (const kind of [id, like]) expect(await add('general', { entity_type_id: kind, ...place, ...row })).toBeTruthy();
  await expect(add('general', { entity_type_id: id, ...row })).rejects.toThrow('ck_general_project');
});

it('takes over how a process is set up', async () => {
  await open(await ScratchDatabase.create());
  const migration = migrationOf({ id: 90_036, name: 'Danger', like: 8 });
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
  const made = await setUp(90_036);
  expect(made).toEqual(await setUp(8));
  expect(made.length).toBeGreaterThan(0);
});
