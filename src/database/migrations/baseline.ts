/**
 * The schema of version 0.2, spelled in SQL files. A database of the last version 0.1 has the same one, but for
 * functions that requests do not call, and is taken over: the rows of its migrations stay in the list, so that
 * processes of that version may be started again meanwhile. Earlier ones are refused.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { madeByEarlierVersion } from '../migration-error.js';
import { readSql } from './sql-files.js';

const files = ['schema', 'indexes', 'values', 'rules', 'stock', 'macros', 'totals', 'tools', 'history', 'search'];

export class Baseline1700000000100 implements MigrationInterface {
  name = 'Baseline1700000000100';

  async up(runner: QueryRunner): Promise<void> {
    const [{ list }] = await runner.query(`select to_regclass('migration')::text as list`);
    const rows: { name: string }[] = list ? await runner.query('select name from migration order by id') : [];
    const done = rows.map(({ name }) => name);
    refuseBeforeLast01(done);
    const isThere = done.some(isOf01);
    if (isThere) for (const statement of unused) await runner.query(statement);
    for (const file of isThere ? ['tools'] : files) await runner.query(readSql(`0.2/${file}.sql`));
  }

  async down(): Promise<void> {
    throw new Error('The first migration cannot be undone; drop the database instead.');
  }
}

/** Nothing has called these since migration 33. */
const unused = [
  'drop function search_of_general(bigint, text, text, jsonb, text)',
  'drop function search_of_comment(bigint, text)',
];

const last01 = 'Checksums1700000000034';

const timeOf = (name: string): number => Number(/\d{13}$/.exec(name)?.[0]);

/** Whether a migration is one of those that the baseline has replaced. */
export const isOf01 = (name: string): boolean => timeOf(name) < timeOf(Baseline1700000000100.name);

/** `done` are the migrations of a database or an archive, oldest first. */
export function refuseBeforeLast01(done: readonly string[]): void {
  const newest = done.filter(isOf01).at(-1);
  if (newest !== undefined && !done.includes(last01)) throw madeByEarlierVersion(newest);
}
