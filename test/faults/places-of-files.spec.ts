/** A place in which none of the files of the database lies, though it is there: that of another installation. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { command } from '../support/command.js';
import { S3Server } from '../support/s3-server.js';
import { Service } from '../support/service.js';
import { upload, uploaded } from '../support/uploads.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-places-'));
const small = { name: 'small.txt', bytes: 'text' };
const another = 'e'.repeat(32);
const buckets: S3Server[] = [];
let app: TestApp;
let story: number;
let attachment: number;

beforeAll(async () => {
  app = await TestApp.start();
  story = await makeStory(app);
  attachment = await uploaded(app, story, small);
});
afterAll(async () => {
  await app.stop();
  for (const bucket of buckets) await bucket.stop();
  rmSync(directory, { recursive: true });
});

async function makeStory(of: TestApp): Promise<number> {
  const ids: Ids = { Process: 3, Role: 1 };
  for (const kind of ['Project', 'UserStory']) ids[kind] = await make(of, kind, { mark: 'place', ids });
  return ids.UserStory!;
}

async function bucketOf(...keys: string[]): Promise<Record<string, string>> {
  const bucket = await S3Server.start();
  buckets.push(bucket);
  for (const key of keys) bucket.objects.set(key, Buffer.from('of somebody else'));
  return bucket.env;
}

async function diskOf(...keys: string[]): Promise<Record<string, string>> {
  const DATA_DIR = mkdtempSync(join(directory, 'data-'));
  for (const key of keys) {
    const folder = join(DATA_DIR, 'files', key.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    if (key.length > 2) writeFileSync(join(folder, key), 'of somebody else');
  }
  return { DATA_DIR };
}

const statusOfDownload = async (of: TestApp) =>
  (await of.ask(`/Attachment.aspx?AttachmentID=${attachment}`, { headers: { accept: '*/*' } })).status;
const statusOfUpload = async (of: TestApp) => (await upload(of, story, [small])).status;
const urlOf = (of: TestApp): string => (of.database.options as { connectionString: string }).connectionString;

describe.each<[string, () => Promise<Record<string, string>>]>([
  ['an empty bucket', () => bucketOf()],
  ['the bucket of another installation', () => bucketOf(another)],
  ['the directory of another installation', () => diskOf(another)],
])('%s', { timeout: 60_000 }, (_, place) => {
  let env: Record<string, string>;
  beforeAll(async () => {
    env = await place();
  });

  it('is 503 both ways', async () => {
    const wrong = await app.replica(env);
    expect([await statusOfUpload(wrong), await statusOfDownload(wrong)]).toEqual([503, 503]);
    await wrong.stop();
  });

  it('is no place to back up from', async () => {
    const archive = join(directory, 'all.tar');
    const { code, stderr } = await command({ DATABASE_URL: urlOf(app), ...env }, ['backup', archive]);
    expect([code, existsSync(archive)]).toEqual([1, false]);
    expect(stderr).toMatch(/^worktrack: (The bucket|DATA_DIR\/files).* has none of the files of this database: .+\n$/m);
  });

  it('is named by a start', async () => {
    const service = Service.spawn({ DATABASE_URL: urlOf(app), ...env });
    try {
      await service.says(/^worktrack: (The bucket|DATA_DIR\/files).* has none of the files of this database: .+$/m);
    } finally {
      service.kill('SIGTERM');
      await service.ended;
    }
  });
});

describe.each<[string, () => Promise<Record<string, string>>]>([
  ['a bucket', () => bucketOf('00/')],
  ['a bucket with an upload that was cut off', () => bucketOf('00/', another)],
  ['a directory', () => diskOf('00')],
  ['a directory with an upload that was cut off', () => diskOf('00', another)],
])('where all files are lost, and 00 is made for them: %s', { timeout: 60_000 }, (_, place) => {
  it('files are 404, new ones are taken, and a backup is made', async () => {
    const env = await place();
    const archive = join(mkdtempSync(join(directory, 'archive-')), 'all.tar');
    expect(await command({ DATABASE_URL: urlOf(app), ...env }, ['backup', archive])).toMatchObject({ code: 0 });
    const anew = await app.replica(env);
    expect([await statusOfUpload(anew), await statusOfDownload(anew)]).toEqual([200, 404]);
    await app.rows('delete from attachment where id > $1', [attachment]);
    await anew.stop();
  });
});

it('a bucket of others takes the first file of a database, and serves it from then on', async () => {
  const env = await bucketOf(another);
  const first = await TestApp.start(env);
  const id = await uploaded(first, await makeStory(first), small);
  const next = await first.replica(env);
  expect((await next.ask(`/Attachment.aspx?AttachmentID=${id}`)).text).toBe('text');
  await next.stop();
  await first.stop();
});
