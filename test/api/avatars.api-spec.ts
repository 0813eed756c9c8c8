/** Pictures of users: set by oneself or an administrator, shown to everybody who may call. */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Pictures } from '../../src/files/pictures.js';
import { type Ask, basic, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { lockWaiters } from '../support/connections.js';
import { eventually } from '../support/eventually.js';
import { heldBytes } from '../support/held-bytes.js';
import { until } from '../support/service.js';
import { Connection } from '../support/socket.js';
import { dot, formOf, storedFiles } from '../support/uploads.js';

let app: TestApp;
const ids: Ids = { Role: 1 };
const as = 'avatar.member';

beforeAll(async () => {
  app = await TestApp.start();
  ids.User = await make(app, 'User', { mark: 'avatar', ids }, { Login: as });
  ids.Other = await make(app, 'User', { mark: 'other', ids }, { Login: 'avatar.other' });
});
afterAll(() => app.stop());

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 0, g: 99, b: 30 } } })
    .png()
    .toBuffer();
const send = async (query: string, ask: Ask = {}, bytes?: Buffer | string) =>
  app.ask(`/avatar.ashx?format=json&include=[AvatarUri]${query}`, {
    method: 'POST',
    body: formOf({}, [{ name: 'me.png', bytes: bytes ?? (await drawn(600, 300)) }]),
    ...ask,
  });
const shown = (query = '', login = as) =>
  fetch(`${app.base}/avatar.ashx?${query}`, { headers: { authorization: basic(login) } });

it('is cut to a square, and its address changes with it', async () => {
  const first = await send('', { as });
  expect([first.status, first.json.AvatarUri]).toEqual([
    200,
    expect.stringMatching(new RegExp(`^${app.base}/avatar\\.ashx\\?UserID=${ids.User}&v=[0-9a-f]{32}$`)),
  ]);
  const answer = await fetch(first.json.AvatarUri, { headers: { authorization: basic('avatar.other') } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect([width, height]).toEqual([256, 256]);
  const second = await send('', { as });
  expect(second.json.AvatarUri).not.toBe(first.json.AvatarUri);
  expect([...(await storedFiles(app)).keys()]).toEqual([second.json.AvatarUri.slice(-32)]);
  expect((await shown('source=temp&operation=crop&x=1&y=2&width=3&height=4')).status).toBe(200);
});

it('is set for others by administrators alone', async () => {
  expect((await send(`&UserID=${ids.Other}`, { as })).status).toBe(403);
  expect((await send(`&UserID=${ids.Other}`)).status).toBe(200);
  expect((await send('&UserID=99999999')).status).toBe(404);
  expect((await shown('UserID=99999999')).status).toBe(404);
});

it('is one file', async () => {
  const file = { name: 'me.png', bytes: await drawn(10, 10) };
  const { status, json } = await send('', { as, body: formOf({}, [file, file]) });
  const says = 'The form has too many parts: at most one file and 20 fields are allowed.';
  expect([status, json.Message]).toEqual([413, says]);
});

it('is answered with the user, when it is set and when it is taken away', async () => {
  const { json: set } = await send('', { as });
  expect(set).toEqual({ ResourceType: 'GeneralUser', Id: ids.User, AvatarUri: expect.any(String) });
  const { json: taken } = await app.ask('/avatar.ashx?format=json&include=[AvatarUri]', { method: 'DELETE', as });
  expect([taken.Id, taken.AvatarUri]).toEqual([ids.User, `${app.base}/avatar.ashx?UserID=${ids.User}`]);
});

it('goes with DELETE, and its bytes with it', async () => {
  const { json } = await send('', { as });
  const key = json.AvatarUri.slice(-32);
  const answer = await app.ask('/avatar.ashx?format=json&include=[AvatarUri]', { method: 'DELETE', as });
  expect([answer.status, answer.json.AvatarUri]).toEqual([200, `${app.base}/avatar.ashx?UserID=${ids.User}`]);
  expect((await storedFiles(app)).has(key)).toBe(false);
});

it('is stored once for an Idempotency-Key, and leaves no bytes of others behind', async () => {
  const headers = { 'idempotency-key': 'one-picture' };
  const first = await send('', { as, headers });
  expect(first.status).toBe(200);
  const files = [...(await storedFiles(app)).keys()];
  expect((await send('', { as, headers })).text).toBe(first.text);
  expect((await send('', { as, headers }, await drawn(99, 99))).status).toBe(409);
  expect([...(await storedFiles(app)).keys()]).toEqual(files);
});

it('leaves no bytes behind where a lost connection lets another request with its key come first', async () => {
  const headers = { 'idempotency-key': 'two-at-once' };
  const bytes = await drawn(50, 50);
  const holder = await app.database.connect();
  try {
    await holder.query('begin');
    // Who claims a key refers to the user; who stores a picture locks the whole row.
    await holder.query('select from general_user where id = $1 for no key update', [ids.User]);
    const { rows } = await holder.query('select pg_backend_pid() as pid');
    const first = send('', { as, headers }, bytes);
    await lockWaiters(app.database);
    const waiting = await app.rows('select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
      rows[0].pid,
    ]);
    expect(waiting).toHaveLength(1);
    const second = send('', { as, headers }, bytes);
    await lockWaiters(app.database, 2);
    await app.rows('select pg_terminate_backend($1)', [waiting[0].pid]);
    await until(async () => {
      const [row] = await app.rows('select count(*)::int as n from pg_stat_activity where pid = $1', [waiting[0].pid]);
      return row.n === 0;
    });
    // The second request waits for the picture, the first one that is run again for its key.
    await lockWaiters(app.database, 2);
    await holder.query('commit');
    const answers = await Promise.all([first, second]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0].text).toBe(answers[1].text);
    const others = (await app.rows('select avatar_uri as uri from general_user where avatar_uri is not null')).length;
    expect((await storedFiles(app)).size).toBe(others);
  } finally {
    holder.release(true);
  }
});

