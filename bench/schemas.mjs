/**
 * Schemas of servers that keep less than the service: the same tables with the same rows, but only the indexes that
 * their own reads need, and neither triggers nor foreign keys. What a schema lacks is found in `public`.
 */
const work = ['general', 'assignment', 'role_effort', 'time', 'comment'];
const histories = ['simple_history', 'full_history', 'change_record'];
const lookUps = ['general_user', 'role', 'entity_state'];

/** By the name of the server whose schema it is. */
const copies = { bare: [...work, ...lookUps], same: [...work, ...histories] };

const indexes = {
  general: [
    'index on # (project_id, entity_type_id, id desc, entity_state_id) where delete_date is null',
    'index on # (entity_type_id, id desc, entity_state_id) where delete_date is null',
    'index on # (user_story_id, entity_type_id, id) include (delete_date) where user_story_id is not null',
  ],
  assignment: ['unique index on # (assignable_id, general_user_id, role_id)'],
  role_effort: ['unique index on # (assignable_id, role_id)'],
  time: ['index on # (assignable_id, date desc)'],
  comment: ['index on # (general_id, id desc)'],
  simple_history: ['index on # (general_id, date desc)'],
  change_record: ['index on # (entity_id, id)', 'index on # using brin (date)'],
  full_history: [
    'index on # (general_id, date desc)',
    `unique index on # (general_id) where date_to > timestamptz '9999-12-30 00:00:00+00'`,
  ],
};

export const schemaOf = (server) => (server in copies ? server : 'public');

/** What is written to there, and compared. */
export const workOf = (schema) => (keepsTotals(schema) ? copies.same : work);

/** Who does also counts versions, writes histories and records changes. */
export const keepsTotals = (schema) => schema !== 'bare';

/** What projects gain is appended by triggers, and stored with them later: by now, so that rows can be compared. */
export const addUp = (client) => client.query('select fold_spans(array(select distinct span_id from span_delta))');

/** Afresh, so that each case begins with the same rows for all. */
export async function copyTables(client, schemas) {
  await addUp(client);
  for (const schema of Object.keys(copies).filter((name) => schemas.includes(name))) {
    await client.query(`create schema if not exists ${schema}`);
    for (const table of copies[schema]) await copyTable(client, schema, table);
  }
}

async function copyTable(client, schema, table) {
  const copy = `${schema}.${table}`;
  await client.query(`drop table if exists ${copy}`);
  await client.query(`create table ${copy} (like public.${table} including defaults including identity)`);
  await client.query(`insert into ${copy} overriding system value select * from public.${table} order by id`);
  await client.query(
    `select setval(pg_get_serial_sequence($1, 'id'), (select coalesce(max(id), 0) + 1 from ${copy}))`,
    [copy],
  );
  await client.query(`alter table ${copy} add primary key (id)`);
  for (const index of indexes[table] ?? []) await client.query(`create ${index.replace('#', copy)}`);
}

export async function dropSchemas(client) {
  for (const schema of Object.keys(copies)) await client.query(`drop schema if exists ${schema} cascade`);
}
