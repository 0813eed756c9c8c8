/** Files come back as they were sent, whole or in ranges, to whoever may see what they are attached to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import type { Ids } from '../support/builder.js';
import { dot, makeFilesPlace, uploaded } from '../support/uploads.js';

let app: TestApp;
let ids: Ids;
let elsewhere: Ids;
const as = 'downloads.member';

beforeAll(async () => {
  app = await TestApp.start();
  ({ ids, elsewhere } = await makeFilesPlace(app, 'downloads', as));
});
afterAll(() => app.stop());

const story = () => ids.UserStory!;
const download = (id: number, ask = {}) => app.ask(`/Attachment.aspx?AttachmentID=${id}`, ask);
const notes = { name: 'notes.txt', bytes: 'größer & besser\n' };

describe('GET /Attachment.aspx', () => {
  it('gives the bytes back, as a file', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 256));
    const id = await uploaded(app, story(), { name: 'größe "1"; %.bin', bytes }, { as });
    const answer = await fetch(`${app.base}/Attachment.aspx?AttachmentID=${id}`, {
      headers: { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` },
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '300000',
      'content-disposition': `attachment; filename="gr__e _1_; _.bin"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%221%22%3B%20%25.bin`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
    });
  });

  it.each([
    ['bytes=0-3', 206, 'grö', 'bytes 0-3/18'],
    ['bytes=14-', 206, 'ser\n', 'bytes 14-17/18'],
    ['bytes=-4', 206, 'ser\n', 'bytes 14-17/18'],
    ['bytes=0-99', 206, notes.bytes, 'bytes 0-17/18'],
    ['bytes=18-', 416, undefined, 'bytes */18'],
    ['bytes=0-1,1-2', 200, notes.bytes, null],
    ['bytes=0-3,30-40', 206, 'grö', 'bytes 0-3/18'],
    ['bytes=30-31,40-', 416, undefined, 'bytes */18'],
    ['lines=1-2', 200, notes.bytes, null],
  ])('answers %s with %i', async (range, status, text, contentRange) => {
    const id = await uploaded(app, story(), notes, { as });
    const answer = await download(id, { as, headers: { range, accept: 'application/json' } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
    if (text !== undefined) expect(answer.text).toBe(text);
    else expect(answer.json.Status).toBe('RangeNotSatisfiable');
  });

  it('answers several ranges as parts, in the order asked for', async () => {
    const id = await uploaded(app, story(), notes, { as });
    const answer = await download(id, { as, headers: { range: 'bytes=-4, 0-3,99-' } });
    const type = answer.headers.get('content-type')!;
    const [, boundary] = /^multipart\/byteranges; boundary=([0-9a-f]{32})$/.exec(type)!;
    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, null]);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)));
    const part = (range: string, text: string) =>
      `--${boundary}\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Range: bytes ${range}/18\r\n\r\n${text}\r\n`;
    expect(answer.text).toBe(`${part('14-17', 'ser\n')}${part('0-3', 'grö')}--${boundary}--\r\n`);
  });

  it('refuses a download of another file than If-Match names', async () => {
    const id = await uploaded(app, story(), notes, { as });
    const etag = (await download(id, { as })).headers.get('etag')!;
    const statusOf = async (tag: string) => (await download(id, { as, headers: { 'if-match': tag } })).status;
    expect(await Promise.all(['*', etag, `"a", ${etag}`, `W/${etag}`, '"a"'].map(statusOf))).toEqual([
      200, 200, 200, 412, 412,
    ]);
  });

  it('gives no bytes to who has them, and a range only of the file that was meant', async () => {
    const id = await uploaded(app, story(), notes, { as });
    const etag = (await download(id, { as })).headers.get('etag')!;
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const fresh = await download(id, { as, headers: { 'if-none-match': `"other", ${etag}` } });
    expect([fresh.status, fresh.text, fresh.headers.get('etag')]).toEqual([304, '', etag]);
    await app.post(`/api/v1/Attachments/${id}`, { Name: 'renamed.txt' }, { as });
    const renamed = await download(id, { as, headers: { 'if-none-match': etag } });
    expect([renamed.status, renamed.headers.get('content-disposition')]).toEqual([
      304,
      expect.stringContaining('filename="renamed.txt"'),
    ]);
    const headers = { range: 'bytes=0-3' };
    expect((await download(id, { as, headers: { ...headers, 'if-range': etag } })).status).toBe(206);
    for (const condition of ['"other"', `W/${etag}`, 'Mon, 02 Nov 2026 10:00:00 GMT']) {
      const other = await download(id, { as, headers: { ...headers, 'if-range': condition } });
      expect([condition, other.status, other.text]).toEqual([condition, 200, notes.bytes]);
    }
  });

  it('tells the length to HEAD, and no bytes', async () => {
    const id = await uploaded(app, story(), notes, { as });
    const answer = await download(id, { as, method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), answer.text]).toEqual([200, '18', '']);
    for (const range of ['bytes=0-3', 'bytes=99-']) {
      const { status, headers } = await download(id, { as, method: 'HEAD', headers: { range } });
      expect([status, headers.get('content-length'), headers.get('content-range')]).toEqual([200, '18', null]);
    }
  });

  it('serves files of demonstration data from the database alike', async () => {
    const [row] = await app.rows(
      `select id, content from attachment where content is not null and mime_type = 'text/plain' limit 1`,
    );
    const part = await download(row.id, { headers: { range: 'bytes=2-4' } });
    expect([part.status, part.text]).toEqual([206, row.content.subarray(2, 5).toString()]);
    expect((await download(row.id)).headers.get('etag')).toBe(`"${row.id}"`);
  });

  it('shows pictures in place, and HTML, SVG and XML never, whatever they are called', async () => {
    const shown = async (name: string, bytes: string | Buffer, type: string): Promise<string[]> => {
      const { headers } = await download(await uploaded(app, story(), { name, bytes, type }, { as }), { as });
      return [headers.get('content-disposition')!.split(';')[0]!, headers.get('content-type')!];
    };
    const text = 'text/plain; charset=UTF-8';
    const page = '<!DOCTYPE html><script>alert(1)</script>';
    expect(await shown('a.png', dot, 'text/html')).toEqual(['inline', 'image/png']);
    expect(await shown('a.png', page, 'image/png')).toEqual(['attachment', text]);
    expect(await shown('a.html', page, 'text/html')).toEqual(['attachment', text]);
    expect(await shown('a.svg', '<svg onload="alert(1)"/>', 'image/svg+xml')).toEqual(['attachment', text]);
    const xml = '<?xml version="1.0"?><svg onload="alert(1)"/>';
    expect(await shown('a.svg', xml, 'image/svg+xml')).toEqual(['attachment', text]);
    expect(await shown('a.txt', Buffer.from('\ufeffhello', 'utf16le'), 'text/plain')).toEqual([
      'attachment',
      'text/plain; charset=UTF-16',
    ]);
    expect(await shown('a.txt', Buffer.from('größer und besser', 'latin1'), 'text/plain')).toEqual([
      'attachment',
      'text/plain; charset=windows-1252',
    ]);
    expect(await shown('a.js', 'alert(1)', 'text/javascript')).toEqual(['attachment', text]);
  });

  it('compresses nothing, so that ranges fit', async () => {
    const bytes = `<?xml version="1.0"?><a>${'x'.repeat(10_000)}</a>`;
    const id = await uploaded(app, story(), { name: 'a.xml', bytes }, { as });
    const answer = await download(id, { as, headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe(null);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  });

  it('takes an access token in the address', async () => {
    const id = await uploaded(app, story(), notes, { as });
    const { Token } = await app.write('AccessTokens', { Name: 'files' }, { as });
    const answer = await app.raw(`/Attachment.aspx?AttachmentID=${id}&access_token=${encodeURIComponent(Token)}`);
    expect([answer.status, answer.text]).toEqual([200, notes.bytes]);
  });

  it('answers alike what is not there, what may not be seen, and what is deleted', async () => {
    const hidden = await uploaded(app, elsewhere.UserStory!, notes);
    const deleted = await uploaded(app, story(), notes, { as });
    await app.ask(`/api/v1/Attachments/${deleted}`, { method: 'DELETE', as });
    for (const id of [99_999_999, hidden, deleted]) {
      const answer = await download(id, { as, headers: { accept: 'application/json' } });
      expect([answer.status, answer.json.Message.replace(String(id), 'ID')]).toEqual([
        404,
        'Attachment with Id ID not found or access is forbidden.',
      ]);
    }
    expect(await app.items(`/api/v1/Attachments?where=(Id in (${hidden},${deleted}))`, { as })).toEqual([]);
  });
});
