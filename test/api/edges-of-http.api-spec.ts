/**
 * What stands around a request: its method and target as they may also be written, codings, expectations, and headers
 * that scripts may read.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { say, statusesOf } from '../support/socket.js';

let app: TestApp;
let open: TestApp;
let project: number;
const origin = 'https://board.example.com';
beforeAll(async () => {
  app = await TestApp.start();
  open = await app.replica({ CORS_ORIGINS: origin });
  [project] = await scrumProjects(app);
});
afterAll(async () => {
  await open.stop();
  await app.stop();
});

const admin = `Authorization: Basic ${Buffer.from('admin:admin').toString('base64')}`;
const sent = (line: string, ...headers: string[]): string =>
  [line, admin, 'Accept: application/json', 'Connection: close', ...headers, '', ''].join('\r\n');
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));

describe('X-HTTP-Method-Override', () => {
  const story = async () =>
    (await app.post('/api/v1/UserStories?format=json', { Name: 'x', Project: { Id: project } })).json.Id;
  const overridden = (path: string, method: string, body: unknown = {}, as = 'admin') =>
    app.post(path, body, { as, headers: { 'x-http-method-override': method } });

  it('makes a POST a bulk deletion', async () => {
    const ids = [await story(), await story()];
    const { status } = await overridden(
      '/api/v1/UserStories/bulk?format=json',
      'DELETE',
      ids.map((Id) => ({ Id })),
    );
    expect(status).toBe(200);
    for (const id of ids) expect((await app.ask(`/api/v1/UserStories/${id}`)).status).toBe(404);
  });

  it('makes it one in any case, by those who may delete', async () => {
    const id = await story();
    const bulk = '/api/v1/UserStories/BULK/?format=json';
    expect((await overridden(bulk, 'delete', [{ Id: id }], 'requester')).status).not.toBe(200);
    expect((await app.ask(`/api/v1/UserStories/${id}`)).status).toBe(200);
    expect((await overridden(bulk, ' Delete ', [{ Id: id }])).status).toBe(200);
    expect((await app.ask(`/api/v1/UserStories/${id}`)).status).toBe(404);
  });

  it.each(['GET', 'PUT', 'PATCH', 'TRACE', 'DROP', '', 'DELETE, DELETE'])('means nothing as %j', async (method) => {
    const id = await story();
    const { status } = await overridden('/api/v1/UserStories/bulk?format=json', method, [{ Id: id, Name: 'y' }]);
    expect(status).toBe(200);
    expect((await app.ask(`/api/v1/UserStories/${id}?format=json`)).json.Name).toBe('y');
  });

  it('cuts a link of an item', async () => {
    const id = await story();
    const assignment = { Assignable: { Id: id }, GeneralUser: { Id: 3 }, Role: { Id: 1 } };
    const { Id } = await app.write('Assignments', assignment);
    const path = `/api/v1/UserStories/${id}/assignments/${Id}/?format=json`;
    expect((await overridden(path, 'DELETE', undefined, 'requester')).status).not.toBe(200);
    const { status } = await app.ask(path, { method: 'POST', headers: { 'x-http-method-override': 'DELETE' } });
    expect(status).toBe(200);
    expect((await app.ask(`/api/v1/Assignments/${Id}`)).status).toBe(404);
    expect((await app.ask(`/api/v1/UserStories/${id}`)).status).toBe(200);
  });

  it('means nothing elsewhere', async () => {
    const id = await story();
    expect((await overridden(`/api/v1/UserStories/${id}?x=/bulk`, 'DELETE', { Name: 'y' })).status).toBe(200);
    expect((await app.ask(`/api/v1/UserStories/${id}?format=json`)).json.Name).toBe('y');
    const tasks = `/api/v1/UserStories/${id}/Tasks?format=json`;
    expect((await overridden(tasks, 'DELETE', { Name: 'made' })).status).toBe(201);
    expect((await app.items(tasks)).map(({ Name }) => Name)).toEqual(['made']);
  });

  it('says nothing to other methods', async () => {
    const id = await story();
    const headers = { 'x-http-method-override': 'DELETE' };
    expect((await app.ask(`/api/v1/UserStories/${id}`, { headers })).status).toBe(200);
    expect((await app.ask(`/api/v1/UserStories/${id}`)).status).toBe(200);
  });

  it('and the method itself are one request for an idempotency key', async () => {
    const headers = { 'idempotency-key': 'one-deletion' };
    const path = '/api/v1/UserStories/bulk?format=json';
    const body = [{ Id: await story() }];
    const first = await app.post(path, body, { headers: { ...headers, 'x-http-method-override': 'DELETE' } });
    const again = await app.ask(path, {
      method: 'DELETE',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  });
});

describe('parameters behind an ampersand in place of a question mark', () => {
  it.each([
    ['/api/v1/Bugs/&take=1&include=[Id]', '/api/v1/Bugs?take=1&include=[Id]'],
    ['//API//V1/Bugs//&format=json&take=1?skip=1', '/api/v1/Bugs?format=json&take=1&skip=1'],
    ["/api/v1/Bugs/&where=Name contains '?&' or Id gt 1&take=1", "/api/v1/Bugs?where=Name contains '"],
    [`/api/v1/Projects/{project}/&format=json`, '/api/v1/Projects/{project}?format=json'],
    ['/api/v1/Context/&format=json', '/api/v1/Context?format=json'],
  ])('%s', async (path, meant) => {
    const [shown, same] = [await app.ask(at(path)), await app.ask(at(meant))];
    expect(shown.text.replace(/ErrorId.*/s, '')).toBe(same.text.replace(/ErrorId.*/s, ''));
  });

  it('mean nothing else, and credentials in them are no part of a path', async () => {
    const made = await app.post('/api/v1/Bugs/&format=json', { Name: 'x', Project: { Id: project } });
    expect([made.status, made.json.Name]).toEqual([201, 'x']);
    for (const path of ['/api/v1/Bugs&format=json', '/api/v2/Bug/&take=1', '/api/v1/Bugs/1&format=json'])
      expect([path, [400, 404].includes((await app.ask(path)).status)]).toEqual([path, true]);
    const { Token } = await app.json('/api/v1/Authentication?format=json');
    const path = `/api/v1/Bugs/&token=${encodeURIComponent(Token)}&take=1`;
    const { status, text } = await app.ask(path, { as: 'nobody' });
    expect([status, text.includes('oken')]).toEqual([200, false]);
  });
});

