/** What a schema consists of, asked in the snapshot that is backed up, or in the schema that is restored to. */
import type { Manifest } from './manifest.js';

export interface Rows {
  query<R extends object>(text: string, values?: unknown[]): Promise<{ rows: R[] }>;
}

export interface Table {
  readonly name: string;
  readonly isPartitioned: boolean;
  /** What no log tells of is not on a replica: such as how much each user has asked of late. */
  readonly isElsewhere: boolean;
  readonly columns: readonly string[];
  /** As far as statistics know. */
  readonly estimate: number;
}

const isOurs = (row: string): string => `${row}.relnamespace = current_schema()::regnamespace
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = ${row}.oid and d.deptype = 'e')`;

/** All but the list of migrations, which is the version of the schema, and what migrations keep for themselves. */
export const tablesOf = async (client: Rows): Promise<Table[]> =>
  (
    await client.query<Table>(`select c.relname::text as name, c.relkind = 'p' as "isPartitioned",
  c.relpersistence = 'u' and pg_is_in_recovery() as "isElsewhere",
  array(select a.attname::text from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
  greatest(c.reltuples, (select sum(p.reltuples) from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid), 0)::float8 as estimate
  from pg_class c where c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('migration', 'renewal_left') and ${isOurs('c')} order by 1`)
  ).rows;

export const partitionsOf = async (client: Rows): Promise<Manifest['partitions']> =>
  (
    await client.query<Manifest['partitions'][number]>(`select c.relname::text as name, p.relname::text as parent,
  pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
  where c.relispartition and c.relkind = 'r' and ${isOurs('c')} order by 1`)
  ).rows;

/** Not part of any snapshot: asked after the rows, so that none of them lies ahead of its sequence. */
export const sequencesOf = async (client: Rows): Promise<Manifest['sequences']> =>
  (
    await client.query<Manifest['sequences'][number]>(`select sequencename::text as name,
  coalesce(last_value, start_value)::text as last, last_value is not null as "isCalled"
  from pg_sequences where schemaname = current_schema() order by 1`)
  ).rows;

/** Whether anything is there that is not PostgreSQL's own, or of an extension. */
export const isEmpty = async (client: Rows): Promise<boolean> =>
  (
    await client.query<{ empty: boolean }>(`select not exists (
  select from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')) as empty`)
  ).rows[0]!.empty;

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

export const foreignKeysOf = async (client: Rows): Promise<ForeignKey[]> =>
  (
    await client.query<ForeignKey>(`select c.conrelid::regclass::text as table, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c where c.contype = 'f' and c.conparentid = 0 and c.connamespace = current_schema()::regnamespace order by c.oid`)
  ).rows;
