/**
 * Forms with files that must be refused or survived: whatever comes, rows and bytes match, and nothing is half stored.
 */
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readlink, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DiskStore } from '../../src/files/disk-store.js';
import { FILE_STORE } from '../../src/files/file-store.token.js';
import { Forms } from '../../src/files/forms.js';
import { machine } from '../../src/files/partial-name.js';
import { basic, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { eventually } from '../support/eventually.js';
import { Connection, say, statusesOf } from '../support/socket.js';
import { expectBalance, formOf, storedFiles, upload, uploaded } from '../support/uploads.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
let story: number;
const ids: Ids = { Process: 3, Role: 1 };
const as = 'hostile.files';
const mebibyte = 2 ** 20;

beforeAll(async () => {
  app = await TestApp.start({ MAX_FILE_MB: '1', MAX_FILES_PER_UPLOAD: '3', MAX_UPLOADS: '8' });
  const place = { mark: 'hostile', ids };
  for (const kind of ['Project', 'UserStory']) ids[kind] = await make(app, kind, place);
  ids.User = await make(app, 'User', place, { Login: as });
  await make(app, 'ProjectMember', place);
  story = ids.UserStory!;
});
afterAll(() => app.stop());
// A client that has left is not waited for.
afterEach(() => eventually(() => expectBalance(app), 20_000));

const partialCount = (stored: ReadonlyMap<string, number>): number =>
  [...stored.keys()].filter((name) => name.endsWith('.part')).length;

const count = async (): Promise<number> => (await app.rows('select count(*)::int as count from attachment'))[0].count;

const boundary = 'the-boundary';
const part = (headers: string, body: string): string => `--${boundary}\r\n${headers}\r\n\r\n${body}\r\n`;
const file = (name: string, body = 'x'): string =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"`, body);
const chosen =
  'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: application/octet-stream';
const field = (name: string, value: string | number): string =>
  part(`Content-Disposition: form-data; name="${name}"`, String(value));
const described = (charset: string, text: string): string =>
  part(`Content-Disposition: form-data; name="description"\r\nContent-Type: text/plain; charset=${charset}`, text);
const end = `--${boundary}--\r\n`;
const head = (length: number | 'chunked', more = ''): string =>
  [
    'POST /UploadFile.ashx?format=json HTTP/1.1',
    'Host: x',
    `Authorization: ${basic(as)}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    `${more}\r\n`,
  ].join('\r\n');

const noBoundary = /^The Content-Type of the form names no boundary\.$/;

async function refused(body: string | Buffer, status: number, says: RegExp): Promise<void> {
  const before = await count();
  for (const format of ['json', 'xml']) {
    const answer = await app.ask(`/UploadFile.ashx?format=${format}`, {
      method: 'POST',
      body: Buffer.from(body),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      as,
    });
    const message = format === 'json' ? answer.json.Message : (await parseXml(answer.text)).children[1]!.text;
    expect([answer.status, message]).toEqual([status, expect.stringMatching(says)]);
  }
  expect(await count()).toBe(before);
}

/** Each would keep the service busy for a tenth of a second if all of its parts were looked at. */
it('hundreds of forms of thousands of empty parts are refused at once', async () => {
  const body = Buffer.from('--b\r\n\r\n\r\n'.repeat(6000));
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  for (let at = 0; at < 400; at++)
    expect((await app.ask('/UploadFile.ashx', { method: 'POST', body, headers, as })).status).toBe(400);
});

describe('forms that are refused', () => {
  const good = () => field('generalId', story) + file('a.txt');
  it.each<[string, () => string | Buffer, number, RegExp]>([
    ['no end', good, 400, /ends before its last boundary/],
    [
      'an end in the middle of a file',
      () => good() + file('b.txt', 'y'.repeat(100_000)).slice(0, -20),
      400,
      /ends before/,
    ],
    ['an end in the middle of headers', () => `${good()}--${boundary}\r\nContent-Disp`, 400, /ends before|well-formed/],
    ['nothing', () => '', 400, /./],
    ['no part', () => end, 400, /no file|well-formed|ends before/],
    ['no boundary that was told', () => good().replaceAll(boundary, 'other') + end, 400, /./],
    ['10,000 files', () => field('generalId', story) + file('a').repeat(10_000) + end, 413, /at most 3 files/],
    ['10,000 fields', () => field('a', 1).repeat(10_000) + end, 413, /too many parts/],
    [
      '10,000 parts that are neither',
      () => part('Content-Disposition: form-data', 'z').repeat(10_000) + end,
      413,
      /too many parts/,
    ],
    ['a field of 100 KiB', () => field('a', 'b'.repeat(100_000)) + end, 400, /longer than 65536/],
    [
      'a file of 1 byte too many',
      () => field('generalId', story) + file('b', 'y'.repeat(mebibyte + 1)) + end,
      413,
      /larger than 1048576/,
    ],
    ['a header of a megabyte', () => part(`X: ${'y'.repeat(mebibyte)}`, 'z') + end, 413, /16384 bytes of them/],
    [
      'a header of a megabyte behind the others',
      () => part(`Content-Disposition: form-data; name="a"\r\nX: ${'y'.repeat(mebibyte)}`, 'z') + end,
      413,
      /16384 bytes of them/,
    ],
    [
      '30 headers of a part',
      () => part(`Content-Disposition: form-data; name="a"${'\r\nX: y'.repeat(30)}`, 'z') + end,
      413,
      /more than 20 headers/,
    ],
    [
      'a field in which no file was chosen',
      () => field('generalId', story) + part(chosen.replace('a.txt', ''), '') + end,
      400,
      /no file/,
    ],
    ['a file in place of the entity', () => file('a') + end, 400, /generalId/],
    [
      'two entities',
      () => field('generalId', story) + field('GeneralID', ids.Project!) + file('a') + end,
      400,
      /GeneralID: is given twice/,
    ],
    ['a name of the prototype', () => field('__proto__', story) + file('a') + end, 400, /generalId/],
    [
      'a NUL in the description',
      () => field('generalId', story) + field('description', 'a\0b') + file('a') + end,
      400,
      /./,
    ],
    [
      'a description that is no UTF-8',
      () => Buffer.from(field('generalId', story) + field('description', 'a\u00ff') + file('a') + end, 'latin1'),
      400,
      /description: this is not valid UTF-8/,
    ],
    ...['\u00e4.txt', '\u00c0\u00af.txt', 'a\u00ed\u00a0\u0080.txt'].map(
      (name): [string, () => Buffer, number, RegExp] => [
        `the name %${Buffer.from(name, 'latin1').toString('hex')} of a file, which is no UTF-8`,
        () => Buffer.from(field('generalId', story) + file(name) + end, 'latin1'),
        400,
        /A name in the form is not valid UTF-8/,
      ],
    ),
    ...["UTF-8''%E4.txt", "UTF-8''%C0%AF.txt", "ISO-8859-1''%E4.txt"].map(
      (name): [string, () => string, number, RegExp] => [
        `the encoded name ${name}`,
        () => field('generalId', story) + part(chosen.replace('filename="a.txt"', `filename*=${name}`), 'x') + end,
        400,
        /A name in the form is not valid UTF-8/,
      ],
    ),
    ...[`filename*0="a"; filename*1="b.txt"`, `filename="a.txt"; filename*0*=UTF-8''a; filename*1*=%C3%A4.txt`].map(
      (name): [string, () => string, number, RegExp] => [
        `a name in pieces, ${name}`,
        () => field('generalId', story) + part(chosen.replace('filename="a.txt"', name), 'x') + end,
        400,
        /A name in the form is in pieces/,
      ],
    ),
    ...['UTF-16LE', 'windows-1251', '"Shift_JIS"', 'base64'].map((charset): [string, () => string, number, RegExp] => [
      `a field in ${charset}`,
      () => field('generalId', story) + described(charset, 'abcd') + file('a') + end,
      400,
      /charset other than UTF-8, US-ASCII and ISO-8859-1/,
    ]),
    [
      'a file in base64',
      () => field('generalId', story) + part(`${chosen}\r\nContent-Transfer-Encoding: BASE64`, 'AAAA') + end,
      400,
      /Content-Transfer-Encoding/,
    ],
    [
      'a field in quoted-printable',
      () => part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: quoted-printable', 'b') + end,
      400,
      /Content-Transfer-Encoding/,
    ],
  ])('%s', (_, body, status, says) => refused(body(), status, says));

  it.each([
    ['no boundary', 'multipart/form-data', 400, noBoundary],
    ['another kind of multipart', `multipart/mixed; boundary=${boundary}`, 415, /multipart\/form-data/],
    ['an empty boundary', 'multipart/form-data; boundary=', 400, noBoundary],
    ['an empty boundary in quotes', 'multipart/form-data; boundary=""', 400, noBoundary],
    ['a boundary of blanks', 'multipart/form-data; boundary=" " ; charset=utf-8', 400, noBoundary],
    ['an endless boundary', `multipart/form-data; boundary=${'b'.repeat(5000)}`, 400, noBoundary],
  ])('of a type with %s', async (_, type, status, says) => {
    const body = field('generalId', story) + file('a') + end;
    const headers = { 'content-type': type };
    const answer = await app.ask('/UploadFile.ashx?format=json', { method: 'POST', body, headers, as });
    expect([answer.status, answer.json.Message]).toEqual([status, expect.stringMatching(says)]);
  });

  it('that are compressed', async () => {
    const headers = { 'content-encoding': 'gzip' };
    for (const path of ['/UploadFile.ashx?format=json', '/api/v1/Attachments?format=json']) {
      const { status, json } = await upload(app, story, [{ name: 'a', bytes: 'b' }], { path, as, headers });
      expect([status, json.Message]).toEqual([415, expect.stringMatching(/^Send multipart\/form-data/)]);
    }
  });

  it('by their length alone, before a byte is read', async () => {
    const answer = await say(app, head(100 * mebibyte));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ['in front of its first part', () => 'y'],
    ['in a field', () => field('a', 'y').trimEnd()],
    ['in the headers of a part', () => `--${boundary}\r\nX: `],
    ['in a part that is neither field nor file', () => part('Content-Disposition: form-data', 'y').trimEnd()],
    ['behind its end', () => field('generalId', story) + file('a') + end],
  ])('by their length where they tell none, and it is %s', async (_, begun) => {
    const start = begun();
    const connection = await Connection.open(app);
    const chunk = `10000\r\n${'y'.repeat(0x10000)}\r\n`;
    connection.socket.write(`${head('chunked')}${start.length.toString(16)}\r\n${start}\r\n`);
    connection.socket.write(chunk.repeat(6 * 16));
    const [status] = await connection.answers();
    connection.socket.destroy();
    expect(status).toBe(413);
  });

  it('without their being read, from who may not call', async () => {
    const answer = await say(app, head(mebibyte).replace(/Authorization.*\r\n/, ''));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('fields', () => {
  const stored = async (fields: string, encoding: BufferEncoding = 'utf8'): Promise<string | null> => {
    const body = Buffer.from(field('generalId', story) + fields + file('a') + end, encoding);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const answer = await app.ask('/UploadFile.ashx?format=json', { method: 'POST', body, headers, as });
    expect(answer.status).toBe(200);
    const id = answer.json.items[0].id;
    return (await app.ask(`/api/v1/Attachments/${id}?format=json`, { as })).json.Description;
  };

  it.each([
    '1.0',
    '1.0 is out',
    '{"__proto__": 1}',
  ])('keep the text %s, whatever type it is said to have', async (text) =>
    expect(
      await stored(part('Content-Disposition: form-data; name="description"\r\nContent-Type: application/json', text)),
    ).toBe(text));

  it.each(['__proto__', 'constructor', 'toString', '', 'undefined'])('of the name %j are passed over', async (name) =>
    expect(await stored(field(name, 'x') + part(chosen.replace('"file"', `"${name}"`), 'y'))).toBe(null));

  it.each<[string, string, BufferEncoding]>([
    ['UTF-8', 'größe 日本', 'utf8'],
    ['"utf8"', 'größe 日本', 'utf8'],
    ['US-ASCII', 'size', 'latin1'],
    ['iso-8859-1', 'größe', 'latin1'],
  ])('are read in %s, which they say they are in', async (charset, text, encoding) =>
    expect(await stored(described(charset, text), encoding)).toBe(text));

  it('without a name are passed over', async () =>
    expect(await stored(part('Content-Disposition: form-data', 'x'))).toBe(null));
});

describe('bytes behind the last boundary', () => {
  it.each([
    ['few', 1000],
    ['many', 500_000],
  ])('are dropped: %s', async (_, count) => {
    const body = field('generalId', story) + file('a') + end;
    const before = (await storedFiles(app)).size;
    const connection = await Connection.open(app);
    connection.socket.write(head(body.length + count) + body);
    // The file is stored when they come.
    await eventually(async () => {
      const stored = await storedFiles(app);
      expect([stored.size, partialCount(stored)]).toEqual([before + 1, 0]);
    }, 10_000);
    connection.socket.write('y'.repeat(count));
    expect(await connection.answers()).toEqual([200]);
    connection.socket.destroy();
  });

  it('are dropped where the form has no length, and the next request is answered', async () => {
    const body = field('generalId', story) + file('a') + end;
    const chunk = (bytes: string): string => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
    const next = `GET /api/v1/Context?format=json HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(as)}\r\nConnection: close\r\n\r\n`;
    const answers = await say(app, head('chunked') + chunk(body) + chunk('y'.repeat(1000)), `0\r\n\r\n${next}`);
    expect(statusesOf(answers)).toEqual([200, 200]);
  });
});

describe('names', () => {
  it.each([
    ['../../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['a%22b%0D%0AX-Evil: 1.txt', 'a"b  X-Evil: 1.txt'],
    ['größe 日本.txt', 'größe 日本.txt'],
    ['', 'file'],
    ['..', 'file'],
    ["'; drop table attachment; --", "'; drop table attachment; --"],
    ["a; name*=utf-16'x'y.txt", "a; name*=utf-16'x'y.txt"],
    ["a; filename*=UTF-8''%FF.txt", "a; filename*=UTF-8''%FF.txt"],
    ['n'.repeat(1000), 'n'.repeat(255)],
    ['\u200b\u00ad', 'file'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ])('%j', async (sent, kept) => {
    const body = field('generalId', story) + file(sent) + end;
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const answer = await app.ask('/UploadFile.ashx?format=json', { method: 'POST', body, headers, as });
    expect([answer.status, answer.json.items?.[0].name]).toEqual([200, kept]);
    const { headers: told } = await app.ask(`/Attachment.aspx?AttachmentID=${answer.json.items[0].id}`, { as });
    expect(told.get('content-disposition')).toContain(`filename*=UTF-8''`);
    expect(told.get('x-evil')).toBe(null);
  });
});

it.each([
  ['a name that was encoded', `filename*=UTF-8''gr%C3%B6%C3%9Fe.txt`, 'größe.txt'],
  ['a replacement character that was sent', 'filename="a\ufffd.txt"', 'a\ufffd.txt'],
  ['a name beside one without its charset', 'filename="a.txt"; filename*=b.txt', 'a.txt'],
  ['a name that looks like two', `filename="a; filename*=UTF-8''b.txt"`, "a; filename*=UTF-8''b.txt"],
  ['a name that looks like pieces', 'filename="a; filename*0=b.txt"', 'a; filename*0=b.txt'],
  ['a name beside an empty one', `filename="a.txt"; filename*=UTF-8''`, 'a.txt'],
  ['a name before a quote that none ends', `filename="a.txt"; x="\\"; filename*=ISO-8859-1''%E4`, 'a.txt'],
])('%s is kept', async (_, sent, kept) => {
  const body = field('generalId', story) + part(chosen.replace('filename="a.txt"', sent), 'x') + end;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const answer = await app.ask('/UploadFile.ashx?format=json', { method: 'POST', body, headers, as });
  expect([answer.status, answer.json.items?.[0].name]).toEqual([200, kept]);
});

describe('a name with quotes, line breaks and paths is kept in every spelling', () => {
  const encoded = (name: string): string =>
    encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const bare = (name: string): string => name.replace(/["\\]/g, '\\$&');
  const spellings: Readonly<Record<string, (name: string) => string>> = {
    browser: (name) => `filename="${name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')}"`,
    curl: (name) => `filename="${bare(name)}"`,
    'exact alone': (name) => `filename*=UTF-8''${encoded(name)}`,
    'exact behind one for old servers': (name) => `filename="=?utf-8?B?eA==?="; filename*=utf-8''${encoded(name)}`,
    'exact before one for old servers': (name) => `filename*=UTF-8'en'${encoded(name)}; filename="a;b=\\"c.txt"`,
    'bare one for old servers': (name) => `filename=old.txt; FileName*=utf-8''${encoded(name)}`,
  };
  const letters = ['a', 'ü', '日', '😀', ' ', '"', "'", ';', '=', '*', '(', ',', '\n', '\r', '/', '.'];
  const names = fc
    .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 8 })
    .map((sent) => `${sent.join('')}z`);

  it.each(Object.keys(spellings))('%s', async (kind) =>
    fc.assert(
      fc.asyncProperty(names, async (name) => {
        // Bare line breaks are refused, see below.
        fc.pre(kind !== 'curl' || !/[\r\n]/.test(name));
        const sent = `Content-Disposition: form-data; name="f"; ${spellings[kind]!(name)}`;
        const body = field('generalId', story) + part(sent, 'x') + file('other.txt') + end;
        const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
        const answer = await app.ask('/UploadFile.ashx?format=json', { method: 'POST', body, headers, as });
        const kept = name
          .replace(/[\r\n]/g, ' ')
          .split('/')
          .at(-1)!
          .trim();
        expect([answer.status, answer.json.items?.map((one: { name: string }) => one.name)]).toEqual([
          200,
          [kept, 'other.txt'],
        ]);
      }),
      { numRuns: 25 },
    ));
});

