/** Statements planned while tables were empty, once these are full: the first import of a new installation. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountQuery } from '../../src/auth/account-query.js';
import { bringUpToDate } from '../../src/database/migrate.js';
import { DatabasePool } from '../../src/database/pool.js';
import { sessionSettings } from '../../src/database/session.js';
import { BackgroundWork } from '../../src/http/background-work.js';
import { compiledList, valuesOf } from '../support/compiled-list.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
let pool: DatabasePool;
beforeAll(async () => {
  database = await ScratchDatabase.empty();
  await bringUpToDate({ databaseUrl: database.url, timeZone: 'UTC', isShared: false });
  const settings = sessionSettings({ timeZone: 'UTC', statementTimeoutMs: 0 });
  pool = new DatabasePool({ connectionString: database.url, settings, max: 1 });
  await pool.query('alter table general set (autovacuum_enabled = false)');
  for (const [name, text, values] of statements) {
    await pool.query(`prepare ${name} as ${text}`);
    await pool.query(`execute ${name}(${values.map(literal)})`);
  }
  await pool.query("set worktrack.totals = 'off'; set worktrack.history = 'off'");
  await pool.query(
    "insert into general_user (kind, login, is_active, create_date, modify_date) values ('User', 'u', true, now(), now())",
  );
  await pool.query(
    "insert into general (entity_type_id, name, process_id, create_date, modify_date, numeric_priority) select 1, 'P', min(id), now(), now(), 0 from process",
  );
  await pool.query(`insert into general (entity_type_id, name, project_id, owner_id, numeric_priority, create_date, modify_date)
    select 4, 'Story ' || n, p.id, u.id, n, now(), now() from general p, general_user u, generate_series(1, 6000) n where p.name = 'P'`);
  await pool.query(`insert into general (entity_type_id, name, project_id, user_story_id, owner_id, numeric_priority, create_date, modify_date)
    select 5, 'Task', s.project_id, s.id, s.owner_id, s.id, now(), now() from general s join general p on p.id = s.project_id where p.name = 'P'`);
}, 60_000);

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const literal = (value: unknown): string => `'${Array.isArray(value) ? `{${value}}` : value}'`;

const list = (name: string, resource: string, query: string): [string, string, unknown[]] => {
  const statement = compiledList(resource, query, 'member');
  return [name, statement.text, valuesOf(statement)];
};

const account: [string, string, unknown[]] = [
  'account',
  accountQuery({ name: '', condition: 'lower(u.login) = lower($1)' }).text,
  ['u'],
];
const statements = [
  account,
  list('stories', 'UserStory', 'take=5&include=[Name,Tasks[Name]]'),
  list('tasks', 'Task', 'take=5&where=UserStory.Id gt 5'),
  list('relations', 'Relation', 'take=5'),
];

/** Pages of tables and indexes that one run looks at. */
async function pages([name, , values]: [string, string, unknown[]]): Promise<number> {
  const { rows } = await pool.query(
    `explain (analyze, buffers, timing off, format json) execute ${name}(${values.map(literal)})`,
  );
  const { Plan } = rows[0]['QUERY PLAN'][0];
  return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
}

it('who calls is found by a few pages at once', async () => {
  expect(await pages(account)).toBeLessThan(60);
});

it('lists are planned anew soon', async () => {
  await new BackgroundWork(pool, pino({ enabled: false })).look();
  for (const statement of statements)
    expect([statement[0], (await pages(statement)) < 2000]).toEqual([statement[0], true]);
});
