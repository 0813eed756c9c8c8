/**
 * From one type to another. What does not fit becomes null; a written text that does not fit is refused by `Convert`.
 */
import { raw, type Sql, sql } from '../../sql.js';
import { mostPlaces, mostWholeDigits } from '../../texts/numbers.js';
import { boolean, decimal, double, integer, moment, type Type, text } from '../types.js';
import type { FunctionRow } from './function-row.js';

/** Conversions from one kind to another, by the kind that is converted. */
const toText: Readonly<Record<string, ((of: Sql) => Sql) | undefined>> = {
  text: (of) => of,
  integer: (of) => sql`(${of})::text`,
  decimal: (of) => sql`(${of})::text`,
  double: (of) => sql`(${of})::text`,
  boolean: (of) => sql`(case when ${of} then 'True' when not ${of} then 'False' end)`,
  moment: (of) => sql`to_char(bounded_moment(${of}), 'YYYY-MM-DD"T"HH24:MI:SS')`,
  span: spanText,
};

/** `1.02:03:04`: days, hours, minutes, seconds. */
export function spanText(of: Sql): Sql {
  const seconds = sql`abs(trunc(extract(epoch from ${of})))`;
  return sql`(case when extract(epoch from ${of}) <= -1 then '-' else '' end
    || case when ${seconds} >= 86400 then div(${seconds}, 86400) || '.' else '' end
    || to_char((${seconds} % 86400) * interval '1 second', 'HH24:MI:SS'))`;
}

/** The patterns of the database count to 255 only. */
const tooManyPlaces = `([0-9]{${mostPlaces / 5}}){5}[0-9]`;

/** Digits and blanks are written out: in a Unicode collation `\d` and `\s` also match what no cast reads. */
const numberForm = raw(
  `'^[ \\t\\n\\r]*[+-]?([0-9]{1,${mostWholeDigits}}([.](?!${tooManyPlaces})[0-9]*)?|[.](?!${tooManyPlaces})[0-9]+)([eE]([+]?[0-2]?[0-9]{1,2}|-[0-9]{1,3}))?[ \\t\\n\\r]*$'`,
);

/** Exponents up to 299 are read: of what is greater no double is made. */
const digitsOfText = mostWholeDigits + 299;

type Conversion = 'Convert' | 'SafeConvert';

/** `Convert` takes all the words that the database takes for flags. */
const flagWords: Record<Conversion, [trueWords: string[], falseWords: string[]]> = {
  Convert: [
    ['true', 't', 'yes', 'y', 'on', '1'],
    ['false', 'f', 'no', 'n', 'off', '0'],
  ],
  SafeConvert: [
    ['true', '1'],
    ['false', '0'],
  ],
};

/** Undefined: the text is no flag. */
export function flagIn(text: string, { on }: FunctionRow): boolean | undefined {
  const [isTrue, isFalse] = flagWords[on as Conversion].map((words) => words.includes(text.toLowerCase()));
  return isTrue || isFalse ? isTrue : undefined;
}

function textAsFlag(of: Sql, on: Conversion): Sql {
  const word = sql`lower(btrim(${of}))`;
  const [trueWords, falseWords] = flagWords[on].map((words) => raw(`'${words.join("', '")}'`));
  return sql`(case when ${word} in (${trueWords!}) then true when ${word} in (${falseWords!}) then false end)`;
}

type Convert = (kind: string, of: Sql, row: FunctionRow) => Sql;

/** By what is converted to. What does not fit becomes null. */
const fromAny: Record<string, Convert> = {
  integer: (kind, of, { name }) => wholeNumber(kind, of, bitsOf(name)),
  decimal: asNumber,
  double: (kind, of) => widest(kind, of),
  boolean: (kind, of, { on }) => {
    if (kind === 'text') return textAsFlag(of, on as Conversion);
    return kind === 'boolean' ? of : sql`(${of} <> 0)`;
  },
  moment: (kind, of) => (kind === 'moment' ? of : sql`moment_of(${of})`),
  text: (kind, of) => toText[kind]!(of),
};

function asNumber(kind: string, of: Sql): Sql {
  if (kind === 'text') return sql`(case when ${of} ~ ${numberForm} then btrim(${of})::numeric end)`;
  return kind === 'boolean' ? sql`(case when ${of} then 1 when not ${of} then 0 end)::numeric` : sql`(${of})::numeric`;
}

const widest = (kind: string, of: Sql): Sql => (kind === 'double' ? of : sql`bounded_double(${asNumber(kind, of)})`);

