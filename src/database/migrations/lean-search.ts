/** The words to search by are taken apart at less cost, for all that a statement changes at once. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { creationIn, readSql } from './sql-files.js';

export class LeanSearch1700000000103 implements MigrationInterface {
  name = 'LeanSearch1700000000103';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/search.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const what of replaced) {
      await runner.query(creationIn('0.2/search.sql', what).replace(/^create /, 'create or replace '));
    }
    await runner.query('drop trigger search_renew_general on general');
    await runner.query('drop function search_renew_general(), search_renew(bigint[], boolean)');
  }
}

/** In their order: some are the bodies of those behind them. */
const replaced = [
  'function search_clean(',
  'function search_places(',
  'function search_project(',
  'function search_of_general(',
  'function search_renew(',
  'function search_new_general(',
  'function search_changed_general(',
  'function search_new_team(',
  'function search_gone_team(',
  'function search_new_comment(',
];
