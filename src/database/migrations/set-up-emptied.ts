/** The version of the set-up of processes counts `truncate`, too. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from './sql-files.js';

export class SetUpEmptied1700000000235 implements MigrationInterface {
  name = 'SetUpEmptied1700000000235';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/set-up-emptied.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    const after = readSql('0.3/set-up-emptied.sql');
    await runner.query(after.replace(' or truncate', ''));
  }
}
