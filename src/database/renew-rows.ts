/** Carries out what a `RowsMigration` does to rows, some at a time, while others read and write. */
import { briefTransaction, unlessLocked } from './brief-transactions.js';
import type { Advance } from './concurrent-index.js';
import { itemsLockedOut } from './migration-error.js';
import type { RowsMigration } from './migrations/rows-migration.js';
import { type DatabaseAddress, openOutsideTransactions } from './open-client.js';

interface Patience {
  /** For some rows. */
  readonly attempts: number;
  pause(): Promise<void>;
}

const who = (locks: string): string =>
  `select a.pid, a.application_name as name, to_char(a.xact_start at time zone 'UTC', 'HH24:MI:SS') as since
   from ${locks} join pg_stat_activity a on a.pid = l.pid where l.granted and l.pid <> pg_backend_pid()
   order by a.xact_start limit 1`;
const holderOfTable = ({ table }: RowsMigration): string =>
  who(`(select * from pg_locks where relation = '"${table}"'::regclass
  and database = (select oid from pg_database where datname = current_database())
  and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')) l`);
/** Who has locked one of these, longest. */
const holderOfRows = ({ table, key }: RowsMigration): string =>
  who(`"${table}" s join pg_locks l on s.${key[0]} = any($1::bigint[])
  and l.locktype = 'transactionid' and l.transactionid = s.xmax`);

const toldAs = ({ pid, name, since }: { pid: number; name: string; since: string | null }): string =>
  `process ${pid} of the database${name ? ` (${name})` : ''}${since ? `, in a transaction since ${since} UTC` : ''}`;

/** Leaves what others have locked for last, and waits for that alone. */
export async function renewRows(
  migration: RowsMigration,
  place: DatabaseAddress,
  { attempts, pause }: Patience,
  { advance, tell }: { advance: Advance; tell: (line: string) => void },
): Promise<void> {
  const client = await openOutsideTransactions(place);
  const ask = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows;
  /** Takes up each once, and gives what is left. */
  const pass = async (left: readonly string[], total: number): Promise<readonly string[]> => {
    const locked: string[] = [];
    for (let at = 0; at < left.length; ) {
      const next = left.slice(at, at + migration.atOnce);
      const renewed = await unlessLocked(client, () => migration.renewFree(next, ask));
      if (!renewed) return [...locked, ...left.slice(at)];
      at += renewed.taken;
      locked.push(...renewed.locked);
      advance(`${migration.name}: ${migration.what}`, total - (left.length - at) - locked.length, total);
    }
    return locked;
  };
  const holderOf = async (ids: readonly string[]): Promise<string> => {
    const [ofTable] = await ask(holderOfTable(migration));
    const holder = ofTable ?? (await unlessLocked(client, () => ask(holderOfRows(migration), [ids])))?.[0];
    return holder ? toldAs(holder) : 'what others have locked';
  };
  try {
    let left: readonly string[] = await briefTransaction(client, () => migration.list(ask));
    const total = left.length;
    let hasTold = false;
    for (let refusals = 0; left.length > 0; ) {
      const before = left.length;
      left = await pass(left, total);
      if (left.length === 0) break;
      refusals = left.length < before ? 1 : refusals + 1;
      const waiting = { left: left.length, attempts: refusals, who: await holderOf(left) };
      if (refusals >= attempts) throw itemsLockedOut(migration.name, waiting);
      if (!hasTold) tell(`${migration.name} waits for ${waiting.who}, with ${left.length} of ${total} items left.`);
      hasTold = true;
      await pause();
    }
  } finally {
    await client.end();
  }
}
