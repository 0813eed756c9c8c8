/**
 * No function of an expression can fail in the database, whatever a row holds: each is given every combination of
 * values at and beyond the bounds of its arguments, as columns, so that nothing is worked out before the rows are read.
 */
import 'reflect-metadata';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  conversion,
  exact,
  isConversion,
  isConvertible,
  isList,
  ofValue,
  textOf,
  widened,
} from '../../src/query/functions/conversion.js';
import { addSpan, betweenMoments, subtractSpan } from '../../src/query/functions/date.js';
import type { FunctionRow } from '../../src/query/functions/function-row.js';
import { functionRows } from '../../src/query/functions/functions.js';
import { arithmetic, negative } from '../../src/query/functions/number.js';
import { concatenation } from '../../src/query/functions/text.js';
import { boolean, decimal, double, integer, type Kind, moment, span, text } from '../../src/query/types.js';
import { name, statement } from '../../src/sql.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await ScratchDatabase.create();
  client = new pg.Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Texts that look like numbers, dates and identifiers, with digits and blanks that only a Unicode collation knows. */
const texts = [
  ...[
    '',
    ' ',
    '0',
    '12',
    ' 7\n',
    '-1',
    '+5',
    '1e5',
    '1e99',
    '1e999',
    '.5',
    '5.',
    '--1',
    '1,5',
    'NaN',
    'Infinity',
    '-Infinity',
  ],
  ...[
    '0x10',
    '1_000',
    '٣',
    '１２',
    '\u20037',
    '7\u00a0',
    '99999999999',
    '9'.repeat(30),
    '9'.repeat(400),
    `0.${'0'.repeat(29)}1`,
  ],
  ...['2026-01-31', '2026-02-30', '0000-01-01', '0001-01-01', '9999-12-31', '10000-01-01', '2026-13-01', '２026-01-31'],
  ...[
    '2026-01-31T23:59:59',
    '2026-01-31T24:00:00',
    '2026-01-31 23:59:60',
    '9999-12-31T23:59:59.999999999Z',
    '2026-01-31T00:00+14:00',
  ],
  ...[
    '2026-01-31T00:00+15:00',
    '0001-01-01T00:00+14:00',
    '9999-12-31T23:59-14:00',
    'now',
    'infinity',
    'epoch',
    'January 8, 1999',
  ],
  ...['true', 'yes', 'T', '1', 'off', 'ſ', 'a,b,,1', '6387 userstory', '\\', '%', '$1', "'"],
  ...[
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    '{a0eebc999c0b4ef8bb6d6bb9bd380a11}',
    '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  ],
  ...['g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'e'.repeat(100_000)],
];

const values: Record<
  'integer' | 'decimal' | 'double' | 'boolean' | 'moment' | 'span' | 'text',
  [type: string, values: (string | null)[]]
> = {
  text: ['text', texts],
  boolean: ['boolean', ['true', 'false', null]],
  // Whole numbers are reckoned with as decimals, so they may be of any length.
  integer: [
    'numeric',
    ['0', '1', '-1', '3', '2147483648', '-9223372036854775809', `1${'0'.repeat(400)}`, '1e9000', '-1e9000', null],
  ],
  decimal: ['numeric', ['0', '0.5', '-2.5', '1e-320', '-1e-320', '1e15', '1e309', '-1e400', '1e9000', 'NaN', null]],
  double: [
    'float8',
    [
      '0',
      '-0',
      '0.5',
      '-2',
      '-2.5',
      '3',
      '5e-324',
      '-1e-200',
      '1e-150',
      '1e150',
      '1e300',
      '1.7976931348623157e308',
      '-1.7976931348623157e308',
      'Infinity',
      '-Infinity',
      'NaN',
      null,
    ],
  ],
  moment: [
    'timestamptz',
    [
      '0001-01-01Z',
      '2026-02-28 12:00Z',
      '9999-12-31 23:59:59Z',
      '294276-12-31Z',
      '4713-01-02 BC',
      'infinity',
      '-infinity',
      null,
    ],
  ],
  span: [
    'interval',
    ['0', '-1 second', '36525 days', '9998 years', '-9998 years', '170000000 years', '-170000000 years', null],
  ],
};
type Valued = keyof typeof values;

/** What stands for a function whose arguments may be of several types. */
const kindsOf: Record<FunctionRow['takes'][number], readonly Valued[]> = {
  text: ['text'],
  // A place may be a decimal, too.
  integer: ['integer', 'decimal', 'double'],
  decimal: ['decimal'],
  double: ['double'],
  boolean: ['boolean'],
  moment: ['moment'],
  span: ['span'],
  number: ['integer', 'decimal', 'double'],
  any: [],
};

interface Case {
  row: FunctionRow;
  kinds: readonly Valued[];
}

const combined = (lists: readonly (readonly Valued[])[]): Valued[][] =>
  lists.reduce<Valued[][]>(
    (combinations, list) => combinations.flatMap((one) => list.map((kind) => [...one, kind])),
    [[]],
  );

const simple = functionRows
  .filter((row) => !isConversion(row) || isList(row))
  .filter((row) => !isList(row))
  .flatMap((row): Case[] => {
    const self = row.on !== undefined && row.on in values ? [[row.on as Valued]] : [];
    return combined([...self, ...row.takes.map((takes) => kindsOf[takes])])
      .filter((kinds) => !row.takes.every((takes) => takes === 'number') || new Set(kinds).size === 1)
      .map((kinds) => ({ row, kinds }));
  });

const valued = Object.keys(values) as Valued[];
const converting = functionRows
  .filter((row) => isConversion(row))
  .flatMap((row) => (isList(row) ? [ofValue(row)] : [row]))
  .flatMap((row) =>
    valued
      .filter((kind) => isConvertible(kind, (row.gives as { kind: Kind }).kind))
      .map((kind): Case => ({ row: conversion(row, { kind }), kinds: [kind] })),
  );

const operators: Case[] = [
  ...[integer, decimal, double].flatMap((type) =>
    (['+', '-', '*', '/'] as const)
      .filter((sign) => sign !== '/' || type !== integer)
      .map((sign): Case => ({ row: arithmetic(sign, type), kinds: [type.kind as Valued, type.kind as Valued] })),
  ),
  ...[integer, decimal, double].map((type): Case => ({ row: negative(type), kinds: [type.kind as Valued] })),
  ...[addSpan, subtractSpan].flatMap((row): Case[] => [
    { row, kinds: ['moment', 'span'] },
    { row, kinds: ['span', 'span'] },
  ]),
  { row: betweenMoments, kinds: ['moment', 'moment'] },
  { row: concatenation, kinds: ['text', 'text'] },
  ...[integer, decimal].flatMap(({ kind }) =>
    [double, decimal].map((to): Case => ({ row: widened(to), kinds: [kind as Valued] })),
  ),
  { row: exact, kinds: ['double'] },
  ...[text, integer, decimal, double, boolean, moment, span].map(
    (type): Case => ({ row: textOf(type), kinds: [type.kind as Valued] }),
  ),
];

it.each(
  [...simple, ...converting, ...operators].map(
    (one) => [`${one.row.on ?? ''}.${one.row.name}(${one.kinds})`, one] as const,
  ),
)('%s', async (_, { row, kinds }) => {
  const columns = kinds.map((_kind, index) => name(`a${index}`));
  const { text: spelled, parameters } = statement(row.sql(...columns));
  // What a function looks up in is bound by it.
  const bound = parameters.map((parameter) => (parameter.kind === 'value' ? parameter.value : undefined));
  expect(bound).not.toContain(undefined);
  // Three texts make too many combinations: the first few of each tell as much.
  const few = kinds.length > 2 ? 12 : 1000;
  const from = kinds.map(
    (kind, index) =>
      `unnest($${bound.length + index + 1}::${values[kind][0]}[]) with ordinality as u${index}(a${index}, n${index})`,
  );
  const given = kinds.map((kind) => values[kind][1].slice(0, few));
  const source = from.length > 0 ? `from ${from.join(' cross join ')}` : '';
  const { rows } = await client.query(`select count(*)::int as n, count((${spelled})::text)::int as values ${source}`, [
    ...bound,
    ...given,
  ]);
  expect(rows[0].n).toBe(given.reduce((product, list) => product * list.length, 1));
});
