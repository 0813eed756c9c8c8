/** From one type to another: `Convert` fails for what does not fit, `SafeConvert` gives null. */
import { raw, type Sql, sql } from '../../sql.js';
import type { FunctionRow } from './functions.js';
import { bitsOf, failingInteger, safeInteger } from './functions-integer.js';
import { boolean, decimal, double, integer, moment, type Type, text } from './types.js';

/** Conversions from one kind to another, by the kind that is converted. */
export const toText: Readonly<Record<string, ((of: Sql) => Sql) | undefined>> = {
  text: (of) => of,
  integer: (of) => sql`(${of})::text`,
  decimal: (of) => sql`(${of})::text`,
  double: (of) => sql`(${of})::text`,
  boolean: (of) => sql`(case when ${of} then 'True' when not ${of} then 'False' end)`,
  moment: (of) => sql`to_char(${of}, 'YYYY-MM-DD"T"HH24:MI:SS')`,
  span: spanText,
};

/** `1.02:03:04`: days, hours, minutes, seconds. */
export function spanText(of: Sql): Sql {
  const seconds = sql`abs(trunc(extract(epoch from ${of})))`;
  return sql`(case when extract(epoch from ${of}) <= -1 then '-' else '' end
    || case when ${seconds} >= 86400 then div(${seconds}, 86400) || '.' else '' end
    || to_char((${seconds} % 86400) * interval '1 second', 'HH24:MI:SS'))`;
}

const numberForm = raw(`'^\\s*[+-]?(\\d{1,30}(\\.\\d{0,30})?|\\.\\d{1,30})\\s*$'`);
const isNumberText = (of: Sql): Sql => sql`${of} ~ ${numberForm}`;
const trueText = (of: Sql): Sql => sql`lower(btrim(${of})) in ('true', '1')`;
const falseText = (of: Sql): Sql => sql`lower(btrim(${of})) in ('false', '0')`;

/** Only what is a day is cast, or one bad text would fail them all. */
function dateText(of: Sql): Sql {
  const dateForm = raw(
    `'^\\s*(000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([T ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?)?\\s*$'`,
  );
  const first = sql`to_date(substr(btrim(${of}), 1, 7) || '-01', 'YYYY-MM-DD')`;
  const last = sql`extract(day from ${first} + interval '1 month - 1 day')`;
  return sql`(case when ${of} ~ ${dateForm} then case when substr(btrim(${of}), 9, 2)::int <= ${last} then (${of})::timestamptz end end)`;
}

type Convert = (kind: string, of: Sql, name: string) => Sql;

const failing: Record<string, Convert> = {
  integer: (kind, of, name) => failingInteger(kind, of, bitsOf(name)),
  decimal: asNumber,
  double: (kind, of) => sql`(${asNumber(kind, of)})::float8`,
  boolean: (kind, of) => {
    if (kind === 'text') return sql`(btrim(${of}))::boolean`;
    return kind === 'boolean' ? of : sql`(${of} <> 0)`;
  },
  moment: (kind, of) => (kind === 'moment' ? of : sql`(${of})::timestamptz`),
  text: (kind, of) => toText[kind]!(of),
};

const safe: Record<string, Convert> = {
  ...failing,
  integer: (kind, of, name) => safeInteger(kind, of, bitsOf(name)),
  decimal: (kind, of) => guarded(kind, of, asNumber(kind, of)),
  double: (kind, of) => guarded(kind, of, sql`(${asNumber(kind, of)})::float8`),
  boolean: (kind, of) =>
    kind === 'text'
      ? sql`(case when ${trueText(of)} then true when ${falseText(of)} then false end)`
      : failing.boolean!(kind, of, ''),
  moment: (kind, of) => (kind === 'moment' ? of : dateText(of)),
};

const guarded = (kind: string, of: Sql, converted: Sql): Sql =>
  kind === 'text' ? sql`(case when ${isNumberText(of)} then ${converted} end)` : converted;

function asNumber(kind: string, of: Sql): Sql {
  // `NaN` and `Infinity` are numbers to the database and none to JSON.
  if (kind === 'text') return sql`(regexp_replace(btrim(${of}), '[^0-9+.eE-]', 'x', 'g'))::numeric`;
  return kind === 'boolean' ? sql`(case when ${of} then 1 when not ${of} then 0 end)::numeric` : sql`(${of})::numeric`;
}

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
  const table = row.on === 'SafeConvert' ? safe : failing;
  return { ...row, sql: (of) => table[to]!(from.kind, of, row.name) };
}

export const isConversion = ({ on }: FunctionRow): boolean => on === 'Convert' || on === 'SafeConvert';

export const conversions: readonly FunctionRow[] = ['Convert', 'SafeConvert'].flatMap((on) =>
  targets.map(([name, gives]) => ({
    on,
    name,
    takes: ['any'] as const,
    gives,
    sql: (of: Sql) => of,
    nulls: on === 'SafeConvert' ? ('always' as const) : undefined,
  })),
);

export const textOf = (from: Type): FunctionRow => ({
  name: 'toString',
  takes: ['any'],
  gives: text,
  sql: toText[from.kind]!,
});

/** To a wider type of numbers. */
export const widened = (to: Type): FunctionRow => ({
  name: 'to',
  takes: ['number'],
  gives: to,
  sql: (of) => sql`(${of})::${raw(to.kind === 'double' ? 'float8' : 'numeric')}`,
});

/** A double as the decimal that it is written as. */
export const exact: FunctionRow = { name: 'to', takes: ['number'], gives: decimal, sql: (of) => sql`(${of})::numeric` };

/** The first value that is there. */
export const coalesce: FunctionRow = {
  name: 'ifNone',
  takes: ['any', 'any'],
  gives: text,
  sql: (one, other) => sql`coalesce(${one}, ${other})`,
};
