/** Answers are compressed where a client asks for it and it is worth it, and are the same answers. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** As it comes over the wire: `fetch` would undo the compression. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string): Promise<Raw> {
  const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
  return new Promise((resolve, reject) => {
    const asked = request(app.base + path, { method, headers: { authorization, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const list = '/api/v1/UserStories?take=25&format=json';
const undo = { gzip: gunzipSync, br: brotliDecompressSync } as const;

describe.each([
  ['JSON', list],
  ['XML', '/api/v1/UserStories?take=25&format=xml'],
  ['XML by its older name', '/api/v1/UserStories?take=25', { accept: 'text/xml' }],
  ['CSV', '/api/v1/UserStories?take=25&format=csv'],
  ['CSV of version 2', '/api/v2/UserStory?take=25', { accept: 'text/csv' }],
  ['metadata', '/api/v1/UserStories/meta?format=json'],
])('a long answer in %s', (_, path, more: Record<string, string> = {}) => {
  it.each(['gzip', 'br'] as const)('comes as %s to who asks for it, and is the same', async (coding) => {
    const plain = await raw(path, more);
    const answer = await raw(path, { ...more, 'accept-encoding': coding });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, coding]);
    expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
    expect(Number(answer.headers['content-length'])).toBe(answer.body.length);
    expect(answer.body.length).toBeLessThan(plain.body.length / 2);
    expect(undo[coding](answer.body).equals(plain.body)).toBe(true);
  });
});

it.each([
  [undefined, undefined],
  ['identity', undefined],
  ['gzip;q=0', undefined],
  ['deflate', undefined],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.1, gzip', 'gzip'],
])('Accept-Encoding: %s is answered with %s', async (accepted, coding) => {
  const { headers } = await raw(list, accepted === undefined ? {} : { 'accept-encoding': accepted });
  expect(headers['content-encoding']).toBe(coding);
  // Whether or not this one is compressed: another client might get another answer.
  expect(headers.vary).toBe('Authorization, Accept, Accept-Encoding, Cookie');
});

/** Its description is the name many times over. */
async function longStory(name: string): Promise<number> {
  const [{ id: project }] = await app.rows(
    'select id from general where entity_type_id = 1 and delete_date is null order by id limit 1',
  );
  const sent = { Name: name, Description: name.repeat(1500), Project: { Id: project } };
  return (await app.post('/api/v1/UserStories?format=json', sent)).json.Id;
}

it('text in any language survives', async () => {
  const name = 'Größe „Ω“ 木 🚀,';
  const answer = await raw(`/api/v1/UserStories/${await longStory(name)}?format=json`, { 'accept-encoding': 'gzip' });
  expect(answer.headers['content-encoding']).toBe('gzip');
  const { Name, Description } = JSON.parse(gunzipSync(answer.body).toString());
  expect(Name).toBe(name);
  expect(Description === name.repeat(1500)).toBe(true);
});

it('a page of a thousand is compressed too', async () => {
  const path = '/api/v1/Generals?take=1000&format=json';
  const answer = await raw(path, { 'accept-encoding': 'gzip' });
  expect(answer.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(answer.body).equals((await raw(path)).body)).toBe(true);
});

it('HEAD tells the same headers and has no body', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const [got, head] = [await raw(list, headers), await raw(list, headers, 'HEAD')];
  expect(head.body).toHaveLength(0);
  for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'] as const)
    expect(head.headers[name]).toBe(got.headers[name]);
});

it('short answers and errors are sent as they are', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  for (const path of ['/api/v1/UserStories?take=1&include=[Id]&format=json', '/api/v1/Nothing?format=json']) {
    const answer = await raw(path, headers);
    expect(answer.headers['content-encoding']).toBeUndefined();
    JSON.parse(answer.body.toString());
  }
  const long = await raw(`/api/v1/UserStories?where=${'x'.repeat(6000)}&format=json`, headers);
  expect(long.status).toBe(400);
  const text = long.headers['content-encoding'] === 'gzip' ? gunzipSync(long.body) : long.body;
  expect(JSON.parse(text.toString()).Status).toBe('BadRequest');
});

it('whole lists go out as they come, and files as they are', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const lines = await raw('/api/v1/UserStories?format=ndjson', headers);
  expect([lines.body.length > 4096, lines.headers['content-encoding']]).toEqual([true, undefined]);
  const [{ Id }] = await app.items('/api/v1/UserStories?include=[Id]&take=1');
  const form = new FormData();
  form.set('generalId', String(Id));
  form.set('file', new File(['a,b\r\n'.repeat(2000)], 'table.csv', { type: 'text/csv' }));
  const stored = await app.ask('/UploadFile.ashx', { method: 'POST', body: form });
  const file = await raw(`/Attachment.aspx?AttachmentID=${stored.json.items[0].id}`, headers);
  expect([file.body.length, file.headers['content-encoding']]).toEqual([10_000, undefined]);
});

it('pages are never compressed', async () => {
  const id = await longStory('long');
  const page = await raw(`/entity/${id}`, { 'accept-encoding': 'gzip' });
  expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
  expect(page.body.length).toBeGreaterThan(4096);
  expect(page.headers['content-encoding']).toBeUndefined();
});

describe('entity tags', () => {
  it('of compressed answers are weak; both kinds serve If-None-Match and If-Match', async () => {
    const path = `/api/v1/UserStories/${await longStory('tagged')}?format=json`;
    const plain = await raw(path);
    const compressed = await raw(path, { 'accept-encoding': 'br' });
    expect(plain.headers.etag).toMatch(/^"/);
    expect(compressed.headers.etag).toBe(`W/${plain.headers.etag}`);
    for (const tag of [plain.headers.etag!, compressed.headers.etag!]) {
      const same = await raw(path, { 'accept-encoding': 'br', 'if-none-match': tag });
      expect([same.status, same.body.length, same.headers['content-encoding']]).toEqual([304, 0, undefined]);
    }
    const change = (tag: string, name: string) =>
      raw(
        path,
        { 'if-match': tag, 'content-type': 'application/json', 'accept-encoding': 'br' },
        'POST',
        JSON.stringify({ Name: name }),
      );
    const changed = await change(compressed.headers.etag!, 'first');
    expect(changed.status).toBe(200);
    expect((await change(compressed.headers.etag!, 'second')).status).toBe(412);
    expect((await change(changed.headers.etag!, 'third')).status).toBe(200);
  });
});
