/** A change of a work item writes its histories in as few statements as it takes. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from './sql-files.js';

export class LeanHistories1700000000102 implements MigrationInterface {
  name = 'LeanHistories1700000000102';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/history.sql'));
  }

  /** The function writes what the one before wrote, so it stays. */
  async down(): Promise<void> {}
}
