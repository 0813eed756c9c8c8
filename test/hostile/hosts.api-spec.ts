/** Hosts that no address can be made of: refused wherever they are sent, in the shape of every refusal. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { routesOf } from '../support/routes.js';
import { say, statusesOf } from '../support/socket.js';

let app: TestApp;
let configured: TestApp;
let proxied: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
  configured = await app.replica({ BASE_URL: 'https://work.example.com/tracker' });
  proxied = await app.replica({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => {
  await proxied.stop();
  await configured.stop();
  await app.stop();
});

const admin = `Authorization: Basic ${Buffer.from('admin:admin').toString('base64')}`;
const asked = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');

const refused = [
  '1.2.3.999',
  '1.2.3.4.5',
  '256.256.256.256',
  '0x1ffffffff',
  'a:99999',
  'a:65536',
  'a:1:2',
  'a:b',
  'a:-1',
  'a:+80',
  '[::::]',
  '[::1',
  '::1',
  '[]',
  '[1.2.3.4]',
  '[::1]x',
  '[fe80::1%25eth0]',
  // Newer versions of Node make an address of it.
  ...(URL.canParse('http://xn--a/') ? [] : ['xn--a']),
  'a b',
  'a,b',
  'a, b',
  'a/b',
  'a\\b',
  'a?b',
  'a#b',
  'user@a',
  'user:password@a',
  'http://a',
  'a%41',
  'a%00',
  'ä',
  '<script>',
  `${'a.'.repeat(200)}b`,
];

const taken = [
  'a',
  'A.Example.COM',
  'a.',
  'a:80',
  'a:0',
  'a:65535',
  'a:',
  'my_service:3000',
  '127.0.0.1',
  '127.1',
  '[::1]',
  '[::1]:3000',
  '[::ffff:127.0.0.1]',
  'xn--mnchen-3ya.example',
];

const pages = [
  '/',
  '/login',
  '/query',
  '/documentation',
  '/profile',
  '/administration/users',
  '/entity/10',
  '/nothing',
];
const calls = [
  '/api/v1/Bugs?take=1&format=json',
  '/api/v1/Index/meta',
  '/api/v1/Bugs/meta',
  '/api/v2/Bug?take=1',
  '/api/v1/Context',
  '/api/nothing',
  '/health/live',
];

/** One shape, in the format asked for. */
function refusal(answer: string): string {
  const [head, body] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^content-type: application\/(json|xml); charset=utf-8$/im);
  expect(body).toMatch(/<ErrorId>[0-9a-f-]{36}<\/ErrorId>|"ErrorId":"[0-9a-f-]{36}"/);
  return /<Message>(.*?)<\/Message>/.exec(body!)?.[1] ?? /"Message":"(.*?)"/.exec(body!)![1]!;
}

const message = 'The host of the request is not well formed.';

describe('B21: a host that no address can be made of', () => {
  it.each(refused)('is refused by pages and calls: %s', async (host) => {
    for (const path of [...pages, ...calls]) {
      const answer = await say(app, Buffer.from(asked(path, `Host: ${host}`, admin)));
      expect([path, statusesOf(answer), refusal(answer)]).toEqual([path, [400], message]);
    }
  });

  it('is refused by every route, with credentials and without', async () => {
    const all = routesOf(app).map((route) => route.split(' ') as [string, string]);
    // CONNECT never becomes a request.
    const routes = all.filter(([method]) => method !== 'CONNECT');
    const one = (path: string) =>
      path.replace(/:resource\|:collection/, model.collectionNames[0]!).replace(/:\w+|\*/g, '1');
    expect(routes.length).toBeGreaterThan(50);
    const texts = new Set(routes.map(([method, path]) => `${method} ${one(path)} HTTP/1.1\r\n`));
    for (const line of texts) {
      for (const more of ['', `${admin}\r\n`]) {
        const answer = await say(
          app,
          `${line}Host: 1.2.3.999\r\n${more}Content-Length: 0\r\nConnection: close\r\n\r\n`,
        );
        expect([line, statusesOf(answer)]).toEqual([line, [400]]);
      }
    }
  });

  it('is refused where the address is configured, too', async () => {
    for (const host of refused) {
      const answer = await say(configured, Buffer.from(asked('/', `Host: ${host}`)));
      expect([host, statusesOf(answer), refusal(answer)]).toEqual([host, [400], message]);
    }
  });

  it('is refused when a trusted proxy forwards it, and read over from others', async () => {
    for (const host of refused.filter((one) => !one.includes(','))) {
      const text = Buffer.from(asked('/login', 'Host: a', `X-Forwarded-Host: ${host}`));
      expect([host, statusesOf(await say(proxied, text))]).toEqual([host, [400]]);
      expect([host, statusesOf(await say(app, text))]).toEqual([host, [200]]);
    }
  });

  it('is refused in the format asked for', async () => {
    const answer = await say(app, asked('/api/v1/Bugs', 'Host: a:99999', 'Accept: application/json'));
    expect(answer).toMatch(/^content-type: application\/json; charset=utf-8$/im);
    expect(answer).toContain('"Status":"BadRequest"');
    expect(answer).not.toContain('99999');
  });
});

describe('any other host', () => {
  it.each(taken)('is taken, and links start with it: %s', async (host) => {
    for (const path of pages.slice(0, -1)) {
      const answer = await say(app, asked(path, `Host: ${host}`, admin));
      expect([path, statusesOf(answer)[0]! < 400]).toEqual([path, true]);
    }
    const answer = await say(app, asked(calls[0]!, `Host: ${host}`, admin));
    expect(answer).toContain(`"Next":"http://${host}/api/v1/Bugs/`);
  });

  it('may be none at all where the protocol knows none', async () => {
    const answer = await say(app, `GET ${calls[0]} HTTP/1.0\r\n${admin}\r\n\r\n`);
    expect(statusesOf(answer)).toEqual([200]);
    expect(answer).toMatch(/"Next":"http:\/\/127\.0\.0\.1:\d+\/api/);
  });
});
