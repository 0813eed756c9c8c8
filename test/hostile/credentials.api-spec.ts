/** Credentials as nobody should send them: refused at once, with one answer, and without a fault. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { say } from '../support/socket.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const me = '/api/v1/Users/LoggedUser?format=json';
const blob = (text: string | Buffer): string => Buffer.from(text as string).toString('base64');
const asked = (headers: Record<string, string>, path = me) => app.raw(path, { headers });

describe('A1: without credentials', () => {
  const places = [
    '/api/v1/UserStories/',
    '/api/v1/UserStories/1',
    '/api/v1/UserStories/1/Tasks',
    '/api/v1/Index/meta',
    '/api/v1/Nothing',
    '/api/v1/Nothing/1',
    '/api/v1/UserStories?where=((((',
    '/api/v1/UserStories?take=-1',
    '/api/v1/GlobalSettings',
    '/api/v1/AccessTokens',
    '/api/v1/undelete',
    '/api/deleteditems/v1/projects',
    '/api/deletedprojects/v1',
    '/api/v3/Nothing',
    '/api',
  ];

  it.each(['GET', 'POST', 'DELETE', 'PUT', 'PATCH'])('%s tells nobody what there is', async (method) => {
    const answers = await Promise.all(places.map((path) => app.raw(path, { method })));
    for (const [at, { status, headers, text }] of answers.entries()) {
      expect([places[at], status, headers.get('www-authenticate')]).toEqual([
        places[at],
        401,
        'Basic realm="Worktrack", charset="UTF-8"',
      ]);
      expect(text).toContain('<Status>Unauthorized</Status>');
    }
    expect(new Set(answers.map(({ text }) => text.replace(/<ErrorId>.*<\/ErrorId>/, ''))).size).toBe(1);
  });

  it('is told so in the format asked for', async () => {
    expect((await asked({})).json).toMatchObject({ Status: 'Unauthorized', ErrorId: expect.any(String) });
    expect((await asked({ accept: 'application/json' }, '/api/v1/Bugs')).json.Status).toBe('Unauthorized');
    expect((await asked({}, '/api/v1/Bugs')).text).toMatch(/^<Error>/);
  });
});

describe('A3, A16: a credential', () => {
  it.each<[string, Record<string, string>]>([
    ['of no base64', { authorization: 'Basic !!!!' }],
    ['with escapes', { authorization: `Basic ${blob('admin:admin').replace('=', '%3D')}%` }],
    ['without a colon', { authorization: `Basic ${blob('admin')}` }],
    ['with a line break', { authorization: `Basic ${blob('admin:admin\n')}` }],
    ['with a NUL', { authorization: `Basic ${blob('admin\0:admin')}` }],
    ['of 8 KiB', { authorization: `Basic ${blob(`admin:${'x'.repeat(6000)}`)}` }],
    ['as a statement', { authorization: `Basic ${blob("' or 1=1--:x")}` }],
    ['of another scheme', { authorization: 'Negotiate YII=' }],
    ['of a scheme alone', { authorization: 'Bearer' }],
    ['of an empty login', { authorization: `Basic ${blob(':')}` }],
    ['as Anonymous', { authorization: `Basic ${blob('Anonymous:')}` }],
    ['as System without a password', { authorization: `Basic ${blob('System:')}` }],
    ['with a line for the log', { authorization: `Basic ${blob('x\n{"level":30,"msg":"admin logged in"}:x')}` }],
    ['that is a token of nothing', { authorization: 'Bearer bm90aGluZw==' }],
    ['that is a very long token', { authorization: `Bearer ${'A'.repeat(20_000)}` }],
    ['in an empty header', { 'x-access-token': '' }],
    ['in a cookie of the right name and no sense', { cookie: 'worktrack_session=__proto__' }],
    ['in a cookie without a name', { cookie: '=x; ;;; a' }],
  ])('%s is 401 in few words, and not sent back', async (_, headers) => {
    const answer = await asked(headers);
    expect(answer.status).toBe(401);
    expect(answer.text.length).toBeLessThan(1024);
    for (const credential of Object.values(headers).filter((value) => value.length > 12)) {
      expect(answer.text).not.toContain(credential.slice(6));
    }
  });

  it.each([
    'token',
    'access_token',
  ])('A10, A11: in %s: twice and as an array is 400; empty, flipped, long and hostile is 401', async (name) => {
    const all: [string, number][] = [
      [`${name}=a&${name}=b`, 400],
      [`${name}=a&${name.toUpperCase()}=a`, 400],
      [`${name}[]=a`, 400],
      [`${name}[a]=b`, 400],
      [`${name}=`, 401],
      [name, 401],
      [`${name}=a%00b`, 401],
      [`${name}=%ff%fe`, 401],
      [`${name}=' or 1=1--`, 401],
      [`${name}=${'A'.repeat(10_000)}`, 401],
      [`${name.toUpperCase()}=x`, 401],
      [`${name}=__proto__`, 401],
    ];
    for (const [query, status] of all)
      expect([query, (await asked({}, `${me}&${query}`)).status]).toEqual([query, status]);
  });

  it('given twice in headers is refused', async () => {
    const basic = (login: string) => `Authorization: Basic ${blob(`${login}:${login === 'admin' ? 'admin' : 'demo'}`)}`;
    const text = `GET ${me} HTTP/1.1\r\nHost: here\r\n${basic('alice')}\r\n${basic('elena')}\r\nConnection: close\r\n\r\n`;
    const answer = await say(app, text);
    // Of two such headers the first counts, and never one's rights with the other's name.
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400|401) /);
    expect(answer).not.toContain('elena');
  });

  it('A9: beside one of another user is 400, beside a bad one 401', async () => {
    const token = encodeURIComponent((await app.json('/api/v1/Authentication', { as: 'alice' })).Token);
    const made = (await app.post('/api/v1/AccessTokens?format=json', { Name: 'x' }, { as: 'elena' })).json.Token;
    const elena = { authorization: `Bearer ${made}` };
    expect((await asked(elena, `${me}&token=${token}`)).status).toBe(400);
    expect((await asked({ authorization: 'Bearer x' }, `${me}&token=${token}`)).status).toBe(401);
    expect((await asked({ ...elena, 'x-access-token': 'x' }, me)).status).toBe(400);
  });
});

describe('A20: scripts of other sites', () => {
  it.each(['callback=alert(1)', 'jsonp=alert(1)', 'format=jsonp'])('get no script by %s', async (query) => {
    const answer = await app.ask(`/api/v1/Projects?${query}`);
    expect(answer.headers.get('content-type')).not.toMatch(/javascript/);
    expect(answer.text).not.toMatch(/^\s*alert\(/);
  });
});
