/**
 * Files are uploaded, downloaded and deleted with the permissions of what they are attached to; rows and bytes match
 * all the time.
 */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { basic, chosenPassword, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { cookieOf, logIn } from '../support/log-in.js';
import { dot, expectBalance, formOf, makeFilesPlace, upload, uploaded } from '../support/uploads.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
let ids: Ids;
let elsewhere: Ids;
const as = 'files.member';

beforeAll(async () => {
  app = await TestApp.start();
  ({ ids, elsewhere } = await makeFilesPlace(app, 'files', as));
});
afterAll(() => app.stop());
afterEach(() => expectBalance(app));

const story = () => ids.UserStory!;
const download = (id: number, ask = {}) => app.ask(`/Attachment.aspx?AttachmentID=${id}`, ask);
const notes = { name: 'notes.txt', bytes: 'größer & besser\n' };

describe('POST /UploadFile.ashx', () => {
  it('answers as recorded: items in camel case', async () => {
    const answer = await upload(app, story(), [notes], { as });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { items } = answer.json;
    expect(items).toEqual([
      {
        resourceType: 'Attachment',
        id: expect.any(Number),
        name: 'notes.txt',
        uniqueFileName: expect.stringMatching(/^[0-9a-f]{32}$/),
        description: null,
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/),
        uri: `${app.base}/Attachment.aspx?AttachmentID=${items[0].id}`,
        thumbnailUri: null,
        mimeType: 'text/plain',
        size: 18,
        persistedMimeType: 'text/plain',
        persistedSize: 18,
        isEmpty: false,
        owner: expect.objectContaining({ resourceType: 'GeneralUser', id: ids.User }),
        general: expect.objectContaining({ resourceType: 'General', id: story() }),
        assignable: expect.objectContaining({ resourceType: 'Assignable', id: story() }),
        message: null,
      },
    ]);
  });

  it('takes several files of one form, and an empty one', async () => {
    const answer = await upload(app, story(), [notes, { name: 'a.png', bytes: dot }, { name: 'empty', bytes: '' }], {
      as,
    });
    expect(
      answer.json.items.map(({ name, mimeType, size, isEmpty }: never) => [name, mimeType, size, isEmpty]),
    ).toEqual([
      ['notes.txt', 'text/plain', 18, false],
      ['a.png', 'image/png', dot.length, false],
      ['empty', 'text/plain', 0, true],
    ]);
  });

  it('knows the field of the entity in any case, before the files or behind them', async () => {
    for (const field of ['generalId', 'GENERALID', 'generalid']) {
      const form = formOf({}, [notes]);
      form.append(field, String(story()));
      const answer = await app.ask('/uploadfile.ashx', { method: 'POST', body: form, as });
      expect([field, answer.status]).toEqual([field, 200]);
    }
  });

  it.each([
    ['no entity', () => formOf({}, [notes]), /generalId/],
    ['no number', () => formOf({ generalId: 'x' }, [notes]), /generalId/],
    ['no file', () => formOf({ generalId: story() }, []), /no file/],
    ['an entity that is not there', () => formOf({ generalId: 99_999_999 }, [notes]), /there is no General/],
    ['an entity of another project', () => formOf({ generalId: elsewhere.UserStory! }, [notes]), /there is no General/],
  ])('refuses a form with %s', async (_, body, says) => {
    const answer = await app.ask('/UploadFile.ashx?format=json', { method: 'POST', body: body(), as });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(says)]);
  });

  it.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain', ''])('refuses %s', async (type) => {
    const headers: Record<string, string> = { accept: 'application/json', 'content-type': type };
    const answer = await app.ask('/UploadFile.ashx', { method: 'POST', body: 'a=1', headers, as });
    expect(answer.status).toBe(415);
  });
});