it.each([
  ['a bare line break in the name of a file', 'Content-Disposition: form-data; name="f"; filename="a\nb.txt"'],
  ['a bare carriage return in it', 'Content-Disposition: form-data; name="f"; filename="a\rb.txt"'],
  ['a bare line break in the name of a field', 'Content-Disposition: form-data; name="a\nb"; filename="b.txt"'],
  ['a bare line break in another header', 'X-More: a\nb\r\nContent-Disposition: form-data; name="f"; filename="b.txt"'],
  ['a line without a colon', 'X-More\r\nContent-Disposition: form-data; name="f"; filename="b.txt"'],
  ['no disposition', 'Content-Type: text/plain'],
  ['another disposition', 'Content-Disposition: attachment; filename="b.txt"'],
])('a part that cannot be read is refused with all others: %s', async (_, sent) => {
  const before = (await app.rows('select count(*)::int as n from attachment'))[0].n;
  for (const others of [file('other.txt'), '']) {
    const body = field('generalId', story) + others + part(sent, 'x') + end;
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const answer = await app.ask('/UploadFile.ashx?format=json', { method: 'POST', body, headers, as });
    expect([answer.status, answer.json.Code ?? answer.json.code]).toEqual([400, 'InvalidBody']);
  }
  expect((await app.rows('select count(*)::int as n from attachment'))[0].n).toBe(before);
});

