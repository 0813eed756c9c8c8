/**
 * A change of a work item writes its histories in as few statements as it takes. Full histories keep what an item lies
 * in, planned dates, the initial estimate, severity and build as well.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { creationIn, definitionIn, partOf, readSql, withMacros } from './sql-files.js';

export class FullerHistories1700000000110 implements MigrationInterface {
  name = 'FullerHistories1700000000110';

  async up(runner: QueryRunner): Promise<void> {
    await withMacros(runner, readSql('0.3/history.sql'), definitionIn(before, 'record_added'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await withMacros(
      runner,
      partOf(before, 'insert into macro (name, text) values', `\\1.time_remain');\n`),
      ...['record_added', 'record_changed'].map((name) => definitionIn(before, name)),
      creationIn(before, 'function is_place_of(').replace('create', 'create or replace'),
    );
    const columns = [...values, ...references.map((name) => `${name}_id`)];
    const flags = [...values, ...references].map((name) => `is_changed_${name}`);
    await runner.query(
      `alter table full_history ${[...columns, ...flags].map((name) => `drop column ${name}`).join(', ')}`,
    );
  }
}

const before = '0.2/history.sql';

const values = ['planned_start_date', 'planned_end_date', 'initial_estimate'];
const references = ['severity', 'portfolio_epic', 'epic', 'feature', 'user_story', 'build'];
