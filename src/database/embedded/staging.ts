/** Makes a directory in one step: it is filled under another name and appears complete, or not at all. */
import { chmod, lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './failure.js';

/** When two processes make the same directory at once, the quicker one's stays. */
export async function makeAtOnce(directory: string, fill: (staging: string) => Promise<void>): Promise<void> {
  await removeAbandoned(directory);
  if (await ageOf(directory)) return;
  const staging = await mkdtemp(`${directory}.new-`);
  try {
    await chmod(staging, 0o711);
    await fill(staging);
    await rename(staging, directory).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** What a killed process left half-filled. A young one may still be another process's work. */
async function removeAbandoned(directory: string): Promise<void> {
  const parent = dirname(directory);
  const names = await readdir(parent);
  for (const name of names.filter((each) => each.startsWith(`${basename(directory)}.new-`))) {
    const path = join(parent, name);
    if (((await ageOf(path)) ?? 0) > 10 * 60_000) await rm(path, { recursive: true, force: true });
  }
}

async function ageOf(path: string): Promise<number | undefined> {
  const entry = await lstat(path).catch(() => undefined);
  return entry && Math.max(1, Date.now() - entry.mtimeMs);
}
