/** What a deletion took along for good is remembered for a day: by its kind and Id, with the General that it was seen through. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TakenAlong1700000000021 implements MigrationInterface {
  name = 'TakenAlong1700000000021';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const statements = [
  `create table taken_along (
     kind text not null,
     id integer not null,
     general_id integer,
     date timestamptz not null default now(),
     primary key (kind, id))`,
  'create index ix_taken_along_date on taken_along (date)',
];
