/** A tag that is spelled in another letter case has the same words: those of its items stay as they are. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { creationIn } from './sql-files.js';

const wordsOf = (row: 'old' | 'new'): string => `search_words(search_letters(${row}.name))`;

export class RenamedTags1700000000201 implements MigrationInterface {
  name = 'RenamedTags1700000000201';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create or replace trigger search_renamed_tag after update of name on tag for each row
      when (${wordsOf('old')} is distinct from ${wordsOf('new')}) execute function search_renamed_tag()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger search_renamed_tag on tag');
    await runner.query(creationIn('0.2/search.sql', 'trigger search_renamed_tag'));
  }
}
