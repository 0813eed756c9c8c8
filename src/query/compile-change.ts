/** A reference that changed from one entity to another one changed for who may see either of them. */
import type { ChangedReference } from '../model/model.js';
import { all, column, type Sql, sql } from '../sql.js';
import { conditionSql, kindConditions } from './compile-condition.js';
import { type Row, tableOf } from './compile-operand.js';
import type { Condition } from './plan.js';

export function changeSeenSql({ reference, before }: ChangedReference, seen: readonly Condition[], row: Row): Sql {
  const own = (columnName: string): Sql => column(row.alias, columnName);
  const target: Row = { ...row, alias: row.aliases.next() };
  const conditions = all([
    sql`${column(target.alias, 'id')} in (${own(reference.column)}, ${before(own)})`,
    ...kindConditions(reference.target, target),
    ...seen.map((condition) => conditionSql(condition, target)),
  ]);
  return sql`exists (select 1 from ${tableOf(reference.target, target)} where ${conditions})`;
}