const at = (path: string): string => encodeURI(path.replace('{project}', String(project)));

it('scripts of other sites may read every header that is sent for clients', async () => {
  const { Id } = (await app.items('/api/v1/Attachments?take=1&include=[Id]'))[0] ?? { Id: 0 };
  const asked: [string, Parameters<TestApp['ask']>[1]?][] = [
    ['/api/v1/Bugs?format=csv&take=1'],
    [`/Attachment.aspx?AttachmentID=${Id}`, { headers: { range: 'bytes=0-0' } }],
    ['/api/v1/Bugs', { method: 'PUT' }],
    ['/api/v1/Bugs', { as: 'nobody' }],
    [`/api/v1/Projects/${project}`],
  ];
  const ours =
    /^(access-control-.*|cache-control|connection|content-security-policy|content-(encoding|length|type)|date|keep-alive|referrer-policy|transfer-encoding|vary|x-content-type-options)$/;
  for (const [path, { headers, ...more } = {}] of asked) {
    const answer = await open.ask(path, { ...more, headers: { ...headers, origin } });
    const exposed = answer.headers.get('access-control-expose-headers')!.toLowerCase().split(', ');
    const names = [...answer.headers.keys()].filter((name) => !ours.test(name));
    expect(names.filter((name) => !exposed.includes(name))).toEqual([]);
    for (const name of ['content-disposition', 'content-range', 'accept-ranges', 'link'])
      expect(exposed).toContain(name);
  }
  const preflight = await open.raw('/api/v1/Bugs', {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-http-method-override',
    },
  });
  expect(preflight.headers.get('access-control-allow-headers')).toMatch(/X-HTTP-Method-Override/);
});

