/** Dates and spans of time, in the zone of the service. */
import { raw, type Sql, sql, startOfDay } from '../../sql.js';
import { double, integer, moment, span, type Type } from '../types.js';
import { rounded } from './conversion.js';
import type { FunctionRow } from './function-row.js';

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const day: Type = { kind: 'text', choices: dayNames };

const midnight = (): Sql => startOfDay(sql`now()::date`);
const now = (): Sql => sql`now()`;

/** Null of a date beyond the calendar, which only SQL can store. */
const inCalendar = (of: Sql): Sql => sql`bounded_moment(${of})`;

const part = (name: string, field: string): FunctionRow => ({
  on: 'moment',
  name,
  takes: [],
  gives: integer,
  sql: (of) => sql`extract(${raw(field)} from ${inCalendar(of)})::int`,
});

const adding = (name: string, unit: keyof typeof mostUnits, takes: 'integer' | 'double'): FunctionRow => ({
  on: 'moment',
  name,
  takes: [takes],
  gives: moment,
  sql: (of, count) =>
    sql`bounded_shift(${of}, ${takes === 'integer' ? rounded(count) : count}, ${raw(`interval '1 ${unit}'`)})`,
  nulls: 'always',
  fits: (_of, count) => typeof count !== 'string' || Math.abs(Number(count)) <= mostUnits[unit],
});

/** As many as lie between the first and the last date that there is. */
const mostUnits = { year: 9998, month: 119_987, day: 3_652_058, hour: 87_649_415, minute: 5_258_964_959 };

const total = (name: string, seconds: number): FunctionRow => ({
  on: 'span',
  name,
  takes: [],
  gives: double,
  sql: (of) => sql`(extract(epoch from ${of})::float8 / ${raw(`${seconds}`)})`,
});

/** What is left of it once whole days, or hours, or minutes are taken away. */
const rest = (name: string, seconds: number, within: number): FunctionRow => ({
  on: 'span',
  name,
  takes: [],
  gives: integer,
  sql: (of) => sql`(trunc(extract(epoch from ${of}) / ${raw(`${seconds}`)}) % ${raw(`${within}`)})::bigint`,
});

const still = (on: string | undefined, name: string, give: () => Sql): FunctionRow => ({
  on,
  name,
  takes: [],
  gives: moment,
  sql: give,
  nulls: 'never',
});

export const dateFunctions: readonly FunctionRow[] = [
  still(undefined, 'today', midnight),
  still(undefined, 'now', now),
  still('DateTime', 'today', midnight),
  still('DateTime', 'now', now),
  still('DateTime', 'utcNow', now),
  { on: 'moment', name: 'date', takes: [], gives: moment, sql: (of) => startOfDay(sql`${inCalendar(of)}::date`) },
  part('year', 'year'),
  part('month', 'month'),
  part('day', 'day'),
  part('hour', 'hour'),
  part('minute', 'minute'),
  part('second', 'second'),
  part('dayOfYear', 'doy'),
  { on: 'moment', name: 'dayOfWeek', takes: [], gives: day, sql: (of) => sql`to_char(${inCalendar(of)}, 'FMDay')` },
  adding('addYears', 'year', 'integer'),
  adding('addMonths', 'month', 'integer'),
  adding('addDays', 'day', 'double'),
  adding('addHours', 'hour', 'double'),
  adding('addMinutes', 'minute', 'double'),
  total('totalDays', 86_400),
  total('totalHours', 3600),
  total('totalMinutes', 60),
  total('totalSeconds', 1),
  rest('days', 86_400, 1_000_000_000),
  rest('hours', 3600, 24),
  rest('minutes', 60, 60),
  rest('seconds', 1, 60),
];

/** Moments and spans that are added to one another. */
export const addSpan: FunctionRow = {
  name: '+',
  takes: ['any', 'any'],
  gives: ([of]) => of!,
  sql: (of, other) => sql`bounded_sum(${of}, ${other})`,
  nulls: 'always',
};
export const subtractSpan: FunctionRow = {
  ...addSpan,
  name: '-',
  sql: (of, other) => sql`bounded_difference(${of}, ${other})`,
};
export const betweenMoments: FunctionRow = { ...subtractSpan, gives: span };
export const addDays = dateFunctions.find(({ name }) => name === 'addDays')!;

/** When a day begins, so many days from today. */
export const dayFromToday: FunctionRow = {
  name: 'today',
  takes: ['integer'],
  gives: moment,
  sql: (days) => startOfDay(sql`(now()::date + ${days})`),
};
export const today = dateFunctions.find(({ name }) => name === 'today')!;