it.each<[string, string]>([
  ['blanks', '  '],
  ['blanks and a tab', ' \t '],
])('the line of a boundary may end with %s', async (_, padding) => {
  const body = (field('generalId', story) + file('a.txt', `--${boundary.slice(1)}${padding}`) + end).replaceAll(
    new RegExp(`^(--${boundary}(?:--)?)\r$`, 'gm'),
    `$1${padding}\r`,
  );
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const answer = await app.ask('/UploadFile.ashx?format=json', { method: 'POST', body, headers, as });
  expect([answer.status, answer.json.items]).toEqual([
    200,
    [expect.objectContaining({ name: 'a.txt', size: 13 + padding.length })],
  ]);
  // In pieces of a byte, too.
  const answered = await say(app, head(body.length, 'Connection: close\r\n'), ...body);
  expect(answered).toMatch(/^HTTP\/1\.1 200 /);
});

it('the charset that a file is said to be in counts for nothing', async () => {
  const body = field('generalId', story) + part(chosen.replace('octet-stream', 'x; charset=UTF-16'), 'x') + end;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const answer = await app.ask('/UploadFile.ashx?format=json', { method: 'POST', body, headers, as });
  expect(answer.status).toBe(200);
});

it('a name of blanks is none in JSON, and `file` where a form has it', async () => {
  const General = { Id: story };
  const made = await app.write('Attachments', { Name: 'a.txt', General, Content: 'AAAA' }, { as });
  for (const Name of ['', ' ', '\u00a0\t', '\u200b', '\u202e', '\u2800', '///', '..', 'a/'])
    for (const [path, more] of [
      ['Attachments', { General, Content: 'AAAA' }],
      [`Attachments/${made.Id}`, {}],
    ] as const) {
      const body = JSON.stringify({ Name, ...more });
      const headers = { 'content-type': 'application/json' };
      const answer = await app.ask(`/api/v1/${path}?format=json`, { method: 'POST', body, headers, as });
      expect([Name, path, answer.status, answer.json.Message]).toEqual([Name, path, 400, 'Name: a value is required.']);
    }
  const [sent] = (await upload(app, story, [{ name: ' ', bytes: 'x' }], { as })).json.items;
  expect(sent.name).toBe('file');
});