describe('a transfer coding', () => {
  const chunked = (coding: string) =>
    say(
      app,
      `${sent('POST /api/v1/UserStories HTTP/1.1', 'Host: a', 'Content-Type: application/json', `Transfer-Encoding: ${coding}`)}2\r\n{}\r\n0\r\n\r\n`,
    );

  it.each([
    'gzip, chunked',
    'chunked, chunked',
    'identity, chunked',
  ])('other than chunked is refused: %s', async (coding) => {
    const answer = await chunked(coding);
    expect(statusesOf(answer)[0]).toBe(400);
    expect(answer).toMatch(/BadRequest/);
    expect(answer).not.toMatch(/Project/);
  });

  it('that is taken off is refused where Node leaves others on', async () =>
    expect(statusesOf(await chunked('gzip, chunked'))).toEqual([400]));

  it('is chunked in any case', async () => expect(await chunked('Chunked')).toMatch(/HTTP\/1.1 400[\s\S]*Name/));
});

it.each([
  'application/x-www-form-urlencoded; charset=latin1',
  'application/x-www-form-urlencoded; charset="ISO-8859-1"',
])('a form in another charset is 415: %s', async (type) => {
  for (const method of ['POST', 'GET']) {
    const answer = await say(
      app,
      `${sent(`${method} /api/v2/UserStory HTTP/1.1`, 'Host: a', `Content-Type: ${type}`, 'Content-Length: 6')}take=1`,
    );
    expect([method, ...statusesOf(answer)]).toEqual([method, 415]);
    expect(bodyOf(answer).Message).toMatch(/UTF-8/);
  }
});

describe('a body of a type that an address does not take', () => {
  const form = 'application/x-www-form-urlencoded';
  const entities = ['application/json', 'application/xml'];
  const all = [...entities, form, 'multipart/form-data'];

  it.each([
    ['/login', [form]],
    ['/api/v2/UserStory', [form]],
    ['/api/history/v2/UserStory', [form]],
    ['/api/login/validate', [...entities, form]],
    ['/api/v1/Users/LoggedUser/Password', [...entities, form]],
    ['/mcp', ['application/json']],
    ['/api/v1/UserStories', entities],
    ['/api/v1/undelete', entities],
    ['/api/v1/Attachments', [...entities, 'multipart/form-data']],
    ['/UploadFile.ashx', ['multipart/form-data']],
  ])('%s: 415 names %j', async (path, types) => {
    const others = ['text/plain', 'multipart/mixed; boundary=x', ...all.filter((type) => !types.includes(type))];
    for (const type of others) {
      const headers = {
        'content-type': type.replace('form-data', 'form-data; boundary=x'),
        accept: 'application/json',
      };
      const answer = await app.ask(path, { method: 'POST', headers, body: 'a=b' });
      const named = all.filter((one) => answer.text.includes(one));
      expect([type, answer.status, named]).toEqual([type, 415, types]);
    }
  });
});

it('an expectation that cannot be met is refused in the usual shape', async () => {
  const answer = await say(app, sent('GET /api/v1/Bugs HTTP/1.1', 'Host: a', 'Expect: x'));
  expect(statusesOf(answer)).toEqual([417]);
  expect(bodyOf(answer)).toMatchObject({ Status: 'ExpectationFailed', Code: 'ExpectationFailed' });
  expect(answer).toMatch(/x-request-id: /i);
});

