/**
 * Methods of texts, and texts that are identifiers. Letters are compared without regard to case, as everywhere in this
 * API.
 */
import { foldedPart, list, raw, type Sql, sql, unicode } from '../../sql.js';
import { integer, text } from '../types.js';
import { rounded } from './conversion.js';
import type { FunctionRow } from './function-row.js';
import { plainText } from './plain-text.js';

const on = 'text';

const mostPlaces = 1_000_000_000;
const arePlaces: FunctionRow['fits'] = (_of, ...places) =>
  places.every((one) => typeof one !== 'string' || Math.abs(Number(one)) <= mostPlaces);

export const textFunctions: readonly FunctionRow[] = [
  { on, name: 'length', takes: [], gives: integer, sql: (of) => sql`char_length(${of})` },
  { on, name: 'toLower', takes: [], gives: text, sql: (of) => sql`lower(${unicode(of)})` },
  { on, name: 'toUpper', takes: [], gives: text, sql: (of) => sql`upper(${unicode(of)})` },
  { on, name: 'trim', takes: [], gives: text, sql: (of) => sql`btrim(${of}, ${blank})` },
  { on, name: 'trimStart', takes: [], gives: text, sql: (of) => sql`ltrim(${of}, ${blank})` },
  { on, name: 'trimEnd', takes: [], gives: text, sql: (of) => sql`rtrim(${of}, ${blank})` },
  {
    on,
    name: 'substring',
    takes: ['integer'],
    gives: text,
    sql: (of, start) => sql`substr(${of}, ${place(start)} + 1)`,
    fits: arePlaces,
  },
  {
    on,
    name: 'substring',
    takes: ['integer', 'integer'],
    gives: text,
    sql: (of, start, length) => sql`substr(${of}, ${place(start)} + 1, ${place(length)})`,
    fits: arePlaces,
    characters: (_of, _start, length) =>
      typeof length === 'string' ? Math.max(0, Math.round(Number(length))) : undefined,
  },
  {
    on,
    name: 'replace',
    takes: ['text', 'text'],
    gives: text,
    sql: (of, old, by) => sql`left(replace(left(${of}, ${most}), ${old}, left(${by}, ${mostPutIn})), ${most})`,
    characters: () => 100_000,
  },
  {
    on,
    name: 'indexOf',
    takes: ['text'],
    gives: integer,
    sql: (of, part) => sql`(strpos(${foldedPart(of)}, ${foldedPart(part)}) - 1)`,
    copies: 3,
  },
  { on, name: 'toPlainText', takes: [], gives: text, sql: plainText, copies: 18 },
];

const blank = raw(`E' \\t\\n\\r'`);

/** A few replacements or copies inside one another would fill any memory. In characters. */
const most = raw('100000');
const mostPutIn = raw('1000');
const mostJoined = raw('1000000');

/**
 * Less than none is none, more than any text has is that, and nothing stays nothing. Places count from 0 here and from
 * 1 in the database.
 */
const place = (of: Sql): Sql =>
  sql`(case when ${of} > ${raw(String(mostPlaces))} then ${raw(String(mostPlaces))} when ${of} > 0 then ${rounded(of)} when ${of} <= 0 then 0 end)::int`;

/** What is not there adds nothing. Of many, none is copied for each that follows. */
export const concatenation: FunctionRow = {
  name: '+',
  takes: ['text', 'text'],
  gives: text,
  sql: (...texts) => sql`left(concat(variadic array[${list(texts)}]), ${mostJoined})`,
  nulls: 'never',
  copies: 0,
  copiesOfEach: 4,
};

/** So many texts are joined at once. */
export const joinedAtOnce = 20;

const guidDigits = '[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}';
const guidForm = `^(${guidDigits}|\\{${guidDigits}\\})$`;

export const guidFunctions: readonly FunctionRow[] = [
  { on: 'Guid', name: 'newGuid', takes: [], gives: text, sql: () => raw('gen_random_uuid()::text'), nulls: 'never' },
  {
    on: 'Guid',
    name: 'empty',
    takes: [],
    gives: text,
    sql: () => raw(`'${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}'::text`),
    nulls: 'never',
  },
  {
    on: 'Guid',
    name: 'parse',
    takes: ['text'],
    gives: text,
    sql: (of) => sql`(case when btrim(${of}) ~ ${raw(`'${guidForm}'`)} then btrim(${of})::uuid::text end)`,
    nulls: 'always',
    fits: (of) => typeof of !== 'string' || new RegExp(guidForm).test(of.trim()),
  },
];
