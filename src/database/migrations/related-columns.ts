/** What a migration gives the views of related work items, it can take away again. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from './sql-files.js';

export class RelatedColumns1700000000202 implements MigrationInterface {
  name = 'RelatedColumns1700000000202';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/related-columns.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop procedure take_from_related_assignables(text)');
  }
}
