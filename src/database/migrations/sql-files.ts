/** The SQL that migrations run, from the source where it is there, else as the build has copied it. */
import { existsSync, readFileSync } from 'node:fs';
import { installation } from '../../server/installation.js';

export function readSql(file: string): string {
  const source = new URL('src/database/migrations/', installation);
  const folder = existsSync(source) ? source : new URL('dist/migrations/', installation);
  return readFileSync(new URL(file, folder), 'utf8');
}

/** Of an SQL file the statement that creates this, such as "function search_clean(input text)". */
export function creationIn(file: string, what: string): string {
  const text = readSql(file);
  const from = text.indexOf(`\ncreate ${what}`) + 1;
  if (from === 0) throw new Error(`${file} creates no ${what}.`);
  const end = what.startsWith('function') ? '$$;\n' : ';\n';
  return text.slice(from, text.indexOf(end, from) + end.length);
}
