/** The SQL that migrations run, from the source where it is there, else as the build has copied it. */
import { existsSync, readFileSync } from 'node:fs';
import type { QueryRunner } from 'typeorm';
import { installation } from '../../runtime/installation.js';

export function readSql(file: string): string {
  const source = new URL('src/database/migrations/', installation);
  const folder = existsSync(source) ? source : new URL('dist/migrations/', installation);
  return readFileSync(new URL(file, folder), 'utf8');
}

/** Of an SQL file the text from a line that begins so to the next `end`. */
export function partOf(file: string, beginning: string, end: string): string {
  const text = readSql(file);
  const from = text.indexOf(`\n${beginning}`) + 1;
  if (from === 0) throw new Error(`${file} has no line that begins with ${beginning}`);
  return text.slice(from, text.indexOf(end, from) + end.length);
}

/** The statement that creates this, such as "function search_clean(". */
export const creationIn = (file: string, what: string): string =>
  partOf(file, `create ${what}`, what.startsWith('trigger') ? ';\n' : '$$;\n');

/** The call of `define` that makes this function, or puts it in the place of that of the same name. */
export const definitionIn = (file: string, name: string): string =>
  partOf(file, `call define($define$\ncreate function ${name}(`, '$define$);\n').replace('create', 'create or replace');

/**
 * Runs texts of which the first fills the table of macros, that `define` replaces in the others. Both are there
 * meanwhile alone, as in the first migration.
 */
export async function withMacros(runner: QueryRunner, ...texts: string[]): Promise<void> {
  const end = partOf('0.2/history.sql', 'drop procedure define(text)', ' macro;\n');
  for (const text of [readSql('0.2/macros.sql'), ...texts, end]) await runner.query(text);
}
