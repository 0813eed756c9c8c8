import { timelineOfPrimary } from './wal-position.js';

/**
 * Another text for each set-up of processes that is stored: `migrations/0.3/set-up-versions.sql`. The same number may
 * stand for another set-up in a database that was restored, whose table has another oid, and after a failover, which
 * may lose the last changes.
 */
export const setUpVersion = `(select sum(version)::text || '-' || 'set_up_version'::regclass::oid
  || case when pg_is_in_recovery() then '' else '-' || ${timelineOfPrimary} end from set_up_version)`;
