/**
 * A place in the write-ahead log of PostgreSQL: what is committed before it is seen by whoever has replayed it. Places
 * of a later timeline come behind a failover.
 */
export interface WalPosition {
  readonly timeline: number;
  /** Bytes; exact to 2^53, which is eight pebibytes of log. */
  readonly lsn: number;
}

/** Every server has replayed it. Timeline 0 stands for any. */
export const walStart: WalPosition = Object.freeze({ timeline: 0, lsn: 0 });

/** No server has replayed it: for what is at a place that nobody could tell. */
export const walEnd: WalPosition = Object.freeze({ timeline: 0xffffffff, lsn: Number.MAX_SAFE_INTEGER });

/** As `spellPosition` spells it; `0` alone is the start. Undefined: it is none. */
export function parsePosition(text: string): WalPosition | undefined {
  if (text === '0') return walStart;
  const [, timeline, high, low] = /^([\dA-F]{1,8})-([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text) ?? [];
  if (timeline === undefined) return undefined;
  const lsn = Number.parseInt(high!, 16) * 2 ** 32 + Number.parseInt(low!, 16);
  return { timeline: Number.parseInt(timeline, 16), lsn };
}

export function spellPosition({ timeline, lsn }: WalPosition): string {
  const hex = (value: number): string => value.toString(16).toUpperCase();
  return `${hex(timeline)}-${hex(Math.floor(lsn / 2 ** 32))}/${hex(lsn % 2 ** 32)}`;
}

/** A server of an earlier timeline may have replayed as much, but of something else. */
export const hasReplayed = (server: WalPosition, wanted: WalPosition): boolean =>
  server.timeline >= wanted.timeline && server.lsn >= wanted.lsn;

export function laterOf(one: WalPosition, other: WalPosition): WalPosition {
  const isOfAny = one.timeline === 0 || other.timeline === 0;
  if (isOfAny || one.timeline === other.timeline) {
    return { timeline: Math.max(one.timeline, other.timeline), lsn: one.lsn >= other.lsn ? one.lsn : other.lsn };
  }
  return one.timeline > other.timeline ? one : other;
}

/** The timeline of the primary, in eight hexadecimal digits. */
export const timelineOfPrimary = 'substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)';

/**
 * The position of the server that is asked: of the primary what it has made durable, of a replica what it has replayed,
 * on whatever timeline. Commits that do not wait for the disk are seen before they are durable.
 */
export const currentPosition = `case when pg_is_in_recovery() then '0-' || pg_last_wal_replay_lsn()::text
  else ${timelineOfPrimary} || '-' ||
    (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text end`;
