/** How an instant is spelled. The session's time zone is the service's, so the database knows the offset of that very instant. */
import { type Sql, sql } from '../sql.js';
import type { Spelling } from './representation.js';

/** JSON text of a date, quotes included. */
export function jsonDate(value: Sql, { dates, utc }: Spelling): Sql {
  switch (dates) {
    case 'ms': {
      const milliseconds = sql`(date_part('epoch', ${value}) * 1000)::bigint`;
      return utc
        ? sql`'"\\/Date(' || ${milliseconds} || '+0000)\\/"'`
        : sql`'"\\/Date(' || ${milliseconds} || to_char(${value}, 'TZHTZM') || ')\\/"'`;
    }
    case 'iso':
      return sql`'"' || ${localDate(value)} || to_char(${value}, 'TZH:TZM') || '"'`;
    case 'local':
      return sql`'"' || ${localDate(value)} || '"'`;
  }
}

/** `2016-10-16T04:27:10`, in the zone of the service; a fraction only when it is not zero. */
export const localDate = (value: Sql): Sql => sql`replace((${value})::timestamp::text, ' ', 'T')`;
