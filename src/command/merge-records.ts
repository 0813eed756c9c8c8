/**
 * Makes one record of what a transaction has recorded of the same entities so far, for rules that write a row once
 * more.
 */
import type { TableRecord, Work } from './change.js';

/** Of rows of a table. Behind the statements that were sent before. Links have no updates, so each of theirs stays. */
export function mergeRecords(
  table: string,
  ids: readonly number[],
  { send, recordOf }: Pick<Work, 'send' | 'recordOf'>,
): void {
  const record = recordOf(table);
  if (record) send(merging(table, record), [[...new Set(ids)]]);
}

/** Its partition, too, is found by the date. */
const isOurs = 'r.xid = pg_current_xact_id() and r.date = now()::timestamptz(3)';

/** What ends as it began is no change. Other tables have the same ids. */
const merging = (table: string, { resource }: TableRecord): string => `
  with several as materialized (
    select min(r.id) as first, array_agg(r.id) as ids, r.entity_id from change_record r join "${table}" written on written.id = r.entity_id
    where r.entity_id = any($1::bigint[]) and ${isOurs} and r.kind in ('create', 'update') and r.resource = ${resource('written')}
    group by r.entity_id having count(*) > 1 and bool_or(r.kind = 'update')),
  columns as (
    select s.first, s.entity_id, s.ids, c.key, (array_agg(c.value -> 0 order by r.id))[1] as before, (array_agg(c.value -> 1 order by r.id desc))[1] as after
    from several s join change_record r on r.entity_id = s.entity_id and r.id = any(s.ids) and ${isOurs}, jsonb_each(r.changes) c
    group by s.first, s.entity_id, s.ids, c.key),
  merged as materialized (
    select first, entity_id, ids, jsonb_object_agg(key, jsonb_build_array(before, after)) filter (where before is distinct from after) as changes
    from columns group by first, entity_id, ids),
  gone as (
    delete from change_record r using merged m
    where r.entity_id = m.entity_id and r.id = any(m.ids) and ${isOurs} and (r.id <> m.first or m.changes is null))
  update change_record r set changes = m.changes from merged m
  where r.entity_id = m.entity_id and r.id = m.first and ${isOurs} and m.changes is not null`;
