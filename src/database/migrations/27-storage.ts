/**
 * Rows that came or went are tidied up soon, whatever the size of their table; and the newest items of a project in a state are found by an
 * index, however many of other states are newer.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Storage1700000000027 implements MigrationInterface {
  name = 'Storage1700000000027';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...indexes, addPartitions, tidied, 'alter table role_effort set (fillfactor = 90)'])
      await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** Deleted items of a state are looked for as well when the state goes, so one index for both leaves the delete date to the query. */
const indexes = [
  `create index ix_general_project_state on general (project_id, entity_type_id, entity_state_id, id desc)
     where delete_date is null`,
  'drop index ix_general_kind_state',
  `create index ix_general_kind_state on general (entity_type_id, entity_state_id, id desc) include (delete_date)
     where entity_state_id is not null`,
  'drop index ix_general_entity_state',
];

/**
 * PostgreSQL waits for a fifth of a table to be dead or new. Before that, an index alone cannot tell of the rows of an import, and an index
 * leads to dead ones. Insertions alone leave little to do: pages that all see already are passed over.
 */
const tidiedSoon = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02';

/** What has its own parameters keeps them. */
const tidied = `do $$ declare one text; begin
  for one in select c.oid::regclass::text from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and coalesce(c.reloptions::text, '') not like '%autovacuum%'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  loop
    execute 'alter table ' || one || ' set (${tidiedSoon})';
  end loop;
end $$`;

/** Partitions do not take over the parameters of what they are like. */
const addPartitions = `create or replace function add_change_partitions(months int) returns void language plpgsql as $$
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
       execute format('create table %I (like change_record including all excluding identity) with (${tidiedSoon})', partition);
       execute format('alter table change_record attach partition %I for values from (%L) to (%L)', partition, first,
         (first at time zone 'UTC' + interval '1 month') at time zone 'UTC');
     end loop;
   end $$`;
