/** Makes a directory in one step: it is filled under another name and appears complete, or not at all. */
import { rmSync } from 'node:fs';
import { chmod, lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './failure.js';

/** When two processes make the same directory at once, the quicker one's stays. */
export async function makeAtOnce(directory: string, fill: (staging: string) => Promise<void>): Promise<void> {
  await removeAbandoned(directory);
  if (await ageOf(directory)) return;
  const staging = await mkdtemp(`${directory}.new-`);
  const keep = removeAtExit(staging);
  try {
    await chmod(staging, 0o711);
    await fill(staging);
    await rename(staging, directory).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
    keep();
  }
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Also where a signal ends the process, until what this gives is called. Programs that fill it have ended by then. */
function removeAtExit(staging: string): () => void {
  const remove = (): void => {
    try {
      rmSync(staging, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    } catch {
      // A later start removes it.
    }
  };
  // Without a handler, a signal ends a process without its exit.
  const end = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  };
  process.on('exit', remove);
  for (const signal of endingSignals) process.on(signal, end);
  return () => {
    process.off('exit', remove);
    for (const signal of endingSignals) process.off(signal, end);
  };
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
