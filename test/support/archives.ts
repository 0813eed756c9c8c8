/** Archives of databases, and what these hold. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { command } from './command.js';
import { emptyDatabase } from './empty-database.js';

export const nameOf = (what: string): string => `${what}_${randomBytes(6).toString('hex')}`;
export const empty = (): Promise<string> => emptyDatabase(nameOf('restored'));
export const backup = (url: string, path: string) => command({ DATABASE_URL: url }, ['backup', path, '--json']);
export const restore = (url: string, path: string) => command({ DATABASE_URL: url }, ['restore', path, '--json']);

// biome-ignore lint/suspicious/noExplicitAny: rows have the shape of their statement
export async function rows(url: string, ...statements: string[]): Promise<any[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let result!: pg.QueryResult;
    for (const statement of statements) result = await client.query(statement);
    return result.rows;
  } finally {
    await client.end();
  }
}

export const tables = `select c.relname::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'migration' order by 1`;

/** What migrations write is recorded as of when they ran, whatever was restored. */
const ofNoMoment = `case when t.author_id is null then (to_jsonb(t) - '{date,xid}'::text[])::text else t::text end`;

/** Each row, the version of each item, each sequence, and what keeps the rows right; `isUpgraded`: by a migration. */
export async function contents(url: string, { isUpgraded = false } = {}): Promise<object> {
  const names = (await rows(url, tables)).map(({ name }) => name as string);
  const sums = names.map((name) => {
    const row = isUpgraded && /^change_record/.test(name) ? ofNoMoment : 't::text';
    return `select '${name}' as name, count(*), md5(string_agg(${row}, '|' order by ${row})) from "${name}" t`;
  });
  return {
    rows: await rows(url, `${sums.join(' union all ')} order by 1`),
    sequences: await rows(
      url,
      `select sequencename, last_value from pg_sequences where sequencename <> 'migration_id_seq' order by 1`,
    ),
    constraints: await rows(
      url,
      `select conrelid::regclass::text as t, pg_get_constraintdef(oid) as d, convalidated from pg_constraint
       where connamespace = 'public'::regnamespace order by 1, 2`,
    ),
    triggers: await rows(
      url,
      `select tgrelid::regclass::text as t, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
    ),
    indexes: await rows(url, `select indexdef from pg_indexes where schemaname = 'public' order by 1`),
  };
}

export const isUntouched = async (url: string): Promise<boolean> => (await rows(url, tables)).length === 0;
