/** The job of docs/sync.md, as it stands there. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// biome-ignore lint/suspicious/noExplicitAny: items have the shape that was asked for
export type Copy = Record<string, Map<number, any>>;
export type Asking = (path: string) => Promise<unknown>;

export interface Result {
  readonly changes: { collection: string; id: number; change: string }[];
  readonly copy: Copy;
}

export interface Job {
  sync(ask: Asking, old: Copy): Promise<Result>;
  // biome-ignore lint/suspicious/noExplicitAny: items have the shape that was asked for
  changedItems(ask: Asking, result: Result): AsyncIterable<any>;
}

export async function syncJob(): Promise<Job> {
  const text = await readFile(new URL('../../docs/sync.md', import.meta.url), 'utf8');
  const [, code] = /```js\n(.*?)```/s.exec(text)!;
  const folder = await mkdtemp(join(tmpdir(), 'sync-'));
  try {
    await writeFile(join(folder, 'sync.mjs'), code!);
    return (await import(pathToFileURL(join(folder, 'sync.mjs')).href)) as Job;
  } finally {
    await rm(folder, { recursive: true });
  }
}
