import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { BoundedStore } from './bounded-store.js';
import { DiskStore } from './disk-store.js';
import { newKey } from './file-store.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-bounded-'));
afterAll(() => rmSync(directory, { recursive: true }));

const disk = await DiskStore.open(directory, () => true);

const limit = 100;

/** The outcomes of writes of ten bytes, and of a row of them behind each. */
function trial(bytesStored: () => Promise<number>) {
  const store = new BoundedStore(disk, limit, bytesStored);
  const rows = async <R>(): Promise<R[]> => [{ sum: String(limit) }] as R[];
  const outcome = (act: Promise<void>) =>
    act.then(
      () => 'stored',
      ({ message }: Error) => message.slice(0, 16),
    );
  return {
    write: () => outcome(store.write(newKey(), [Buffer.alloc(10)])),
    row: () => outcome(store.mustFit(10, { rows })),
  };
}

it('refuses what does not fit from the first look on, however many wait for it', async () => {
  let tell = (_: number): void => undefined;
  const { write, row } = trial(() => new Promise<number>((resolve) => (tell = resolve)));
  const writes = [write(), write(), write()];
  expect(await row()).toBe('There is no room');
  tell(limit - 10);
  expect((await Promise.all(writes)).toSorted()).toEqual(['There is no room', 'There is no room', 'stored']);
});

it('looks again where a look has failed', async () => {
  const looks = [() => Promise.reject(new Error('the database is away')), () => Promise.resolve(limit)];
  const { write, row } = trial(() => looks.shift()!());
  expect([await write(), await row(), await write()]).toEqual([
    'the database is ',
    'There is no room',
    'There is no room',
  ]);
});
