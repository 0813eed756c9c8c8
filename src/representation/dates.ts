/**
 * How an instant is spelled. The session's time zone is the service's, so the database knows the offset of that very
 * instant.
 */
import type { ScalarKind } from '../model/scalars.js';
import { type Sql, sql } from '../sql.js';
import type { Spelling } from './representation.js';

/** JSON text of a date, quotes included; null for one beyond the calendar. */
export const jsonDate = (value: Sql, spelling: Spelling): Sql => ifInCalendar(value, jsonDateOf(value, spelling));

function jsonDateOf(value: Sql, { dates, utc }: Spelling): Sql {
  switch (dates) {
    case 'ms': {
      const milliseconds = sql`(date_part('epoch', ${value}) * 1000)::bigint`;
      return utc
        ? sql`'"\\/Date(' || ${milliseconds} || '+0000)\\/"'`
        : sql`'"\\/Date(' || ${milliseconds} || to_char(${value}, 'TZHTZM') || ')\\/"'`;
    }
    case 'iso':
      return utc ? sql`'"' || ${localDateOf(value)} || '+00:00"'` : sql`'"' || ${zonedDateOf(value)} || '"'`;
    case 'local':
      return sql`'"' || ${localDateOf(value)} || '"'`;
  }
}

/**
 * Offsets are shown in minutes, while those of clocks that went by the sun had seconds, in Liberia until 1972. Such a
 * one is moved on to the next minute, and the local time beside it by as much: both together are the instant.
 */
function zonedDateOf(value: Sql): Sql {
  const ahead = sql`extract(timezone from ${value})::int`;
  const seconds = sql`(${ahead} % 60)`;
  const later = localDateOf(sql`(${value})::timestamp + make_interval(secs => (60 - ${seconds}) % 60)`);
  const next = sql`make_interval(secs => ${ahead} + 60 - ${seconds})`;
  const offset = sql`to_char(${value}, 'TZH:TZM')`;
  const early = sql`${later} || case when ${seconds} > 0 then to_char(${next}, '"+"HH24:MI') else ${offset} end`;
  return sql`case when ${value} < '1973-01-01 00:00:00+00' then ${early} else ${localDateOf(value)} || ${offset} end`;
}

/** `2016-10-16T04:27:10`, in the zone of the service; a fraction only when it is not zero. Null beyond the calendar. */
export const localDate = (value: Sql): Sql => ifInCalendar(value, localDateOf(value));

const localDateOf = (value: Sql): Sql => sql`replace((${value})::timestamp::text, ' ', 'T')`;

/** In the years 1 to 9999, by UTC and by the clocks of the service; only SQL can store what is not. */
const ifInCalendar = (value: Sql, spelled: Sql): Sql =>
  sql`case when (${value}) between ${calendar} then ${spelled} end`;

/** Constants to the database, which reads a time without a zone in that of the service. */
const calendar = sql`greatest(timestamptz '0001-01-01', '0001-01-01Z')
  and least(timestamptz '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999Z')`;

/** A date may be spelled as null, whatever its column allows. */
export const mayBeNull = (kind: ScalarKind, isNullable: boolean): boolean => isNullable || kind === 'moment';
