/** What writing needs besides totals: kept answers, and histories that cost less to write. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Writing1700000000006 implements MigrationInterface {
  name = 'Writing1700000000006';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [dropHistoryKeys, dropAuthorKeys, ...idempotency, ...owners]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

// Histories are written by triggers alone, from rows whose references were checked a moment before: checking them again
// took more than half of the time of a large insert.
const dropHistoryKeys = `do $$
  declare key record;
  begin
    for key in select conrelid::regclass as owner, conname from pg_constraint
      where contype = 'f' and conrelid in ('full_history'::regclass, 'simple_history'::regclass)
    loop
      execute format('alter table %s drop constraint %I', key.owner, key.conname);
    end loop;
  end $$`;

// Users are marked deleted and never removed. Each write locked the row of its author twice, and writers of one author
// queued for it.
const dropAuthorKeys = `do $$
  declare key text;
  begin
    for key in select c.conname from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
      where c.contype = 'f' and c.conrelid = 'general'::regclass
        and a.attname in ('owner_id', 'last_editor_id', 'last_commented_user_id')
    loop
      execute format('alter table general drop constraint %I', key);
    end loop;
  end $$`;

const idempotency = [
  `create table idempotency_key (
     user_id integer not null references general_user (id) on delete cascade,
     key text not null,
     fingerprint text not null,
     create_date timestamptz(3) not null,
     answer jsonb,
     primary key (user_id, key))`,
  'create index ix_idempotency_key_date on idempotency_key (create_date)',
];

/** What a deleted project or story would hold, had it been there in time. Written out: a migration must not follow the code. */
const inDeleted = `join general p on p.id = f.project_id or (f.entity_type_id = 5 and p.id = f.user_story_id)
  where f.delete_date is null and p.delete_date is not null`;

// The service has looked before; this is about those who delete at the same moment. The write begins again and is refused.
const refused = `raise exception 'deleted at the same moment' using errcode = 'serialization_failure'`;

const owners = [
  `create function refuse_added_to_deleted() returns trigger language plpgsql as $$ begin
     if exists (select 1 from fresh f ${inDeleted}) then ${refused}; end if;
     return null;
   end $$`,
  `create function refuse_moved_to_deleted() returns trigger language plpgsql as $$ begin
     if exists (select 1 from fresh f join stale o on o.id = f.id and
         (o.project_id, o.user_story_id, o.delete_date) is distinct from (f.project_id, f.user_story_id, f.delete_date)
       ${inDeleted}) then ${refused}; end if;
     return null;
   end $$`,
  // Behind the foreign keys, which wait for the other transaction.
  `create trigger refuse_added after insert on general referencing new table as fresh
     for each statement execute function refuse_added_to_deleted()`,
  `create trigger refuse_moved after update on general referencing old table as stale new table as fresh
     for each statement execute function refuse_moved_to_deleted()`,
];
