/** Requests as libraries of several languages write them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { say, statusesOf } from '../support/socket.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

describe('an ampersand that is escaped for XML', () => {
  it('separates parameters as any', async () => {
    const first = await app.json('/api/v1/UserStories?format=json&amp;include=[Id]&amp;take=2&amp;skip=1');
    const plain = await app.json('/api/v1/UserStories?format=json&include=[Id]&take=2&skip=1');
    expect(first).toEqual(plain);
    const [{ Id }] = plain.Items;
    const where = `/api/v1/UserStories?format=json&amp;where=(Id%20eq%20${Id})`;
    expect((await app.json(where)).Items.map((item: { Id: number }) => item.Id)).toEqual([Id]);
  });

  it('begins them, too, without a question mark', async () => {
    const answer = await app.ask('/api/v1/UserStories/&amp;format=json&amp;take=1');
    expect([answer.status, answer.json?.Items?.length]).toEqual([200, 1]);
  });

  it('does so in version 2, and of links that a text of XML has', async () => {
    expect((await app.json('/api/v2/UserStory?take=2&amp;select={id}')).items).toHaveLength(2);
    const seen = new Set<string>();
    let next: string | undefined = '/api/v1/Projects?include=[Id]&take=2';
    while (next !== undefined) {
      expect(seen).not.toContain(next);
      seen.add(next);
      const page = await app.xml(next);
      next = /Next="([^"]*)"/.exec(page)?.[1]?.replace(app.base, '');
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('of credentials is one, too: they open, and no link repeats them', async () => {
    const { Token } = await app.json('/api/v1/Authentication');
    const path = `/api/v1/UserStories?format=json&amp;take=1&amp;token=${encodeURIComponent(Token)}`;
    const answer = await app.ask(path, { as: 'nobody' });
    expect([answer.status, answer.json.Next]).toEqual([200, expect.not.stringContaining('token')]);
  });
});

it('a whole address names the host of a request that has no header for it', async () => {
  const head = ['GET http://tp.example.com:8080/api/v1/UserStories?take=1&include=[Id] HTTP/1.0'];
  const answer = await say(app, [...head, `Authorization: ${basic('admin')}`, '', ''].join('\r\n'));
  expect(answer).toContain('Next="http://tp.example.com:8080/api/v1/UserStories');
  const bad = await say(app, `GET http://a:99999/login HTTP/1.0\r\n\r\n`);
  expect(statusesOf(bad)).toEqual([400]);
  const none = await say(app, `GET http://tp.example.com/login HTTP/1.1\r\n\r\n`);
  expect(statusesOf(none)).toEqual([400]);
});

it('Accept: * is any type', async () => {
  const body = JSON.stringify({ Name: 'x', Project: { Id: project } });
  const headers = { accept: '*', 'content-type': 'application/json' };
  const answer = await app.ask('/api/v1/UserStories', { method: 'POST', headers, body });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([201, 'application/json; charset=utf-8']);
});

describe('OPTIONS *', () => {
  it('is answered with what the service takes', async () => {
    const answer = await say(app, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(statusesOf(answer)).toEqual([204]);
    expect(answer).toMatch(/^allow: GET, HEAD, POST, DELETE, OPTIONS\r$/im);
  });

  it.each([
    'GET * HTTP/1.1',
    'OPTIONS /* HTTP/1.1',
    'OPTIONS *?a=b HTTP/1.1',
  ])('is no other request: %s', async (line) => {
    const answer = await say(app, `${line}\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(statusesOf(answer)[0]).toBeGreaterThanOrEqual(400);
  });

  it('is refused without a host', async () =>
    expect(statusesOf(await say(app, 'OPTIONS * HTTP/1.1\r\n\r\n'))).toEqual([400]));
});

describe('a parameter that version 2 alone knows', () => {
  const warning = (words: string): string => `199 worktrack "Version 1 ignores ${words}."`;

  it.each([
    ['Bugs?filter=zzz&take=2', 'filter (use where)'],
    ['Bugs?FILTER[name]=zzz&take=2', 'filter (use where)'],
    ['Bugs?select={id}&result=count&take=2', 'select (use include), result (use append, or /api/v2)'],
    ['Bugs?groupBy=Name&take=0', 'groupBy (use /api/v2)'],
    ['Bugs?filter=a&filter=b&take=2', 'filter (use where)'],
    ['Projects/8?select={id}', 'select (use include)'],
    ['Projects/8/Bugs?filter=zzz', 'filter (use where)'],
    ['Search?q=login&filter=zzz', 'filter (use where)'],
  ])('is ignored, and a header says what to use: %s', async (path, words) => {
    for (const format of ['json', 'xml']) {
      const without = path.replace(/(?:filter|select|result|groupBy)[^&]*/gi, '_=1');
      const plain = await app.ask(`/api/v1/${without}&format=${format}`);
      const answer = await app.ask(`/api/v1/${path}&format=${format}`);
      expect([answer.status, answer.headers.get('warning'), answer.text]).toEqual([200, warning(words), plain.text]);
      expect(plain.headers.get('warning')).toBeNull();
    }
  });

  it.each(['csv', 'ndjson'])('also in %s', async (format) => {
    const { status, headers } = await app.ask(`/api/v1/Bugs?filter=zzz&format=${format}`);
    expect([status, headers.get('warning')]).toEqual([200, warning('filter (use where)')]);
  });

  it('is no part of links to other pages', async () => {
    const { Next } = await app.json('/api/v1/Bugs?filter=zzz&take=2');
    expect(Next).not.toContain('filter');
  });

  it('stands beside what is known', async () => {
    const { headers } = await app.ask('/api/v1/Bugs?callback=&_=1&selection=x&take=1&format=json');
    expect(headers.get('warning')).toBeNull();
  });
});
