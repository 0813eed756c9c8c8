/** Scripts of other sites: only those that are configured, with a token, and never with what a browser keeps. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, basic, TestApp } from '../support/app.js';

const allowedOrigin = 'https://board.example.com';
let app: TestApp;
let open: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
  open = await app.replica({ CORS_ORIGINS: `${allowedOrigin}, http://localhost:5173` });
});
afterAll(async () => {
  await open.stop();
  await app.stop();
});

const preflight = (on: TestApp, origin: string) =>
  on.raw('/api/v1/UserStories', {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
const allowed = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');

it('A19: may call where they are configured', async () => {
  const asked = await preflight(open, allowedOrigin);
  expect([asked.status, allowed(asked)]).toEqual([204, allowedOrigin]);
  expect(asked.headers.get('access-control-allow-headers')).toMatch(/Authorization/);
  const answer = await open.ask('/api/v1/Projects?format=json', { as: 'alice', headers: { origin: allowedOrigin } });
  expect([answer.status, allowed(answer)]).toEqual([200, allowedOrigin]);
  expect(answer.headers.get('vary')).toMatch(/Origin/);
  expect(answer.headers.get('vary')).toMatch(/Authorization/);
});

it('may send and read all headers that the document of the API names', async () => {
  const { paths, components } = (await open.ask('/api/openapi.json')).json;
  const sent = Object.values(components.parameters as Record<string, { in: string; name: string }>)
    .filter((one) => one.in === 'header')
    .map(({ name }) => name.toLowerCase());
  expect(sent).toEqual(expect.arrayContaining(['range', 'if-range', 'idempotency-key']));
  const read = new Set<string>();
  JSON.stringify([paths, components.responses], (key, value) => {
    if (key === 'headers') for (const name of Object.keys(value)) read.add(name.toLowerCase());
    return value;
  });
  expect([...read]).toEqual(expect.arrayContaining(['etag', 'content-range', 'retry-after']));
  const { headers: before } = await preflight(open, allowedOrigin);
  const { headers } = await open.ask('/api/v1/Projects?take=1', { headers: { origin: allowedOrigin } });
  const listIn = (text: string | null) => text!.toLowerCase().split(/, */);
  expect(listIn(before.get('access-control-allow-headers'))).toEqual(expect.arrayContaining(sent));
  expect(listIn(headers.get('access-control-expose-headers'))).toEqual(expect.arrayContaining([...read]));
});

it('A19: may never use the cookie of a session', async () => {
  for (const answer of [
    await preflight(open, allowedOrigin),
    await open.raw('/api/v1/Projects', { headers: { origin: allowedOrigin } }),
  ]) {
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  }
});

it.each([
  'https://evil.test',
  'null',
  'https://board.example.com.evil.test',
  'http://board.example.com',
  '*',
])('may not call from %s', async (origin) => {
  for (const on of [open, app]) {
    expect(allowed(await preflight(on, origin))).toBeNull();
    expect(allowed(await on.ask('/api/v1/Projects', { as: 'alice', headers: { origin } }))).toBeNull();
  }
});

it('may call from nowhere unless that is configured', async () => {
  expect(allowed(await preflight(app, allowedOrigin))).toBeNull();
});

it.each([
  ['/api/v1/Bugs', {}],
  ['/api/v1/Bugs', { authorization: basic('admin') }],
  ['/api/v1/Nowhere', { origin: allowedOrigin }],
  ['/avatar.ashx', { authorization: basic('admin') }],
  ['/mcp', { authorization: basic('admin'), origin: allowedOrigin }],
])('OPTIONS %s that is no preflight is answered as where no other site may call', async (path, headers) => {
  const without = await app.raw(path, { method: 'OPTIONS', headers });
  const withOrigins = await open.raw(path, { method: 'OPTIONS', headers });
  const shown = ({ status, headers: given, text }: Answer) => ({
    status,
    allow: given.get('allow'),
    type: given.get('content-type'),
    challenge: given.get('www-authenticate'),
    code: /"Code":"\w+"/.exec(text)?.[0] ?? /<Code>\w+/.exec(text)?.[0],
  });
  expect([401, 403, 404, 405]).toContain(without.status);
  expect(shown(withOrigins)).toEqual(shown(without));
});
