/**
 * Records of histories name who made the change, which need not be the last editor of the item: efforts, times and
 * parts move totals of items that their author has not edited.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeFunctions } from './kind-migration.js';
import { readSql } from './sql-files.js';

export class HistoryAuthors1700000000120 implements MigrationInterface {
  name = 'HistoryAuthors1700000000120';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/authors.sql'));
    await changeFunctions(runner, histories, (definition) =>
      definition
        .replace(/\b(?:n\.)?last_editor_id\b/g, 'history_author($&)')
        .replaceAll(`modifier_id = ${author}`, `modifier_id = coalesce(${author}, h.modifier_id)`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeFunctions(runner, histories, (definition) =>
      definition
        .replaceAll(`coalesce(${author}, h.modifier_id)`, author)
        .replace(/\bhistory_author\(([\w.]+)\)/g, '$1'),
    );
    await runner.query('drop function history_author(bigint)');
  }
}

const histories = `proname in ('record_added', 'record_changed')`;
const author = 'history_author(n.last_editor_id)';
