/**
 * What a word is depends neither on the locale of the database nor on what its parser takes for a number, and scripts,
 * styles and comments of HTML have none: first in the functions, then in the words of what is stored.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeWords, RowsMigration } from './rows-migration.js';
import { partOf } from './sql-files.js';

export class WordsInAnyLocale1700000000150 implements MigrationInterface {
  name = 'WordsInAnyLocale1700000000150';

  async up(runner: QueryRunner): Promise<void> {
    await changeWords(runner, '0.3/words-in-any-locale.sql');
    for (const reader of readers()) await runner.query(reader.replaceAll('search_plain(', 'search_shown('));
  }

  async down(runner: QueryRunner): Promise<void> {
    const replaced = [
      functionIn('searched-words', 'search_clean'),
      functionIn('searched-words', 'search_texts'),
      functionIn('words', 'search_compose'),
    ];
    for (const one of [...replaced, ...readers()]) await runner.query(one);
    await runner.query('drop function search_shown(text)');
  }
}

const functionIn = (file: string, name: string): string =>
  partOf(`0.3/${file}.sql`, `create or replace function ${name}(`, '$$;\n');

/** What reads HTML, as it was before. */
const readers = (): string[] => [
  functionIn('words', 'search_long'),
  functionIn('settled-words', 'search_of_general'),
  functionIn('words', 'search_of_comment'),
  functionIn('searched-words', 'search_piece'),
];

export class WordsInAnyLocaleOfRows1700000000151 extends RowsMigration {
  name = 'WordsInAnyLocaleOfRows1700000000151';
  file = '0.3/words-in-any-locale-of-rows.sql';
}
