/** The SQL that migrations run, from the source where it is there, else as the build has copied it. */
import { existsSync, readFileSync } from 'node:fs';
import { installation } from '../../server/installation.js';

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
