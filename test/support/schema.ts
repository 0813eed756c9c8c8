/**
 * What a schema consists of, spelled so that two that mean the same are equal: order, comments and line breaks do not
 * count.
 */
import pg from 'pg';

const ours = (kind: string, row: string): string =>
  `not exists (select from pg_depend d where d.classid = '${kind}'::regclass and d.objid = ${row}.oid and d.deptype = 'e')`;
const table = `c.relnamespace = 'public'::regnamespace and ${ours('pg_class', 'c')}`;

const parts: Readonly<Record<string, string>> = {
  relations: `select c.relkind, c.relname, c.relpersistence, pg_get_partkeydef(c.oid), array(select unnest(c.reloptions) order by 1),
      case when c.relkind = 'v' then pg_get_viewdef(c.oid) end
    from pg_class c where c.relkind in ('r', 'p', 'v') and ${table}`,
  columns: `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attcollation::regcollation,
      (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d where d.adrelid = c.oid and d.adnum = a.attnum)
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped and ${table}`,
  // From PostgreSQL 18 on there are some of what is not null, which columns tell.
  constraints: `select k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid), k.convalidated
    from pg_constraint k join pg_class c on c.oid = k.conrelid where k.contype <> 'n' and ${table}`,
  indexes: `select i.indrelid::regclass, pg_get_indexdef(i.indexrelid), i.indisvalid
    from pg_index i join pg_class c on c.oid = i.indrelid where ${table}`,
  triggers: `select pg_get_triggerdef(t.oid), t.tgenabled
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and ${table}`,
  sequences: `select sequencename, data_type, min_value, max_value, increment_by from pg_sequences where schemaname = 'public'`,
  functions: `select pg_get_functiondef(p.oid) from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p') and ${ours('pg_proc', 'p')}`,
};

/** The months for which there are partitions depend on the day. */
const isOfMonth = /\bchange_record_\d{4}_\d\d/;

export async function schemaOf(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const all: Record<string, string[]> = {};
    for (const [name, text] of Object.entries(parts)) {
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
      const lines = rows.map((row) => wordsOf(row.join(' | ')));
      all[name] = lines.filter((line) => !isOfMonth.test(line)).sort();
    }
    return all;
  } finally {
    await client.end();
  }
}

/** Words, quoted texts and signs, without comments. */
const wordsOf = (text: string): string =>
  (text.match(/'(?:[^']|'')*'|--[^\n]*|\w+|\S/g) ?? []).filter((word) => !/^--./.test(word)).join(' ');
