/** What a request stored: the rows that carry the number of a transaction that began behind a mark. */
import { keepsTotals, workOf } from './schemas.mjs';

const ofStories = 'assignable_id in (select id from @.general where entity_type_id = 4)';

/** Which rows are compared where not both keep totals: those of what a story lies in move with it. */
const tables = {
  general: 'entity_type_id = 4',
  assignment: 'true',
  role_effort: ofStories,
  time: 'true',
  comment: 'true',
  simple_history: 'true',
  full_history: 'true',
};
const tablesOf = (schema) => Object.keys(tables).filter((table) => workOf(schema).includes(table));

/** Numbered by each server for itself; versions are compared by their sum. */
const apart = ['id', 'assignable_id', 'general_id', 'source_entity_id', 'numeric_priority', 'entity_version'];
const totals = ['effort_completed', 'effort_to_do', 'progress', 'time_spent', 'time_remain'];

/** Where the rows of each table end by now, and the number that later transactions exceed. */
export async function markRows(client, schema) {
  const ends = tablesOf(schema).map((table) => `(select max(id)::float8 from ${schema}.${table}) as ${table}`);
  const { rows } = await client.query(`select pg_current_xact_id()::xid::text as transaction, ${ends.join(', ')}`);
  return rows[0];
}

/** By table: the ids of rows that were there and have been written, and of rows that have come. */
export async function touchedRows(client, schema, { transaction, ...ends }) {
  const touched = {};
  for (const table of tablesOf(schema)) {
    const { rows } = await client.query(
      `select id::float8 from ${schema}.${table} where xmin::text::bigint > $1::bigint order by id`,
      [transaction],
    );
    const ids = rows.map(({ id }) => id);
    touched[table] = { old: ids.filter((id) => id <= ends[table]), fresh: ids.filter((id) => id > ends[table]) };
  }
  return touched;
}

export async function differencesOfRows(client, one, other) {
  const [a, b] = [await storedRows(client, one, other), await storedRows(client, other, one)];
  return comparedTables(one, other).flatMap((table) => differencesIn(table, a[table], b[table]));
}

/** Of two servers of one schema the histories are written by the same triggers, perhaps of different stories. */
function comparedTables({ schema }, other) {
  const both = tablesOf(schema).filter((table) => tablesOf(other.schema).includes(table));
  return schema === other.schema ? both.filter((table) => !table.endsWith('_history')) : both;
}

/** By table: the rows of `one` that it has made, or that either of both has written. */
async function storedRows(client, one, other) {
  const { schema } = one;
  const isWhole = keepsTotals(schema) && keepsTotals(other.schema);
  const without = isWhole ? apart : [...apart, ...totals];
  const stored = {};
  for (const table of comparedTables(one, other)) {
    const { old, fresh } = one.touched[table];
    const ids = [...new Set([...old, ...other.touched[table].old, ...fresh])];
    const condition = isWhole ? 'true' : tables[table].replace('@', schema);
    const { rows } = await client.query(
      `select to_jsonb(t) - $2::text[] as row from ${schema}.${table} t where id = any($1::bigint[]) and ${condition} order by id`,
      [ids, without],
    );
    stored[table] = rows.map(({ row }) => Object.fromEntries(Object.entries(row).map(withoutMoment)));
  }
  return stored;
}

/** Of moments counts only whether they are there. */
const withoutMoment = ([name, value]) => [name, /(^|_)date(_to)?$/.test(name) && value !== null ? 'a moment' : value];

function differencesIn(table, a, b) {
  if (a.length !== b.length) return [`${table}: ${a.length} rows, ${b.length} rows`];
  const at = a.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(b[index]));
  if (at < 0) return [];
  const [x, y] = [a[at], b[at]];
  const columns = Object.keys(x).filter((name) => JSON.stringify(x[name]) !== JSON.stringify(y[name]));
  return columns.map((name) => `${table}.${name}: ${JSON.stringify(x[name])}, ${JSON.stringify(y[name])}`);
}
