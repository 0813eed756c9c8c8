/** Log-in, profile and administration over HTTP: who gets which page, and what is on it without any script. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Ask, TestApp } from '../support/app.js';
import { cookieOf, logIn } from '../support/log-in.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const pages = [
  '/administration/users',
  '/administration/users/new',
  '/administration/users/3',
  '/administration/deleted-projects',
  '/administration/deleted-users',
  '/administration/settings',
];

/** As a browser asks for a page. */
const look = (path: string, ask: Ask = {}): Promise<Answer> =>
  app.ask(path, { as: 'nobody', ...ask, headers: { accept: 'text/html,*/*;q=0.8', ...ask.headers } });
const withSession = async (path: string, login: string): Promise<Answer> =>
  look(path, { headers: { cookie: cookieOf(await logIn(app, login, login === 'admin' ? 'admin' : 'demo')) } });
const place = ({ status, headers }: Answer) => [status, headers.get('location')];

describe.each([...pages, '/administration', '/profile'])('%s', (path) => {
  it('leads who is not logged in to the log-in, and back; programs get their 401', async () => {
    expect(place(await look(`${path}?a=b`))).toEqual([303, `/login?next=${encodeURIComponent(`${path}?a=b`)}`]);
    expect((await app.ask(path, { as: 'nobody' })).status).toBe(401);
    expect((await look(path, { as: 'admin:wrong' })).status).toBe(401);
  });
});