describe('POST /api/v1/Attachments', () => {
  it('takes a form and answers with what is asked for', async () => {
    const path = '/api/v1/Attachments?format=json&include=[Name,Size,Description,General[Id]]';
    const body = formOf({ generalId: story(), description: 'from a form' }, [notes]);
    const answer = await app.ask(path, { method: 'POST', body, as });
    expect([answer.status, answer.json]).toMatchObject([
      201,
      { Name: 'notes.txt', Size: 18, Description: 'from a form', General: { Id: story() } },
    ]);
    const several = await upload(app, story(), [notes, notes], { path, as });
    expect([several.status, several.json.Items]).toMatchObject([201, [{ Size: 18 }, { Size: 18 }]]);
    const xml = await upload(app, story(), [notes], { path: '/api/v1/Attachments?format=xml', as });
    expect((await parseXml(xml.text)).name).toBe('Attachment');
  });

  it('tells the checksum of what came, however it came', async () => {
    const sha256 = createHash('sha256').update(notes.bytes).digest('hex');
    const id = await uploaded(app, story(), notes, { as });
    const Content = Buffer.from(notes.bytes).toString('base64');
    const made = await app.write(
      'Attachments',
      { Name: 'a.txt', General: { Id: story() }, Content, Sha256: 'a' },
      { as },
    );
    for (const one of [id, made.Id])
      expect((await app.ask(`/api/v1/Attachments/${one}?format=json&include=[Sha256]`, { as })).json.Sha256).toBe(
        sha256,
      );
  });

  it('takes small files in JSON and XML, as base64', async () => {
    const Content = Buffer.from('text of a file').toString('base64');
    const made = await app.write('Attachments', { Name: 'a.txt', General: { Id: story() }, Content }, { as });
    expect((await download(made.Id, { as })).text).toBe('text of a file');
    expect(made).not.toHaveProperty('Content');
    const xml = `<Attachment Name="b.txt"><General Id="${story()}"/><Content>${Content}</Content></Attachment>`;
    const second = await app.post('/api/v1/Attachments?format=json', xml, { as });
    expect(second.status, second.text).toBe(201);
    expect((await download(second.json.Id, { as })).text).toBe('text of a file');
    const bulk = await app.post(
      '/api/v1/Attachments/bulk?format=json',
      [1, 2].map((at) => ({ Name: `${at}.txt`, General: { Id: story() }, Content })),
      { as },
    );
    expect([bulk.status, bulk.json.Items.length]).toEqual([200, 2]);
  });

  it.each([
    ['nothing', {}, /Content: the bytes/],
    ['no base64', { Content: '%%%' }, /Content: this is no base64/],
    ['an entity that is not there', { Content: 'AAAA', General: { Id: 99_999_999 } }, /there is no General/],
  ])('refuses JSON with %s', async (_, more, says) => {
    const body = { Name: 'a.txt', General: { Id: story() }, ...more };
    const answer = await app.post('/api/v1/Attachments?format=json', body, { as });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(says)]);
  });

  it('stores nothing of a list with one bad item', async () => {
    const good = { Name: 'good', General: { Id: story() }, Content: 'AAAA' };
    const answer = await app.post('/api/v1/Attachments/bulk?format=json', [good, { ...good, Content: '!' }], { as });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/^\[1\]\.Content/)]);
  });

  it('never changes the bytes of a file', async () => {
    const id = await uploaded(app, story(), notes, { as });
    const answer = await app.post(`/api/v1/Attachments/${id}?format=json`, { Content: 'AAAA' }, { as });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/do not change/)]);
    expect((await download(id, { as })).text).toBe(notes.bytes);
  });

  it('gives the answer of an Idempotency-Key again without storing the files twice', async () => {
    const headers = { 'idempotency-key': 'one-upload' };
    const path = '/api/v1/Attachments?format=json';
    const first = await upload(app, story(), [notes], { path, as, headers });
    const again = await upload(app, story(), [notes], { path, as, headers });
    expect([again.status, again.text]).toEqual([201, first.text]);
    const other = await upload(app, story(), [{ name: 'notes.txt', bytes: 'of other bytes....' }], {
      path,
      as,
      headers,
    });
    expect(other.status).toBe(409);
  });

  it('tells kind and id alone, with a warning, to who has lost rights since', async () => {
    const login = 'uploads.no.more';
    const person = { Login: login, Email: `${login}@example.com`, Password: chosenPassword };
    const { Id: User } = await app.write('Users', person);
    const [place, other] = [ids.Project!, elsewhere.Project!];
    await app.write('ProjectMembers', { Project: { Id: place }, User: { Id: User } });
    const { Id: member } = await app.write('ProjectMembers', { Project: { Id: other }, User: { Id: User } });
    const send = () => upload(app, story(), [notes], { as: login, headers: { 'idempotency-key': 'told-briefly' } });
    const first = await send();
    expect([first.status, first.headers.get('warning')]).toEqual([200, null]);
    await app.ask(`/api/v1/ProjectMembers/${member}`, { method: 'DELETE' });
    const again = await send();
    const [{ id }] = first.json.items;
    expect([again.status, again.json]).toEqual([200, { items: [{ resourceType: 'Attachment', id }] }]);
    expect(again.headers.get('warning')).toMatch(/^199 /);
  });
});

