/** Thumbnails fit their frame, cost little whatever is attached, and are seen by who sees the file. */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Pictures } from '../../src/files/pictures.js';
import { basic, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { crc32 } from '../support/crc32.js';
import { eventually } from '../support/eventually.js';
import { uploaded } from '../support/uploads.js';

let app: TestApp;
let story: number;
const as = 'thumbnail.member';
const ids: Ids = { Process: 3, Role: 1 };

beforeAll(async () => {
  app = await TestApp.start();
  const place = { mark: 'thumbs', ids };
  for (const kind of ['Project', 'UserStory']) ids[kind] = await make(app, kind, place);
  ids.User = await make(app, 'User', place, { Login: as });
  story = ids.UserStory!;
});
afterAll(() => app.stop());

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });

const seen = (id: number, more = '', login = 'admin', headers: Record<string, string> = {}) =>
  fetch(`${app.base}/AttachmentThumbnail.aspx?AttachmentID=${id}${more}`, {
    headers: { authorization: basic(login), accept: 'application/json', ...headers },
  });
const sizeOf = async (answer: Response) => {
  const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  return [format, width, height];
};

it.each([
  ['png', () => drawn(400, 200).png(), '', ['jpeg', 100, 50]],
  ['jpeg', () => drawn(200, 400).jpeg(), '&width=60&height=60', ['jpeg', 30, 60]],
  ['webp', () => drawn(300, 300).webp(), '&WIDTH=1000&HEIGHT=1000', ['jpeg', 300, 300]],
  ['gif', () => drawn(300, 300).gif(), '', ['png', 100, 100]],
  ['transparent png', () => drawn(300, 150).ensureAlpha(0.5).png(), '', ['png', 100, 50]],
])('of a %s', async (name, picture, query, expected) => {
  const id = await uploaded(app, story, { name, bytes: await picture().toBuffer() });
  const answer = await seen(id, query);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `image/${expected[0]}`]);
  expect(await sizeOf(answer)).toEqual(expected);
  const [attachment] = await app.items(`/api/v1/Attachments?where=(Id eq ${id})&include=[ThumbnailUri]`);
  expect(attachment.ThumbnailUri).toBe(`/AttachmentThumbnail.aspx?AttachmentID=${id}`);
});

it('is turned as the camera was', async () => {
  const bytes = await drawn(400, 200).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  expect(await sizeOf(await seen(await uploaded(app, story, { name: 'a', bytes })))).toEqual(['jpeg', 50, 100]);
});

it('is not sent again to who has it', async () => {
  const id = await uploaded(app, story, { name: 'a.png', bytes: await drawn(10, 10).png().toBuffer() });
  const etag = (await seen(id)).headers.get('etag')!;
  expect((await seen(id, '', 'admin', { 'if-none-match': etag })).status).toBe(304);
  expect((await seen(id, '&width=5', 'admin', { 'if-none-match': etag })).status).toBe(200);
});

/** A header that claims a width and height, and no pixels worth mentioning. */
async function bomb(): Promise<Buffer> {
  const bytes = Buffer.from(await drawn(10, 10).png().toBuffer());
  bytes.writeUInt32BE(30_000, 16);
  bytes.writeUInt32BE(30_000, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

it.each<[string, () => Promise<Buffer> | Buffer]>([
  ['text', () => Buffer.from('text')],
  ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['TIFF', () => drawn(10, 10).tiff().toBuffer()],
  ['a picture that is cut off', async () => (await drawn(800, 800).png().toBuffer()).subarray(0, 300)],
  ['the first bytes of a picture', () => Buffer.from('89504e470d0a1a0a', 'hex')],
  ['a picture of 900 megapixels', bomb],
  ['a picture of 150 MB that cannot be read by lines', () => drawn(7000, 7000).png({ progressive: true }).toBuffer()],
  ['the same as a JPEG', () => drawn(7000, 7000).jpeg({ progressive: true }).toBuffer()],
])('there is none of %s', async (name, bytes) => {
  const id = await uploaded(app, story, { name, bytes: await bytes() });
  const answer = await seen(id);
  expect([answer.status, ((await answer.json()) as { Message: string }).Message]).toEqual([
    404,
    expect.stringContaining('has no thumbnail'),
  ]);
});

it.each(['width=0', 'width=1001', 'height=x', 'height=-5'])('%s is refused', async (query) => {
  expect((await seen(1, `&${query}`)).status).toBe(400);
});

it('is hidden with its file', async () => {
  const id = await uploaded(app, story, { name: 'a.png', bytes: await drawn(10, 10).png().toBuffer() });
  expect((await seen(id, '', as)).status).toBe(404);
  expect((await app.ask(`/AttachmentThumbnail.aspx?AttachmentID=${id}`, { as: 'nobody' })).status).toBe(401);
  await make(app, 'ProjectMember', { mark: '', ids });
  expect((await seen(id, '', as)).status).toBe(200);
});

it('of a hundred asked for at once each is answered', async () => {
  const bytes = await drawn(600, 600).png().toBuffer();
  const id = await uploaded(app, story, { name: 'a.png', bytes });
  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => seen(id, `&width=${at + 1}`)));
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});

it('whoever had the last turn comes behind all others', { timeout: 30_000 }, async () => {
  const bytes = await drawn(7000, 6000).png().toBuffer();
  const id = await uploaded(app, story, { name: 'large.png', bytes });
  const waiting = () => (app.nest.get(Pictures) as unknown as { queue: { waiting: number } }).queue.waiting;
  const ended: string[] = [];
  const ask = async (login: string, width: number): Promise<void> => {
    expect((await seen(id, `&width=${width}`, login)).status).toBe(200);
    ended.push(login);
  };
  const first = [201, 202, 203, 204].map((width) => ask('admin', width));
  await eventually(async () => expect(waiting()).toBe(3));
  await Promise.all([...first, ask(as, 205)]);
  expect(ended).toEqual(['admin', as, 'admin', 'admin', 'admin']);
});
