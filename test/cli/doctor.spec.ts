/** What `worktrack doctor` finds, mends, and leaves as it is. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command } from '../support/command.js';
import { emptyDatabase } from '../support/empty-database.js';
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

const doctor = (...args: string[]) => command({ DATABASE_URL: scratch.url }, ['doctor', ...args]);
const indexes = async () =>
  (await client.query(`select indexdef from pg_indexes where schemaname = 'public' order by 1`)).rows;

it('finds nothing wrong with a sound database, and leaves nothing there', { timeout: 60_000 }, async () => {
  expect(await doctor()).toEqual({
    code: 0,
    stdout: 'Configuration, database, schema, indexes and totals are right.\n',
    stderr: '',
  });
  const { rows } = await client.query(`select nspname from pg_namespace where nspname like 'worktrack%'`);
  expect(rows).toEqual([]);
});

it('finds and mends indexes that are missing or invalid, and wrong totals', { timeout: 120_000 }, async () => {
  const before = await indexes();
  await client.query('drop index ix_general_name_parts');
  await client.query(`update pg_index set indisvalid = false where indexrelid = 'ix_change_record_date'::regclass`);
  await client.query('create index mine on general (name)');
  await client.query('set session_replication_role = replica');
  const { rows } = await client.query(
    `update general set effort = effort + 5 where id = (select min(id) from general where entity_type_id = 4 and delete_date is null)
     returning id, effort - 5 as effort`,
  );
  const problems = [
    { check: 'indexes', problem: 'The index ix_change_record_date of change_record is invalid.' },
    { check: 'indexes', problem: 'The index ix_general_name_parts of general is missing.' },
    { check: 'totals', problem: expect.stringMatching(/^The totals of \d+ items are wrong\.$/) },
  ];
  const found = await doctor('--json');
  expect([found.code, JSON.parse(found.stdout)]).toEqual([
    3,
    problems.map((problem) => ({ ...problem, state: '--fix mends it' })),
  ]);
  const mended = await doctor('--fix', '--json');
  expect([mended.code, JSON.parse(mended.stdout)]).toEqual([
    0,
    problems.map((problem) => ({ ...problem, state: 'mended' })),
  ]);
  expect(await doctor()).toMatchObject({ code: 0 });
  await client.query('drop index mine');
  expect(await indexes()).toEqual(before);
  const [{ id, effort }] = rows;
  expect((await client.query('select effort from general where id = $1', [id])).rows).toEqual([{ effort }]);
});

it('says that a schema is not current', { timeout: 60_000 }, async () => {
  const url = await emptyDatabase('doctor_of_nothing');
  const { code, stdout } = await command({ DATABASE_URL: url }, ['doctor', '--fix']);
  expect([code, stdout]).toEqual([
    3,
    'schema: The schema is not current: run "worktrack migrate", or start the service. (needs you)\n',
  ]);
});
