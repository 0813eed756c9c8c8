/** Thumbnails fit their frame, cost little whatever is attached, and are seen by who sees the file. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { barePng, mostChunks } from '../../src/files/bare-png.js';
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
  expect(attachment.ThumbnailUri).toBe(`${app.base}/AttachmentThumbnail.aspx?AttachmentID=${id}`);
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

const chunk = (type: string, bytes: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), bytes]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(bytes.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** Behind the first chunk of a PNG. */
const withChunks = (png: Buffer, chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

it('texts in a picture are not unpacked', async () => {
  const text = deflateSync(Buffer.alloc(7_900_000, 'a'));
  const texts = Array.from({ length: 40 }, (_, at) => chunk('zTXt', Buffer.concat([Buffer.from(`k${at}\0\0`), text])));
  const bytes = withChunks(await drawn(10, 10).png().toBuffer(), texts);
  const id = await uploaded(app, story, { name: 'texts.png', bytes });
  expect(await sizeOf(await seen(id))).toEqual(['jpeg', 10, 10]);
  expect(barePng(bytes).includes('zTXt')).toBe(false);
});

it('of a picture of very many empty chunks there is none', async () => {
  const empty = Array.from({ length: mostChunks }, () => chunk('IDAT', Buffer.alloc(0)));
  const bytes = withChunks(await drawn(10, 10).png().toBuffer(), empty);
  const id = await uploaded(app, story, { name: 'chunks.png', bytes });
  expect((await seen(id)).status).toBe(404);
});

it('colours and the side that is up are those of the picture', async () => {
  const turned = await drawn(400, 200).withMetadata({ orientation: 6 }).withIccProfile('p3').png().toBuffer();
  const id = await uploaded(app, story, { name: 'turned.png', bytes: turned });
  const answer = Buffer.from(await (await seen(id)).arrayBuffer());
  const expected = await sharp(turned).autoOrient().resize(100, 100, { fit: 'inside' }).jpeg().toBuffer();
  expect(answer.equals(expected)).toBe(true);
});

it.each(['gif', 'webp'] as const)('of an animated %s it is the first image', async (format) => {
  const colours = ['#f00', '#0f0', '#00f'];
  const images = colours.map((background) =>
    sharp({ create: { width: 40, height: 20, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const bytes = await sharp(await Promise.all(images), { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
  expect((await sharp(bytes).metadata()).pages).toBe(3);
  const answer = await seen(await uploaded(app, story, { name: 'a', bytes }));
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([40, 20]);
  expect([...data.subarray(0, 3)].map((value) => value > 128)).toEqual([true, false, false]);
});

/** The same chunk or image so many times. */
const repeated = (part: Buffer, times: number): Buffer => Buffer.alloc(part.length * times, part);

const riff = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
};

async function webpOfFrames(count: number): Promise<Buffer> {
  const still = await drawn(1, 1).webp().toBuffer();
  const place = Buffer.alloc(16);
  const frame = riff('ANMF', Buffer.concat([place, still.subarray(12)]));
  const head = riff('VP8X', Buffer.concat([Buffer.of(2), Buffer.alloc(9)]));
  const parts = [Buffer.from('WEBP'), head, riff('ANIM', Buffer.alloc(6)), repeated(frame, count)];
  return riff('RIFF', Buffer.concat(parts));
}

function gifOfImages(count: number): Buffer {
  const header = Buffer.from('47494638396101000100800000ffffffffffff', 'hex');
  return Buffer.concat([
    header,
    repeated(Buffer.from('2c0000000001000100000202440100', 'hex'), count),
    Buffer.of(0x3b),
  ]);
}

async function jpegOfNotes(count: number): Promise<Buffer> {
  const still = await drawn(1, 1).jpeg().toBuffer();
  return Buffer.concat([still.subarray(0, 2), repeated(Buffer.from('ffe10002', 'hex'), count), still.subarray(2)]);
}

it.each<[string, number, () => Promise<Buffer> | Buffer]>([
  ['a WebP of 400,000 frames', 200, () => webpOfFrames(400_000)],
  ['a WebP of 60,000 frames', 200, () => webpOfFrames(60_000)],
  ['a GIF of 500,000 images', 200, () => gifOfImages(500_000)],
  ['a GIF of 2,000,000 images', 200, () => gifOfImages(2_000_000)],
  ['a JPEG of 2,000,000 notes', 404, () => jpegOfNotes(2_000_000)],
])('%s keeps no other picture waiting', async (name, status, bytes) => {
  const long = await uploaded(app, story, { name, bytes: await bytes() });
  const id = await uploaded(app, story, { name: 'a.png', bytes: await drawn(10, 10).png().toBuffer() });
  const answers = await Promise.all([seen(long), seen(id, '', 'admin')]);
  expect(answers.map((answer) => answer.status)).toEqual([status, 200]);
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
  ['a picture that is wider than 32,767', () => drawn(32_768, 10).png().toBuffer()],
  ['a picture that is higher than 32,767', () => drawn(10, 32_768).png().toBuffer()],
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
  expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});

it('whoever had the last turn comes behind all others', async () => {
  const bytes = await drawn(3000, 2000).png().toBuffer();
  const id = await uploaded(app, story, { name: 'large.png', bytes });
  const pictures = app.nest.get(Pictures);
  const { queue } = pictures as unknown as { queue: { waiting: number } };
  let release = (_: Buffer): void => undefined;
  const held = new Promise<Buffer>((resolve) => {
    release = resolve;
  });
  const [{ Id: admin }] = await app.items("/api/v1/Users?where=(Login eq 'admin')&include=[Id]");
  const first = pictures.make(admin, { width: 9, height: 9, fit: 'cover' }, () => held);
  const ended: string[] = [];
  const ask = async (login: string, width: number): Promise<void> => {
    expect((await seen(id, `&width=${width}`, login)).status).toBe(200);
    ended.push(login);
  };
  const others = [201, 202, 203].map((width) => ask('admin', width));
  await eventually(async () => expect(queue.waiting).toBe(3));
  others.push(ask(as, 205));
  await eventually(async () => expect(queue.waiting).toBe(4));
  release(bytes);
  await Promise.all([first, ...others]);
  expect(ended).toEqual([as, 'admin', 'admin', 'admin']);
});

it('is refused with 429 where too many of one user wait, with 503 where too many of all do', async () => {
  const bytes = await drawn(10, 10).png().toBuffer();
  const id = await uploaded(app, story, { name: 'small.png', bytes });
  const pictures = app.nest.get(Pictures);
  const { queue } = pictures as unknown as { queue: { waiting: number } };
  const [{ Id: admin }] = await app.items("/api/v1/Users?where=(Login eq 'admin')&include=[Id]");
  const frame = { width: 9, height: 9, fit: 'cover' } as const;
  let release = (_: Buffer): void => undefined;
  const held = new Promise<Buffer>((resolve) => {
    release = resolve;
  });
  const first = pictures.make(admin, frame, () => held);
  const own = Array.from({ length: 16 }, (_, at) => seen(id, `&width=${301 + at}`));
  await eventually(async () => expect(queue.waiting).toBe(16));
  const answerOf = async (answer: Response) => [answer.status, answer.headers.get('retry-after')];
  expect(await answerOf(await seen(id, '&width=400'))).toEqual([429, '5']);
  const others = [-1, -2, -3].flatMap((user) =>
    Array.from({ length: 16 }, () => pictures.make(user, frame, async () => bytes)),
  );
  await eventually(async () => expect(queue.waiting).toBe(64));
  // Whoever had the last turn gives way.
  const another = seen(id, '&width=401', as);
  const answers = own.map(async (one) => answerOf(await one));
  expect(await Promise.race(answers)).toEqual([503, '5']);
  release(bytes);
  await Promise.all([first, ...others]);
  expect(await answerOf(await another)).toEqual([200, null]);
  expect((await Promise.all(answers)).filter(([status]) => status === 200)).toHaveLength(15);
});

it('of one that many ask for at once is made once', async () => {
  const bytes = await drawn(20, 10).png().toBuffer();
  const id = await uploaded(app, story, { name: 'wanted.png', bytes });
  const pictures = app.nest.get(Pictures);
  const { queue } = pictures as unknown as { queue: { waiting: number } };
  let release = (_: Buffer): void => undefined;
  const held = new Promise<Buffer>((resolve) => {
    release = resolve;
  });
  const first = pictures.make(-1, { width: 9, height: 9, fit: 'cover' }, () => held);
  const answers = Array.from({ length: 30 }, () => seen(id));
  await eventually(async () => expect(queue.waiting).toBeGreaterThan(0));
  release(bytes);
  expect(await Promise.all(answers.map(async (answer) => (await answer).status))).toEqual(Array(30).fill(200));
  await first;
});

it('of one that many ask for is made for the others where the turn of the first is refused', async () => {
  const bytes = await drawn(20, 10).png().toBuffer();
  const pictures = app.nest.get(Pictures);
  const { queue } = pictures as unknown as { queue: { waiting: number } };
  const frame = { width: 9, height: 9, fit: 'cover' } as const;
  let release = (_: Buffer): void => undefined;
  const held = new Promise<Buffer>((resolve) => {
    release = resolve;
  });
  let reads = 0;
  const wanted = (userId: number) =>
    pictures.shared(userId, 'wanted by several', frame, async () => {
      reads += 1;
      return bytes;
    });
  const first = pictures.make(-1, frame, () => held);
  const waiting = (userId: number, count: number) =>
    Array.from({ length: count }, () => pictures.make(userId, frame, async () => bytes));
  const own = Promise.allSettled(waiting(-1, 15));
  const refused = wanted(-1);
  const joined = [-5, -6, -7].map(wanted);
  const others = [-2, -3, -4].flatMap((userId) => waiting(userId, 16));
  expect(queue.waiting).toBe(64);
  // The last one of whoever had the last turn gives way.
  others.push(...waiting(-8, 1));
  await expect(refused).rejects.toMatchObject({ status: 'ServiceUnavailable' });
  release(bytes);
  await Promise.all([first, ...others, ...joined]);
  expect(reads).toBe(1);
  await own;
});

it('is kept, and so is that there is none, but not that the bytes did not come', async () => {
  const pictures = app.nest.get(Pictures);
  const frame = { width: 9, height: 9, fit: 'cover' } as const;
  let reads = 0;
  const of = (tag: string, bytes: Buffer | undefined) =>
    pictures.shared(-1, tag, frame, async () => {
      reads += 1;
      if (!bytes) throw new Error('no bytes');
      return bytes;
    });
  const outcomes = async (tag: string, bytes?: Buffer) => {
    reads = 0;
    const together = await Promise.allSettled([of(tag, bytes), of(tag, bytes)]);
    const [later] = await Promise.allSettled([of(tag, bytes)]);
    return [...together, later!].map(({ status }) => status);
  };
  const good = await drawn(10, 10).png().toBuffer();
  expect([await outcomes('good', good), reads]).toEqual([Array(3).fill('fulfilled'), 1]);
  expect([await outcomes('damaged', good.subarray(0, 50)), reads]).toEqual([Array(3).fill('rejected'), 1]);
  expect([await outcomes('away'), reads]).toEqual([Array(3).fill('rejected'), 2]);
});
