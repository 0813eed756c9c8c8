/**
 * A migration says which columns are recorded as well, and not all of them: so it takes away none that others have
 * added.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from './sql-files.js';

export class RecordedColumns1700000000112 implements MigrationInterface {
  name = 'RecordedColumns1700000000112';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/recorded.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop procedure record_no_more(text, text), record_also(text, text), refuse_unrecorded');
    await runner.query('drop function record_compared(text, text)');
  }
}
