/** What a server answers when it is asked how it is. */
import { currentPosition, parsePosition, type WalPosition, walStart } from '../wal-position.js';

export interface DatabaseStatus {
  /** It takes no writes: a replica, or set so. */
  readonly isReadOnly: boolean;
  readonly isReplica: boolean;
  readonly position: WalPosition;
}

export interface StatusRow extends Omit<DatabaseStatus, 'position'> {
  position: string;
  timeline: number;
}

/** Of a replica, roles without pg_read_all_stats see the timeline of its last checkpoint, which is never ahead. */
export const askStatus = `select current_setting('transaction_read_only')::boolean as "isReadOnly", pg_is_in_recovery() as "isReplica",
  ${currentPosition} as position,
  greatest((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint())) as timeline`;

export function statusIn({ isReadOnly, isReplica, timeline, position: text }: StatusRow): DatabaseStatus {
  const position = parsePosition(text) ?? walStart;
  return { isReadOnly, isReplica, position: isReplica ? { ...position, timeline } : position };
}

export const askLockWaits = `select count(*)::float8 as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;
