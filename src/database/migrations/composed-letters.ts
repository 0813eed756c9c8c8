/**
 * What is searched is the same whether a letter is stored as one character or as a base and its marks: first in the
 * functions, then in the words of what is stored.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeWords, RowsMigration } from './rows-migration.js';
import { creationIn, partOf } from './sql-files.js';

export class ComposedLetters1700000000105 implements MigrationInterface {
  name = 'ComposedLetters1700000000105';

  async up(runner: QueryRunner): Promise<void> {
    await changeWords(runner, '0.3/letters.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(partOf('0.3/search.sql', 'create or replace function search_of_general(', '$$;\n'));
    for (const what of replaced)
      await runner.query(creationIn('0.2/search.sql', what).replace(/^create /, 'create or replace '));
    await runner.query('drop function search_composed(text), search_compose(text)');
  }
}

const replaced = [
  'function search_long(',
  'function search_texts(',
  'function search_of_comment(',
  'function search_query(',
  'function search_piece(',
];

export class ComposedLettersOfRows1700000000106 extends RowsMigration {
  name = 'ComposedLettersOfRows1700000000106';
  file = '0.3/letters-of-rows.sql';
}