it('a name of a megabyte in JSON costs no more than its bytes', async () => {
  const General = { Id: story };
  const made = await app.write(
    'Attachments',
    { Name: `${'n'.repeat(mebibyte - 4)}.txt`, General, Content: 'AAAA' },
    { as },
  );
  expect(made.Name).toBe(`${'n'.repeat(251)}.txt`);
  const renamed = await app.post(`/api/v1/Attachments/${made.Id}?format=json`, { Name: '/'.repeat(mebibyte) }, { as });
  expect([renamed.status, renamed.json.Message]).toEqual([400, 'Name: a value is required.']);
});

describe('connections', () => {
  it('that are cut in the middle of a file leave nothing', async () => {
    const before = await count();
    const body = field('generalId', story) + file('a', 'y'.repeat(500_000));
    const connection = await Connection.open(app);
    connection.socket.write(head(body.length + 1000) + body.slice(0, 300_000));
    await eventually(async () => expect((await storedFiles(app)).size).toBeGreaterThan(before - 20), 20_000);
    connection.socket.destroy();
    await eventually(() => expectBalance(app), 20_000);
    expect(await count()).toBe(before);
  });

  it('may bring more than they say: what is behind the form is another request', async () => {
    const body = field('generalId', story) + file('a') + end;
    const answers = await say(app, `${head(body.length)}${body}GARBAGE\r\n\r\n`);
    expect(answers).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 400 /);
  });

  it('that bring too little for a while are refused, in the format asked for', async () => {
    const forms = app.nest.get(Forms);
    const usual = forms.pace;
    forms.pace = { bytes: 1000, milliseconds: 50 };
    try {
      const answer = await say(app, head(500_000) + field('generalId', story) + file('a', 'y').slice(0, -10));
      expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"Status":"RequestTimeout"/);
    } finally {
      forms.pace = usual;
    }
  });

  it('may take longer than other requests, as long as they keep their pace', { timeout: 60_000 }, async () => {
    const server = app.nest.getHttpServer();
    const usual = server.requestTimeout;
    const body = field('generalId', story) + file('slow.txt', 'y'.repeat(5000)) + end;
    const connection = await Connection.open(app);
    server.requestTimeout = 1;
    try {
      connection.socket.write(head(body.length) + body.slice(0, 3000));
      // By then the server has looked for late requests, and found this one, too.
      await eventually(async () => expect((await storedFiles(app)).size).toBeGreaterThan(0), 20_000);
      const late = await say(
        app,
        `POST /api/v1/Bugs HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(as)}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\nx`,
      );
      expect(late).toMatch(/^HTTP\/1\.1 408 /);
      server.requestTimeout = usual;
      connection.socket.write(body.slice(3000));
      expect(await connection.answers()).toEqual([200]);
    } finally {
      server.requestTimeout = usual;
      connection.socket.destroy();
    }
  });

  it('that take too long as a whole are refused, however fast they are', async () => {
    const forms = app.nest.get(Forms);
    const usual = forms.seconds;
    forms.seconds = 0.05;
    try {
      const answer = await say(app, head(500_000) + field('generalId', story) + file('a', 'y').slice(0, -10));
      expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*did not arrive within/);
    } finally {
      forms.seconds = usual;
    }
  });

  it('are not read to their end where they name what is not there, or come from who may not write', async () => {
    const unseen = await say(app, head(500_000) + field('generalId', 99_999_999) + file('a', 'y').slice(0, -10));
    expect(unseen).toMatch(/^HTTP\/1\.1 400 [\s\S]*there is no General/);
    await make(app, 'User', { mark: 'hostile', ids: { ...ids } }, { Login: 'hostile.observer', IsObserver: true });
    const observer = head(500_000, 'Expect: 100-continue\r\n').replace(basic(as), basic('hostile.observer'));
    expect(await say(app, observer)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('that bring little give way to others who wait, and so do some of those who have more places', async () => {
    const { places } = app.nest.get(Forms);
    const usual = places.giving;
    const open: Connection[] = [];
    const begin = async (login: string, count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1) {
        const connection = await Connection.open(app);
        const start = head(900_000).replace(basic(as), basic(login));
        connection.socket.write(start + field('generalId', story) + file('a', 'y'.repeat(1000)).slice(0, -10));
        open.push(connection);
      }
    };
    for (const login of ['one', 'two', 'three', 'four', 'five']) {
      ids.User = await make(app, 'User', { mark: login, ids }, { Login: `slow.${login}` });
      await make(app, 'ProjectMember', { mark: login, ids });
    }
    const partial = async () => partialCount(await storedFiles(app));
    const timedOut = () => open.filter(({ received }) => received.startsWith('HTTP/1.1 408')).length;
    places.giving = { ...usual, milliseconds: 50 };
    try {
      for (const login of ['one', 'two', 'three', 'four']) await begin(`slow.${login}`, 2);
      await eventually(async () => expect(await partial()).toBe(8), 15_000);
      expect((await upload(app, story, [{ name: 'a', bytes: 'b' }], { as })).status).toBe(200);
      expect(timedOut()).toBe(1);
      // However much they bring: whoever has two places gives one to who has none.
      await begin('slow.five', 1);
      await eventually(async () => expect(await partial()).toBe(8), 15_000);
      const before = timedOut();
      places.giving = { ...places.giving, bytes: 0 };
      expect((await upload(app, story, [{ name: 'a', bytes: 'b' }], { as })).status).toBe(200);
      expect(timedOut()).toBe(before + 1);
      places.giving = { ...places.giving, patience: 2 };
      await begin('slow.five', 1);
      await eventually(async () => expect(await partial()).toBe(8), 15_000);
    } finally {
      places.giving = usual;
      for (const { socket } of open) socket.destroy();
    }
  });

  it('have a quarter of the places for one user', async () => {
    const open: Connection[] = [];
    for (let at = 0; at < 2; at += 1) {
      const connection = await Connection.open(app);
      connection.socket.write(head(500_000) + field('generalId', story) + file('a', 'y'.repeat(1000)).slice(0, -10));
      open.push(connection);
    }
    const partial = async () => [...(await storedFiles(app)).keys()].filter((name) => name.endsWith('.part'));
    await eventually(async () => expect(await partial()).toHaveLength(2), 15_000);
    const answer = await upload(app, story, [{ name: 'a', bytes: 'b' }], { as });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await upload(app, story, [{ name: 'a', bytes: 'b' }])).status).toBe(200);
    for (const { socket } of open) socket.destroy();
    await eventually(async () => {
      expect((await upload(app, story, [{ name: 'a', bytes: 'b' }], { as })).status).toBe(200);
    }, 20_000);
  });
});

