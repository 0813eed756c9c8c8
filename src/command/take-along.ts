/**
 * Deletes for good what cannot be without other entities that are deleted, and keeps for a day that it went with them.
 */
import type { ResourceType } from '../model/model.js';
import { column, name, raw, type Sql, sql, statement, value } from '../sql.js';
import type { Work } from './change.js';

/** All rows of a kind that have one of these ids as this property: a reference, or their own. */
export function takeAlong(
  target: ResourceType,
  property: string,
  ids: readonly number[],
  { send }: Pick<Work, 'send'>,
): void {
  const row = name('t');
  const { text, parameters } = statement(sql`with gone as (
      delete from ${name(target.table)} ${row} where ${column(row, property === 'id' ? 'id' : target.referenceOf(property).column)} = any(${value(ids, 'bigint[]')})
      returning ${column(row, 'id')} as id, ${generalOf(target, row)} as general_id)
    insert into taken_along (kind, id, general_id) select ${value(target.name, 'text')}, id, general_id from gone`);
  send(`delete from taken_along where date < now() - interval '1 day'`);
  send(
    text,
    parameters.map((parameter) => (parameter.kind === 'value' ? parameter.value : undefined)),
  );
}

/** The General that a row is seen through; null where everyone sees it. */
function generalOf(resource: ResourceType, row: Sql, depth = 0): Sql {
  const { visible } = resource.settings;
  if (visible.kind === 'everyone') return raw('null::bigint');
  const [first, ...others] = visible.kind === 'through' ? visible.references : [];
  if (first === undefined || others.length > 0) throw new Error(`who has seen a deleted ${resource.name} is not kept`);
  const { target, column: key } = resource.referenceOf(first);
  if (target.isGeneral) return column(row, key);
  const owner = name(`o${depth}`);
  return sql`(select ${generalOf(target, owner, depth + 1)} from ${name(target.table)} ${owner}
    where ${column(owner, 'id')} = ${column(row, key)})`;
}
