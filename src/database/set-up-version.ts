/**
 * Another text for each set-up of processes that is stored: `migrations/0.3/set-up-versions.sql`. The same number may
 * stand for another set-up in a database that was restored: from rows, to another file; from files, to a server that
 * was started later; and after a failover, on another server.
 */
export const setUpVersion = `(select concat_ws(' ', sum(version), pg_relation_filepath('set_up_version'),
  extract(epoch from pg_postmaster_start_time())) from set_up_version)`;
