/** What a custom field points at, as far as it exists for the actor: the rest reads as a reference does, as nothing. */
import { all, column, name, type Sql, sql } from '../sql.js';
import { conditionSql } from './compile-condition.js';
import { pointedId, type Row } from './compile-operand.js';
import type { PointerTarget } from './plan.js';

/**
 * A stored JSON value without its pointers at what the actor may not see: one entity is an object with a Kind, several are a
 * text such as `6387 userstory,3527 bug`. Whatever else is stored stays, as a definition of another type may have left it.
 */
export function seenPointersSql(value: Sql, target: PointerTarget, row: Row): Sql {
  const text = sql`(${value} #>> '{}')`;
  const part = row.aliases.next();
  const id = sql`split_part(${part}.said, ' ', 1)`;
  const several = sql`(select to_jsonb(string_agg(${part}.said, ',' order by ${part}.n)) from unnest(string_to_array(${text}, ','))
    with ordinality ${part}(said, n) where ${seenSql(id, sql`split_part(${part}.said, ' ', 2)`, target, row)})`;
  const one = seenSql(sql`(${value} ->> 'Id')`, sql`(${value} ->> 'Kind')`, target, row);
  return sql`(case when jsonb_typeof(${value}) = 'object' and (${value} ->> 'Kind') is not null then case when ${one} then ${value} end
    when jsonb_typeof(${value}) = 'string' and ${text} ~ '^[0-9]+ [A-Za-z]+(,[0-9]+ [A-Za-z]+)*$' then ${several} else ${value} end)`;
}

/** People are remembered, whoever asks and even when they are deleted. */
function seenSql(id: Sql, kind: Sql, { resource, where }: PointerTarget, row: Row): Sql {
  const target: Row = { ...row, alias: row.aliases.next() };
  const conditions = all([
    sql`${column(target.alias, 'id')} = ${pointedId(id)}`,
    ...where.map((part) => conditionSql(part, target)),
  ]);
  return sql`(lower(${kind}) in ('user', 'requester', 'generaluser')
    or exists (select 1 from ${name(resource.table)} ${target.alias} where ${conditions}))`;
}
