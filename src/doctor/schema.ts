/**
 * Compares the schema with the one that the migrations make: its columns, keys, constraints, triggers, functions and
 * partitions, whether they are in force, and whether sequences are behind. What somebody has added is left alone.
 */
import type { DataSource } from 'typeorm';
import { groupedBy } from '../command/store.js';
import { type Finding, forPeople } from './finding.js';
import { indexesOf, wrongIndexes } from './indexes.js';
import { bothSchemas, doAtOnce, inHome, type Reader, type Schemas } from './made-schema.js';

interface Part {
  readonly kind: 'column' | 'sequence' | 'constraint' | 'trigger' | 'partition' | 'function';
  /** Empty: of none. */
  readonly table: string;
  readonly name: string;
  /** What is said of several that are so. */
  readonly state: string;
  /** The statement that makes it, where that mends what is missing. */
  readonly definition: string | null;
}

export interface SchemaFindings {
  readonly findings: readonly Finding[];
  /** Whether there is everything that the other checks read and call. */
  readonly isComplete: boolean;
}

export async function checkSchema(dataSource: DataSource): Promise<SchemaFindings> {
  const { names, actual, expected } = await bothSchemas(dataSource, async (from, schema) => ({
    parts: await partsOf(from, schema),
    indexes: await indexesOf(from, schema),
  }));
  const byKey = new Map(actual.parts.map((part) => [keyOf(part), part]));
  const missing = expected.parts.filter((part) => !byKey.has(keyOf(part)));
  const otherwise = expected.parts.flatMap((part) => {
    const other = byKey.get(keyOf(part));
    return other && other.state !== part.state ? [other] : [];
  });
  return {
    findings: [
      ...grouped(missing.map((part) => ({ ...part, state: 'are missing' }))).map((parts) => finding(parts, names)),
      ...grouped(otherwise).map((parts) => finding(parts, names)),
      ...(await detachedMonths(dataSource, names)),
      ...(await sequencesBehind(
        dataSource,
        expected.parts.filter((part) => part.kind === 'sequence' && !missing.includes(part)),
      )),
      ...wrongIndexes(actual.indexes, expected.indexes, names),
    ],
    isComplete: !missing.some(({ kind }) => kind === 'column' || kind === 'function'),
  };
}

const keyOf = ({ kind, table, name }: Part): string => JSON.stringify([kind, table, name]);

/** Of one table and kind, so that one statement switching off many of them is one line. */
const grouped = (parts: readonly Part[]): Part[][] =>
  groupedBy(parts, ({ kind, table, state }) => JSON.stringify([kind, table, state]));

function finding(parts: readonly Part[], schemas: Schemas): Finding {
  const { kind, table, state } = parts[0]!;
  const of = table === '' ? '' : ` of ${table}`;
  const what = `${kind[0]!.toUpperCase()}${kind.slice(1)}s${of} ${state}`;
  const problem = `${what}: ${parts.map(({ name }) => name).join(', ')}.`;
  if (kind !== 'trigger') return forPeople('schema', problem);
  const steps = parts.map(({ name, definition }) =>
    state === 'are missing'
      ? inHome(definition!, schemas)
      : `alter table "${schemas.home}"."${table}" enable trigger "${name}"`,
  );
  return { check: 'schema', problem, mends: [(client) => doAtOnce(client, steps)] };
}

const isOff = (trigger: string): string => `${trigger}.tgenabled in ('D', 'R')`;

/**
 * Not-null constraints, which newer servers list, are columns here; what belongs to an extension is not ours. A view
 * that has a table's name has its columns, and nothing else of it.
 */
const partsOf = (from: Reader, schema: string): Promise<Part[]> =>
  from.query(
    `with tables as (
       select oid, relname from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
     )
     select 'column' as kind, t.relname::text as table, a.attname::text as name,
         case when a.attnotnull then 'take no null' else 'take null' end as state, null as definition
       from tables t join pg_attribute a on a.attrelid = t.oid where a.attnum > 0 and not a.attisdropped
     union all select 'sequence', t.relname, a.attname, 'count', null
       from tables t join pg_attribute a on a.attrelid = t.oid where a.attidentity <> '' and not a.attisdropped
     union all select 'constraint', t.relname, k.conname,
         case when not k.convalidated or exists (select from pg_trigger g where g.tgconstraint = k.oid and ${isOff('g')})
           then 'are not checked' else 'are checked' end, null
       from tables t join pg_constraint k on k.conrelid = t.oid where k.contype in ('p', 'u', 'f', 'c')
     union all select 'trigger', t.relname, g.tgname, case when ${isOff('g')} then 'are disabled' else 'fire' end,
         pg_get_triggerdef(g.oid)
       from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
     union all select 'partition', t.relname, c.relname, 'are attached', null
       from tables t join pg_inherits i on i.inhparent = t.oid join pg_class c on c.oid = i.inhrelid
       where pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT'
     union all select 'function', '', format('%s(%s)', f.proname, pg_get_function_identity_arguments(f.oid)), 'are there', null
       from pg_proc f where f.pronamespace = $1::regnamespace
         and not exists (select from pg_depend d where d.objid = f.oid and d.deptype = 'e')
     order by 1, 2, 3`,
    [schema],
  );

/** A month of which changes came before it had a table has none: so it is the tables that lie aside. */
async function detachedMonths(from: Reader, { home }: Schemas): Promise<Finding[]> {
  const detached: { name: string; parent: string }[] = await from.query(
    `select c.relname::text as name, p.relname::text as parent
     from pg_class p join pg_class c on c.relnamespace = p.relnamespace and c.relname ~ ('^' || p.relname || '_\\d{4}_\\d{2}$')
     where p.relnamespace = $1::regnamespace and p.relkind = 'p' and c.relkind = 'r' and not c.relispartition order by 1`,
    [home],
  );
  return detached.map(({ name, parent }) =>
    forPeople('schema', `The table ${name} is detached from ${parent}: what it holds is not read.`),
  );
}

/** Rows that are seen have taken their numbers before. */
async function sequencesBehind(from: Reader, numbered: readonly Part[]): Promise<Finding[]> {
  if (numbered.length === 0) return [];
  const behind: { table: string; name: string; highest: string }[] = await from.query(
    numbered
      .map(
        ({ table, name }) => `select '${table}' as table, '${name}' as name, highest
          from (select max("${name}") as highest from "${table}") r
          where highest > coalesce(pg_sequence_last_value(pg_get_serial_sequence('"${table}"', '${name}')::regclass), 0)`,
      )
      .join(' union all '),
  );
  return behind.map(({ table, name, highest }) => ({
    check: 'schema',
    problem: `The sequence of ${table}.${name} is behind its rows, the highest of which is ${highest}.`,
    mends: [`select setval(pg_get_serial_sequence('"${table}"', '${name}'), (select max("${name}") from "${table}"))`],
  }));
}
