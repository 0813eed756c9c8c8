import { timelineOfPrimary } from './wal-position.js';

/**
 * Another text for each set-up of processes that is stored: `migrations/0.3/set-up-versions.sql`. After a failover the
 * same number may stand for another set-up, since the last changes may be lost.
 */
export const setUpVersion = `(select sum(version)::text
  || case when pg_is_in_recovery() then '' else '-' || ${timelineOfPrimary} end from set_up_version)`;
