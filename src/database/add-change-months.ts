/**
 * Makes the months of the record of changes ready, two ahead. That takes a lock which a backup, or whatever else reads
 * the record, holds up; and behind it waits whoever writes. So it is left for the next time instead. One statement.
 */
export const addChangeMonths = `do $$ begin
  set local lock_timeout = '100ms';
  set local synchronous_commit = local;
  perform add_change_partitions(2);
end $$`;
