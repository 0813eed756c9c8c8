/** What a custom field points at, as far as it exists for the actor: the rest reads as a reference does, as nothing. */
import { all, column, join, name, raw, type Sql, sql } from '../../sql.js';
import type { CustomFieldType, PointerTarget } from '../meaning.js';
import { conditionsSql, further, type Row } from './compiling.js';

/** Of what is stored as a pointer. Any other text is no id, and must not fail. */
export const pointedId = (text: Sql, stored = text): Sql =>
  sql`(case when ${stored} ~ '^[0-9]{1,18}$' then ${text}::bigint end)`;

/** Whether what a pointer names exists for the actor, by its id and kind as texts. */
export type SeenSql = (id: Sql, kind: Sql) => Sql;

/**
 * A stored JSON value without its pointers at what the actor may not see: one entity is an object with a Kind, several
 * are a text such as `6387 userstory,3527 bug`. Whatever else is stored stays, as a definition of another type may have
 * left it; pointers in the form of another type are nothing.
 */
export function seenPointersSql(value: Sql, type: CustomFieldType, isSeen: SeenSql, row: Row): Sql {
  const text = sql`(${value} #>> '{}')`;
  const one = type === 'MultipleEntities' ? raw('null') : oneSql(value, isSeen);
  const several = type === 'Entity' ? raw('null') : severalSql(text, isSeen, row);
  return sql`(case when jsonb_typeof(${value}) = 'object' and (${value} ->> 'Kind') is not null then ${one}
    when jsonb_typeof(${value}) = 'string' and ${text} ~ '^[0-9]+ [A-Za-z]+(,[0-9]+ [A-Za-z]+)*$' then ${several} else ${value} end)`;
}

const oneSql = (value: Sql, isSeen: SeenSql): Sql =>
  sql`case when ${isSeen(sql`(${value} ->> 'Id')`, sql`(${value} ->> 'Kind')`)} then ${value} end`;

function severalSql(text: Sql, isSeen: SeenSql, row: Row): Sql {
  const part = row.aliases.next();
  const filter = isSeen(sql`split_part(${part}.pointer, ' ', 1)`, sql`split_part(${part}.pointer, ' ', 2)`);
  return sql`(select to_jsonb(string_agg(${part}.pointer, ',' order by ${part}.n)) from unnest(string_to_array(${text}, ','))
    with ordinality ${part}(pointer, n) where ${filter})`;
}

/** People are remembered, whoever asks and even when they are deleted. */
const isPerson = (kind: Sql): Sql => sql`lower(${kind}) in ('user', 'requester', 'generaluser')`;

/** One value asks by itself. */
export function seenByItself({ resource, where }: PointerTarget, row: Row): SeenSql {
  return (id, kind) => {
    const target = further(row);
    const conditions = all([sql`${column(target.alias, 'id')} = ${pointedId(id)}`, ...conditionsSql(where, target)]);
    return sql`(${isPerson(kind)} or exists (select 1 from ${name(resource.table)} ${target.alias} where ${conditions}))`;
  };
}

/** Many values of a row ask together: what is seen of all that they point at is found once. */
export const seenTogether =
  (seen: Sql): SeenSql =>
  (id, kind) =>
    sql`(${isPerson(kind)} or ${pointedId(id)} = any(${seen}))`;

/** The ids of what stored values point at, as far as it exists for the actor. */
export function seenIdsSql(values: readonly Sql[], { resource, where }: PointerTarget, row: Row): Sql {
  const target = further(row);
  const part = row.aliases.next();
  // An entity is spelled as one of several are.
  const texts = values.flatMap((value) => [sql`(${value} ->> 'Id') || ' x'`, sql`(${value} #>> '{}')`]);
  const named = sql`select ${pointedId(sql`split_part(${part}, ' ', 1)`)} from unnest(string_to_array(concat_ws(',', ${join(texts, raw(', '))}), ',')) ${part}`;
  const conditions = all([sql`${column(target.alias, 'id')} = any(array(${named}))`, ...conditionsSql(where, target)]);
  return sql`array(select ${column(target.alias, 'id')} from ${name(resource.table)} ${target.alias} where ${conditions})`;
}