it('is one that stands for it where there is none', async () => {
  const { json } = await app.ask('/avatar.ashx?format=json&include=[AvatarUri]', { method: 'DELETE', as });
  const answer = await fetch(json.AvatarUri, { headers: { authorization: basic('avatar.other') } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect([width, height]).toEqual([128, 128]);
  const etag = answer.headers.get('etag')!;
  const again = { headers: { authorization: basic(as), 'if-none-match': etag } };
  expect((await fetch(json.AvatarUri, again)).status).toBe(304);
  await send('', { as });
  expect((await fetch(json.AvatarUri, again)).status).toBe(200);
  const uris = await app.items('/api/v1/GeneralUsers?include=[AvatarUri]&take=1000');
  for (const { Id, AvatarUri } of uris) expect(AvatarUri).toContain(`${app.base}/avatar.ashx?UserID=${Id}`);
});

it.each([
  ['text', 'no picture'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['nothing', ''],
])('is no %s', async (_, bytes) => {
  const before = await storedFiles(app);
  expect((await send('', { as }, bytes)).status).toBe(400);
  expect(await storedFiles(app)).toEqual(before);
});

it('that waits for its turn holds no memory, and goes when its client leaves', { timeout: 60_000 }, async () => {
  const pictures = app.nest.get(Pictures);
  const { queue } = pictures as unknown as { queue: { waiting: number } };
  let release = (_: Buffer): void => undefined;
  const held = new Promise<Buffer>((resolve) => {
    release = resolve;
  });
  const first = pictures.make(-1, { width: 9, height: 9, fit: 'cover' }, () => held);
  const files = [...(await storedFiles(app)).keys()];
  const picture = Buffer.concat([dot, Buffer.alloc(20_000_000)]);
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  const length = part.length + picture.length + 9;
  const head = `POST /avatar.ashx HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(as)}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`;
  const before = heldBytes();
  const connections: Connection[] = [];
  for (let count = 1; count <= 4; count += 1) {
    const connection = await Connection.open(app);
    connections.push(connection);
    for (const piece of [head, part, picture, '\r\n--b--\r\n']) connection.socket.write(piece);
    await eventually(async () => expect(queue.waiting).toBe(count));
  }
  expect(heldBytes() - before).toBeLessThan(picture.length);
  for (const { socket } of connections) socket.destroy();
  await eventually(async () => expect([queue.waiting, [...(await storedFiles(app)).keys()]]).toEqual([0, files]));
  release(await drawn(9, 9));
  await first;
});

it('needs credentials that may write', async () => {
  expect((await send('', { as: 'nobody' })).status).toBe(401);
  const { Token } = await app.write('AccessTokens', { Name: 'reads', IsReadOnly: true }, { as });
  const headers = { authorization: `Bearer ${Token}` };
  expect((await send('', { as: 'nobody', headers })).status).toBe(403);
});
