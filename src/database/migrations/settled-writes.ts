/** What a transaction has moved is looked at when it ends; words to search by are made of what is stored last. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { creationIn, partOf, readSql } from './sql-files.js';

export class SettledWrites1700000000114 implements MigrationInterface {
  name = 'SettledWrites1700000000114';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/settled-places.sql'));
    await runner.query(readSql('0.3/settled-words.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['misplaced', 'other_state']) await runner.query(`drop trigger refuse_${name} on general`);
    await runner.query('drop function refuse_misplaced(), refuse_other_state()');
    for (const name of ['search_texts', 'search_of_general'])
      await runner.query(partOf('0.3/words.sql', `create or replace function ${name}(`, '$$;\n'));
    for (const [file, what] of [
      ['0.3/search.sql', 'function search_renew(ids bigint[], are_described'],
      ['0.2/search.sql', 'function search_renamed_tag('],
      ['0.2/rules.sql', 'function refuse_moved_to_deleted('],
    ] as const)
      await runner.query(creationIn(file, what).replace(/^create /, 'create or replace '));
  }
}
