/** Forms of several files, and forms that come again, where there is little room for files. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DiskStore } from '../../src/files/disk-store.js';
import { FILE_STORE } from '../../src/files/file-store.token.js';
import { type Answer, TestApp } from '../support/app.js';
import { dot, expectBalance, makeFilesPlace, type Sent, upload } from '../support/uploads.js';

let app: TestApp;
let story: number;
let project: number;
let user: number;
const as = 'files.room';

beforeAll(async () => {
  app = await TestApp.start();
  const { ids } = await makeFilesPlace(app, 'room', as);
  [story, project, user] = [ids.UserStory!, ids.Project!, ids.User!];
});
afterAll(() => app.stop());
afterEach(() => expectBalance(app));

const store = () =>
  app.nest.get(FILE_STORE) as unknown as { limit: number; readAt: number; store: { store: DiskStore } };
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
  const disk = store().store.store;
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

describe('a form with an Idempotency-Key that comes again', () => {
  let keys = 0;
  const files = async () => (await app.rows('select count(*)::int as count from attachment'))[0].count;

  /** The answers to a form before and behind a change, and to the same form with another key and with other bytes. */
  async function aroundChange(path: string, general: number, change: (send: () => Promise<void>) => Promise<void>) {
    keys += 1;
    const answers: Answer[] = [];
    const send = async (key: string, name: string) => {
      const headers = { 'idempotency-key': `${keys} ${key}`.replace(' ', '-') };
      answers.push(await upload(app, general, [file(name, 1000), file('b', 10)], { as, path, headers }));
    };
    await send('key', 'a');
    const count = await files();
    await change(async () => {
      await send('key', 'a');
      await send('other', 'a');
      await send('key', 'c');
    });
    expect(await files()).toBe(count);
    return answers;
  }

  const item = async (): Promise<number> =>
    (await app.write('UserStories', { Name: 'a', Project: { Id: project } })).Id;

  const changes: [
    what: string,
    change: (id: number, send: () => Promise<void>) => Promise<unknown>,
    refusal: number,
  ][] = [
    ['there is no room', (_, send) => ofAllFiles(500, send), 409],
    ['the disk is full', (_, send) => onTheDisk(0, send), 503],
    ['its item is deleted', (id, send) => app.ask(`/api/v1/UserStories/${id}`, { method: 'DELETE' }).then(send), 400],
    [
      'its caller may only read',
      async (_, send) => {
        await app.write(`Users/${user}`, { IsObserver: true });
        await send().finally(() => app.write(`Users/${user}`, { IsObserver: false }));
      },
      403,
    ],
  ];

  it.each(
    changes.flatMap((one) => [
      ['/UploadFile.ashx?format=json', 200, ...one] as const,
      ['/api/v1/Attachments?format=json', 201, ...one] as const,
    ]),
  )('to %s is answered as before (%d) where %s', async (path, status, _, change, refusal) => {
    const id = await item();
    const [before, behind, other, otherForm] = await aroundChange(
      path,
      id,
      (send) => change(id, send) as Promise<void>,
    );
    expect([before!.status, behind!.status, behind!.text]).toEqual([status, status, before!.text]);
    expect([other!.status, otherForm!.status]).toEqual([refusal, 409]);
    expect(otherForm!.json.Message).toMatch(/^This Idempotency-Key was used for another request/);
  });

  it('to /avatar.ashx is answered as before where there is no room', async () => {
    const send = (key: string) => {
      const form = new FormData();
      form.append('image', new Blob([dot], { type: 'image/png' }), 'dot.png');
      return app.ask('/avatar.ashx?format=json', {
        method: 'POST',
        body: form,
        as,
        headers: { 'idempotency-key': key },
      });
    };
    const before = await send('avatar');
    const [behind, other] = await ofAllFiles(0, async () => [await send('avatar'), await send('other-avatar')]);
    expect([before.status, behind!.status, behind!.text, other!.status]).toEqual([200, 200, before.text, 409]);
    await app.ask('/avatar.ashx', { method: 'DELETE', as });
  });
});
