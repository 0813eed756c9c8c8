/** Charsets of bodies, of credentials, and of names of files, as clients of several languages name and mean them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

const send = (type: string, body: Buffer, path = '/api/v1/UserStories?format=json') =>
  app.ask(path, { method: 'POST', headers: { 'content-type': type }, body });

const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>\r\n`;
const xml = (name: string): string => `<UserStory Name="${name}"><Project Id="${project}"/></UserStory>`;
const json = (name: string): string => JSON.stringify({ Name: name, Project: { Id: project } });
/** With the euro sign and quotes, which ISO-8859-1 has not. */
const ansi = (text: string): Buffer => Buffer.from(text.replace(/€/g, '\x80').replace(/„/g, '\x84'), 'latin1');

describe('a body whose bytes contradict the encoding that it declares', () => {
  it.each([
    ['utf-16', 'application/xml', ''],
    ['UTF-16', 'text/xml', ''],
    ['utf-16le', 'application/xml; charset=utf-8', ''],
    ['utf-16', 'application/xml', '\ufeff'],
    ['iso-8859-1', 'application/xml', '\ufeff'],
    ['iso-8859-1', 'application/xml; charset=utf-8', ''],
  ])('is read as UTF-8: %s in %s row %#', async (encoding, type, mark) => {
    const answer = await send(type, Buffer.from(`${mark}${declared(encoding)}${xml('Größe €')}`));
    expect([answer.status, answer.json.Name]).toEqual([201, 'Größe €']);
  });

  it('is so without a Content-Type', async () => {
    const body = Buffer.from(declared('utf-16') + xml('Größe'));
    const answer = await app.ask('/api/v1/UserStories', { method: 'POST', body });
    expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('Name="Größe"')]);
  });

  it('is refused where it is no text of UTF-8', async () => {
    for (const body of [Buffer.from(declared('utf-16') + xml('x'), 'utf16le'), ansi(declared('utf-16') + xml('é'))])
      expect((await send('application/xml', body)).status).toBe(400);
  });
});

describe('a body of one byte for each character', () => {
  it.each([
    'ISO-8859-1',
    'iso-8859-1',
    'latin1',
    'windows-1252',
    'ISO8859_1',
    'iso8859-1',
    'ISO_8859-1',
    'latin-1',
    'Cp1252',
    '"ISO-8859-1"',
    "'Windows-1252'",
  ])('is read as its header says: %s', async (charset) => {
    for (const [type, text] of [
      ['application/xml', xml('Größe „€')],
      ['text/xml', declared('utf-8') + xml('Größe „€')],
      ['application/json', json('Größe „€')],
    ] as const) {
      const answer = await send(`${type}; charset=${charset}`, ansi(text));
      expect([type, answer.status, answer.json.Name]).toEqual([type, 201, 'Größe „€']);
    }
  });

  it.each(['ISO-8859-1', 'windows-1252'])('is read as it declares: %s', async (encoding) => {
    const answer = await send('application/xml', ansi(declared(encoding) + xml('Größe „€')));
    expect([answer.status, answer.json.Name]).toEqual([201, 'Größe „€']);
  });

  it('keeps the limits, and may be long', async () => {
    const long = (length: number): Buffer =>
      ansi(JSON.stringify({ Name: 'x', Description: 'ö'.repeat(length), Project: { Id: project } }));
    const type = 'application/json; charset=iso-8859-1';
    const answer = await send(type, long(1024 * 1024));
    expect([answer.status, answer.json.Description.length]).toEqual([201, 1024 * 1024]);
    expect((await send(type, long(1024 * 1024 + 1))).json.Message).toContain('at most 1048576 characters');
    expect((await send(type, long(11 * 1024 * 1024))).status).toBe(413);
  });

  it('declares so at its beginning', async () => {
    const late = `<?xml version="1.0"${' '.repeat(2000)}encoding="iso-8859-1"?>${xml('x')}`;
    for (const text of [late, late.replace('<?xml', `<?xml${'\r\n'.repeat(1000)}`)])
      expect((await send('application/xml', Buffer.from(text))).status).toBe(400);
  });
});

it.each(['us-ascii', 'US-ASCII', "'utf-8'", '"UTF-8"', 'utf8'])('ASCII and UTF-8 are read: %s', async (charset) => {
  expect((await send(`application/json; charset=${charset}`, Buffer.from(json('x')))).status).toBe(201);
});

