/**
 * Locks projects that are deleted, with all that lies in them. Whoever writes an item comes to its project later;
 * whoever makes a part of an item comes to the project first, and to the item when his transaction ends. Neither order
 * suits both, so a deletion that has to wait lets go of everything, lets others pass, and tries the other order.
 */
import type { Circumstances } from './circumstances.js';
import { hierarchyOf } from './hierarchy.js';

/**
 * For each row that somebody holds. All less than the second after which PostgreSQL looks for a deadlock, so that the
 * others do not fail, as long as what lies in the project is locked within that.
 */
const waitsMs = [1, 50, 100, 200, 400];

export async function holdContents(projects: readonly number[], work: Circumstances): Promise<void> {
  if (projects.length === 0) return;
  const { contents, level } = hierarchyOf(work.model);
  const items = lockedIn(contents, `${level}, id for no key update`);
  const itself = lockedIn('select id from general where id = any($1::bigint[])', 'id for update');
  // Those that were made while we waited for the project are locked behind it.
  const orders = [
    [itself, items],
    [items, itself, items],
  ];
  const lockAll = async (order: readonly string[]): Promise<void> => {
    for (const statement of order) await work.early(statement, [projects]);
  };
  const [{ usual }] = (await work.early<{ usual: string }>(usualWaits)) as [{ usual: string }];
  const lockWithin = async (order: readonly string[], waitMs: number): Promise<void> => {
    await work.early(limitWaits, [String(waitMs)]);
    await lockAll(order);
    await work.early(limitWaits, [usual]);
  };
  for (const waitMs of waitsMs)
    for (const order of orders) if (await work.unlessHeld(() => lockWithin(order, waitMs))) return;
  await lockAll(orders[0]!);
}

const lockedIn = (rows: string, order: string): string => `select count(*) from (${rows} order by ${order}) locked`;

const usualWaits = `select current_setting('lock_timeout') as usual`;

const limitWaits = `select set_config('lock_timeout', $1::text, true)`;
