/** What one item with other times, or another finality, moves above it follows by the difference. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { definitionIn, partOf, readSql, withMacros } from './sql-files.js';

export class LeanTotals1700000000104 implements MigrationInterface {
  name = 'LeanTotals1700000000104';

  async up(runner: QueryRunner): Promise<void> {
    await makeLeanTotals(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    const notes = noted.map((call) => partOf(totals, `call define_note(${call}`, '$$);\n'));
    const functions = ['settle_totals', 'recompute_totals'].map((name) => definitionIn(totals, name));
    await define(runner, [...functions, ...notes].join('\n'));
    await runner.query('drop function follow_totals(bigint)');
  }
}

/** Makes the functions, or puts them in the place of those of the same names. */
export const makeLeanTotals = (runner: QueryRunner): Promise<void> => define(runner, readSql('0.3/totals.sql'));

const totals = '0.2/totals.sql';

const noted = [
  "'general', 'update'",
  "'entity_state', 'update'",
  "'time', 'insert'",
  "'time', 'update'",
  "'time', 'delete'",
];

/** With the macros of the first migration. */
const define = (runner: QueryRunner, text: string): Promise<void> =>
  withMacros(
    runner,
    partOf(totals, 'insert into macro (name, text) values', `'worktrack.folded', '', true);$$);\n`),
    readSql('0.3/notes.sql'),
    text,
    'drop procedure define_note(text, text, text[], text)',
  );
