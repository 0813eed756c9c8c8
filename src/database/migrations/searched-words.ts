/**
 * Which sigma a word ends in makes no other word, and only pointers to entities are left out of what is searched: first
 * in the functions, then in the words of what is stored.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeWords, RowsMigration } from './rows-migration.js';
import { creationIn, partOf } from './sql-files.js';

export class SearchedWords1700000000115 implements MigrationInterface {
  name = 'SearchedWords1700000000115';

  async up(runner: QueryRunner): Promise<void> {
    await changeWords(runner, '0.3/searched-words.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      creationIn('0.2/search.sql', 'function search_phrase(').replace(/^create /, 'create or replace '),
    );
    for (const [file, what] of [
      ['words', 'search_clean'],
      ['words', 'search_piece'],
      ['settled-words', 'search_texts'],
    ])
      await runner.query(partOf(`0.3/${file}.sql`, `create or replace function ${what}(`, '$$;\n'));
    await runner.query('drop function search_lower(text), search_pointers()');
  }
}

export class SearchedWordsOfRows1700000000116 extends RowsMigration {
  name = 'SearchedWordsOfRows1700000000116';
  file = '0.3/searched-words-of-rows.sql';
}
