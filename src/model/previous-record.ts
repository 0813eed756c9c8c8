/** Records of the past of one entity follow one another by date. */
import { name, type Sql, sql } from '../sql.js';

/** What a column was in the record before that of `row`, in the same table. */
export const previousValue = (table: string, columnName: string, row: (columnName: string) => Sql): Sql =>
  sql`(select earlier.${name(columnName)} from ${name(table)} earlier
    where earlier.general_id = ${row('general_id')} and (earlier.date, earlier.id) < (${row('date')}, ${row('id')})
    order by earlier.date desc, earlier.id desc limit 1)`;
