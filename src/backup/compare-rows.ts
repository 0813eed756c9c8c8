/**
 * Compares a database with a copy of it, table by table of the copy: the number of rows, and a sum over what they hold.
 */
import type { DatabaseClient } from '../database/client.js';
import { ArchiveError } from './archive-error.js';
import { quotedName } from './back-up.js';
import { tablesOf } from './catalogue.js';
import type { Watcher } from './watcher.js';

export async function mustHoldTheSame(one: DatabaseClient, copy: DatabaseClient, watcher: Watcher): Promise<number> {
  const tables = await tablesOf(copy);
  let rows = 0;
  for (const [at, { name, columns }] of tables.entries()) {
    watcher.update(`${name} is compared`, at, tables.length);
    const text = `select count(*)::int as rows, sum(hashtextextended(row(${columns.map(quotedName).join(', ')})::text, 0)::numeric)::text as sum
      from ${quotedName(name)}`;
    const [ours, theirs] = await Promise.all([one, copy].map(async (client) => (await client.query(text)).rows[0]));
    if (ours.rows !== theirs.rows || ours.sum !== theirs.sum)
      throw new ArchiveError(`The copy of ${name} differs from what was copied: ${theirs.rows} rows of ${ours.rows}.`);
    rows += ours.rows;
  }
  watcher.line(`All ${rows} rows are the same in both.`);
  return rows;
}
