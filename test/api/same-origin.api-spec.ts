/** Which pages may write with the cookie of a session: those of the service's own origin, as far as it is known. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { cookieOf, logIn } from '../support/log-in.js';
import { say, statusesOf } from '../support/socket.js';

let app: TestApp;
const services: Record<string, TestApp> = {};
beforeAll(async () => {
  app = await TestApp.start();
  services['nothing configured'] = app;
  services['an address with HTTPS'] = await app.replica({ BASE_URL: 'https://work.example.com/tracker' });
  services['an address with a port'] = await app.replica({ BASE_URL: 'http://work.example.com:8080' });
  services['a trusted proxy'] = await app.replica({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => {
  for (const service of Object.values(services).reverse()) await service.stop();
});

/** As a browser writes that was led to this host; the status of the answer. */
async function write(service: TestApp, host: string, headers: readonly string[]): Promise<number> {
  const cookie = cookieOf(await logIn(app, 'admin', 'admin'));
  const body = '{"Name":"by a page","Project":{"Id":8}}';
  const lines = [
    'POST /api/v1/UserStories HTTP/1.1',
    `Host: ${host}`,
    `Cookie: ${cookie}`,
    ...headers,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return statusesOf(await say(service, `${lines.join('\r\n')}\r\n\r\n${body}`))[0]!;
}

const own = 'work.example.com';
const https = 'X-Forwarded-Proto: https';
const http = 'X-Forwarded-Proto: http';

describe.each<[string, [host: string, origin: string, more: string[], isTaken: boolean][]]>([
  [
    'nothing configured',
    [
      [own, 'http://work.example.com', [], true],
      [own, 'https://work.example.com', [], true],
      ['WORK.example.com', 'https://work.example.com', [], true],
      [`${own}:80`, 'http://work.example.com', [], true],
      [`${own}:8080`, 'http://work.example.com:8080', [], true],
      [`${own}:8080`, 'http://work.example.com', [], false],
      [own, 'http://work.example.com:8080', [], false],
      [own, 'https://evil.test', [], false],
      [own, 'null', [], false],
      [own, 'file://', [], false],
      // Nobody is trusted to tell the scheme or the host.
      [own, 'http://work.example.com', [https], true],
      [own, 'https://evil.test', [https, 'X-Forwarded-Host: evil.test'], false],
    ],
  ],
  [
    'an address with HTTPS',
    [
      [own, 'https://work.example.com', [], true],
      [own, 'https://work.example.com:443', [], true],
      ['inside:3000', 'https://work.example.com', [], true],
      [own, 'http://work.example.com', [], false],
      [own, 'https://work.example.com:8443', [], false],
      ['inside:3000', 'http://inside:3000', [], false],
      [own, 'https://work.example.com.evil.test', [], false],
      [own, 'null', [], false],
    ],
  ],
  [
    'an address with a port',
    [
      [`${own}:8080`, 'http://work.example.com:8080', [], true],
      [`${own}:8080`, 'https://work.example.com:8080', [], false],
      [own, 'http://work.example.com', [], false],
    ],
  ],
  [
    'a trusted proxy',
    [
      [own, 'https://work.example.com', [https], true],
      [own, 'http://work.example.com', [https], false],
      [own, 'http://work.example.com', [http], true],
      [own, 'https://work.example.com', [http], false],
      ['inside:3000', 'https://work.example.com', [https, `X-Forwarded-Host: ${own}`], true],
      ['inside:3000', 'http://work.example.com', [https, `X-Forwarded-Host: ${own}`], false],
      ['inside:3000', 'https://inside:3000', [https, `X-Forwarded-Host: ${own}`], false],
      [own, 'https://work.example.com', ['X-Forwarded-Proto: http, https'], true],
      // It does not tell the scheme, or nothing that is one.
      [own, 'https://work.example.com', [], true],
      [own, 'http://work.example.com', [], true],
      [own, 'https://work.example.com', ['X-Forwarded-Proto: javascript'], true],
      [own, 'https://evil.test', [], false],
    ],
  ],
])('with %s', (name, cases) => {
  it.each(cases)('a page at %s by %s %j: %s', async (host, origin, more, isTaken) => {
    expect(await write(services[name]!, host, [`Origin: ${origin}`, ...more])).toBe(isTaken ? 201 : 403);
  });
});