describe('characters that XML cannot carry', () => {
  const controls = [...Array(32).keys()].filter((code) => ![9, 10, 13].includes(code));
  const unwritable = [...controls, 0xfffe, 0xffff].map((code) => String.fromCharCode(code));
  const code = (letter: string): string => `U+${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const places = ['/UploadFile.ashx?format=json', '/api/v1/Attachments?format=json'];
  const count = async () => (await app.rows('select count(*)::int as count from attachment'))[0].count;
  /** Halves of characters have no UTF-8, so that a form cannot hold them; JSON tells them by their code. */
  const halves = ['\ud800', '\udfff'];

  it.each(places)('are refused in the description of a form: %s', async (path) => {
    const before = await count();
    for (const letter of unwritable) {
      const body = formOf({ generalId: story(), description: `a${letter}b` }, [notes]);
      const { status, json } = await app.ask(path, { method: 'POST', body });
      const says = 'description: the text holds a character that XML cannot carry.';
      expect([code(letter), status, json.Message]).toEqual([code(letter), 400, says]);
    }
    expect(await count()).toBe(before);
  });

  it.each(places)('are dropped from the name of a file or refused: %s', async (path) => {
    for (const letter of unwritable.slice(1)) {
      const { status, json } = await upload(app, story(), [{ ...notes, name: `a${letter}b.txt` }], { path });
      if (letter > ' ') {
        const says = 'Name: the text holds a character that XML cannot carry.';
        expect([code(letter), status, json.Message]).toEqual([code(letter), 400, says]);
        continue;
      }
      const { Id, Name } = json.items ? { Id: json.items[0].id, Name: json.items[0].name } : json;
      expect([code(letter), status < 300, Name]).toEqual([code(letter), true, 'ab.txt']);
      const read = await app.ask(`/api/v1/Attachments/${Id}?format=xml`);
      expect((await parseXml(read.text)).attributes.Name).toBe('ab.txt');
    }
  });

  it.each(['Name', 'Description'])('are refused in JSON: %s', async (member) => {
    const id = await uploaded(app, story(), notes);
    for (const letter of [...unwritable, ...halves]) {
      const { status } = await app.post(`/api/v1/Attachments/${id}?format=json`, { [member]: `a${letter}b` });
      expect([code(letter), status]).toEqual([code(letter), 400]);
    }
    expect((await app.ask(`/api/v1/Attachments/${id}?format=json`)).json.Name).toBe(notes.name);
  });
});

describe('deleting', () => {
  it('removes the bytes with the row', async () => {
    const id = await uploaded(app, story(), notes, { as });
    expect((await app.ask(`/api/v1/Attachments/${id}`, { method: 'DELETE', as })).status).toBe(200);
    await expectBalance(app);
    expect((await download(id, { as })).status).toBe(404);
  });

  it('an item hides its files, and restoring it brings them back', async () => {
    const item = await make(app, 'Bug', { mark: 'gone', ids });
    const id = await uploaded(app, item, notes, { as });
    expect((await app.ask(`/api/v1/Bugs/${item}`, { method: 'DELETE', as })).status).toBe(200);
    expect((await download(id, { as })).status).toBe(404);
    expect(await app.items(`/api/v1/Attachments?where=(Id eq ${id})`, { as })).toEqual([]);
    const restored = await app.post('/api/v1/undelete?format=json', { Id: item, EntityType: 'Bug' });
    expect(restored.status, restored.text).toBe(200);
    expect((await download(id, { as })).text).toBe(notes.bytes);
  });

  it('a file whose item is deleted keeps it for the return of the item', async () => {
    const item = await make(app, 'Bug', { mark: 'gone, too', ids });
    const id = await uploaded(app, item, notes, { as });
    await app.ask(`/api/v1/Bugs/${item}`, { method: 'DELETE', as });
    expect((await app.ask(`/api/v1/Attachments/${id}`, { method: 'DELETE' })).status).toBe(200);
    await app.post('/api/v1/undelete', { Id: item, EntityType: 'Bug' });
    expect((await download(id, { as })).text).toBe(notes.bytes);
  });
});

it.each([
  ['/Attachment.aspx', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'GET, HEAD'],
  ['/AttachmentThumbnail.aspx', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'GET, HEAD'],
  ['/UploadFile.ashx', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'POST'],
  ['//avatar.ashx', ['PUT', 'PATCH', 'OPTIONS'], 'GET, HEAD, POST, DELETE'],
])('%s does not know %j', async (path, methods, allowed) => {
  for (const method of methods) {
    const { status, headers } = await app.raw(path, { method, headers: { authorization: basic(as) } });
    expect([method, status, headers.get('allow')]).toEqual([method, 405, allowed]);
    expect((await app.raw(path, { method })).status, method).toBe(401);
  }
});

it('a file is found by an address with doubled slashes', async () => {
  const id = await uploaded(app, story(), notes, { as });
  const answer = await app.raw(`//Attachment.aspx?AttachmentID=${id}`, { headers: { authorization: basic(as) } });
  expect([answer.status, answer.text]).toEqual([200, notes.bytes]);
});