/** What lies behind the bound. */
const disk = (): DiskStore => (app.nest.get(FILE_STORE) as unknown as { store: { store: DiskStore } }).store.store;

describe('faults', () => {
  const unavailable = [503, 'ServiceUnavailable'];
  const outcome = async (path?: string) => {
    const { status, json } = await upload(app, story, [{ name: 'a', bytes: 'b'.repeat(100_000) }], {
      as,
      ...(path && { path }),
    });
    return [status, json.Status];
  };

  it('a full disk is 503 and leaves neither row nor bytes', async () => {
    const before = await count();
    const store = disk();
    const usual = store.reservedBytes;
    store.reservedBytes = Number.MAX_SAFE_INTEGER;
    try {
      expect(await outcome()).toEqual(unavailable);
      expect(await outcome('/api/v1/Attachments?format=json')).toEqual(unavailable);
      const small = { Name: 'a', General: { Id: story }, Content: 'AAAA' };
      expect((await app.post('/api/v1/Attachments', small, { as })).status).toBe(503);
    } finally {
      store.reservedBytes = usual;
    }
    expect(await count()).toBe(before);
    expect(await outcome()).toEqual([200, undefined]);
  });

  it('uploads at once leave the room that each would leave', async () => {
    const store = disk();
    const usual = store.reservedBytes;
    const body = field('generalId', story) + file('a', 'y'.repeat(900_000)) + end;
    const open: Connection[] = [];
    // Room for two of them, on a disk that nobody else writes to.
    store.reservedBytes = 0;
    store.freeBytes = async () => 2_400_000;
    try {
      for (const login of [as, 'admin', 'admin']) {
        const connection = await Connection.open(app);
        connection.socket.write(head(body.length).replace(basic(as), basic(login)) + body.slice(0, 1000));
        open.push(connection);
        if (open.length < 3)
          await eventually(async () => expect(partialCount(await storedFiles(app))).toBe(open.length));
      }
      expect(await open[2]!.answers()).toEqual([503]);
      for (const { socket } of open) socket.write(body.slice(1000));
      expect([await open[0]!.answers(), await open[1]!.answers()]).toEqual([[200], [200]]);
    } finally {
      store.reservedBytes = usual;
      Reflect.deleteProperty(store, 'freeBytes');
      for (const { socket } of open) socket.destroy();
    }
  });

  it.each<[string, (path: string) => Promise<void>]>([
    ['another file stands in its place', (path) => writeFile(path, 'no directory')],
    ['nothing is there, as where a volume is not mounted', async () => undefined],
    ['it is empty, as the mount point of such a volume', async (path) => void (await mkdir(path))],
    ['another process has started meanwhile', async () => (await app.replica()).stop()],
  ])('a directory that is lost is 503 for both ways, and its return mends it: %s', async (_, put) => {
    const id = await uploaded(app, story, { name: 'a', bytes: 'kept' }, { as });
    const files = join(app.dataDir, 'files');
    await rename(files, `${files}.away`);
    await put(files);
    try {
      expect(await outcome()).toEqual(unavailable);
      for (const method of ['GET', 'HEAD'])
        expect((await app.ask(`/Attachment.aspx?AttachmentID=${id}`, { as, method })).status).toBe(503);
    } finally {
      await rm(files, { force: true, recursive: true });
      await rename(`${files}.away`, files);
    }
    expect((await app.ask(`/Attachment.aspx?AttachmentID=${id}`, { as })).text).toBe('kept');
  });

  it('bytes that were lost end the answer that promised them, and a lost file is 404 for HEAD, too', async () => {
    const id = await uploaded(app, story, { name: 'a', bytes: Buffer.alloc(300_000, 'a') }, { as });
    const [{ key }] = await app.rows('select unique_file_name as key from attachment where id = $1', [id]);
    const path = join(app.dataDir, 'files', key.slice(0, 2), key);
    const address = `/Attachment.aspx?AttachmentID=${id}`;
    const statusOfHead = async () => (await app.ask(address, { as, method: 'HEAD' })).status;
    expect(await statusOfHead()).toBe(200);
    await truncate(path, 100_000);
    await expect(app.ask(address, { as, signal: AbortSignal.timeout(5000) })).rejects.toMatchObject({
      message: 'terminated',
    });
    expect((await app.ask(address, { as, headers: { range: 'bytes=0-9' } })).text).toBe('a'.repeat(10));
    await rm(path);
    expect([await statusOfHead(), (await app.ask(address, { as })).status]).toEqual([404, 404]);
    await app.rows('delete from attachment where id = $1', [id]);
  });

  it('bytes that were added to a file are not sent: they would be taken for another answer', async () => {
    const id = await uploaded(app, story, { name: 'a', bytes: 'right' }, { as });
    const [{ key }] = await app.rows('select unique_file_name as key from attachment where id = $1', [id]);
    const added = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfake';
    await appendFile(join(app.dataDir, 'files', key.slice(0, 2), key), added);
    const ask = (more = '') =>
      `GET /Attachment.aspx?AttachmentID=${id} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(as)}\r\n${more}\r\n`;
    const answers = await say(app, ask(), ask('Connection: close\r\n'));
    expect(answers).not.toContain('fake');
    expect(statusesOf(answers)).toEqual([500, 500]);
    expect((await app.ask(`/Attachment.aspx?AttachmentID=${id}`, { as, headers: { range: 'bytes=0-4' } })).text).toBe(
      'right',
    );
    await app.ask(`/api/v1/Attachments/${id}`, { method: 'DELETE', as });
  });

  it.skipIf(process.platform !== 'linux')('what is asked for and not read leaves no file open', async () => {
    const id = await uploaded(app, story, { name: 'a', bytes: Buffer.alloc(300_000, 'a') }, { as });
    const open = async (): Promise<string[]> => {
      const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
      return (await Promise.all(links)).filter((path) => path.startsWith(join(app.dataDir, 'files')));
    };
    const asked = Array.from({ length: 20 }, () =>
      app.ask(`/Attachment.aspx?AttachmentID=${id}`, { as, method: 'HEAD' }),
    );
    expect((await Promise.all(asked)).every(({ status }) => status === 200)).toBe(true);
    await eventually(async () => expect(await open()).toEqual([]));
    await app.ask(`/api/v1/Attachments/${id}`, { method: 'DELETE', as });
  });

  it('a row that cannot be stored takes its bytes along', async () => {
    const before = await count();
    await app.rows(
      `create function refuse_attachment() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '23514'; end $$`,
    );
    await app.rows(
      'create trigger refuse before insert on attachment for each row execute function refuse_attachment()',
    );
    try {
      expect(await outcome()).toEqual([400, 'BadRequest']);
      const small = { Name: 'a', General: { Id: story }, Content: 'AAAA' };
      expect((await app.post('/api/v1/Attachments', small, { as })).status).toBe(400);
    } finally {
      await app.rows('drop function refuse_attachment cascade');
    }
    await expectBalance(app);
    expect(await count()).toBe(before);
  });

  it('bytes that are lost are 404', async () => {
    const id = await uploaded(app, story, { name: 'a', bytes: 'lost' }, { as });
    const [{ key }] = await app.rows('select unique_file_name as key from attachment where id = $1', [id]);
    await disk().remove(key);
    expect((await app.ask(`/Attachment.aspx?AttachmentID=${id}`, { as })).status).toBe(404);
    await app.ask(`/api/v1/Attachments/${id}`, { method: 'DELETE', as });
  });
});

