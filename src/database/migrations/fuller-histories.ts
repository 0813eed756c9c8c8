/**
 * A change of a work item writes its histories in as few statements as it takes. Full histories keep what an item lies
 * in, planned dates, the initial estimate, severity and build as well.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { creationIn, partOf, readSql } from './sql-files.js';

export class FullerHistories1700000000110 implements MigrationInterface {
  name = 'FullerHistories1700000000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/history.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    const functions = ['record_added', 'record_changed'].map((name) =>
      partOf(before, `call define($define$\ncreate function ${name}(`, '$define$);\n'),
    );
    await runner.query(readSql('0.2/macros.sql'));
    await runner.query(partOf(before, 'insert into macro (name, text) values', `\\1.time_remain');\n`));
    for (const one of [...functions, creationIn(before, 'function is_place_of(')])
      await runner.query(one.replace('create function', 'create or replace function'));
    await runner.query('drop procedure define(text)');
    await runner.query('drop table macro');
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
