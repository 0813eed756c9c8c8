/** The difference of two dates is a span of hours, so that adding it to one of them gives the other. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partOf, readSql } from './sql-files.js';

export class SpansInHours1700000000179 implements MigrationInterface {
  name = 'SpansInHours1700000000179';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/spans.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    const before = partOf(
      '0.2/values.sql',
      'create function bounded_difference(x timestamptz, y timestamptz)',
      '$$;\n',
    );
    await runner.query(before.replace('create', 'create or replace'));
  }
}
