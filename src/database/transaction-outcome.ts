/** Asks the database what became of a transaction whose commit was not answered. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';

export type TransactionOutcome = 'committed' | 'aborted';

/** Undefined: the database did not tell within that many milliseconds. */
export async function outcomeOf(id: string, pool: Pool, patience = 5_000): Promise<TransactionOutcome | undefined> {
  const timer = new AbortController();
  const late = pause(patience, 'late' as const, { signal: timer.signal, ref: false }).catch(() => 'late' as const);
  try {
    for (let wait = 20; ; wait = Math.min(wait * 2, 200)) {
      const status = await Promise.race([ask(id, pool), late]);
      if (status === 'late') return undefined;
      if (status === 'committed' || status === 'aborted') return status;
      if ((await Promise.race([pause(wait), late])) === 'late') return undefined;
    }
  } finally {
    timer.abort();
  }
}

/** Whoever still holds the transaction has lost its client: it is ended, or its locks would stay until that is noticed. */
const statusOf = `select pg_xact_status($1::xid8) as status, (
  select count(pg_terminate_backend(pid)) from pg_stat_activity
  where backend_xid = $1::xid8::xid and usename = current_user and pid <> pg_backend_pid())`;

const ask = (id: string, pool: Pool): Promise<string | undefined> =>
  pool.query<{ status: string | null }>(statusOf, [id]).then(
    ({ rows }) => rows[0]?.status ?? undefined,
    () => undefined,
  );
