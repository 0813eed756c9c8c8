/** Scripts of other sites: only those that are configured, with a token, and never with what a browser keeps. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

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
