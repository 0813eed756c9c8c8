/** What one item with other times, or another finality, moves above it follows by the difference. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { creationIn, partOf, readSql } from './sql-files.js';

export class LeanTotals1700000000104 implements MigrationInterface {
  name = 'LeanTotals1700000000104';

  async up(runner: QueryRunner): Promise<void> {
    await withMacros(runner, readSql('0.3/totals.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    const gone = noted.map(
      ([table, operation]) =>
        `drop trigger ${table}_totals_${operation} on "${table}"; drop trigger ${table}_settle_${operation} on "${table}";
         drop function note_${table}_${operation}();`,
    );
    const notes = noted.map(([table, operation]) =>
      partOf(totals, `call define_note('${table}', '${operation}'`, '$$);\n'),
    );
    const functions = ['settle_totals', 'recompute_totals'].map((name) =>
      partOf(totals, `call define($define$\ncreate function ${name}(`, '$define$);\n').replace(
        'create',
        'create or replace',
      ),
    );
    await withMacros(runner, [...functions, 'drop function follow_totals(bigint);', ...gone, ...notes].join('\n'));
    await runner.query('drop trigger refuse_moved on general');
    await runner.query(creationIn('0.2/rules.sql', 'trigger refuse_moved '));
  }
}

const totals = '0.2/totals.sql';

const noted = [
  ['general', 'update'],
  ['time', 'insert'],
  ['time', 'update'],
  ['time', 'delete'],
] as const;

/** The macros of the first migration, which it has dropped. */
async function withMacros(runner: QueryRunner, text: string): Promise<void> {
  await runner.query(readSql('0.2/macros.sql'));
  await runner.query(partOf(totals, 'insert into macro (name, text) values', `'worktrack.folded', '', true);$$);\n`));
  await runner.query(creationIn(totals, 'procedure define_note('));
  await runner.query(text);
  await runner.query(
    'drop procedure define_note(text, text, text[], text); drop procedure define(text); drop table macro',
  );
}
