/**
 * Arithmetic and conversions that give null where PostgreSQL would fail. The database may evaluate an expression of a client on
 * rows that the client may not see, so an expression must not be able to fail: the failure would tell about the row.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BoundedValues1700000000013 implements MigrationInterface {
  name = 'BoundedValues1700000000013';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...doubles, ...moments, momentOf]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const functionOf = (head: string, gives: string, volatility: 'immutable' | 'stable', test: string, value: string) =>
  `create function ${head} returns ${gives} language plpgsql ${volatility} strict parallel safe as
  $$ begin if (${test}) then return ${value}; end if; return null; end $$`;

/** Zero, or neither so large nor so small that a product of two such numbers leaves the range of doubles. */
const isModerate = (name: string): string => `(${name} = 0 or abs(${name}) between 1e-140 and 1e140)`;

const ofDoubles = (name: string, test: string, value: string): string =>
  functionOf(`${name}(x float8, y float8)`, 'float8', 'immutable', test, value);

const areModerate = `${isModerate('x')} and ${isModerate('y')}`;
const areSummable = 'abs(x) <= 1e300 and abs(y) <= 1e300';

/** e to the power of 650 is some 1e282. A negative number has powers with whole exponents only. */
const hasPower = `${areModerate} and case when x = 0 then y >= 0
  else (x > 0 or y = trunc(y)) and abs(y * ln(abs(x))) <= 650 end`;

const doubles = [
  functionOf(
    'bounded_double(x numeric)',
    'float8',
    'immutable',
    'abs(x) <= 1e300',
    // What is smaller than a double can be is zero.
    'case when abs(x) >= 1e-300 then x::float8 else 0 end',
  ),
  // Sums and averages of these stay in the range of doubles.
  functionOf('bounded_double(x float8)', 'float8', 'immutable', 'abs(x) <= 1e140', 'x'),
  ofDoubles('bounded_sum', areSummable, 'x + y'),
  ofDoubles('bounded_difference', areSummable, 'x - y'),
  ofDoubles('bounded_product', areModerate, 'x * y'),
  ofDoubles('bounded_quotient', `${areModerate} and y <> 0`, 'x / y'),
  ofDoubles('bounded_power', hasPower, 'power(x, y)'),
  functionOf(
    'bounded_exponential(x float8)',
    'float8',
    'immutable',
    'x <= 650',
    'case when x >= -650 then exp(x) else 0 end',
  ),
];

/** Dates have years of four digits, and no span is longer than they are apart. In seconds. */
const longest = 315_537_897_600;

const isSpan = (name: string): string => `abs(extract(epoch from ${name})) <= ${longest}`;

const isInCalendar = (name: string): string => `extract(year from ${name}) between 1 and 9999`;

/** Some centuries around the calendar, because months and years are not all of one length. */
const isNearCalendar = (seconds: string): string => `extract(epoch from x) + ${seconds} between -75e9 and 266e9`;

const ofMoment = (head: string, test: string, value: string): string =>
  functionOf(head, 'timestamptz', 'stable', test, `bounded_moment(${value})`);

const ofSpans = (name: string, value: string): string =>
  functionOf(`${name}(x interval, y interval)`, 'interval', 'immutable', `${isSpan('x')} and ${isSpan('y')}`, value);

const moments = [
  functionOf('bounded_moment(x timestamptz)', 'timestamptz', 'stable', isInCalendar('x'), 'x'),
  ofMoment('bounded_sum(x timestamptz, y interval)', isNearCalendar('extract(epoch from y)'), 'x + y'),
  ofMoment('bounded_difference(x timestamptz, y interval)', isNearCalendar('-extract(epoch from y)'), 'x - y'),
  functionOf(
    'bounded_difference(x timestamptz, y timestamptz)',
    'interval',
    'stable',
    `${isInCalendar('x')} and ${isInCalendar('y')}`,
    'x - y',
  ),
  ofSpans('bounded_sum', 'x + y'),
  ofSpans('bounded_difference', 'x - y'),
  ...['float8', 'numeric'].map((type) =>
    ofMoment(
      `bounded_shift(x timestamptz, count ${type}, unit interval)`,
      `abs(count) <= 1e12 and ${isNearCalendar('count::numeric * extract(epoch from unit)')}`,
      'x + count::float8 * unit',
    ),
  ),
];

/** The texts that ISO 8601 writes dates and moments as; without a zone in that of the session. A Unicode collation has other digits, too. */
const momentOf = `create function moment_of(written text) returns timestamptz language plpgsql stable strict parallel safe as $$
declare
  parts int[] := regexp_match(written,
    '^[ \\t]*([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.][0-9]{1,9})?)?[ ]?(?:[Zz]|[+-]([0-9]{2})(?::?([0-9]{2}))?)?)?[ \\t]*$');
begin
  if parts is null or parts[1] = 0 or parts[2] not between 1 and 12 or parts[3] = 0 then return null; end if;
  if parts[3] > extract(day from make_date(parts[1], parts[2], 1) + interval '1 month - 1 day') then return null; end if;
  if parts[4] > 23 or parts[5] > 59 or parts[6] > 59 or parts[7] > 14 or parts[8] > 59 then return null; end if;
  return written::timestamptz;
end $$`;