const targets: [name: string, type: Type][] = [
  ['toInt', integer],
  ['toInt32', integer],
  ['toInt64', integer],
  ['toDecimal', decimal],
  ['toDouble', double],
  ['toBoolean', boolean],
  ['toDateTime', moment],
  ['toString', text],
];

/** A date becomes a date only, or a text; anything else becomes no date. */
export function isConvertible(from: string, to: string): boolean {
  if (!(from in toText)) return false;
  return to === 'text' || from === 'text' || (from !== 'span' && (from === 'moment') === (to === 'moment'));
}

/** How a kind is converted depends on it, so the function is made for it. */
export function conversion(row: FunctionRow, from: Type): FunctionRow {
  const to = (row.gives as Type).kind;
  const isLong = to === 'decimal' && from.kind === 'text';
  return { ...row, sql: (of) => fromAny[to]!(from.kind, of, row), ...(isLong && { digits: () => digitsOfText }) };
}

export const isConversion = ({ on }: FunctionRow): boolean => on === 'Convert' || on === 'SafeConvert';

export const conversions: readonly FunctionRow[] = ['Convert', 'SafeConvert'].flatMap((on) =>
  targets.map(([name, gives]) => ({
    on,
    name,
    takes: ['any'] as const,
    gives,
    sql: (of: Sql) => of,
    nulls: 'always' as const,
  })),
);

export const textOf = (from: Type): FunctionRow => ({
  name: 'toString',
  takes: ['any'],
  gives: text,
  sql: toText[from.kind]!,
});

export const widened = (to: Type): FunctionRow => ({
  name: 'to',
  takes: ['number'],
  gives: to,
  sql: (of) => (to.kind === 'double' ? sql`bounded_double((${of})::numeric)` : sql`(${of})::numeric`),
  nulls: to.kind === 'double' ? 'always' : undefined,
});

/** A double as the decimal that it is written as. */
export const exact: FunctionRow = {
  name: 'to',
  takes: ['number'],
  gives: decimal,
  sql: (of) => sql`(${of})::numeric`,
  digits: () => 309,
};

/** The first value that is there. */
export const coalesce: FunctionRow = {
  name: 'ifNone',
  takes: ['any', 'any'],
  gives: text,
  sql: (one, other) => sql`coalesce(${one}, ${other})`,
};

/** The same of dates: one beyond the calendar is none. */
export const coalesceMoments: FunctionRow = {
  ...coalesce,
  sql: (one, other) => sql`coalesce(bounded_moment(${one}), ${other})`,
};

type Bits = 32 | 64;

const bounds: Record<Bits, [least: Sql, most: Sql]> = {
  32: [raw('-2147483648'), raw('2147483647')],
  64: [raw('-9223372036854775808'), raw('9223372036854775807')],
};

/** `text` is a sign and digits. */
export const isWholeNumber = (text: string, bits: Bits): boolean =>
  BigInt.asIntN(bits, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''));

export const bitsOf = (name: string): Bits => (name.endsWith('64') ? 64 : 32);

const wholeForm = raw(`'^[ \\t\\n\\r]*[+-]?[0-9]{1,30}[ \\t\\n\\r]*$'`);

/** Halves away from zero, of doubles too, of which the database would take the even number. */
export const rounded = (of: Sql): Sql => sql`round((${of})::numeric)`;

/** Null for what does not fit. */
export function wholeNumber(kind: string, of: Sql, bits: Bits): Sql {
  const [least, most] = bounds[bits];
  const fitting = (number: Sql): Sql => sql`(case when ${number} between ${least} and ${most} then ${number} end)`;
  if (kind !== 'text') return fitting(kind === 'boolean' ? asNumber(kind, of) : rounded(of));
  return sql`(case when ${of} ~ ${wholeForm} then ${fitting(sql`(btrim(${of}))::numeric`)} end)`;
}

/** Of each conversion that may fail, the one of every value of a text. */
const ofValues = new Map<FunctionRow, FunctionRow>(
  conversions
    .filter(({ on }) => on === 'SafeConvert')
    .map((row) => [{ ...row, name: `${row.name}Array`, takes: ['text'] }, row]),
);

export const listFunctions: readonly FunctionRow[] = [...ofValues.keys()];

export const isList = (row: FunctionRow): boolean => ofValues.has(row);

/** How one of the values is converted. */
export const ofValue = (row: FunctionRow): FunctionRow => ofValues.get(row)!;
