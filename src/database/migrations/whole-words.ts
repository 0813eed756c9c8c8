/**
 * Words are whole: marks belong to the letters before them, letters of scripts without blanks are words by themselves,
 * and references of HTML are what they stand for. First in the functions, then in the words of what is stored.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeWords, RowsMigration } from './rows-migration.js';
import { creationIn, partOf } from './sql-files.js';

export class WholeWords1700000000107 implements MigrationInterface {
  name = 'WholeWords1700000000107';

  async up(runner: QueryRunner): Promise<void> {
    await changeWords(runner, '0.3/words.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      creationIn('0.2/search.sql', 'function search_plain(').replace(/^create /, 'create or replace '),
    );
    await runner.query(partOf('0.3/search.sql', 'create or replace function search_clean(', '$$;\n'));
    const { create, replace } = replaced;
    for (const what of create)
      await runner.query(creationIn('0.3/letters.sql', what).replace(/^create /, 'create or replace '));
    for (const what of replace) await runner.query(partOf('0.3/letters.sql', `create or replace ${what}`, '$$;\n'));
    await runner.query(`drop function search_letters(text), search_spread(text), search_referred(text),
      search_unseen(), search_apart(), search_marks()`);
  }
}

/** How 0.3/letters.sql made them. */
const replaced = {
  create: ['function search_compose('],
  replace: [
    'function search_long(',
    'function search_texts(',
    'function search_of_general(',
    'function search_of_comment(',
    'function search_query(',
    'function search_piece(',
  ],
};

export class WholeWordsOfRows1700000000108 extends RowsMigration {
  name = 'WholeWordsOfRows1700000000108';
  file = '0.3/words-of-rows.sql';
}
