/**
 * Makes an index while others write: outside a transaction, telling how far it is. One that is not valid is made anew
 * where an interruption has left it, and waited for where a backend is still making it, whose client may be gone.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseClient } from './client.js';
import { type DatabaseAddress, openOutsideTransactions } from './open-client.js';

export interface WantedIndex {
  readonly name: string;
  /** The table, and what is indexed: `general (name) where delete_date is null`. */
  readonly on: string;
}

/** How far a part of the work is; the total may be an estimate. */
export type Advance = (part: string, done: number, total: number) => void;

export async function makeConcurrently(place: DatabaseAddress, index: WantedIndex, advance: Advance): Promise<void> {
  const client = await openOutsideTransactions(place);
  try {
    const making = make(client, index);
    // An index that cannot be looked at is made all the same.
    await watch(making, place, index, advance).catch(() => undefined);
    await making;
  } finally {
    await client.end();
  }
}

async function make(client: DatabaseClient, { name, on }: WantedIndex): Promise<void> {
  let state = await stateOf(client, name);
  for (; state === 'begun' && (await isBeingMade(client, name)); state = await stateOf(client, name))
    await wait(lookEveryMs, undefined, { ref: false });
  if (state === 'made') return;
  if (state === 'begun') await client.query(`drop index concurrently ${name}`);
  await client.query(`create index concurrently ${name} on ${on}`);
}

async function stateOf(client: DatabaseClient, name: string): Promise<'made' | 'begun' | 'absent'> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (!rows[0]) return 'absent';
  return rows[0].valid ? 'made' : 'begun';
}

const beingMade = `pg_stat_progress_create_index where datname = current_database() and index_relid = to_regclass($1)`;

/** Where nobody can look, it is not waited for. */
const isBeingMade = (client: DatabaseClient, name: string): Promise<boolean> =>
  client.query(`select from ${beingMade}`, [name]).then(
    ({ rowCount }) => rowCount! > 0,
    () => false,
  );

interface Progress {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}

const progressOf = `select phase, (case when tuples_total > 0 then tuples_done when blocks_total > 0 then blocks_done else lockers_done end)::float8 as done,
    (case when tuples_total > 0 then tuples_total when blocks_total > 0 then blocks_total else lockers_total end)::float8 as total
  from ${beingMade}`;

const lookEveryMs = 500;

/**
 * Looks from another connection, each time in a transaction of its own. The making of the index waits for the end of
 * every transaction in which a statement runs at the wrong moment: one that stays open until the index is made would
 * never end.
 */
async function watch(
  making: Promise<void>,
  place: DatabaseAddress,
  { name }: WantedIndex,
  advance: Advance,
): Promise<void> {
  let isOver = false;
  const over = making
    .catch(() => undefined)
    .then(() => {
      isOver = true;
    });
  const observer = await openOutsideTransactions(place);
  try {
    while (!isOver) {
      const [state] = (await observer.query<Progress>(progressOf, [name])).rows;
      if (state) advance(`${name}: ${state.phase}`, state.done, state.total);
      await Promise.race([over, wait(lookEveryMs, undefined, { ref: false })]);
    }
  } finally {
    await observer.end();
  }
}

/** For where no bar can be drawn: a line for each part, and for each tenth of it. */
export function inLines(tell: (line: string) => void): Advance {
  let last = '';
  return (part, done, total) => {
    const line = total > 0 ? `${part}, ${Math.floor(Math.min(1, done / total) * 10) * 10} %` : part;
    if (line !== last) tell(line);
    last = line;
  };
}