describe('what an upload has written', () => {
  it('is gone where the service ends in the middle of it, and where it is killed, with the next start', async () => {
    const other = await app.replica();
    other.nest.get(Forms).endMs = 50;
    const connection = await Connection.open(other);
    connection.socket.write(head(900_000) + field('generalId', story) + file('a', 'y'.repeat(1000)).slice(0, -10));
    await eventually(async () => expect(partialCount(await storedFiles(app))).toBe(1), 10_000);
    const ending = other.stop();
    expect(await connection.answers()).toEqual([503]);
    connection.socket.destroy();
    await ending;
    expect(partialCount(await storedFiles(app))).toBe(0);
  });

  it('stays while its process lives, and goes with the next start where that is gone', async () => {
    const directory = join(app.dataDir, 'files', 'aa');
    await mkdir(directory, { recursive: true });
    // No process has such a number, the first one is always there, and of other machines nothing is known.
    const gone = `${'a'.repeat(32)}.${machine}-4194400.part`;
    const others = [`${'a'.repeat(32)}.${machine}-1.part`, `${'a'.repeat(32)}.00000000-4194400.part`];
    for (const name of [gone, ...others]) await writeFile(join(directory, name), 'begun');
    const other = await app.replica();
    try {
      await eventually(async () => expect(await readdir(directory)).not.toContain(gone));
      expect(await readdir(directory)).toEqual(expect.arrayContaining(others));
    } finally {
      for (const name of others) await rm(join(directory, name));
      await other.stop();
    }
  });
});

