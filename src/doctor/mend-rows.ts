/**
 * Mends rows beside those who write them, some at a time, each time in a transaction of its own that locks them before
 * it reads them. Nothing is waited for while others may wait for what is locked: so it is never a request that gives
 * way.
 */
import { briefTransaction } from '../database/brief-transactions.js';
import type { DatabaseClient } from '../database/client.js';
import { type Ask, fewBytes } from '../database/few-bytes.js';
import { patience } from '../database/migrate.js';
import { StartError } from '../server/start-failure.js';
import { lockedOut, patiently } from './patiently.js';

type Client = Pick<DatabaseClient, 'query'>;

interface Mending {
  /** To people. */
  readonly what: string;
  readonly ids: readonly string[];
  /** Of the rows with the ids in `$1`: the first ones lock, without waiting, what the others read and write. */
  readonly statements: readonly string[];
  /** How long the texts of `listed.id` are, where they may be long. */
  readonly bytes?: string;
}

const lockedAtOnce = 20;

export async function mendRows(
  client: Client,
  { what, ids, statements, bytes = '0' }: Mending,
  limits = patience,
): Promise<void> {
  for (let at = 0; at < ids.length; ) {
    const some = await fewBytes(ids.slice(at, at + lockedAtOnce), bytes, askOf(client));
    at += some.length;
    const mend = async (): Promise<boolean> => {
      for (const statement of statements) await client.query(statement, [some]);
      return true;
    };
    if (!(await patiently(limits, () => briefTransaction(client, mend))))
      throw new StartError(`Not all ${what} were mended. ${lockedOut(limits)}`);
  }
}

export const lockRows = (table: string): string =>
  `select from "${table}" where id = any($1::bigint[]) order by id for no key update nowait`;

/** Behind a pooler, settings are those of a transaction. */
export const askOf =
  (client: Client): Ask =>
  (text, values) =>
    briefTransaction(client, async () => (await client.query(text, values)).rows);

export const idsOf = async (client: Client, text: string): Promise<string[]> =>
  (await askOf(client)(text)).map(({ id }) => id);
