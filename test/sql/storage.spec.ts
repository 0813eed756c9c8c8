/** Every table is tidied up by the share of it that is new or dead, later ones as well. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await ScratchDatabase.create();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
}, 180_000);

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Parameters by table. Of a partitioned table only the partitions have any. */
async function parameters(): Promise<Map<string, Record<string, string>>> {
  const { rows } = await client.query(
    `select c.relname as table, coalesce((select json_object_agg(option_name, option_value) from pg_options_to_table(c.reloptions)), '{}') as set
     from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`,
  );
  return new Map(rows.map((row) => [row.table, row.set]));
}

/** Written without pause and emptied again and again. */
const emptied = ['span_delta'];

it('vacuums every table when a fiftieth of it is dead or new', async () => {
  await client.query('select add_change_partitions(5)');
  const tables = await parameters();
  expect([...tables.keys()].filter((name) => name.startsWith('change_record_')).length).toBeGreaterThan(6);
  const others = [...tables].filter(([name]) => !emptied.includes(name));
  const wrong = others.filter(
    ([, set]) => set.autovacuum_vacuum_scale_factor !== '0.02' || set.autovacuum_vacuum_insert_scale_factor !== '0.02',
  );
  expect(wrong).toEqual([]);
  expect(others.length).toBeGreaterThan(60);
});

it('leaves room in the pages of the tables whose rows totals change', async () => {
  const tables = await parameters();
  for (const name of ['general', 'role_effort']) expect(tables.get(name)?.fillfactor).toBe('90');
});

const anotherKind = `update general g set entity_state_id = (select s.id from entity_state s
    join entity_state own on own.id = g.entity_state_id and own.process_id = s.process_id
    where s.entity_type_id <> g.entity_type_id order by s.name = own.name desc, s.id limit 1)
  where g.id = (select min(id) from general where entity_type_id = 4 and entity_state_id is not null) returning id`;

it('refuses an item in a state of another kind', async () => {
  await expect(client.query(anotherKind)).rejects.toThrow('fk_general_entity_state');
});
