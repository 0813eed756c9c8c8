/** Asks the database what became of a transaction whose commit was not answered. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { timelineOfPrimary } from './wal-position.js';

export type TransactionOutcome = 'committed' | 'aborted';

interface Transaction {
  readonly id: string;
  readonly timeline: string;
}

/**
 * Undefined: the database did not tell within that many milliseconds, or it tells of a transaction that may be another
 * one: a server that took over from the one that was asked gives numbers anew that it had not heard of.
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

/**
 * Whoever still holds the transaction has lost its client: it is ended, or its locks would stay until that is noticed.
 */
const statusOf = `select pg_xact_status($1::xid8) as status, ${timelineOfPrimary} as timeline, (
  select count(pg_terminate_backend(pid)) from pg_stat_activity
  where backend_xid = $1::xid8::xid and usename = current_user and pid <> pg_backend_pid())`;

async function ask({ id, timeline }: Transaction, pool: Pool): Promise<TransactionOutcome | 'another' | undefined> {
  try {
    const { rows } = await pool.query<{ status: string | null; timeline: string }>(statusOf, [id]);
    const { status, timeline: current } = rows[0]!;
    if (status === 'aborted') return status;
    if (status !== 'committed') return undefined;
    return current === timeline ? status : 'another';
  } catch {
    return undefined;
  }
}