describe.each(pages)('%s', (path) => {
  it('is for administrators, however they come', async () => {
    for (const answer of [await withSession(path, 'admin'), await look(path, { as: 'grace' })]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(answer.text).not.toMatch(/<script(?! type="module" src="[^"]+"><\/script>)|<style|\sstyle=|\son\w+=/i);
      expect(answer.text).toContain('<a href="/administration" aria-current="page">');
    }
  });

  it('is refused to all others, with a page', async () => {
    for (const login of ['alice', 'uma']) {
      const answer = await withSession(path, login);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
      expect(answer.text).toContain('<h1>Not permitted</h1>');
      expect(answer.text).not.toContain('href="/administration');
    }
  });
});

describe('administration', () => {
  it('begins with the users', async () => {
    expect(place(await withSession('/administration', 'admin'))).toEqual([303, '/administration/users']);
    expect((await withSession('/administration', 'alice')).status).toBe(403);
  });

  it('tells nobody but administrators whether a user is there', async () => {
    for (const id of ['3', '99999', 'x', '0']) {
      expect((await withSession(`/administration/users/${id}`, 'alice')).status).toBe(403);
    }
    for (const id of ['99999', 'x', '0', '3.5', '-1', '99999999999999999999', '1%27']) {
      expect([id, (await withSession(`/administration/users/${id}`, 'admin')).status]).toEqual([id, 404]);
    }
  });

  it('shows a name as text', async () => {
    await app.rows(`update general_user set first_name = '"><script>alert(1)</script>' where login = 'alice'`);
    try {
      for (const { text } of [
        await withSession('/administration/users/3', 'admin'),
        await withSession('/profile', 'alice'),
      ]) {
        expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
        expect(text).not.toContain('<script>alert');
      }
    } finally {
      await app.rows(`update general_user set first_name = 'Alice' where login = 'alice'`);
    }
  });
});

describe('the profile', () => {
  it('says who one is', async () => {
    const { text } = await withSession('/profile', 'alice');
    for (const search of ['Alice Brown', 'alice', 'alice@example.com', 'Developer', '2 projects, 1 team']) {
      expect(text).toContain(`>${search}<`);
    }
  });

  it('is there by every credential', async () => {
    const { Token } = await app.json('/api/v1/Authentication', { as: 'alice' });
    const made = await app.post(
      '/api/v1/AccessTokens?format=json',
      { Name: 'reader', IsReadOnly: true },
      { as: 'alice' },
    );
    for (const answer of [
      await look('/profile', { as: 'alice' }),
      await look(`/profile?token=${encodeURIComponent(Token)}`),
      await look('/profile', { headers: { authorization: `Bearer ${made.json.Token}` } }),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('alice@example.com');
    }
  });

  it('is there for the System user, who has a service token only', async () => {
    await app.post('/api/v1/GlobalSettings', { SystemPassword: 'open sesame' });
    const { Token } = await app.json('/api/v1/Authentication?login=System');
    const answer = await look(`/profile?token=${encodeURIComponent(Token)}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Service token');
    expect(answer.text).not.toMatch(/Access Tokens|CurrentPassword/);
  });
});

describe('the log-in', () => {
  it('is passed by who is logged in already', async () => {
    expect(place(await withSession('/login?next=/profile', 'alice'))).toEqual([303, '/profile']);
    expect(place(await withSession('/login?next=//evil.test', 'alice'))).toEqual([303, '/']);
    expect((await look('/login', { headers: { cookie: 'worktrack_session=over' } })).status).toBe(200);
  });

  it('leads back to whatever address a browser may have sent', async () => {
    for (const path of ['/query?q=Bugs?where=Name%20eq%20a\\b', `/query?q=${'%C3%A4'.repeat(1_200)}`]) {
      const [status, toLogin] = place(await look(path));
      expect(status).toBe(303);
      const { text } = await look(String(toLogin));
      const next = /name="next" value="([^"]*)"/.exec(text)![1]!;
      expect(place(await logIn(app, 'alice', 'demo', {}, { next }))).toEqual([303, path.replaceAll('\\', '%5C')]);
    }
  });

  it('keeps the login and never the password, and begins at the field that is wrong', async () => {
    const { text } = await logIn(app, 'ali"ce', 'se<cret', {}, { next: '/profile' });
    expect(text).toContain('value="ali&quot;ce"');
    expect(text).not.toContain('cret');
    expect(text).toContain('<input type="hidden" name="next" value="/profile">');
    expect(text).toMatch(
      /<input id="password"[^>]* aria-describedby="refusal" aria-invalid="true" required autofocus>/,
    );
    expect(text).toContain('role="alert" id="refusal">The login or the password is wrong.');
    expect((await logIn(app, '', 'x')).text).toMatch(/<input id="login"[^>]* autofocus>/);
    expect((await logIn(app, 'x'.repeat(5000), 'x')).text.length).toBeLessThan(5000);
  });

  it('says how long a login is locked, and needs no script', async () => {
    for (let time = 0; time < 10; time++) await logIn(app, 'nobody-here', `wrong ${time}`);
    const answer = await logIn(app, 'nobody-here', 'wrong');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(500);
    expect(answer.text).toContain('Try again in 10 minutes');
    expect(answer.text).not.toContain('<script');
    expect(answer.headers.get('content-security-policy')).not.toContain('script-src');
  });

  it('lets browsers say where its form comes from: else they would hide it, and the log-in would be refused', async () => {
    for (const path of ['/login', '/']) {
      expect((await look(path)).headers.get('referrer-policy')).toBe('same-origin');
    }
  });

  it('shows the name of the company', async () => {
    expect((await look('/login')).text).toContain('<title>Log in · Worktrack</title>');
    await app.post('/api/v1/GlobalSettings', { CompanyName: 'Müller & Söhne' });
    try {
      const { text } = await look('/login');
      expect(text).toContain('<p class="kind" dir="auto">Müller &amp; Söhne</p>');
      expect(text).toContain('<title>Log in · Müller &amp; Söhne</title>');
    } finally {
      await app.post('/api/v1/GlobalSettings', { CompanyName: null });
    }
  });

  it('offers single sign-on where there is one, and nothing else where the form is disabled', async () => {
    const sso = await app.replica({
      OIDC_ISSUER: 'https://id.example.com',
      OIDC_CLIENT_ID: 'worktrack',
      OIDC_LABEL: 'Acme',
    });
    try {
      const both = await sso.raw('/login?next=/profile');
      expect(both.text).toContain('href="/login/sso?next=%2Fprofile">Acme</a>');
      expect(both.text).toContain('type="password"');
      expect((await sso.post('/api/v1/GlobalSettings', { IsLoginFormEnabled: false })).status).toBe(200);
      const only = await sso.raw('/login');
      expect(only.text).toContain('>Acme</a>');
      expect(only.text).not.toContain('<form method="post" action="/login"');
      const late = await app.replica();
      expect((await late.raw('/login')).text).toContain('Ask an administrator.');
      await late.stop();
    } finally {
      await app.rows('update global_settings set is_login_form_enabled = true');
      await sso.stop();
    }
  });
});