it.each([
  ['POST', '/api/v1/AccessTokens/bulk', 'DELETE'],
  ['PUT', '/api/v1/Search', 'GET, HEAD'],
  ['DELETE', '/api/v1/Context', 'GET, HEAD'],
  ['PUT', '/api/v1/Authentication', 'GET, HEAD, POST'],
  ['DELETE', '/api/v1/Authentication', 'GET, HEAD, POST'],
  ['POST', '/api/v1/meta', 'GET, HEAD'],
  ['DELETE', '/api/v1/Index/meta', 'GET, HEAD'],
  ['POST', '/api/v1/Context/meta', 'GET, HEAD'],
  ['PUT', '/api/v1/UserStories/meta', 'GET, HEAD'],
  ['POST', '/api/v1/UserStories/meta', 'GET, HEAD'],
  ['DELETE', '/api/v1/RelationTypes//meta', 'GET, HEAD'],
  ['GET', '/api/v1/UserStories/bulk', 'POST, DELETE'],
  ['GET', '/api/v1/AccessTokens/bulk', 'DELETE'],
  ['DELETE', '/api/v1/CustomRules/bulk', 'POST'],
  ['POST', '/api/v1/LoginAttempts/1', 'GET, HEAD, DELETE'],
  ['POST', '/api/v1/RelationTypes/bulk', 'GET, HEAD'],
  ['DELETE', '/api/v1/Culture/meta', 'GET, HEAD'],
  ['POST', '/api/v1/projectinfo/meta', 'GET, HEAD'],
  ['PUT', '/api/v1/String/meta', 'GET, HEAD'],
  ['GET', '/api/v1/Generals/bulk', 'POST, DELETE'],
  ['POST', '/api/v1/Users/LoggedUser', 'GET, HEAD'],
  ['DELETE', '/api/v1/users/loggeduser', 'GET, HEAD'],
  ['PUT', '/api/v1/Users/LoggedUser/Password', 'POST'],
  ['GET', '/api/v1/Users/LoggedUser/Password', 'POST'],
  ['DELETE', '/api/v1/Users/LoggedUser/Password', 'POST'],
  ['PUT', '/api/v1/UserStories/1/Tasks', 'GET, HEAD, POST, DELETE'],
  ['DELETE', '/api/v1/UserStories/1/Bugs', 'GET, HEAD, POST'],
  ['DELETE', '/api/v1/UserStories/1/Bugs?childrenIds=1', 'GET, HEAD, POST'],
  ['POST', '/api/v1/UserStories/1/History', 'GET, HEAD'],
  ['POST', '/api/v1/Processes/1/Terms', 'GET, HEAD'],
  ['PUT', '/', 'GET, HEAD'],
  ['POST', '/query', 'GET, HEAD'],
  ['DELETE', '/entity/1', 'GET, HEAD'],
  ['POST', '/administration/users', 'GET, HEAD'],
  ['PUT', '/documentation/contract', 'GET, HEAD'],
  ['POST', '/health/ready', 'GET, HEAD'],
  ['PUT', '/login', 'GET, HEAD, POST'],
  ['GET', '/logout', 'POST'],
])('405 names the methods of the address: %s %s', async (method, path, allow) => {
  const headers = { 'content-type': 'application/json' };
  const sent = method === 'GET' ? {} : { headers, body: '[{"Id":6}]' };
  const { status, headers: answered } = await app.ask(path, { method, ...sent });
  expect([status, answered.get('allow')]).toEqual([405, allow]);
});

it.each([
  ['GET', '/api/v1/UserStories/meto', 400],
  ['GET', '/api/v1/Teams/LoggedUser', 400],
  ['GET', '/api/v1/RelationTypes/bulk', 400],
  ['PUT', '/api/v1/Nothing/meta', 404],
  ['PUT', '/nothing', 404],
  ['GET', '/login/sso', 404],
  ['GET', '/documentation/nothing', 404],
  ['POST', '/documentation/nothing', 404],
  ['PUT', '/api/v1/Nothing/meta', 404],
  ['GET', '/api/v1/UserStories/meta/Tasks', 400],
  ['DELETE', '/api/v1/UserStories/bulk/Tasks?childrenIds=1', 400],
  ['DELETE', '/api/v1/UserStories/1/Bugs/2', 404],
  ['GET', '/api/v1/UserStories/1/Bugs/2', 404],
  ['DELETE', '/api/v1/Processes/1/Terms/1', 404],
])('405 is of addresses that are there: %s %s is %i', async (method, path, expected) => {
  const { status, headers } = await app.ask(path, { method });
  expect([status, headers.get('allow')]).toEqual([expected, null]);
});

it.each([
  ['/api/v1/AccessTokens', { Id: 6 }, 'AccessTokens cannot be changed; leave the Id out.'],
  ['/api/v1/Generals', { Name: 'x' }, 'Generals cannot be created; give the Id of one that exists.'],
])('what cannot be done at an address that takes POST is said: %s', async (path, body, message) => {
  const { status, json, headers } = await app.post(`${path}?format=json`, body);
  expect([status, json.Message, headers.get('allow')]).toEqual([405, message, 'GET, HEAD, POST']);
});

