/** Spells a value of one row as SQL: a column, a computed field, a custom field. */
import type { ChangedReference } from '../../model/model.js';
import { all, column, late, momentOf, name, raw, type Sql, sql, value } from '../../sql.js';
import type { Condition, Operand } from '../meaning.js';
import { further, type Row, rowConditions, tableOf } from './compiling.js';
import { pointedId, seenByItself, seenPointersSql } from './pointer.js';
import { unicode } from './text.js';

/** The value of an operand on a row, typed; private values of others are null. */
export function operandSql(operand: Operand, row: Row): Sql {
  if (operand.kind === 'custom') return customSql(operand, row);
  const { field, seen } = operand;
  const plain = field.expression
    ? field.expression((columnName) => column(row.alias, columnName))
    : column(row.alias, field.column!);
  if (field.changeOf && seen && seen.length > 0) return sql`(${plain} and ${changeSeenSql(field.changeOf, seen, row)})`;
  if (!field.isPrivate || row.privacy === 'everyone') return plain;
  return sql`case when ${column(row.alias, 'id')} = ${late('actor.user')} then ${plain} end`;
}

function customSql(operand: Extract<Operand, { kind: 'custom' }>, row: Row): Sql {
  const values = operand.values?.((columnName) => column(row.alias, columnName)) ?? column(row.alias, operand.column);
  const key = value(operand.name, 'text');
  switch (operand.type) {
    case 'Number':
    case 'Money':
      return guarded(values, key, 'number', sql`(${values} ->> ${key})::numeric`);
    case 'CheckBox':
      return guarded(values, key, 'boolean', sql`(${values} ->> ${key})::boolean`);
    case 'Date':
      return momentOf(sql`(${values} ->> ${key})`);
    case 'URL':
      return unicode(sql`${values} -> ${key} ->> 'Url'`);
    case 'Entity':
      return pointedId(
        sql`(${pointedAt(operand, sql`(${values} -> ${key})`, row)} ->> 'Id')`,
        sql`(${values} -> ${key} ->> 'Id')`,
      );
    case 'Text':
    case 'DropDown':
    case 'RichText':
    case 'MultipleSelectionList':
    case 'TemplatedURL':
    case 'MultipleEntities':
      if (operand.target) return unicode(sql`${pointedAt(operand, sql`(${values} -> ${key})`, row)} #>> '{}'`);
      return unicode(sql`${values} ->> ${key}`);
  }
}

const pointedAt = ({ target, type }: Extract<Operand, { kind: 'custom' }>, value: Sql, row: Row): Sql =>
  target ? seenPointersSql(value, type, seenByItself(target, row), row) : value;

/** A value left over from a definition of another type must not break the page. */
const guarded = (values: Sql, key: Sql, type: 'number' | 'boolean', cast: Sql): Sql =>
  sql`case when jsonb_typeof(${values} -> ${key}) = ${raw(`'${type}'`)} then ${cast} end`;

function changeSeenSql({ reference, table }: ChangedReference, seen: readonly Condition[], row: Row): Sql {
  const own = (columnName: string): Sql => column(row.alias, columnName);
  const target = further(row);
  const conditions = all([
    sql`${column(target.alias, 'id')} in (${own(reference.column)}, ${previousValue(table, reference.column, own)})`,
    ...rowConditions(reference.target, seen, target),
  ]);
  return sql`exists (select 1 from ${tableOf(reference.target, target)} where ${conditions})`;
}

/**
 * What a column was in the record before that of `row`: records of the past of one entity follow one another by date.
 */
export const previousValue = (table: string, columnName: string, row: (columnName: string) => Sql): Sql =>
  sql`(select earlier.${name(columnName)} from ${name(table)} earlier
    where earlier.general_id = ${row('general_id')} and (earlier.date, earlier.id) < (${row('date')}, ${row('id')})
    order by earlier.date desc, earlier.id desc limit 1)`;
