/** Numbers: arithmetic and `Math`. Whole numbers are reckoned as decimals, which cannot overflow. */
import { raw, type Sql, sql } from '../../sql.js';
import { decimal, double, integer, type Type, wider } from '../types.js';
import { rounded } from './conversion.js';
import type { FunctionRow } from './function-row.js';

const on = 'Math';

const widest = (types: readonly Type[]): Type => types.reduce(wider);
const ofDouble = (
  name: string,
  give: (...of: Sql[]) => Sql,
  takes: FunctionRow['takes'] = ['double'],
): FunctionRow => ({
  on,
  name,
  takes,
  gives: double,
  sql: give,
  nulls: 'always',
});

const same = (name: string, give: (...of: Sql[]) => Sql, takes: FunctionRow['takes'] = ['number']): FunctionRow => ({
  on,
  name,
  takes,
  gives: (args) => widest(args),
  sql: give,
});

const asItIs = (of: Sql): Sql => of;

/** A column of whole numbers has no room for the opposite of its least one. */
const exactly = (of: Sql): Sql => sql`(${of})::numeric`;

/** Of a number and nothing neither is the greater. */
const ofBoth = (one: Sql, other: Sql, sign: Sql): Sql =>
  sql`(case when ${one} ${sign} ${other} then ${one} when ${other} is not null and ${one} is not null then ${other} end)`;

export const numberFunctions: readonly FunctionRow[] = [
  { on, name: 'pi', takes: [], gives: double, sql: () => raw('pi()'), nulls: 'never' },
  { on, name: 'e', takes: [], gives: double, sql: () => raw('exp(1::float8)'), nulls: 'never' },
  { ...same('abs', (of) => sql`abs(${of})`), ofWhole: (of) => sql`abs(${exactly(of)})` },
  { ...same('ceiling', (of) => sql`ceil(${of})`), ofWhole: asItIs },
  { ...same('floor', (of) => sql`floor(${of})`), ofWhole: asItIs },
  { ...same('truncate', (of) => sql`trunc(${of})`), ofWhole: asItIs },
  same('min', (one, other) => ofBoth(one, other, raw('<=')), ['number', 'number']),
  same('max', (one, other) => ofBoth(one, other, raw('>=')), ['number', 'number']),
  {
    on,
    name: 'sign',
    takes: ['number'],
    gives: integer,
    sql: (of) => sql`(case when ${of} > 0 then 1 when ${of} < 0 then -1 when ${of} = 0 then 0 end)`,
  },
  { on, name: 'round', takes: ['decimal'], gives: decimal, sql: (of) => sql`round(${of})` },
  {
    on,
    name: 'round',
    takes: ['decimal', 'integer'],
    gives: decimal,
    // Of a number and nothing the database would take the number.
    sql: (of, places) =>
      sql`(case when ${places} is not null then round(${of}, greatest(least(${rounded(places)}, 20), -20)::int) end)`,
  },
  ofDouble('sqrt', (of) => sql`(case when ${of} >= 0 then sqrt(${of}) end)`),
  {
    ...ofDouble('exp', (of) => sql`bounded_exponential(${of})`),
    fits: (of) => typeof of !== 'string' || Number.isFinite(Math.exp(Number(of))),
  },
  ofDouble('log', (of) => sql`(case when ${of} > 0 then ln(${of}) end)`),
  ofDouble('log10', (of) => sql`(case when ${of} > 0 then log(${of}) end)`),
  {
    ...ofDouble('pow', (of, by) => sql`bounded_power(${of}, ${by})`, ['double', 'double']),
    fits: (of, by) => typeof of !== 'string' || typeof by !== 'string' || Number.isFinite(Number(of) ** Number(by)),
  },
];

type Arithmetic = '+' | '-' | '*' | '/';

/** Both sides are of the same type when they come here. */
export function arithmetic(operator: Arithmetic, type: Type): FunctionRow {
  const row = { name: operator, takes: ['number', 'number'] as const, gives: type };
  if (type.kind === 'double') return { ...row, sql: ofDoubles[operator], nulls: 'always' };
  return { ...row, ...decimally(operator, type) };
}

const ofDoubles: Record<Arithmetic, FunctionRow['sql']> = {
  '+': (one, other) => sql`bounded_sum(${one}, ${other})`,
  '-': (one, other) => sql`bounded_difference(${one}, ${other})`,
  '*': (one, other) => sql`bounded_product(${one}, ${other})`,
  '/': (one, other) => sql`bounded_quotient(${one}, ${other})`,
};

/** Decimals of any length are exact: what can become too long is refused before it is reckoned. */
function decimally(operator: Arithmetic, type: Type): Pick<FunctionRow, 'sql' | 'nulls' | 'digits'> {
  const exact = type.kind === 'integer' ? exactly : asItIs;
  if (operator === '/') {
    const quotient = (one: Sql, other: Sql): Sql => sql`trim_scale((${exact(one)} / nullif(${exact(other)}, 0)))`;
    // The smallest number that a custom field holds has some 324 places behind the point. What is made of a text may
    // have six times as many: then there are six times as many digits as are allowed, half of what the database has.
    return { sql: quotient, nulls: 'always', digits: (of) => of + 324 };
  }
  return {
    sql: (one, other) => sql`(${exact(one)} ${raw(operator)} ${exact(other)})`,
    ...(operator === '*' && { digits: (one, other) => one + other }),
  };
}

export const negative = (type: Type): FunctionRow => ({
  name: '-',
  takes: ['number'],
  gives: type,
  sql: (of) => sql`(- ${type.kind === 'integer' ? exactly(of) : of})`,
});
