/** Cookie mode: what a log-in gives, what it allows, and when it ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Ask, chosenPassword, TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { cookieOf, logIn } from '../support/log-in.js';

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
  replica = await app.replica();
});
afterAll(async () => {
  await replica.stop();
  await app.stop();
});

const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';
const withCookie = (cookie: string, { headers, ...ask }: Ask = {}, path = me, on = app): Promise<Answer> =>
  on.ask(path, { as: 'nobody', ...ask, headers: { cookie, ...headers } });
const session = async (login = 'alice', password = 'demo'): Promise<string> =>
  cookieOf(await logIn(app, login, password));
const newUser = async (login: string): Promise<number> =>
  (
    await app.post('/api/v1/Users?format=json', {
      Login: login,
      Email: `${login}@example.com`,
      Password: chosenPassword,
    })
  ).json.Id;
const isOver = async (cookie: string): Promise<void> => {
  for (const on of [app, replica])
    await eventually(async () => expect((await withCookie(cookie, {}, me, on)).status).toBe(401));
};

describe('a log-in', () => {
  it('gives a session that is its user, on every replica, and is noted with the user', async () => {
    const answer = await logIn(app, 'ALICE', 'demo');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    const cookie = answer.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^worktrack_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    for (const on of [app, replica]) {
      expect((await withCookie(cookieOf(answer), {}, me, on)).json.Login).toBe('alice');
    }
    const [{ last_login_date: date }] = await app.rows('select last_login_date from general_user where id = 3');
    expect(Date.now() - date).toBeLessThan(60_000);
  });

  it('alone moves LastLoginDate: no password or token of a program does', async () => {
    const id = await newUser('programs');
    const lastLogin = async () => (await app.json(`/api/v1/Users/${id}?include=[LastLoginDate]`)).LastLoginDate;
    const basic = await app.ask('/api/v1/Authentication?format=json', { as: 'programs' });
    const { Token } = (await app.post('/api/v1/AccessTokens?format=json', { Name: 'a' }, { as: 'programs' })).json;
    const bearer = await app.raw(me, { headers: { authorization: `Bearer ${Token}` } });
    const checked = await app.post('/api/login/validate', { Username: 'programs', Password: chosenPassword });
    expect([basic.status, bearer.status, checked.status, await lastLogin()]).toEqual([200, 200, 200, null]);
    await session('programs', chosenPassword);
    expect(await lastLogin()).not.toBeNull();
  });

  it('keeps nothing in the database that could be used', async () => {
    const cookie = await session();
    const rows = await app.rows('select s::text as text from session s');
    const secret = cookie.split('=')[1]!;
    for (const { text } of rows) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    }
  });

  it('marks the cookie for HTTPS where the service is reached by it', async () => {
    const secure = await app.replica({ BASE_URL: 'https://work.example.com' });
    const answer = await logIn(secure, 'alice', 'demo');
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/);
    await secure.stop();
  });

  it('keeps the cookie to the path that the service is reached at', async () => {
    const below = await app.replica({ BASE_URL: 'http://work.example.com/tracker' });
    const answer = await logIn(below, 'alice', 'demo');
    expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/tracker; HttpOnly/);
    const headers = { cookie: cookieOf(answer), origin: 'http://work.example.com' };
    const out = await below.raw('/logout', { method: 'POST', headers });
    expect(out.headers.get('set-cookie')).toMatch(/^worktrack_session=; Max-Age=0; Path=\/tracker; HttpOnly/);
    await below.stop();
  });

  it('A21: gives a new session each time and ends the one before', async () => {
    const first = await session();
    const second = cookieOf(await logIn(app, 'alice', 'demo', { cookie: first }));
    expect(second).not.toBe(first);
    expect((await withCookie(second)).status).toBe(200);
    await isOver(first);
    const planted = `worktrack_session=${'A'.repeat(43)}`;
    expect(cookieOf(await logIn(app, 'alice', 'demo', { cookie: planted }))).not.toBe(planted);
    expect((await withCookie(planted)).status).toBe(401);
  });

  it.each([
    ['a wrong password', 'alice', 'wrong', 401],
    ['an unknown login', 'nobody-at-all', 'demo', 401],
    ['no login', '', 'demo', 401],
    ['no password', 'alice', '', 401],
    ['an inactive user', 'viktor', 'demo', 401],
    ['a requester', 'requester1', 'demo', 401],
    ['the System user', 'System', 'demo', 401],
  ])('is refused for %s, without a cookie', async (_, login, password, status) => {
    const answer = await logIn(app, login, password);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null]);
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(answer.text).toContain('The login or the password is wrong.');
    expect(answer.text).not.toContain('value="demo"');
  });

  it('goes to a path of this service, and nowhere else', async () => {
    for (const [next, to] of [
      ['/query?a=b', '/query?a=b'],
      ['//evil.test/', '/'],
      ['/\\evil.test', '/'],
      ['https://evil.test/', '/'],
      ['javascript:alert(1)', '/'],
      ['/a\r\nSet-Cookie: x=y', '/'],
      ['', '/'],
    ] as const) {
      const answer = await logIn(app, 'alice', 'demo', {}, { next });
      expect([next, answer.headers.get('location')]).toEqual([next, to]);
    }
  });

  it('A18: is not made by another site, nor by other kinds of body', async () => {
    for (const [name, value] of [
      ['origin', 'https://evil.test'],
      ['origin', 'null'],
      ['sec-fetch-site', 'cross-site'],
    ] as const) {
      const answer = await logIn(app, 'alice', 'demo', { [name]: value });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
    }
    const body = JSON.stringify({ login: 'alice', password: 'demo' });
    for (const type of ['application/json', 'text/plain']) {
      const answer = await app.ask('/login', { as: 'nobody', method: 'POST', body, headers: { 'content-type': type } });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([415, null]);
    }
  });
});

describe('a session', () => {
  it('counts only where no other credential is given', async () => {
    const cookie = await session('alice');
    expect((await withCookie(cookie, { as: 'elena' })).json.Login).toBe('elena');
    const { Token } = await app.json('/api/v1/Authentication', { as: 'elena' });
    expect((await withCookie(cookie, {}, `${me}&token=${encodeURIComponent(Token)}`)).json.Login).toBe('elena');
    expect((await withCookie(cookie, { as: 'alice:wrong' })).status).toBe(401);
  });

  it('is nobody to a page that was opened by somebody else', async () => {
    const cookie = await session('alice');
    const as = (user: string) => withCookie(cookie, { headers: { 'x-session-user': user } });
    expect([(await as('3')).status, (await as('7')).status, (await as('')).status]).toEqual([200, 401, 401]);
    expect((await withCookie(cookie, {}, '/profile')).text).toContain('data-viewer="3"');
  });

  it('A17: is the first cookie of its name, and no other name', async () => {
    const cookie = await session('alice');
    const other = await session('elena');
    expect((await withCookie(`a=b; ${cookie}; ${other}`)).json.Login).toBe('alice');
    expect((await withCookie(`${other};${cookie}`)).json.Login).toBe('elena');
    const secret = cookie.split('=')[1]!;
    for (const wrong of [
      `__Host-worktrack_session=${secret}`,
      `WORKTRACK_SESSION=${secret}`,
      'worktrack_session=',
      'worktrack_session',
      `worktrack_session="${secret}"`,
      `worktrack_session=${secret}x`,
      `worktrack_session=${secret.slice(1)}`,
      "worktrack_session=' or 1=1--",
      `worktrack_session=${'x'.repeat(4000)}`,
    ]) {
      expect([wrong.slice(0, 40), (await withCookie(wrong)).status]).toEqual([wrong.slice(0, 40), 401]);
    }
  });

  it('A18: writes from the same origin or with a header of its own only', async () => {
    const cookie = await session('admin', 'admin');
    const story = JSON.stringify({ Name: 'by a page', Project: { Id: 8 } });
    const write = (headers: Record<string, string>) =>
      withCookie(
        cookie,
        { method: 'POST', body: story, headers: { 'content-type': 'application/json', ...headers } },
        '/api/v1/UserStories?format=json',
      );
    const before = await app.rows('select count(*)::int as n from general');
    for (const headers of [
      {},
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: 'https://evil.test', 'x-requested-with': 'XMLHttpRequest' },
      { origin: `${app.base}.evil.test` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ] as Record<string, string>[]) {
      const answer = await write(headers);
      expect([headers, answer.status, answer.json.Status]).toEqual([headers, 403, 'Forbidden']);
    }
    expect(await app.rows('select count(*)::int as n from general')).toEqual(before);
    const text = { 'content-type': 'text/plain', origin: app.base };
    expect((await write(text)).status).toBe(415);
    for (const headers of [
      { origin: app.base },
      { 'sec-fetch-site': 'same-origin' },
      { 'x-requested-with': 'XMLHttpRequest' },
    ] as Record<string, string>[]) {
      expect([headers, (await write(headers)).status]).toEqual([headers, 201]);
    }
    for (const method of ['DELETE', 'PUT', 'PATCH']) {
      const answer = await withCookie(
        cookie,
        { method, headers: { origin: 'https://evil.test' } },
        '/api/v1/UserStories/1',
      );
      expect([method, answer.status]).toEqual([method, 403]);
    }
    // Reading needs none of it: another site cannot see the answer.
    expect((await withCookie(cookie, { headers: { origin: 'https://evil.test' } })).status).toBe(200);
    // Other credentials are never sent by a browser unasked.
    const { status } = await app.post('/api/v1/UserStories', story, { headers: { origin: 'https://evil.test' } });
    expect(status).toBe(201);
  });

  it('is told apart from Basic to a page whose session is over', async () => {
    const answer = await app.ask(me, { as: 'nobody', headers: { 'x-requested-with': 'XMLHttpRequest' } });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Session realm="Worktrack"']);
  });
});

describe('the end of a session', () => {
  it('comes with log-out, by a page of this service only', async () => {
    const cookie = await session();
    const out = (headers: Record<string, string>) => withCookie(cookie, { method: 'POST', headers }, '/logout');
    expect((await out({ origin: 'https://evil.test' })).status).toBe(403);
    expect((await withCookie(cookie)).status).toBe(200);
    const answer = await app.raw('/logout', { method: 'POST', headers: { cookie, origin: app.base } });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login']);
    expect(answer.headers.get('set-cookie')).toMatch(/^worktrack_session=; Max-Age=0; Path=\/; HttpOnly/);
    expect((await withCookie(cookie)).status).toBe(401);
    await isOver(cookie);
  });

  it('comes with log-out of its own user only', async () => {
    const cookie = await session();
    const [{ id }] = await app.rows("select id from general_user where login = 'alice'");
    const out = (user: number) =>
      app.raw(`/logout?user=${user}`, { method: 'POST', headers: { cookie, origin: app.base } });
    const other = await out(id + 1);
    expect([other.status, other.headers.get('set-cookie')]).toEqual([303, null]);
    expect((await withCookie(cookie)).status).toBe(200);
    await out(id);
    expect((await withCookie(cookie)).status).toBe(401);
  });

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['a new password', (id) => app.post(`/api/v1/Users/${id}`, { Password: 'another word' })],
    ['deactivation', (id) => app.post(`/api/v1/Users/${id}`, { IsActive: false })],
    ['deletion', (id) => app.ask(`/api/v1/Users/${id}`, { method: 'DELETE' })],
  ])('comes with %s, within a second on every replica and for good', async (what, act) => {
    const login = `ender-${what.replace(/\W/g, '-')}`;
    const id = await newUser(login);
    const cookie = await session(login, chosenPassword);
    expect((await withCookie(cookie, {}, me, replica)).status).toBe(200);
    await act(id);
    await isOver(cookie);
    await app.rows('update general_user set is_active = true, delete_date = null where id = $1', [id]);
    expect((await withCookie(cookie)).status).toBe(401);
  });

  it('comes after a time without use, and after a time in any case', async () => {
    for (const column of ['last_seen_date', 'create_date']) {
      const cookie = await session();
      expect((await withCookie(cookie)).status).toBe(200);
      const hash = 'sha256(convert_to($1, $2))';
      await app.rows(`update session set ${column} = now() - interval '8 days' where id = ${hash}`, [
        cookie.split('=')[1],
        'UTF8',
      ]);
      await isOver(cookie);
    }
  });

  it('is put off by use', async () => {
    const cookie = await session();
    await app.rows("update session set last_seen_date = now() - interval '1 hour'");
    await withCookie(cookie);
    await eventually(async () => {
      const rows = await app.rows("select 1 from session where last_seen_date > now() - interval '1 minute'");
      expect(rows.length).toBeGreaterThan(0);
    });
  });
});
