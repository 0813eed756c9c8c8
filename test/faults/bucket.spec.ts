/** Files in a bucket: the same as on the disk, and whatever becomes of the bucket, rows and bytes match. */
import { createHash, randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Pictures } from '../../src/files/pictures.js';
import { activity } from '../../src/runtime/activity.js';
import { basic, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { command } from '../support/command.js';
import { emptyDatabase } from '../support/empty-database.js';
import { eventually } from '../support/eventually.js';
import { S3Server } from '../support/s3-server.js';
import { Connection } from '../support/socket.js';
import { formOf, storedFiles, upload, uploaded } from '../support/uploads.js';

let app: TestApp;
let s3: S3Server;
let story: number;
const ids: Ids = { Process: 3, Role: 1 };
const small = { name: 'small.txt', bytes: 'text' };
/** Two whole parts and a bit. */
const long = { name: 'long.bin', bytes: randomFillSync(Buffer.alloc(34_000_000)) };

beforeAll(async () => {
  s3 = await S3Server.start();
  app = await TestApp.start(s3.env);
  for (const kind of ['Project', 'UserStory']) ids[kind] = await make(app, kind, { mark: 'bucket', ids });
  story = ids.UserStory!;
});
afterAll(async () => {
  await app.stop();
  await s3.stop();
});
afterEach(() => eventually(expectBalance, 20_000));

async function expectBalance(): Promise<void> {
  const rows = await app.rows(
    'select unique_file_name as key, size::int as size from attachment where content is null order by 1',
  );
  const objects = [...s3.objects].map(([key, { length }]) => ({ key, size: length }));
  expect(objects.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual(rows);
  expect(s3.uploads.size).toBe(0);
}

const download = (id: number, headers: Record<string, string> = {}) =>
  fetch(`${app.base}/Attachment.aspx?AttachmentID=${id}`, { headers: { authorization: basic('admin'), ...headers } });
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const outcome = async (file = small) => {
  const { status, json } = await upload(app, story, [file]);
  return [status, json.Status];
};
const digests = ({ objects }: S3Server): string[] =>
  [...objects].map(([key, bytes]) => `${key} ${createHash('sha256').update(bytes).digest('hex')}`).toSorted();
const unavailable = [503, 'ServiceUnavailable'];

describe('files', { timeout: 60_000 }, () => {
  it.each([
    ['short', small, ['PUT object']],
    ['empty', { name: 'empty', bytes: '' }, ['PUT object']],
    ['long', long, ['POST uploads', 'PUT part', 'PUT part', 'PUT part', 'POST complete']],
  ])('that are %s come back as they were, whole and in ranges', async (_, file, asked) => {
    s3.asked.length = 0;
    const id = await uploaded(app, story, file);
    expect(s3.asked).toEqual(asked);
    const expected = Buffer.from(file.bytes);
    expect((await bytesOf(await download(id))).equals(expected)).toBe(true);
    if (expected.length === 0) return;
    const part = await download(id, { range: 'bytes=1-2' });
    expect([part.status, (await bytesOf(part)).equals(expected.subarray(1, 3))]).toEqual([206, true]);
    expect(await storedFiles(app)).toEqual(new Map());
  });

  it('go with their row', async () => {
    const id = await uploaded(app, story, small);
    const before = s3.objects.size;
    await app.ask(`/api/v1/Attachments/${id}`, { method: 'DELETE' });
    expect(s3.objects.size).toBe(before - 1);
  });

  it('that are asked for and not taken keep no connection to the bucket', async () => {
    const id = await uploaded(app, story, long);
    for (let at = 0; at < 250; at += 1)
      expect((await app.ask(`/Attachment.aspx?AttachmentID=${id}`, { method: 'HEAD' })).status).toBe(200);
    for (let at = 0; at < 50; at += 1) {
      const leaving = new AbortController();
      const answer = await fetch(`${app.base}/Attachment.aspx?AttachmentID=${id}`, {
        headers: { authorization: basic('admin') },
        signal: leaving.signal,
      });
      expect(answer.status).toBe(200);
      leaving.abort();
    }
    await eventually(async () => expect(s3.connections).toBeLessThan(10));
    expect((await bytesOf(await download(id))).equals(long.bytes)).toBe(true);
  });

  it('whose client leaves leave nothing', async () => {
    const before = s3.objects.size;
    const connection = await Connection.open(app);
    connection.socket.write(
      `POST /UploadFile.ashx HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic('admin')}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 90000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`,
    );
    connection.socket.write(long.bytes);
    await eventually(async () => expect(s3.uploads.size).toBe(1), 20_000);
    connection.socket.destroy();
    await eventually(async () => expect(s3.uploads.size).toBe(0), 20_000);
    expect(s3.objects.size).toBe(before);
  });
});

describe('a bucket', { timeout: 120_000 }, () => {
  it('that finds other bytes than were sent stores nothing', async () => {
    s3.spoil = true;
    try {
      expect(await outcome()).toEqual(unavailable);
      expect(await outcome({ ...small, bytes: long.bytes as never })).toEqual(unavailable);
    } finally {
      s3.spoil = false;
    }
  });

  it('that is lost is 503 both ways, and all else goes on', async () => {
    const id = await uploaded(app, story, small);
    s3.isLost = true;
    try {
      expect(await outcome()).toEqual(unavailable);
      expect((await download(id)).status).toBe(503);
      expect((await app.ask(`/api/v1/Attachments/${id}`)).status).toBe(200);
    } finally {
      s3.isLost = false;
    }
    expect((await download(id)).status).toBe(200);
  });

  it('that answers nothing is 503 both ways in time, and gives back what it held', async () => {
    const hasty = await app.replica({ ...s3.env, S3_TIMEOUT: '1', MAX_UPLOADS: '1', DB_POOL: '2' });
    const id = await uploaded(app, story, small);
    const content = { Name: 'a.txt', Content: 'YQ==', General: { Id: story } };
    const sent = () => hasty.post('/api/v1/Attachments?format=json', content);
    s3.isSilent = true;
    try {
      const answers = await Promise.all([...Array.from({ length: 4 }, sent), upload(hasty, story, [small])]);
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(503));
      expect((await hasty.ask(`/Attachment.aspx?AttachmentID=${id}`)).status).toBe(503);
    } finally {
      s3.isSilent = false;
    }
    expect((await sent()).status).toBe(201);
    expect((await upload(hasty, story, [small])).status).toBe(200);
    await hasty.stop();
  });

  it('that takes its time holds no transaction, however the files came, and nobody else up', async () => {
    const slow = await app.replica({ ...s3.env, DB_POOL: '1' });
    const file = { Name: 'a.txt', Content: 'YQ==' };
    const General = { Id: story };
    const send = (path: string, body: unknown) => slow.post(`/api/v1/${path}?format=json`, body);
    const open = s3.hold();
    try {
      const sent = [
        send('Attachments', { ...file, General }),
        send('Attachments/bulk', Array(40).fill({ ...file, General })),
      ];
      await eventually(async () => expect(s3.connections).toBe(1 + 4));
      const rows = await app.rows(
        "select state from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
      );
      expect(rows).toEqual([]);
      expect((await send(`UserStories/${story}`, { Name: 'changed meanwhile' })).status).toBe(200);
      open();
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([201, 200]);
    } finally {
      open();
      await slow.stop();
    }
  });

  it('is not asked for files whose answer is kept for an Idempotency-Key', async () => {
    const file = { Name: 'a.txt', Content: 'YQ==', General: { Id: story } };
    for (const [path, body] of Object.entries({ Attachments: file, 'Attachments/bulk': [file] })) {
      const send = () => app.post(`/api/v1/${path}`, body, { headers: { 'idempotency-key': `once-${path}` } });
      const first = await send();
      s3.asked.length = 0;
      s3.isLost = true;
      const again = await send();
      s3.isLost = false;
      expect([again.status, again.text, s3.asked]).toEqual([first.status, first.text, []]);
    }
  });

  it.each([
    ['Attachments', (files: object[]) => files.at(-1)!, ''],
    ['Attachments/bulk', (files: object[]) => files, '[3].'],
  ])('is not asked for files of an item that is not there: %s', async (path, bodyOf, place) => {
    const file = { Name: 'a.txt', Content: 'YQ==', General: { Id: story } };
    const body = bodyOf([...Array(3).fill(file), { ...file, General: { Id: 99_999_999 } }]);
    s3.asked.length = 0;
    const { status, json } = await app.post(`/api/v1/${path}?format=json`, body);
    const message = `${place}General.Id: there is no General with Id 99999999, or access to it is forbidden.`;
    expect([status, json.Message, s3.asked]).toEqual([400, message, []]);
  });

  it('that takes its time is not waited for by who deletes files, and is asked for a few at a time', async () => {
    const files = Array(20).fill({ Name: 'a.txt', Content: 'YQ==', General: { Id: story } });
    const { Items } = await app.write('Attachments/bulk', files);
    const targets = JSON.stringify(Items.map(({ Id }: { Id: number }) => ({ Id })));
    const headers = { 'content-type': 'application/json' };
    const open = s3.hold();
    try {
      const answer = await app.ask('/api/v1/Attachments/bulk', { method: 'DELETE', body: targets, headers });
      expect([answer.status, s3.connections]).toEqual([200, 8]);
    } finally {
      open();
    }
  });

  it.each([
    'stalled',
    'cutOff',
  ] as const)('whose bytes of a picture end early is 503, and shows others: %s', async (fault) => {
    const bytes = await sharp(randomFillSync(Buffer.alloc(30_000)), { raw: { width: 100, height: 100, channels: 3 } })
      .png()
      .toBuffer();
    const [bad, good] = [
      await uploaded(app, story, { name: 'bad', bytes }),
      await uploaded(app, story, { name: 'good', bytes }),
    ];
    const form = formOf({}, [{ name: 'me.png', bytes }]);
    expect((await app.ask('/avatar.ashx', { method: 'POST', body: form })).status).toBe(200);
    const thumbnail = (id: number) => app.ask(`/AttachmentThumbnail.aspx?AttachmentID=${id}`);
    const [{ key }] = await app.rows('select unique_file_name as key from attachment where id = $1', [bad]);
    const [{ uri }] = await app.rows('select avatar_uri as uri from general_user where avatar_uri is not null');
    const before = { ...activity.refusals };
    app.nest.get(Pictures).readingMs = 500;
    try {
      s3[fault] = key;
      expect((await Promise.all([bad, good].map(thumbnail))).map(({ status }) => status)).toEqual([503, 200]);
      s3[fault] = uri.slice(-32);
      expect((await app.ask('/avatar.ashx')).status).toBe(503);
    } finally {
      s3[fault] = undefined;
    }
    expect(activity.refusals).toEqual({ ...before, files: before.files + 2 });
    expect((await thumbnail(bad)).status).toBe(200);
    await eventually(async () => expect(s3.connections).toBe(0));
    expect((await app.ask('/avatar.ashx', { method: 'DELETE' })).status).toBe(200);
  });

  it('has a connection for each file that is sent at the same time', async () => {
    const wide = await app.replica({ ...s3.env, MAX_DOWNLOADS: '320' });
    const id = await uploaded(app, story, long);
    const leaving = new AbortController();
    const downloads = await Promise.all(
      Array.from({ length: 70 }, () =>
        fetch(`${wide.base}/Attachment.aspx?AttachmentID=${id}`, {
          headers: { authorization: basic('admin') },
          signal: leaving.signal,
        }),
      ),
    );
    expect(new Set(downloads.map(({ status }) => status))).toEqual(new Set([200]));
    expect(s3.connections).toBe(70);
    expect((await upload(wide, story, [small])).status).toBe(200);
    leaving.abort();
    await eventually(async () => expect(s3.connections).toBe(0));
    await wide.stop();
  });

  it('whose server is away is 503 both ways, and serves when it is back', async () => {
    const id = await uploaded(app, story, small);
    const port = await s3.stop();
    try {
      expect(await outcome()).toEqual(unavailable);
      const answer = await download(id);
      expect(answer.status).toBe(503);
      expect(await answer.text()).not.toMatch(/127\.0\.0\.1|secret|bucket/i);
    } finally {
      await s3.listen(port);
    }
    expect((await download(id)).status).toBe(200);
  });

  it('whose files are other bytes than came, or end too early, is found out by their checksums', async () => {
    const env = { DATABASE_URL: (app.database.options as { connectionString: string }).connectionString, ...s3.env };
    const doctor = async () => {
      const { code, stdout } = await command(env, ['doctor', '--files', '--json']);
      return [code, JSON.parse(stdout).map(({ problem }: { problem: string }) => problem)];
    };
    // As texts, ids of four digits come before those of three.
    await app.rows("select setval(pg_get_serial_sequence('attachment', 'id'), 998)");
    const ids = [await uploaded(app, story, long), await uploaded(app, story, long)];
    expect(ids).toEqual([999, 1000]);
    const rows = await app.rows('select unique_file_name as key from attachment where id = any($1) order by id', [ids]);
    const [changed, short] = rows.map(({ key }) => key);
    expect(await doctor()).toEqual([0, []]);
    const other = Buffer.from(long.bytes);
    other.writeUInt8(other.readUInt8(20_000_000) ^ 1, 20_000_000);
    s3.objects.set(changed, other);
    s3.cutOff = short;
    try {
      expect(await doctor()).toEqual([
        3,
        [
          `1 files have other bytes than came: attachment ${ids[0]} (${changed}).`,
          `1 files cannot be read: attachment ${ids[1]} (${short}).`,
        ],
      ]);
    } finally {
      s3.cutOff = undefined;
    }
    for (const id of ids) await app.ask(`/api/v1/Attachments/${id}`, { method: 'DELETE' });
  });

  it('is backed up, restored to, and looked through', async () => {
    await uploaded(app, story, long);
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-bucket-'));
    const archive = join(directory, 'all.tar');
    const from = { DATABASE_URL: (app.database.options as { connectionString: string }).connectionString, ...s3.env };
    expect(await command(from, ['backup', archive])).toMatchObject({ code: 0 });
    const other = await S3Server.start();
    const to = { DATABASE_URL: await emptyDatabase('restored_bucket'), ...other.env };
    expect(await command(to, ['restore', archive])).toMatchObject({ code: 0 });
    expect(digests(other)).toEqual(digests(s3));
    other.objects.set('e'.repeat(32), Buffer.from('orphan'));
    other.uploads.set('left', { key: 'd'.repeat(32), parts: new Map() });
    const found = await command(to, ['doctor', '--fix', '--json']);
    expect([found.code, JSON.parse(found.stdout)]).toEqual([
      0,
      [{ check: 'files', problem: '2 stored files belong to nothing.', state: 'mended' }],
    ]);
    expect([other.objects.size, other.uploads.size]).toEqual([s3.objects.size, 0]);
    await other.stop();
    rmSync(directory, { recursive: true });
  });
});
