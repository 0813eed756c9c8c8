/** A transaction learns with its beginning whether what is kept of the set-up of processes is what holds. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from './sql-files.js';

export class SetUpVersions1700000000200 implements MigrationInterface {
  name = 'SetUpVersions1700000000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/set-up-versions.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function set_up_changed() cascade');
    await runner.query('drop table set_up_version');
  }
}
