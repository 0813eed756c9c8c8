/**
 * Puts an upgraded data directory in the place of the old one by renaming: whenever it is interrupted, one of the two
 * is in use and whole.
 */
import { existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './failure.js';

/** Where the data of an older version are kept. */
export const keptOf = (pgdata: string, version: string): string => `${pgdata}-${version}`;

/** Complete, but not in use yet. */
export const upgradedOf = (pgdata: string): string => `${pgdata}.upgraded`;

/** `made` is a data directory on the same file system. */
export async function swap(pgdata: string, version: string, made: string): Promise<void> {
  await renameAtOnce(made, upgradedOf(pgdata));
  await renameAtOnce(pgdata, keptOf(pgdata, version));
  await finishSwap(pgdata);
}

/** Without data in use, what was upgraded takes their place. */
export async function finishSwap(pgdata: string): Promise<void> {
  if (existsSync(pgdata) || !existsSync(upgradedOf(pgdata))) return;
  await renameAtOnce(upgradedOf(pgdata), pgdata).catch((error: unknown) => {
    // Another process was quicker.
    if (codeOf(error) !== 'ENOENT' || !existsSync(pgdata)) throw error;
  });
}

async function renameAtOnce(from: string, to: string): Promise<void> {
  await rename(from, to);
  for (const directory of new Set([dirname(from), dirname(to)])) {
    const handle = await open(directory);
    await handle.sync().finally(() => handle.close());
  }
}
