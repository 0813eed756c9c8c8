/** What writing needs besides totals: kept answers, and histories that cost less to write. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Writing1700000000006 implements MigrationInterface {
  name = 'Writing1700000000006';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [dropHistoryKeys, ...idempotency]) await runner.query(statement);
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
