/**
 * Rows that came or went are tidied up soon, whatever the size of their table; and the newest items of a project in a state are found by an
 * index, however many of other states are newer.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addPartitions } from './24-change-record.js';

export class Storage1700000000027 implements MigrationInterface {
  name = 'Storage1700000000027';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...sameKind, ...indexes, addTidied(), tidied, fuller]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** Partitions do not take over the parameters of what they are like. */
const addTidied = (): string => addPartitions(tidiedSoon, 'create or replace function');

const fuller = 'alter table role_effort set (fillfactor = 90)';

/**
 * An item is in a state of its own kind, which the rules of the service always asked for. What somebody wrote past them gets the state of
 * that name, or the first one, of its kind in the process of its project.
 */
export const sameKind = [
  'alter table entity_state add constraint uq_entity_state_kind unique (id, entity_type_id)',
  `update general g set entity_state_id = (select n.id from entity_state n
       where n.entity_type_id = g.entity_type_id and n.process_id = coalesce((select p.process_id from general p
         where p.id = case when g.entity_type_id = 1 then g.id else g.project_id end), s.process_id)
       order by n.name = s.name desc, n.is_initial desc, n.id limit 1)
     from entity_state s where s.id = g.entity_state_id and s.entity_type_id <> g.entity_type_id`,
  // No table is altered while totals are yet to be settled.
  'set constraints all immediate',
  `alter table general drop constraint "FK_bc88fc12208651e459cabba2b7c", add constraint fk_general_entity_state
     foreign key (entity_state_id, entity_type_id) references entity_state (id, entity_type_id)`,
];

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
export const tidiedSoon = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02';

/** What has its own parameters keeps them. */
const tidied = `do $$ declare one text; begin
  for one in select c.oid::regclass::text from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')
      and coalesce(c.reloptions::text, '') not like '%autovacuum%'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  loop
    execute 'alter table ' || one || ' set (${tidiedSoon})';
  end loop;
end $$`;
