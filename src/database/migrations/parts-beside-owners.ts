/** Tasks, runs and times lie where what they belong to lies, also where that moves at the same moment. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { creationIn, readSql } from './sql-files.js';

export class PartsBesideOwners1700000000113 implements MigrationInterface {
  name = 'PartsBesideOwners1700000000113';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/parts.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const trigger of ['refuse_spent on "time"', 'refuse_respent on "time"', 'general_moves on general'])
      await runner.query(`drop trigger ${trigger}`);
    await runner.query('drop function wait_for_parts(), refuse_time_elsewhere()');
    await runner.query(
      creationIn('0.2/rules.sql', 'function refuse_added_to_deleted(').replace('create', 'create or replace'),
    );
  }
}
