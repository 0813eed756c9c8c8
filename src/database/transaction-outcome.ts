/** Asks the database what became of a transaction whose commit was not answered. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { timelineOfPrimary } from './wal-position.js';

export type TransactionOutcome = 'committed' | 'aborted';

export interface Transaction {
  readonly id: string;
  readonly timeline: string;
  /** When it began, by the clock of the database. */
  readonly now: Date;
}

/**
 * Undefined: the database did not tell within that many milliseconds, or it tells of a transaction that may be another
 * one: a server that took over from the one that was asked, or that has crashed since, gives numbers anew that it had
 * not heard of.
 */
export async function outcomeOf(
  transaction: Transaction,
  pool: Pool,
  patience = 5_000,
): Promise<TransactionOutcome | undefined> {
  const timer = new AbortController();
  const late = pause(patience, 'late' as const, { signal: timer.signal, ref: false }).catch(() => 'late' as const);
  try {
    for (let wait = 20; ; wait = Math.min(wait * 2, 200)) {
      const status = await Promise.race([ask(transaction, pool), late]);
      if (status === 'late' || status === 'another') return undefined;
      if (status === 'committed' || status === 'aborted') return status;
      if ((await Promise.race([pause(wait), late])) === 'late') return undefined;
    }
  } finally {
    timer.abort();
  }
}

/** Milliseconds of the clock as a time. */
const began = 'to_timestamp($2::float8 / 1000)';

/**
 * Whoever still holds the transaction has lost its client: it is ended, or its locks would stay until that is noticed.
 * Connections that are older than the transaction tell that the server has not crashed since.
 */
const statusOf = `select pg_xact_status($1::xid8) as status, ${timelineOfPrimary} as timeline,
  exists (select from pg_stat_activity where usename = current_user and backend_start <= ${began}) as is_same_server,
  (select count(pg_terminate_backend(pid)) from pg_stat_activity
    where backend_xid = $1::xid8::xid and usename = current_user and pid <> pg_backend_pid()
      and backend_start <= ${began})`;

/** What it changed is recorded with its id and the time of its beginning. */
const recordOf = `select from change_record
  where xid = $1::xid8 and date between ${began} and ${began} + interval '2 milliseconds' limit 1`;

interface Status {
  status: string | null;
  timeline: string;
  is_same_server: boolean;
}

async function ask(
  { id, timeline, now }: Transaction,
  pool: Pool,
): Promise<TransactionOutcome | 'another' | undefined> {
  try {
    const values = [id, now.getTime()];
    const { status, timeline: current, is_same_server: isSame } = (await pool.query<Status>(statusOf, values)).rows[0]!;
    if (status === 'aborted') return status;
    if (status !== 'committed') return undefined;
    if (current !== timeline) return 'another';
    return isSame || (await pool.query(recordOf, values)).rowCount === 1 ? status : 'another';
  } catch {
    return undefined;
  }
}
