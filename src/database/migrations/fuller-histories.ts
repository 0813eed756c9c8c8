/** Full histories keep what an item lies in, planned dates, the initial estimate, severity and build as well. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from './sql-files.js';

export class FullerHistories1700000000110 implements MigrationInterface {
  name = 'FullerHistories1700000000110';

  async up(runner: QueryRunner): Promise<void> {
    // Databases that were migrated before have earlier columns and functions.
    await runner.query(readSql('0.3/history.sql'));
  }

  /** A version before it writes and reads the same tables. */
  async down(): Promise<void> {}
}
