/** What a transaction has moved is looked at when it ends, in whatever order that has written. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { creationIn, readSql } from './sql-files.js';

export class SettledWrites1700000000114 implements MigrationInterface {
  name = 'SettledWrites1700000000114';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/settled-places.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['moved', 'other_state']) await runner.query(`drop trigger refuse_${name} on general`);
    await runner.query('drop function refuse_misplaced(), refuse_other_state()');
    for (const what of ['function refuse_moved_to_deleted(', 'trigger refuse_moved '])
      await runner.query(creationIn('0.2/rules.sql', what));
  }
}
