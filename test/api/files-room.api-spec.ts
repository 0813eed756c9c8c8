/** Forms of several files, and forms that come again, where there is little room for files. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DiskStore } from '../../src/files/disk-store.js';
import { FILE_STORE } from '../../src/files/file-store.token.js';
import { TestApp } from '../support/app.js';
import { expectBalance, makeFilesPlace, type Sent, upload } from '../support/uploads.js';

let app: TestApp;
let story: number;
const as = 'files.room';

beforeAll(async () => {
  app = await TestApp.start();
  story = (await makeFilesPlace(app, 'room', as)).ids.UserStory!;
});
afterAll(() => app.stop());
afterEach(() => expectBalance(app));

const store = () => app.nest.get(FILE_STORE) as unknown as { limit: number; readAt: number; store: DiskStore };
const file = (name: string, size: number): Sent => ({ name, bytes: Buffer.alloc(size, name) });

/** While `act` runs there is room for so many more bytes, by MAX_FILES_GB or on the disk. */
type WithRoom = <T>(bytes: number, act: () => Promise<T>) => Promise<T>;

const ofAllFiles: WithRoom = async (bytes, act) => {
  const [{ sum }] = await app.rows('select coalesce(sum(size), 0)::int as sum from attachment');
  const usual = store().limit;
  Object.assign(store(), { limit: sum + bytes, readAt: Number.NEGATIVE_INFINITY });
  return act().finally(() => Object.assign(store(), { limit: usual, readAt: Number.NEGATIVE_INFINITY }));
};

const onTheDisk: WithRoom = async (bytes, act) => {
  const disk = store().store;
  const usual = disk.reservedBytes;
  disk.reservedBytes = 0;
  disk.freeBytes = async () => bytes;
  return act().finally(() => {
    disk.reservedBytes = usual;
    Reflect.deleteProperty(disk, 'freeBytes');
  });
};

describe.each<[where: string, withRoom: WithRoom, refusal: number]>([
  ['of all files', ofAllFiles, 409],
  ['on the disk', onTheDisk, 503],
])('room %s', (_, withRoom, refusal) => {
  it.each([
    ['files of one size', [400_000, 400_000, 400_000]],
    ['a tiny one behind a large one', [1_200_000, 10]],
    ['a large one behind tiny ones', [10, 20, 30, 1_200_000]],
    ['many', Array(15).fill(80_000)],
  ])('is enough for a form of %s that fits', async (_, sizes: number[]) => {
    const files = sizes.map((size, at) => file(`f${at}`, size));
    const total = sizes.reduce((sum, size) => sum + size);
    // What stands between the files is no part of them.
    const fitting = await withRoom(total + 200 * (files.length + 2), () => upload(app, story, files, { as }));
    expect([fitting.status, fitting.text]).toEqual([200, expect.stringContaining('items')]);
    expect((await withRoom(total - 100, () => upload(app, story, files, { as }))).status).toBe(refusal);
  });
});
