/** What one item with other times, or another finality, moves above it follows by the difference. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partOf, readSql } from './sql-files.js';

export class LeanTotals1700000000104 implements MigrationInterface {
  name = 'LeanTotals1700000000104';

  async up(runner: QueryRunner): Promise<void> {
    await makeLeanTotals(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    const notes = noted.map((call) => partOf(totals, `call define_note(${call}`, '$$);\n'));
    const functions = ['settle_totals', 'recompute_totals'].map((name) =>
      partOf(totals, `call define($define$\ncreate function ${name}(`, '$define$);\n').replace(
        'create',
        'create or replace',
      ),
    );
    await withMacros(runner, [...functions, ...notes].join('\n'));
    await runner.query('drop function follow_totals(bigint)');
  }
}

/** Makes the functions, or puts them in the place of those of the same names. */
export const makeLeanTotals = (runner: QueryRunner): Promise<void> => withMacros(runner, readSql('0.3/totals.sql'));

const totals = '0.2/totals.sql';

const noted = [
  "'general', 'update'",
  "'entity_state', 'update'",
  "'time', 'insert'",
  "'time', 'update'",
  "'time', 'delete'",
];

/** The macros of the first migration, which it has dropped. */
async function withMacros(runner: QueryRunner, text: string): Promise<void> {
  await runner.query(readSql('0.2/macros.sql'));
  await runner.query(partOf(totals, 'insert into macro (name, text) values', `'worktrack.folded', '', true);$$);\n`));
  await runner.query(readSql('0.3/notes.sql'));
  await runner.query(text);
  await runner.query('drop procedure define_note(text, text, text[], text)');
  await runner.query('drop procedure define(text)');
  await runner.query('drop table macro');
}
