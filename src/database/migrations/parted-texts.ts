/**
 * A phrase lies within one text of an item, RichText custom fields are read as HTML, and labels of links are searched:
 * first in the functions, then in the words of what is stored.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeWords, RowsMigration } from './rows-migration.js';
import { creationIn, partOf } from './sql-files.js';

export class PartedTexts1700000000220 implements MigrationInterface {
  name = 'PartedTexts1700000000220';

  async up(runner: QueryRunner): Promise<void> {
    await changeWords(runner, '0.3/parted-texts.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [file, name] of [
      ['search', 'search_new_general'],
      ['settled-words', 'search_renew'],
      ['words-in-any-locale', 'search_texts'],
    ])
      await runner.query(partOf(`0.3/${file}.sql`, `create or replace function ${name}(`, '$$;\n'));
    const ofGeneral = partOf('0.3/settled-words.sql', 'create or replace function search_of_general(', '$$;\n');
    await runner.query(ofGeneral.replaceAll('search_plain(', 'search_shown('));
    await runner.query(creationIn('0.2/search.sql', 'function search_tags(').replace(/^create /, 'create or replace '));
    await runner.query(`drop function search_values(jsonb, int, bigint, bigint), search_words_of_parts(text),
      search_parts(text)`);
  }
}

export class PartedTextsOfRows1700000000221 extends RowsMigration {
  name = 'PartedTextsOfRows1700000000221';
  file = '0.3/parted-texts-of-rows.sql';
}