it.each([
  ['POST', '/api/v1/Processes/1/Practices', '{}', 'Practices cannot be created; give the Id of one that exists.'],
])('what cannot be done in a collection that others can be added to is 400: %s %s', async (method, path, body, message) => {
  const sent = { method, headers: { 'content-type': 'application/json' }, body };
  const { status, json, headers } = await app.ask(`${path}?format=json`, sent);
  expect([status, json.Message, headers.get('allow')]).toEqual([400, message, null]);
});

it('a space within the address is named', async () => {
  const answer = await say(app, sent('GET /api/v1/Bugs?where=(Id eq 1) HTTP/1.1', 'Host: a'));
  expect(answer).toContain('Spaces and characters beyond ASCII are percent-encoded in UTF-8.');
});

describe('letters that are percent-encoded', () => {
  /** The last letter of each word in turn. */
  const spellings = (path: string): string[] =>
    [...path.matchAll(/\w(?=[/.?]|$)/g)].map(
      ({ 0: letter, index }) => `${path.slice(0, index)}%${letter.charCodeAt(0).toString(16)}${path.slice(index + 1)}`,
    );

  it.each([
    '/api/v1/UserStories',
    '/api/v1/UserStories/bulk',
    '/api/v1/UserStories/meta',
    '/api/v1/Index/meta',
    '/api/v1/Context',
    '/api/v1/Search',
    '/api/v1/Undelete',
    '/api/v1/undelete/bulk',
    '/api/v1/Users/LoggedUser/Password',
    '/api/v1/Nothing',
    '/api/v2/UserStory',
    '/api/history/v2/UserStory',
    '/api/deleteditems/v1/projects',
    '/api/login/validate',
    '/UploadFile.ashx',
    '/avatar.ashx',
    '/Attachment.aspx',
    '/mcp',
    '/health/live',
    '/login',
  ])('mean themselves: %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const ask = async (spelled: string) => {
        const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
        const { status, headers, text } = await app.ask(`${spelled}?format=json&take=1`, { method, ...body });
        return {
          status,
          allow: headers.get('allow'),
          text: text.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/, ''),
        };
      };
      const plain = await ask(path);
      for (const spelled of spellings(path)) expect([spelled, await ask(spelled)]).toEqual([spelled, plain]);
    }
  });

  it('make a POST a bulk deletion', async () => {
    const { json } = await app.post('/api/v1/UserStories?format=json', { Name: 'x', Project: { Id: project } });
    const headers = { 'x-http-method-override': 'DELETE' };
    const path = '/api/v1/UserStor%69es/%62ulk?format=json';
    expect((await app.post(path, [{ Id: json.Id }], { headers })).status).toBe(200);
    expect((await app.ask(`/api/v1/UserStories/${json.Id}`)).status).toBe(404);
  });

  it.each([
    ['/api/v1/%2555serStories', 404],
    ['/api/v1/%%355serStories', 400],
    ['/api/v1/UserStories/1%2f2', 400],
  ])('are decoded once: %s', async (path, expected) => {
    expect((await app.ask(path)).status).toBe(expected);
  });
});

describe('a whole address', () => {
  it.each(['http', 'https', 'HTTP'])('is taken: %s', async (scheme) => {
    const answer = await say(app, sent(`GET ${scheme}://work.test:8080/api/v1/bugs/?take=1 HTTP/1.1`, 'Host: other'));
    expect(statusesOf(answer)).toEqual([200]);
    expect(bodyOf(answer).Next).toMatch(/^http:\/\/work\.test:8080\/api\/v1\/Bugs\//);
  });

  it('without a path is that of the page that greets', async () =>
    expect(statusesOf(await say(app, sent('GET http://work.test HTTP/1.1', 'Host: other')))).toEqual([200]));

  it.each(['http://a,b/api/v1/Bugs', 'http://me:pw@a/api/v1/Bugs'])('is refused: %s', async (target) =>
    expect(statusesOf(await say(app, sent(`GET ${target} HTTP/1.1`, 'Host: a')))[0]).toBe(400));

  it('needs the header Host as well', async () =>
    expect(statusesOf(await say(app, sent('GET http://a/api/v1/Bugs HTTP/1.1')))).toEqual([400]));
});
