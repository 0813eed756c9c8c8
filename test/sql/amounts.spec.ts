/** Efforts, times and progress that no write may store, whoever writes. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await ScratchDatabase.create();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    begin; set local session_replication_role = replica;
    insert into general (id, entity_type_id, name, process_id, numeric_priority, create_date, modify_date)
      values (7000, 1, 'project', 3, 1, now(), now());
    insert into role_effort (id, assignable_id, role_id) values (7001, 7000, 1);
    insert into "time" (id, project_id, date, create_date, spent, remain)
      values (7002, 7000, now(), now(), 1, 1);
    commit`);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

it.each([
  ['general', 'effort', -1],
  ['general', 'effort_completed', -1],
  ['general', 'effort_to_do', -1],
  ['general', 'time_spent', -1],
  ['general', 'time_remain', -1],
  ['general', 'progress', -1],
  ['general', 'progress', 1.1],
  ['general', 'progress', 'NaN'],
  ['role_effort', 'effort', -1],
  ['role_effort', 'initial_estimate', -1],
  ['role_effort', 'own_effort', -1],
  ['role_effort', 'own_completed', -1],
  ['time', 'spent', -1],
  ['time', 'remain', -1],
])('%s.%s is not %s', async (table, column, value) => {
  const storing = client.query(`update "${table}" set ${column} = $1`, [value]);
  await expect(storing).rejects.toMatchObject({ code: '23514', table });
});