it('ASCII that is declared is read', async () =>
  expect((await send('application/xml', Buffer.from(declared('us-ascii') + xml('x')))).status).toBe(201));

it.each(['utf-16', 'utf-7', 'evil', 'shift_jis', '__proto__'])('others are refused and named: %s', async (charset) => {
  const answer = await send(`application/json; charset=${charset}`, Buffer.from('{}'));
  expect([answer.status, answer.json.Message]).toEqual([415, expect.stringContaining(`'${charset}'`)]);
});

it.each(['us-ascii', 'iso-8859-1'])('one that is read is not blamed for the type: %s', async (charset) => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const answer = await send(`${type}; charset=${charset}`, Buffer.from('x'));
    expect([answer.status, answer.json.Message]).toEqual([415, expect.not.stringContaining(charset)]);
  }
});

describe('a refusal names the charsets that are read', () => {
  it.each([
    ['application/json; charset=utf-16', '{}', '/api/v1/UserStories'],
    ['application/xml; charset=koi8-r', '<a/>', '/api/v1/UserStories'],
    ['text/plain', 'x', '/api/v1/UserStories/bulk'],
    ['text/plain', 'x', '/api/v1/AccessTokens'],
    ['application/json', '{Name: "\xe9"}', '/api/v1/UserStories'],
    ['application/xml', '<UserStory Name="\xe9"/>', '/api/v1/UserStories'],
    ['application/xml', declared('koi8-r') + xml('x'), '/api/v1/UserStories'],
  ])('%s, %j to %s', async (type, body, path) => {
    const { status, json } = await send(type, Buffer.from(body, 'latin1'), `${path}?format=json`);
    expect([400, 415]).toContain(status);
    for (const charset of ['UTF-8', 'ISO-8859-1', 'windows-1252']) expect(json.Message).toContain(charset);
  });

  it('and of which types they are, where a form may be sent too', async () => {
    const { json } = await send('text/plain', Buffer.from('x'), '/api/v1/Users/LoggedUser/Password?format=json');
    expect(json.Message).toContain(
      'in UTF-8 (JSON and XML in ISO-8859-1 or windows-1252, too) and without compression.',
    );
  });

  it.each([
    ['/api/v2/UserStory', 'application/x-www-form-urlencoded; charset=latin1', 'where=id>0'],
    ['/mcp', 'application/json; charset=latin1', '{}'],
    ['/mcp', 'application/json', '"\xe9"'],
  ])('and UTF-8 alone, where no other is read: %s, %s', async (path, type, body) => {
    const { status, json } = await send(type, Buffer.from(body, 'latin1'), `${path}?format=json`);
    expect([400, 415]).toContain(status);
    expect(json.Message).toContain('UTF-8');
    expect(json.Message).not.toMatch(/ISO-8859-1|windows-1252/);
  });
});

it('a key for another request is that of the same bytes in another charset', async () => {
  const post = (type: string) =>
    app.ask('/api/v1/UserStories?format=json', {
      method: 'POST',
      headers: { 'content-type': type, 'idempotency-key': 'bytes' },
      body: Buffer.from(json('ä')),
    });
  expect((await post('application/json')).status).toBe(201);
  expect((await post('application/json; charset=latin1')).status).toBe(409);
  expect((await post('application/json; charset=utf-8')).status).toBe(201);
});

describe('Basic credentials that are no UTF-8', () => {
  const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';
  const as = (login: string, password: string, encoding: 'utf8' | 'latin1') =>
    app.raw(me, {
      headers: { authorization: `Basic ${Buffer.from(`${login}:${password}`, encoding).toString('base64')}` },
    });

  it('are read as windows-1252, and count as any', async () => {
    const user = { FirstName: 'U', LastName: 'M', Email: 'umlaut@example.com', IsActive: true, Role: { Id: 1 } };
    await app.write('Users', { ...user, Login: 'umlaut', Password: 'Pässwörter1' });
    for (const encoding of ['latin1', 'utf8', 'latin1'] as const)
      expect([encoding, (await as('umlaut', 'Pässwörter1', encoding)).status]).toEqual([encoding, 200]);
    for (let count = 0; count < 10; count += 1) expect((await as('umlaut', 'Pässwörter2', 'latin1')).status).toBe(401);
    expect((await as('umlaut', 'Pässwörter1', 'latin1')).status).toBe(429);
  });
});
