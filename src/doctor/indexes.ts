/** Compares indexes with those that the migrations make. Indexes that somebody has added are left alone. */
import type { Finding } from './finding.js';
import { doAtOnce, inHome, type Reader, type Schemas } from './made-schema.js';

export interface Index {
  readonly name: string;
  readonly table: string;
  readonly definition: string;
  readonly isValid: boolean;
  readonly isPartitioned: boolean;
}

export function wrongIndexes(actual: readonly Index[], expected: readonly Index[], schemas: Schemas): Finding[] {
  const byName = new Map(actual.map((index) => [index.name, index]));
  return expected
    .filter(({ name }) => byName.get(name)?.isValid !== true)
    .map((index) => ({
      check: 'indexes',
      problem: `The index ${index.name} of ${index.table} is ${byName.has(index.name) ? 'invalid' : 'missing'}.`,
      mends: mendsOf(index, schemas),
    }));
}

/** Concurrently where that can be: the service goes on writing. */
function mendsOf({ name, definition, isPartitioned }: Index, schemas: Schemas): Finding['mends'] {
  const way = isPartitioned ? '' : 'concurrently ';
  const create = inHome(definition.replace(' ON ONLY ', ' ON '), schemas).replace(
    /^(CREATE (?:UNIQUE )?INDEX) /,
    `$1 ${way}`,
  );
  const steps = [`drop index ${way}if exists "${schemas.home}"."${name}"`, create];
  return isPartitioned ? [(client) => doAtOnce(client, steps)] : steps;
}

/** Those of keys and constraints belong to these, and those of partitions come with their table. */
export const indexesOf = (from: Reader, schema: string): Promise<Index[]> =>
  from.query(
    `select c.relname::text as name, t.relname::text as table, pg_get_indexdef(c.oid) as definition, i.indisvalid as "isValid",
       c.relkind = 'I' as "isPartitioned"
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where c.relnamespace = $1::regnamespace and c.relkind in ('i', 'I') and not t.relispartition
       and not exists (select from pg_constraint k where k.conindid = c.oid) order by 1`,
    [schema],
  );