describe('what is being written', () => {
  it('stays where another service starts in the same process', async () => {
    const key = 'b'.repeat(32);
    const beside = await DiskStore.open(join(app.dataDir, 'files'), () => false);
    async function* bytes(): AsyncGenerator<Buffer> {
      yield Buffer.from('begun');
      await beside.sweep();
      yield Buffer.from(' and ended');
    }
    await disk().write(key, bytes());
    await disk().remove(key);
  });
});

describe('the space of all files', () => {
  it('is not exceeded by two processes', async () => {
    const other = await app.replica();
    const [{ sum }] = await app.rows('select coalesce(sum(size), 0)::int as sum from attachment');
    const stores = [app, other].map(({ nest }) => nest.get(FILE_STORE) as unknown as { limit: number });
    const usual = stores[0]!.limit;
    // Both have just looked how much is stored.
    for (const store of stores)
      Object.assign(store, { limit: sum + 1.5 * mebibyte, stored: sum, added: 0, readAt: performance.now() });
    try {
      const whole = [{ name: 'whole', bytes: Buffer.alloc(mebibyte) }];
      const answers = await Promise.all([upload(app, story, whole), upload(other, story, whole)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    } finally {
      stores[0]!.limit = usual;
      await other.stop();
    }
  });

  it('is not exceeded by whatever comes at once', async () => {
    const [{ sum }] = await app.rows('select coalesce(sum(size), 0)::int as sum from attachment');
    const store = app.nest.get(FILE_STORE) as unknown as { limit: number; readAt: number };
    const usual = store.limit;
    Object.assign(store, { limit: sum + 2.5 * mebibyte, readAt: Number.NEGATIVE_INFINITY });
    try {
      const whole = [{ name: 'whole', bytes: Buffer.alloc(mebibyte) }];
      const answers = await Promise.all(Array.from({ length: 2 }, () => upload(app, story, whole)));
      answers.push(await upload(app, story, whole));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 409]);
      expect(answers[2]!.json.Message).toMatch(
        /^There is no room for this file: all files together may take \d+ bytes/,
      );
    } finally {
      store.limit = usual;
    }
  });
});

