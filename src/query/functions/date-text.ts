/**
 * Dates as texts of a form that the client writes, as in `createDate.ToString('yyyy-MM')`: what the letters of .NET
 * mean, as a pattern of the database.
 */
import { type Sql, sql, value } from '../../sql.js';
import { text } from '../types.js';
import type { FunctionRow } from './function-row.js';

const parts: Readonly<Record<string, string | undefined>> = {
  yyyy: 'YYYY',
  yy: 'YY',
  MMMM: 'FMMonth',
  MMM: 'Mon',
  MM: 'MM',
  M: 'FMMM',
  dddd: 'FMDay',
  ddd: 'Dy',
  dd: 'DD',
  d: 'FMDD',
  HH: 'HH24',
  H: 'FMHH24',
  hh: 'HH12',
  h: 'FMHH12',
  mm: 'MI',
  m: 'FMMI',
  ss: 'SS',
  s: 'FMSS',
  f: 'FF1',
  ff: 'FF2',
  fff: 'FF3',
  tt: 'AM',
};

/** A letter that stands alone names a whole form; behind a percent sign it is a part as elsewhere. */
const forms: Readonly<Record<string, string | undefined>> = {
  d: 'M/d/yyyy',
  o: "yyyy-MM-ddTHH:mm:ss.fff'0000'",
  O: "yyyy-MM-ddTHH:mm:ss.fff'0000'",
  s: 'yyyy-MM-ddTHH:mm:ss',
  u: "yyyy-MM-dd HH:mm:ss'Z'",
};

const longest = 100;

/** Undefined: the form is none. */
export function datePattern(form: string): string | undefined {
  if (form.length > longest) return undefined;
  const whole = form.length === 1 ? forms[form] : form.replace(/^%(?=[A-Za-z]$)/, '');
  if (!whole) return undefined;
  let pattern = '';
  for (const [piece, quote, quoted, letters] of whole.matchAll(/(["'])(.*?)\1|([A-Za-z])\3*|[^A-Za-z]/gsu)) {
    const part = letters === undefined ? literal(quoted ?? piece) : partOf(piece);
    if (part === undefined || (quote === undefined && /["']/.test(piece))) return undefined;
    pattern += part;
  }
  return pattern;
}

const partOf = (letters: string): string | undefined =>
  parts[letters] ?? (letters === 'T' ? literal(letters) : undefined);

const literal = (characters: string): string =>
  characters === '' ? '' : `"${characters.replaceAll(/["\\]/g, '\\$&')}"`;

export const dateText = (pattern: string): FunctionRow => ({
  name: 'toString',
  takes: [],
  gives: text,
  sql: (of: Sql) => sql`to_char(bounded_moment(${of}), ${value(pattern, 'text')})`,
  characters: () => 2 * longest,
});
