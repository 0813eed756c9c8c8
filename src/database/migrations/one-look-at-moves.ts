/**
 * What has moved is looked at when its transaction ends alone. The trigger that looked at each statement is left to
 * whoever writes meanwhile, and neither called nor given the rows.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { creationIn } from './sql-files.js';

export class OneLookAtMoves1700000000142 implements MigrationInterface {
  name = 'OneLookAtMoves1700000000142';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create or replace trigger refuse_moved after update on general
      for each statement when (false) execute function refuse_moved_to_deleted()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const before = creationIn('0.2/rules.sql', 'trigger refuse_moved after update');
    await runner.query(before.replace(/^create /, 'create or replace '));
  }
}
