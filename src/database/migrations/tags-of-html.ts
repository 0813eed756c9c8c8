/**
 * What stands between < and > and is no element of HTML, such as an address, is searched and shown as text: first in
 * the functions, then in the words of what is stored.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeWords, RowsMigration } from './rows-migration.js';
import { creationIn } from './sql-files.js';

export class TagsOfHtml1700000000156 implements MigrationInterface {
  name = 'TagsOfHtml1700000000156';

  async up(runner: QueryRunner): Promise<void> {
    await changeWords(runner, '0.3/tags-of-html.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      creationIn('0.3/words-in-any-locale.sql', 'function search_shown(').replace(/^create /, 'create or replace '),
    );
    await runner.query('drop function search_no_mark()');
  }
}

export class TagsOfHtmlOfRows1700000000157 extends RowsMigration {
  name = 'TagsOfHtmlOfRows1700000000157';
  file = '0.3/tags-of-html-of-rows.sql';
}
