/**
 * One record of every change: who changed which entity when, which columns, from what to what, in which request and transaction. It is
 * written once per change, whoever writes, and never changed. Totals are no changes of anybody's; secrets are not in it.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isRecorded, type Operation, recordColumns, recordOf } from './24-change-statements.js';
import { recorded } from './24-recorded-tables.js';

export class ChangeRecord1700000000024 implements MigrationInterface {
  name = 'ChangeRecord1700000000024';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...table, ...Object.keys(recorded).flatMap(recording)]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** Attached, not created as a partition: that would keep everybody from writing meanwhile. `storage` are parameters of the tables. */
export const addPartitions = (
  storage = '',
  create = 'create function',
): string => `${create} add_change_partitions(months int) returns void language plpgsql as $$
   declare
     first timestamptz;
     partition text;
   begin
     if not pg_try_advisory_xact_lock(hashtext('worktrack.change-partitions')) then return; end if;
     for ahead in 0..months loop
       first := date_trunc('month', now() at time zone 'UTC' + make_interval(months => ahead)) at time zone 'UTC';
       partition := 'change_record_' || to_char(first at time zone 'UTC', 'YYYY_MM');
       continue when to_regclass(partition) is not null;
       continue when exists (select from change_record_other where date >= first and date < first + interval '1 month');
       execute format('create table %I (like change_record including all excluding identity)${storage && ` with (${storage})`}', partition);
       execute format('alter table change_record attach partition %I for values from (%L) to (%L)', partition, first,
         (first at time zone 'UTC' + interval '1 month') at time zone 'UTC');
     end loop;
   end $$`;

/** `changes` holds, by column, the value before and the value after. What came has no value before, what went none after. */
const table = [
  `create table change_record (
     id bigint generated always as identity,
     date timestamptz(3) not null default now(),
     xid xid8 not null default pg_current_xact_id(),
     author_id bigint,
     request_id text,
     kind text not null,
     resource text not null,
     entity_id bigint not null,
     project_id bigint,
     changes jsonb not null
   ) partition by range (date)`,
  'create index ix_change_record_entity on change_record (entity_id, id)',
  'create index ix_change_record_date on change_record using brin (date)',
  'create table change_record_other partition of change_record default',
  addPartitions(),
  'select add_change_partitions(2)',
];

const transitions: Record<Operation, string> = {
  insert: 'new table as fresh',
  update: 'old table as stale new table as fresh',
  delete: 'old table as stale',
};

const operations = Object.keys(transitions) as Operation[];

const sources: Record<Operation, string> = {
  insert: 'fresh n',
  update: 'stale o join fresh n on n.id = o.id',
  delete: 'stale o',
};

/** Rows before and after, as JSON. */
const documents: Record<Operation, readonly [before: string, after: string]> = {
  insert: [`'{}'::jsonb`, 'to_jsonb(n)'],
  update: ['to_jsonb(o)', 'to_jsonb(n)'],
  delete: ['to_jsonb(o)', `'{}'::jsonb`],
};

/** Of a few rows: expressions for each of fifty columns would take longer to set up than this takes to run. */
function comparedAsDocuments(name: string, operation: Operation): string {
  const [before, after] = documents[operation];
  return `select jsonb_object_agg(v.name, jsonb_build_array(v.before, v.after)) as changes from (
        select k.name, nullif(w.before -> k.name, 'null') as before, nullif(w.after -> k.name, 'null') as after
        from (select ${before} as before, ${after} as after offset 0) w, unnest('{${recorded[name]!.columns}}'::text[]) k(name)) v
      where v.before is distinct from v.after`;
}

/** Of many rows: these expressions are set up once. */
function comparedByColumn(name: string, operation: Operation): string {
  const value = (row: string | undefined, column: string): string =>
    row ? `coalesce(to_json(${row}.${column})::text, 'null')` : `'null'`;
  const [before, after] = { insert: [undefined, 'n'], update: ['o', 'n'], delete: ['o', undefined] }[operation];
  const members = recorded[name]!.columns.map((column) => {
    const [was, is] = [before ? `o.${column}` : 'null', after ? `n.${column}` : 'null'];
    return `case when ${was} is distinct from ${is} then '"${column}":[' || ${value(before, column)} || ',' || ${value(after, column)} || ']' end`;
  });
  return `select ('{' || nullif(array_to_string(array[${members.join(', ')}], ','), '') || '}')::jsonb as changes offset 0`;
}

function statementOf(name: string, operation: Operation, compared: string): string {
  const row = operation === 'delete' ? 'o' : 'n';
  return `insert into change_record ${recordColumns}
     select ${recordOf(name, operation, row).join(', ')}, d.changes
     from ${sources[operation]} cross join lateral (${compared}) d
     where d.changes is not null order by 5`;
}

/** Of a link there is nothing to update: it comes and goes. */
const operationsOf = (name: string): Operation[] =>
  operations.filter((one) => one !== 'update' || !recorded[name]!.isLink);

/** Loading large or past data records nothing, and neither do totals that are brought up to date. */
const isOff = `current_setting('worktrack.history', true) = 'off' or current_setting('worktrack.totals', true) <> ''`;

function recording(name: string): string[] {
  return operationsOf(name).flatMap((operation) => [
    `create function record_${name}_${operation}() returns trigger language plpgsql as $$ begin
       if ${isOff} or ${isRecorded(name)} then return null; end if;
       if exists (select from ${operation === 'delete' ? 'stale' : 'fresh'} offset 20) then
         execute $q$${statementOf(name, operation, comparedByColumn(name, operation))}$q$;
       else
         ${statementOf(name, operation, comparedAsDocuments(name, operation))};
       end if;
       return null;
     end $$`,
    `create trigger ${name}_recorded_${operation} after ${operation} on "${name}" referencing ${transitions[operation]}
       for each statement execute function record_${name}_${operation}()`,
  ]);
}