it('any sequence of uploads leaves as many bytes as rows', { timeout: 120_000 }, async () => {
  const good = field('generalId', story) + file('a', 'y'.repeat(20_000)) + file('b', '') + end;
  const bodies = [
    good,
    good.slice(0, -5),
    good.slice(0, 9000),
    good.replace('generalId', 'other'),
    field('generalId', 99_999_999) + file('a') + end,
    file('a').repeat(4) + end,
    field('generalId', story) + file('a', 'z'.repeat(mebibyte + 1)) + end,
  ];
  const statuses: number[] = [];
  await Promise.all(
    [0, 1].map(async (lane) => {
      for (let at = lane; at < 40; at += 2) {
        const body = bodies[(at * 5) % bodies.length]!;
        if (at % 9 === 8) {
          const connection = await Connection.open(app);
          connection.socket.write(head(body.length) + body.slice(0, body.length / 2));
          connection.socket.end();
          await once(connection.socket, 'close');
          continue;
        }
        const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
        const answer = await app.ask('/UploadFile.ashx', { method: 'POST', body, headers });
        statuses.push(answer.status);
      }
    }),
  );
  expect([...new Set(statuses)].toSorted()).toEqual([200, 400, 413]);
});

it('of a hundred small forms at once each is answered', async () => {
  const one = () =>
    app.ask('/UploadFile.ashx', {
      method: 'POST',
      body: formOf({ generalId: story }, [{ name: 'a', bytes: 'b' }]),
      as,
    });
  const answers = await Promise.all(Array.from({ length: 100 }, one));
  expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
});
