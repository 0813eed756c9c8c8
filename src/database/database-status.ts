/** What a server answers when it is asked how it is. */

import { standbyName, waitedFor } from './replicas/standby-names.js';
import { currentPosition, parsePosition, type WalPosition, walStart } from './wal-position.js';

export interface DatabaseStatus {
  /** It takes no writes: a replica, or set so. */
  readonly isReadOnly: boolean;
  readonly isReplica: boolean;
  readonly position: WalPosition;
  /** Which one of which cluster: the same on all of its servers. */
  readonly database: string;
  /** When this server started: no other one of the cluster did at that microsecond. */
  readonly startedAt: string;
  /** The name of a replica, where its settings may be read. */
  readonly standbyName?: string;
  /** Of a primary: the standbys that have applied whatever it acknowledges. */
  readonly appliedBy: readonly string[];
}

export interface StatusRow extends Pick<DatabaseStatus, 'isReadOnly' | 'isReplica' | 'database' | 'startedAt'> {
  position: string;
  timeline: number;
  /** How a replica is connected to its primary. */
  connection: string | null;
  /** `synchronous_standby_names` of a primary whose commits wait until they are applied. */
  waits: string | null;
  /** What the standbys of such a primary are called. */
  standbys: string[] | null;
}

const database = `(select system_identifier from pg_control_system()) || '/' || (select oid from pg_database where datname = current_database()) as database`;

export const askDatabase = `select ${database}`;

/** Of a replica, roles without pg_read_all_stats see the timeline of its last checkpoint, which is never ahead. */
export const askStatus = `select current_setting('transaction_read_only')::boolean as "isReadOnly", pg_is_in_recovery() as "isReplica",
  ${currentPosition} as position,
  ${database},
  extract(epoch from pg_postmaster_start_time())::text as "startedAt",
  greatest((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint())) as timeline,
  (select conninfo from pg_stat_wal_receiver where status = 'streaming') as connection,
  case when current_setting('synchronous_commit') = 'remote_apply' then current_setting('synchronous_standby_names') end as waits,
  case when current_setting('synchronous_commit') = 'remote_apply' then (select array_agg(application_name) from pg_stat_replication) end as standbys`;

export function statusIn(row: StatusRow): DatabaseStatus {
  const { isReadOnly, isReplica, database, startedAt, timeline, connection, waits, standbys } = row;
  const position = parsePosition(row.position) ?? walStart;
  return {
    isReadOnly,
    isReplica,
    database,
    startedAt,
    position: isReplica ? { ...position, timeline } : position,
    standbyName: connection === null ? undefined : standbyName(connection),
    appliedBy: waits === null || isReplica ? [] : waitedFor(waits, standbys ?? []),
  };
}

export const askLockWaits = `select count(*)::float8 as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;
