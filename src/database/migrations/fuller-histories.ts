/**
 * A change of a work item writes its histories in as few statements as it takes. Full histories keep what an item lies
 * in, planned dates, the initial estimate, severity and build as well.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from './sql-files.js';

export class FullerHistories1700000000110 implements MigrationInterface {
  name = 'FullerHistories1700000000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/history.sql'));
  }

  /** What it adds stays: versions before it read and write the same tables. */
  async down(): Promise<void> {}
}
