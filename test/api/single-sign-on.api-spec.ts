/** Log-in by OpenID Connect, at a real provider. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { IdentityProvider, Visitor } from '../support/identity-provider.js';
import { say } from '../support/socket.js';

let app: TestApp;
let provider: IdentityProvider;
beforeAll(async () => {
  // The provider tells on the console that it runs with keys for trying out.
  for (const way of ['info', 'warn'] as const) vi.spyOn(console, way).mockImplementation(() => undefined);
  provider = await IdentityProvider.start();
  app = await TestApp.start({
    OIDC_ISSUER: provider.issuer,
    ...IdentityProvider.client,
    OIDC_LABEL: 'Log in with Acme',
  });
  provider.serve(`${app.base}/login/sso/callback`, {
    'alice-there': { email: 'Alice@Example.com', email_verified: true, preferred_username: 'elena' },
    stranger: { email: 'nobody@example.com', email_verified: true },
    unchecked: { email: 'alice@example.com', email_verified: false },
    nameless: {},
    inactive: { email: 'viktor@example.com', email_verified: true },
    requester: { email: 'maria@example.com', email_verified: true },
    shared: { email: 'shared@example.com', email_verified: true },
    unsaid: { email: 'alice@example.com' },
    spelled: { email: 'alice@example.com', email_verified: 'false' },
  });
  await app.rows("update general_user set email = 'shared@example.com' where login in ('bruno', 'farid')");
});
afterAll(async () => {
  await app.stop();
  await provider.stop();
});

const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';
const sessionOf = (visitor: Visitor): string | undefined => visitor.cookie(app.base, 'worktrack_session');
const loginOf = async (visitor: Visitor): Promise<string> =>
  (await app.raw(me, { headers: { cookie: `worktrack_session=${sessionOf(visitor)}` } })).json.Login;

describe('single sign-on', () => {
  it('opens a session for the user with the e-mail, and goes where one wanted to go', async () => {
    const visitor = new Visitor();
    await visitor.signOn(`${app.base}/login/sso?next=/entity/1`, 'alice-there');
    expect(visitor.visited.at(-1)).toBe(`${app.base}/entity/1`);
    expect(await loginOf(visitor)).toBe('alice');
    expect(visitor.cookie(app.base, 'worktrack_sign_on')).toBeUndefined();
    const [{ last_login_date: date }] = await app.rows('select last_login_date from general_user where id = 3');
    expect(Date.now() - date).toBeLessThan(60_000);
  });

  it('tells the provider the trace that it is part of', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const begun = await app.raw('/login/sso', { headers: { traceparent } });
    const state = new URL(begun.headers.get('location')!).searchParams.get('state');
    const cookie = begun.headers.get('set-cookie')!.split(';', 1)[0]!;
    const path = `/login/sso/callback?code=none&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
    provider.traceparents.length = 0;
    expect((await app.raw(path, { headers: { cookie, traceparent } })).status).toBe(401);
    expect(provider.traceparents).toEqual([traceparent]);
  });

  it('keeps the trace of one request from those behind it', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const fresh = await app.replica({ OIDC_ISSUER: provider.issuer, ...IdentityProvider.client, BASE_URL: app.base });
    await fresh.raw('/login/sso', { headers: { traceparent } });
    const begun = await fresh.raw('/login/sso');
    const state = new URL(begun.headers.get('location')!).searchParams.get('state');
    const cookie = begun.headers.get('set-cookie')!.split(';', 1)[0]!;
    provider.traceparents.length = 0;
    const path = `/login/sso/callback?code=none&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
    expect((await fresh.raw(path, { headers: { cookie } })).status).toBe(401);
    expect(provider.traceparents).toEqual([undefined]);
    await fresh.stop();
  });

  it.each([
    ['another host', 'evil.test', 503],
    ['an address elsewhere', '192.0.2.1', 503],
    ['this machine', 'localhost', 303],
    ['this machine by IPv6', '[::1]:8080', 303],
  ])('without BASE_URL %s is sent to the provider only where it is this machine', async (_, Host, status) => {
    const answer = await say(app, `GET /login/sso HTTP/1.1\r\nHost: ${Host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    if (status === 303) expect(answer).toContain(encodeURIComponent(`http://${Host}/login/sso/callback`));
    else expect([answer.includes('BASE_URL'), answer.includes(provider.issuer)]).toEqual([true, false]);
  });

  it('is offered by the form, beside the password', async () => {
    const { text } = await app.raw('/login?next=/query');
    expect(text).toContain('Log in with Acme');
    expect(text).toContain('/login/sso?next=%2Fquery');
    expect(text).toContain('type="password"');
  });

  it.each([
    ['somebody not known here', 'stranger', 'nobody@example.com'],
    ['somebody whose e-mail is not checked', 'unchecked', 'does not tell who you are'],
    ['somebody whose e-mail is not said to be checked', 'unsaid', 'does not tell who you are'],
    ['somebody whose e-mail is not checked, in a text', 'spelled', 'does not tell who you are'],
    ['somebody without an e-mail', 'nameless', 'does not tell who you are'],
    ['an inactive user', 'inactive', 'viktor@example.com'],
    ['a requester', 'requester', 'maria@example.com'],
    ['an e-mail that two users have', 'shared', 'shared@example.com'],
  ])('refuses %s and makes nobody', async (_, login, why) => {
    const before = await app.rows('select count(*)::int as n from general_user');
    const visitor = new Visitor();
    const answer = await visitor.signOn(`${app.base}/login/sso`, login);
    expect([answer.status, sessionOf(visitor)]).toEqual([403, undefined]);
    expect(await answer.text()).toContain(why);
    expect(await app.rows('select count(*)::int as n from general_user')).toEqual(before);
  });

  it('matches by login where that is set', async () => {
    const other = await app.replica({
      OIDC_ISSUER: provider.issuer,
      ...IdentityProvider.client,
      OIDC_MATCH: 'login',
      BASE_URL: app.base,
    });
    const visitor = new Visitor();
    // The provider sends the browser to the address that it knows, so the answer is brought to the other replica by
    // hand.
    await visitor.open(`${other.base}/login/sso`);
    const trip = visitor.cookie(other.base, 'worktrack_sign_on')!;
    const stopped = visitor.visited.findIndex((address) => address.startsWith(provider.issuer));
    expect(stopped).toBeGreaterThan(0);
    await visitor.open(visitor.visited.at(-1)!, { prompt: 'login', login: 'alice-there', password: 'any' });
    await visitor.open(visitor.visited.at(-1)!, { prompt: 'consent' });
    const back = visitor.visited.find((address) => address.includes('/login/sso/callback'))!;
    const answer = await other.raw(back.slice(app.base.length), { headers: { cookie: `worktrack_sign_on=${trip}` } });
    expect(answer.status).toBe(303);
    const cookie = answer.headers.getSetCookie().find((header) => header.startsWith('worktrack_session='))!;
    expect((await other.raw(me, { headers: { cookie: cookie.split(';', 1)[0]! } })).json.Login).toBe('elena');
    await other.stop();
  });

  it.each([
    ['without a cookie of ours', '', 'code=x&state=y'],
    ['with a state that is not ours', 'worktrack_sign_on=a.b.c.Lw', 'code=x&state=y'],
    ['with a code that the provider does not know', 'worktrack_sign_on=a.b.c.Lw', 'code=x&state=a'],
    ['with an error of the provider', 'worktrack_sign_on=a.b.c.Lw', 'error=access_denied&state=a'],
    ['with nothing', 'worktrack_sign_on=a.b.c.Lw', ''],
    ['with a cookie that is none', 'worktrack_sign_on=...', 'code=x&state='],
  ])('ends with 401 when it comes back %s', async (_, cookie, query) => {
    const answer = await app.raw(`/login/sso/callback?${query}`, { headers: { cookie } });
    expect([answer.status, answer.text.includes('Single sign-on did not work out')]).toEqual([401, true]);
    expect(answer.headers.getSetCookie().join()).not.toContain('worktrack_session');
  });

  it('does not take one answer twice', async () => {
    const visitor = new Visitor();
    await visitor.open(`${app.base}/login/sso`);
    const trip = visitor.cookie(app.base, 'worktrack_sign_on')!;
    await visitor.open(visitor.visited.at(-1)!, { prompt: 'login', login: 'alice-there', password: 'any' });
    await visitor.open(visitor.visited.at(-1)!, { prompt: 'consent' });
    const back = visitor.visited.find((address) => address.includes('/login/sso/callback'))!;
    const again = await app.raw(back.slice(app.base.length), { headers: { cookie: `worktrack_sign_on=${trip}` } });
    expect(again.status).toBe(401);
  });

  it('leaves the cookie of the latest to whoever began twice', async () => {
    const [first, second] = [await app.raw('/login/sso'), await app.raw('/login/sso')];
    const state = new URL(first.headers.get('location')!).searchParams.get('state');
    const cookie = second.headers.get('set-cookie')!.split(';', 1)[0]!;
    const answer = await app.raw(`/login/sso/callback?code=x&state=${state}`, { headers: { cookie } });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
  });

  it.each([
    ['client_secret_basic', /^Basic /],
    ['client_secret_post', /^undefined$/],
  ] as const)('works with a provider that takes %s only, and says at userinfo what it checked', async (way, header) => {
    const other = await IdentityProvider.start();
    const service = await app.replica({ OIDC_ISSUER: other.issuer, ...IdentityProvider.client });
    other.serve(
      `${service.base}/login/sso/callback`,
      {},
      {
        clientAuthMethods: [way],
        clientDefaults: { token_endpoint_auth_method: way },
        conformIdTokenClaims: false,
        findAccount: (_, sub) => ({
          accountId: sub,
          claims: (use) => ({
            sub,
            email: 'alice@example.com',
            ...(use === 'userinfo' && { email_verified: true }),
          }),
        }),
      },
    );
    const visitor = new Visitor();
    await visitor.signOn(`${service.base}/login/sso?next=/entity/1`, 'anybody');
    expect(visitor.visited.at(-1)).toBe(`${service.base}/entity/1`);
    expect(other.authorizations.map(String)).toEqual([expect.stringMatching(header)]);
    await service.stop();
    await other.stop();
  });

  it('asks the provider for few at once, whoever says that he comes back', async () => {
    const held: ServerResponse[] = [];
    const slow = createServer(({ url }, response) => {
      const issuer = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
      if (url !== '/.well-known/openid-configuration') held.push(response);
      else
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }));
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const OIDC_ISSUER = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const service = await app.replica({ OIDC_ISSUER, ...IdentityProvider.client });
    await service.raw('/login/sso');
    const headers = { cookie: 'worktrack_sign_on=s.n.v.Lw' };
    let refused = 0;
    const all = Array.from({ length: 40 }, async () => {
      const { status } = await service.raw('/login/sso/callback?code=x&state=s', { headers });
      if (status === 503) refused += 1;
      return status;
    });
    // Eight are under way, and sixteen of one client wait.
    await eventually(async () => expect([held.length, refused]).toEqual([8, 16]));
    slow.on('request', (_, response) => response.writeHead(400).end());
    for (const response of held) response.writeHead(400).end();
    expect((await Promise.all(all)).filter((status) => status === 401)).toHaveLength(24);
    await service.stop();
    slow.closeAllConnections();
    slow.close();
  });

  it('alone opens sessions while the form is disabled', async () => {
    await app.post('/api/v1/GlobalSettings', { IsLoginFormEnabled: false });
    const body = new URLSearchParams({ login: 'alice', password: 'demo' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await eventually(async () => expect((await app.raw('/login', { method: 'POST', body, headers })).status).toBe(403));
    const visitor = new Visitor();
    await visitor.signOn(`${app.base}/login/sso`, 'alice-there');
    expect(await loginOf(visitor)).toBe('alice');
    await app.post('/api/v1/GlobalSettings', { IsLoginFormEnabled: true });
  });

  it('is not there where no provider is set up, and 503 while the provider cannot be reached', async () => {
    const without = await app.replica();
    expect((await without.raw('/login/sso')).status).toBe(404);
    expect((await without.raw('/login')).text).not.toContain('/login/sso');
    await without.stop();
    const lost = await app.replica({ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'worktrack' });
    expect((await lost.raw('/login/sso')).status).toBe(503);
    expect((await lost.ask(me, { as: 'alice' })).status).toBe(200);
    await lost.stop();
  });
});
