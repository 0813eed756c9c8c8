/** A reference that changed from one entity to another one changed for who may see either of them. */
import type { ChangedReference } from '../../model/model.js';
import { all, column, name, type Sql, sql } from '../../sql.js';
import type { Condition } from '../meaning.js';
import { conditionsSql, further, kindConditions, type Row, tableOf } from './compiling.js';

export function changeSeenSql({ reference, table }: ChangedReference, seen: readonly Condition[], row: Row): Sql {
  const own = (columnName: string): Sql => column(row.alias, columnName);
  const target = further(row);
  const conditions = all([
    sql`${column(target.alias, 'id')} in (${own(reference.column)}, ${previousValue(table, reference.column, own)})`,
    ...kindConditions(reference.target, target),
    ...conditionsSql(seen, target),
  ]);
  return sql`exists (select 1 from ${tableOf(reference.target, target)} where ${conditions})`;
}

/** What a column was in the record before that of `row`: records of the past of one entity follow one another by date. */
export const previousValue = (table: string, columnName: string, row: (columnName: string) => Sql): Sql =>
  sql`(select earlier.${name(columnName)} from ${name(table)} earlier
    where earlier.general_id = ${row('general_id')} and (earlier.date, earlier.id) < (${row('date')}, ${row('id')})
    order by earlier.date desc, earlier.id desc limit 1)`;
