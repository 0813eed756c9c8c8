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
 * `held`: the server still had it when it told last. Undefined: the database did not tell within that many
 * milliseconds, or it tells of a transaction that may be another one: a server that took over from the one that was
 * asked, or that has crashed since, gives numbers anew that it had not heard of.
 */
export async function outcomeOf(
  transaction: Transaction,
  pool: Pool,
  patience = 5_000,
): Promise<TransactionOutcome | 'held' | undefined> {
  const timer = new AbortController();
  const late = pause(patience, 'late' as const, { signal: timer.signal, ref: false }).catch(() => 'late' as const);
  try {
    let last: 'held' | undefined;
    for (let wait = 20; ; wait = Math.min(wait * 2, 200)) {
      const answer = await Promise.race([ask(transaction, pool), late]);
      if (answer === 'late') return last;
      if (answer === 'another') return undefined;
      if (answer === 'committed' || answer === 'aborted') return answer;
      last = answer ?? last;
      if ((await Promise.race([pause(wait), late])) === 'late') return last;
    }
  } finally {
    timer.abort();
  }
}

/** Settled once no server holds it any more, or the pool has ended. */
export async function onceLeft(transaction: Transaction, pool: Pool): Promise<void> {
  do {
    await pause(500, undefined, { ref: false });
    if (pool.ending) return;
  } while (await mayBeHeld(transaction, pool));
}

/** Asks for its status alone: another commit would wait for a replica, too, and leave one more process each time. */
async function mayBeHeld(transaction: Transaction, pool: Pool): Promise<boolean> {
  try {
    const { status, timeline } = await statusIn(transaction, pool);
    return status === 'in progress' && timeline === transaction.timeline;
  } catch (error) {
    return codeOf(error) !== idInFuture;
  }
}

/** Milliseconds of the clock as a time. */
const began = 'to_timestamp($2::float8 / 1000)';

/**
 * Whoever still holds the transaction has lost its client: it is ended, or its locks would stay until that is noticed.
 * A commit that waits for a replica is left: ended, it would be stored here alone. Connections that are older than the
 * transaction tell that the server has not crashed since.
 */
const statusOf = `select pg_xact_status($1::xid8) as status, ${timelineOfPrimary} as timeline,
  exists (select from pg_stat_activity where usename = current_user and backend_start <= ${began}) as is_same_server,
  (select count(pg_terminate_backend(pid)) from pg_stat_activity
    where backend_xid = $1::xid8::xid and usename = current_user and pid <> pg_backend_pid()
      and backend_start <= ${began} and wait_event is distinct from 'SyncRep')`;

/** What it changed is recorded with its id and the time of its beginning. */
const recordOf = `select from change_record
  where xid = $1::xid8 and date between ${began} and ${began} + interval '2 milliseconds' limit 1`;

/** A commit behind it, which waits for replicas as it should have: whoever has this has that. */
const commitBehind = `select pg_logical_emit_message(true, 'worktrack', ''), ${timelineOfPrimary} as timeline`;

interface Status {
  status: string | null;
  timeline: string;
  is_same_server: boolean;
}

/** `held`: it is in progress. Undefined: the database does not tell. */
type Answer = TransactionOutcome | 'another' | 'held' | undefined;

const statusIn = async (transaction: Transaction, pool: Pool): Promise<Status> =>
  (await pool.query<Status>(statusOf, valuesOf(transaction))).rows[0]!;

const valuesOf = ({ id, now }: Transaction): unknown[] => [id, now.getTime()];

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

async function ask(transaction: Transaction, pool: Pool): Promise<Answer> {
  const { timeline } = transaction;
  try {
    const { status, timeline: current, is_same_server: isSame } = await statusIn(transaction, pool);
    if (status === 'aborted') return status;
    if (status !== 'committed') return status !== null && current === timeline ? 'held' : undefined;
    if (current !== timeline) return 'another';
    if (!isSame && (await pool.query(recordOf, valuesOf(transaction))).rowCount !== 1) return 'another';
    return await replicated(timeline, pool);
  } catch (error) {
    return codeOf(error) === idInFuture ? 'another' : undefined;
  }
}

/** SQLSTATE; what PostgreSQL says beside a commit that has not waited for its replica to the end. */
export const warning = '01000';

/** The server has not come so far yet. */
const idInFuture = '22023';

/**
 * The commit was found, not answered: it need not have waited for a replica, as where the wait was broken off. So
 * another one has to.
 */
async function replicated(timeline: string, pool: Pool): Promise<Answer> {
  const client = await pool.connect();
  let isInDoubt = false;
  const doubt = ({ code }: { code?: string }): void => {
    isInDoubt ||= code === warning;
  };
  client.on('notice', doubt);
  try {
    const { rows } = await client.query<{ timeline: string }>(commitBehind);
    if (rows[0]!.timeline !== timeline) return 'another';
    return isInDoubt ? undefined : 'committed';
  } finally {
    client.off('notice', doubt);
    client.release();
  }
}
