/** Fields that are worked out from when an item began and ends, and how much of it is done. */
import { Computed } from '../../model/field.decorators.js';
import { isOver, type RowExpression, type Sql, sql, startOfDay } from '../../sql.js';

type Row = Parameters<RowExpression>[0];

/** What lacks a start or an end is under way at no time. */
export const isUnderWay: RowExpression = (row) =>
  sql`coalesce(${row('start_date')} <= now() and not ${isOver(row('end_date'))}, false)`;

/** Null where a date lies beyond the calendar. */
const days = (end: Sql, start: Sql): Sql =>
  sql`extract(epoch from bounded_difference(${end}, ${start}))::float8 / 86400`;

const daysToEnd =
  (from: 'create_date' | 'start_date'): RowExpression =>
  (row) =>
    days(row('end_date'), row(from));

const fromCreation = daysToEnd('create_date');
const fromStart = daysToEnd('start_date');

export const leadTimeField = () =>
  Computed('double', fromCreation, { synthetic: true, description: 'Days from creation to end.' });

export const cycleTimeField = () =>
  Computed('double', fromStart, { synthetic: true, description: 'Days from start to end.' });

/** The start of a day. Null for what is not `isOpen`, has no start, or would end beyond the calendar. */
export const forecastField = (progress: RowExpression, isOpen: (row: Row) => Sql) =>
  Computed(
    'moment',
    (row) => sql`(select case when done.part > 0.1 and ${isOpen(row)} and done.days > 7
      then ${startOfDay(sql`bounded_shift(${row('start_date')}, done.days / done.part, interval '24 hours')::date`)} end
      from (select ${progress(row)}::float8 as part, ${days(sql`now()`, row('start_date'))} as days) done)`,
    { synthetic: true, description: 'Once a week has passed and a tenth is done: when it would end at this pace.' },
  );

/** The end of a span is the planned one, so what is not wholly done is open. */
export const forecastOfSpan = (progress: RowExpression) => forecastField(progress, () => sql`done.part < 1`);
