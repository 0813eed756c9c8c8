/**
 * Functions of texts that tell when a text with the mark goes through them. A service whose sessions find them before
 * those of PostgreSQL shows what its statements look at, as the time would that they take.
 */
import pg from 'pg';

const names = [
  'lower',
  'upper',
  'char_length',
  'btrim',
  'ltrim',
  'rtrim',
  'substr',
  'replace',
  'strpos',
  'regexp_replace',
];

/**
 * Of all sessions that begin on the database from now on. They use no index, so that each table is read for itself
 * wherever the database may do so, as it does with large ones.
 */
export async function watchFunctions(databaseUrl: string, mark: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('create schema watched; create sequence watched.seen');
    const { rows } = await client.query(
      `select p.proname as name, p.pronargs::int as count, pg_get_function_arguments(p.oid) as takes, p.prorettype::regtype as gives
       from pg_proc p where p.pronamespace = 'pg_catalog'::regnamespace and p.proname = any($1) and p.proargtypes[0] = 'text'::regtype`,
      [names],
    );
    // As cheap to the planner as those they stand for, so that conditions keep their order.
    for (const { name, count, takes, gives } of rows)
      await client.query(`create function watched.${name}(${takes}) returns ${gives} language plpgsql immutable strict cost 1 as $$
        begin
          if pg_catalog.strpos($1, '${mark}') > 0 then perform nextval('watched.seen'); end if;
          return pg_catalog.${name}(${Array.from({ length: count }, (_, at) => `$${at + 1}`)});
        end $$`);
    await client.query(`do $$ begin
      execute format('alter database %I set search_path = watched, pg_catalog, public', current_database());
      execute format('alter database %I set enable_indexscan = off', current_database());
      execute format('alter database %I set enable_bitmapscan = off', current_database());
    end $$`);
  } finally {
    await client.end();
  }
}

/** How many texts with the mark went through a function so far. */
export const textsSeen = async (database: pg.Pool): Promise<number> =>
  Number((await database.query('select last_value - 1 + is_called::int as seen from watched.seen')).rows[0].seen);
