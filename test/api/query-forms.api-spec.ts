/** Parameters in the form body of a GET count as if they stood in the address, which wins. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { routesOf } from '../support/routes.js';
import { Connection, say, statusesOf } from '../support/socket.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await TestApp.start();
  token = (await app.json('/api/v1/Authentication?format=json')).Token;
});
afterAll(() => app.stop());

const form = 'application/x-www-form-urlencoded';
const admin = `Basic ${Buffer.from('admin:admin').toString('base64')}`;

interface Sent {
  body?: string;
  type?: string;
  method?: string;
  headers?: Record<string, string>;
  isNobody?: boolean;
}

interface Told {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** `fetch` sends no body with a GET. */
function get(
  path: string,
  { body = '', type = form, method = 'GET', headers = {}, isNobody }: Sent = {},
): Promise<Told> {
  const credentials: Record<string, string> = isNobody ? {} : { authorization: admin };
  const sent = { 'content-type': type, 'content-length': Buffer.byteLength(body), ...credentials, ...headers };
  return new Promise((resolve, reject) => {
    const request = httpRequest(app.base + path, { method, headers: sent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

const spelled = (parameters: Record<string, string>): string => new URLSearchParams(parameters).toString();

const asked = {
  where: "(Name contains 'a') and (Id gt 1)",
  include: '[Id,Name]',
  orderBy: 'Name',
  take: '3',
  skip: '3',
};

it('a page in JSON is that of the address, its links included', async () => {
  const body = spelled({ ...asked, format: 'json' });
  const { status, text } = await get('/api/v1/UserStories', { body });
  expect(status).toBe(200);
  expect(text).toBe((await app.ask(`/api/v1/UserStories?${body}`)).text);
  const page = JSON.parse(text);
  expect(page.Items).toHaveLength(3);
  expect(new URL(page.Next).searchParams.get('where')).toBe(asked.where);
  expect(new URL(page.Prev).searchParams.get('skip')).toBe('0');
});

it('a page in XML as well', async () => {
  const { text } = await get('/api/v1/UserStories', { body: spelled(asked) });
  expect(text).toBe((await app.ask(`/api/v1/UserStories?${spelled(asked)}`)).text);
  expect((await parseXml(text)).children).toHaveLength(3);
});

it('the address wins, parameter by parameter, in any letter case', async () => {
  const body = spelled({ TAKE: '5', include: '[Id]', format: 'json' });
  const page = JSON.parse((await get('/api/v1/Bugs?take=2', { body })).text);
  expect(page.Items).toHaveLength(2);
  expect(Object.keys(page.Items[0])).toEqual(['ResourceType', 'Id']);
  expect(JSON.parse((await get('/api/v1/Bugs?take=', { body })).text).Items).toHaveLength(5);
});

it.each([
  ['one entity', async () => `/api/v1/Bugs/${await firstBug()}`, 'include=[Id]&format=json'],
  ['an inner collection', async () => `/api/v1/Bugs/${await firstBug()}/Comments`, 'take=1&format=json'],
  ['the caller', async () => '/api/v1/Users/LoggedUser', 'include=[Id]&format=json'],
  ['the context', async () => '/api/v1/Context', 'format=json&projectIds=1'],
  ['metadata', async () => '/api/v1/Bugs/meta', 'format=json'],
  ['version 2', async () => '/api/v2/Bug', 'select={id}&take=2&orderBy=id'],
])('%s takes them, too', async (_, path, body) => {
  const place = await path();
  const answer = await get(place, { body });
  expect(answer.status).toBe(200);
  expect(answer.text).toBe((await app.ask(`${place}?${body}`)).text);
});

const firstBug = async (): Promise<number> => (await app.items('/api/v1/Bugs?take=1&include=[Id]'))[0].Id;

it('the entity tag is that of the address', async () => {
  const path = `/api/v1/Bugs/${await firstBug()}`;
  const { headers } = await get(path, { body: 'include=[Id]&format=json' });
  const other = await get(path, { body: 'include=[Name]&format=json' });
  expect(headers.etag).toBe((await app.ask(`${path}?include=[Id]&format=json`)).headers.get('etag'));
  expect(other.headers.etag).not.toBe(headers.etag);
  const again = { body: 'include=[Id]&format=json', headers: { 'if-none-match': String(headers.etag) } };
  expect((await get(path, again)).status).toBe(304);
});

it('HEAD takes them as GET does', async () => {
  const body = 'take=1&include=[Id]&format=json';
  const { status, headers, text } = await get('/api/v1/Bugs', { method: 'HEAD', body });
  expect([status, headers['content-type'], text]).toEqual([200, 'application/json; charset=utf-8', '']);
});

describe('ignored is', () => {
  const path = '/api/v1/Bugs?take=1&include=[Id]&format=xml';

  it.each([
    ['a body in JSON', '{"where":"nonsense"', 'application/json'],
    ['a body in XML', '<where>', 'application/xml'],
    ['a body of no type', 'format=json', ''],
    ['a form that is empty', '', form],
  ])('%s', async (_, body, type) => {
    const { status, text } = await get(path, { body, type });
    expect([status, text]).toEqual([200, (await app.ask(path)).text]);
  });

  it('a form sent to a page for people', async () => {
    const { status } = await get('/login', { body: 'where=nonsense&take=x', isNobody: true });
    expect(status).toBe(200);
  });

  it('a credential in it beside another one', async () => {
    expect((await get('/api/v1/Bugs', { body: 'token=bad&take=1' })).status).toBe(200);
    expect((await get('/api/v1/Bugs?token=bad', { body: spelled({ token }), isNobody: true })).status).toBe(401);
  });
});

describe('a credential in it is one', () => {
  const own = { isNobody: true } as const;
  const loginFrom = async (path: string, sent: Sent) => {
    const { status, text } = await get(path, { ...own, ...sent });
    return status === 200 ? JSON.parse(text).Login : status;
  };

  it('of either kind, in any letter case, beside the cookie of nobody', async () => {
    const path = '/api/v1/Users/LoggedUser';
    const more = { format: 'json', include: '[Login]' };
    const { Token } = await app.write('AccessTokens', { Name: 'form' }, { as: 'alice' });
    expect(await loginFrom(path, { body: spelled({ ...more, token }) })).toBe('admin');
    expect(await loginFrom(path, { body: spelled({ ...more, TOKEN: token }) })).toBe('admin');
    const headers = { cookie: 'seen=1; worktrack_session=old' };
    expect(await loginFrom(path, { body: spelled({ ...more, access_token: Token }), headers })).toBe('alice');
    const both = spelled({ ...more, access_token: Token, token });
    expect(await loginFrom(path, { body: both })).toBe(400);
    expect(await loginFrom(path, { body: spelled({ ...more, token: 'bad' }) })).toBe(401);
    expect(await loginFrom(path, { body: spelled({ ...more, token, take: 'x' }) })).toBe(400);
  });

  it('in version 2, and in a HEAD', async () => {
    const body = spelled({ token, select: '{id}', take: '1' });
    expect((await get('/api/v2/UserStory', { body, ...own })).status).toBe(200);
    expect((await get('/api/v1/Bugs', { body, method: 'HEAD', ...own })).status).toBe(200);
  });

  it('is repeated nowhere', async () => {
    const body = spelled({ token, take: '1', format: 'json' });
    for (const path of ['/api/v1/Bugs', '/api/v2/Bug']) {
      const { text, headers } = await get(path, { body, ...own });
      expect(text).toContain('skip=1');
      expect(text + JSON.stringify(headers)).not.toContain('oken');
    }
  });

  it.each([
    ['a body of another type', { type: 'application/json' }],
    ['a form of another charset', { type: `${form}; charset=utf-16` }],
    ['a form longer than an address may be', { body: `token=x&_=${'x'.repeat(16_384)}` }],
    ['a POST', { method: 'POST' }],
  ])('but not in %s', async (_, sent) => {
    const body = spelled({ token, take: '1' });
    expect((await get('/api/v1/Bugs', { body, ...own, ...sent })).status).toBe(401);
  });
});

describe('limits of the address hold', () => {
  it.each([
    ['a filter that cannot be read', 'where=Name', 400],
    ['a misspelt name', 'were=x', 400],
    ['a name given twice', 'take=1&take=2', 400],
    ['an escape that is none', 'where=%zz', 400],
    ['bytes that are no text', 'where=\u00ff%ff', 400],
    ['too many parameters', Array.from({ length: 2000 }, (_, at) => `a${at}=`).join('&'), 400],
    ['a form longer than an address may be', `where=${'x'.repeat(16_385)}`, 413],
  ])('%s', async (_, body, status) => {
    expect((await get('/api/v1/Bugs?format=json', { body })).status).toBe(status);
  });

  it('address and form together are no longer than an address', async () => {
    const { status } = await get(`/api/v1/Bugs?_=${'x'.repeat(9000)}`, { body: `where=${'x'.repeat(9000)}` });
    expect(status).toBe(414);
  });
});

describe('a form that is refused is refused in the format that it asks for', () => {
  const json = 'application/json; charset=utf-8';
  const xml = 'application/xml; charset=utf-8';
  it.each([
    ['a misspelt name', 'Bugs', 'format=json&were=1', json],
    ['a misspelt name before it', 'Bugs', 'were=1&FORMAT=JSON', json],
    ['a name given twice', 'Bugs', 'take=1&format=json&take=2', json],
    ['a format given twice', 'Bugs', 'format=json&format=xml', json],
    ['an escape that is none', 'Bugs', 'where=%zz&resultFormat=json', json],
    ['a format that cannot be read', 'Bugs', 'format=%zz', xml],
    ['a format that is none', 'Bugs', 'format=yaml&were=1', xml],
    ['the address wins', 'Bugs?format=xml', 'format=json&were=1', xml],
    ['a refused address', 'Bugs?were=1', 'format=json', json],
    ['an empty one in the address', 'Bugs?format=', 'format=json&were=1', json],
    ['a filter that cannot be read', 'Bugs', 'format=json&where=Name', json],
  ])('%s', async (_, path, body, type) => {
    const { status, headers } = await get(`/api/v1/${path}`, { body });
    expect([status, headers['content-type']]).toEqual([400, type]);
  });
});

describe('an address that takes no GET refuses in the format that the form asks for', () => {
  const types = { json: 'application/json; charset=utf-8', xml: 'application/xml; charset=utf-8' };
  it.each([
    ['an unknown resource', '/api/v1/nowhere', 404],
    ['an unknown address', '/api/nowhere/at/all', 404],
    ['the address of the API alone', '/api', 404],
    ['too long a path', '/api/v1/Bugs/1/Comments/2/3', 404],
    ['an entity that is not there', '/api/v1/Bugs/99999999', 404],
    ['an id that is none', '/api/v1/Bugs/none', 400],
    ['where many are written', '/api/v1/Bugs/bulk', 405],
    ['an address of nobody', '/api/login/validate', 405],
    ['restoring', '/api/v1/undelete', 405],
    ['restoring one', '/api/deleteditems/v1/projects/1/restore', 405],
  ])('%s', async (_, path, status) => {
    for (const [format, type] of Object.entries(types))
      for (const method of ['GET', 'HEAD']) {
        const { status: answered, headers } = await get(path, { method, body: `format=${format}&take=1` });
        expect([method, answered, headers['content-type']]).toEqual([method, status, type]);
        const inAddress = await get(`${path}?format=${format}`, { method, body: 'format=yaml' });
        expect([method, inAddress.status, inAddress.headers['content-type']]).toEqual([method, status, type]);
      }
  });

  it('as every address below /api does', async () => {
    const routes = routesOf(app).filter((route) => /^[A-Z]+ \/api\//.test(route));
    const paths = new Set(routes.map((route) => route.replace(/^[A-Z]+ /, '').replace(/:\w+|\*/g, '999999')));
    expect(paths.size).toBeGreaterThan(100);
    const withoutId = (text: string): string => text.replace(/"?ErrorId.*/s, '');
    for (const path of paths) {
      const body = 'format=json';
      const [inForm, inAddress] = [await get(path, { body }), await get(`${path}?${body}`)];
      const shown = ({ status, headers, text }: Told) => [path, status, headers['content-type'], withoutId(text)];
      expect(shown(inForm)).toEqual(shown(inAddress));
    }
  });

  it('and who may not call is told so in it, where the form is no longer than an address may be', async () => {
    const answer = await get('/api/v1/nowhere', { body: 'format=json', isNobody: true });
    expect([answer.status, answer.headers['content-type']]).toEqual([401, types.json]);
    const long = await get('/api/v1/nowhere', { body: `format=json&_=${'x'.repeat(16_384)}`, isNobody: true });
    expect([long.status, long.headers['content-type']]).toEqual([401, types.xml]);
  });
});

it('of the type of a body that is ignored, JSON alone is a wish for a format, unless Accept says otherwise', async () => {
  const xml = 'application/xml; charset=utf-8';
  for (const [type, headers, shown] of [
    ['application/json', {}, 'application/json; charset=utf-8'],
    ['application/json', { accept: '*/*' }, xml],
    ['text/xml', {}, xml],
  ] as const) {
    for (const [path, status] of [
      ['/api/v1/Bugs?take=1', 200],
      ['/api/v1/Bugs/999999', 404],
      ['/api/v1/Bugs/meta', 200],
      ['/api/v1/nowhere', 404],
    ] as const)
      for (const method of ['GET', 'HEAD'])
        for (const body of ['', '{}']) {
          const answer = await get(path, { method, body, type, headers });
          expect([path, answer.status, answer.headers['content-type']]).toEqual([path, status, shown]);
        }
    const refused = await get('/api/v1/Bugs', { type, headers, isNobody: true });
    expect([refused.status, refused.headers['content-type']]).toEqual([401, shown]);
  }
});

describe('the caller comes first', () => {
  const head = (...lines: string[]): string =>
    ['GET /api/v1/Bugs?format=json HTTP/1.1', 'Host: a', `Content-Type: ${form}`, ...lines, '', ''].join('\r\n');

  it.each([
    'Content-Length: 16385',
    'Transfer-Encoding: chunked',
  ])('who may not call is told so before a byte of what may be long is read: %s', async (length) => {
    const connection = await Connection.open(app);
    connection.socket.write(head(length));
    expect(await connection.answers()).toEqual([401]);
    connection.socket.destroy();
  });

  it('a short form is read for the credential that it may hold, where there is no other', async () => {
    const connection = await Connection.open(app);
    const body = spelled({ token, take: '1' });
    connection.socket.write(head('Expect: 100-continue', `Content-Length: ${body.length}`));
    await connection.answers();
    connection.socket.write(body);
    expect(await connection.answers(2)).toEqual([100, 200]);
    connection.socket.destroy();
  });

  it('a form is asked for once its caller is let in', async () => {
    const connection = await Connection.open(app);
    connection.socket.write(head(`Authorization: ${admin}`, 'Expect: 100-continue', 'Content-Length: 6'));
    await connection.answers();
    expect(connection.received).toMatch(/^HTTP\/1\.1 100 /);
    connection.socket.write('take=1');
    expect(await connection.answers(2)).toEqual([100, 200]);
    connection.socket.destroy();
  });

  it('a form in chunks is read to its limit', async () => {
    const chunk = 'x'.repeat(20_000);
    const text = `${head(`Authorization: ${admin}`, 'Transfer-Encoding: chunked', 'Connection: close')}${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`;
    expect(statusesOf(await say(app, text))).toEqual([413]);
  });
});

it.each([
  '/',
  '/query',
  '/documentation',
  '/health/live',
  '/health/ready',
])('%s ignores what looks like a parameter of lists', async (path) => {
  expect((await app.ask(`${path}?theme=dark`)).status).toBe(200);
});
