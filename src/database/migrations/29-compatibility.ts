/**
 * The oldest version that the schema serves, by the newest migration that it must know. Who changes what versions in use rely on does it in
 * two releases: the first adds, the second takes away and says here which version it needs from then on.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Compatibility1700000000029 implements MigrationInterface {
  name = 'Compatibility1700000000029';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const statements = [
  `create table schema_compatibility (
     is_only boolean primary key default true constraint ck_schema_compatibility_one check (is_only),
     oldest text not null
   ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`,
  `insert into schema_compatibility (oldest) values ('Compatibility1700000000029')`,
];