it('Uri is an address that is fetched as it is, in every format and version', async () => {
  const id = await uploaded(app, story(), notes, { as });
  const where = `where=${encodeURIComponent(`Id eq ${id}`)}`;
  const [{ Uri }] = await app.items(`/api/v1/Attachments?${where}&include=[Uri]`, { as });
  const answer = await fetch(Uri, { headers: { authorization: basic(as) } });
  expect([answer.status, await answer.text()]).toEqual([200, notes.bytes]);
  const second = await app.json(`/api/v2/Attachment?where=(id==${id})&select={uri,thumbnailUri}`, { as });
  expect(second.items).toEqual([{ uri: Uri }]);
  expect(await app.xml(`/api/v1/Attachments/${id}?include=[Uri]`, { as })).toContain(`<Uri>${Uri}</Uri>`);
  const same = `where=${encodeURIComponent(`Uri eq '${Uri}'`)}`;
  expect(await app.items(`/api/v1/Attachments?${same}&include=[Id]`, { as })).toHaveLength(1);
});

describe('who may upload', () => {
  it('a page of the service with the cookie of a session, and no page of another site', async () => {
    const cookie = cookieOf(await logIn(app, 'admin', 'admin'));
    const sent = async (path: string, origin: string): Promise<number> => {
      const body = formOf({ generalId: story() }, [notes]);
      return (await app.raw(path, { method: 'POST', body, headers: { cookie, origin } })).status;
    };
    expect([await sent('/UploadFile.ashx', app.base), await sent('/api/v1/Attachments', app.base)]).toEqual([200, 201]);
    for (const path of ['/UploadFile.ashx', '/api/v1/Attachments', '/avatar.ashx'])
      expect([path, await sent(path, 'https://elsewhere.example.com')]).toEqual([path, 403]);
  });

  it('nobody without credentials, and nobody with a token that may only read', async () => {
    expect((await upload(app, story(), [notes], { as: 'nobody' })).status).toBe(401);
    const { Token } = await app.write('AccessTokens', { Name: 'reads', IsReadOnly: true }, { as });
    for (const path of ['/UploadFile.ashx', '/api/v1/Attachments']) {
      const headers = { authorization: `Bearer ${Token}` };
      const body = formOf({ generalId: story() }, [notes]);
      expect((await app.raw(path, { method: 'POST', body, headers })).status).toBe(403);
    }
  });
});
