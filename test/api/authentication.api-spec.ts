/** The contract's chapter on authentication, sentence by sentence; what follows from each has specs of its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { cookieOf, logIn } from '../support/log-in.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({ OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'worktrack' });
});
afterAll(() => app.stop());

const me = '/api/v1/Users/LoggedUser?format=json';
const blob = (text: string): string => Buffer.from(text).toString('base64');
const serviceToken = async (as: string): Promise<string> => (await app.json('/api/v1/Authentication', { as })).Token;
const by = (name: 'token' | 'access_token', token: string, path = me) =>
  app.raw(`${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(token)}`);
const newUser = async (login: string): Promise<number> => {
  const body = { Login: login, Email: `${login}@example.com`, Password: chosenPassword };
  return (await app.post('/api/v1/Users?format=json', body)).json.Id;
};
const accessToken = async (as: string): Promise<{ Id: number; Token: string }> =>
  (await app.post('/api/v1/AccessTokens?format=json', { Name: 'an application' }, { as })).json;

describe('the caller', () => {
  it('is an active user', async () => {
    expect((await app.ask(me, { as: 'alice' })).json).toMatchObject({ Kind: 'User', Id: 3 });
    expect((await app.ask(me, { as: 'viktor' })).status).toBe(401);
  });

  it('or the System user', async () => {
    await app.post('/api/v1/GlobalSettings', { SystemPassword: 'given to it' });
    const { Token } = await app.json('/api/v1/Authentication?login=System');
    expect((await by('token', Token)).json).toMatchObject({ Kind: 'SystemUser' });
    await app.post('/api/v1/GlobalSettings', { SystemPassword: '' });
  });

  it('is never anonymous', async () => {
    for (const as of ['nobody', 'Anonymous:', 'anonymous:anonymous', ':']) {
      expect((await app.ask('/api/v1/Projects', { as })).status).toBe(401);
    }
  });

  it('is no requester', async () => {
    await app.rows(`update general_user set login = 'asking', password_hash = (select password_hash from general_user where id = 3)
      where id = (select min(id) from general_user where kind = 'Requester')`);
    expect((await app.ask('/api/v1/Projects', { as: 'asking' })).status).toBe(401);
    expect((await app.ask('/api/v1/Authentication?login=asking')).status).toBe(404);
  });

  it('whose authentication fails gets 401', async () => {
    for (const [name, value] of [
      ['authorization', 'Basic x'],
      ['authorization', 'Bearer x'],
      ['cookie', 'worktrack_session=x'],
    ] as const) {
      expect((await app.raw(me, { headers: { [name]: value } })).status).toBe(401);
    }
    expect((await by('token', 'x')).status).toBe(401);
    expect((await by('access_token', 'x')).status).toBe(401);
  });
});

describe('a service token', () => {
  it('is obtained by users from Authentication, as an attribute in XML and a member in JSON', async () => {
    const root = await parseXml(await app.xml('/api/v1/Authentication', { as: 'alice' }));
    expect(root).toMatchObject({ name: 'Authentication', attributes: { Token: await serviceToken('alice') } });
    expect(await app.json('/api/v1/authentication', { as: 'alice' })).toEqual({ Token: await serviceToken('alice') });
  });

  it('of another user is obtained by administrators, with login=', async () => {
    const { Token } = await app.json('/api/v1/Authentication?login=alice', { as: 'grace' });
    expect((await by('token', Token)).json.Id).toBe(3);
    expect((await app.ask('/api/v1/Authentication?login=elena', { as: 'alice' })).status).toBe(403);
    expect(await app.json('/api/v1/Authentication?login=Alice', { as: 'alice' })).toEqual({ Token });
  });

  it('of the System user is obtained with login=System, by administrators', async () => {
    expect(await app.json('/api/v1/Authentication?login=System')).toEqual({ Token: expect.any(String) });
    expect((await app.ask('/api/v1/Authentication?login=System', { as: 'alice' })).status).toBe(403);
  });

  it('is one per user', async () => {
    expect(await serviceToken('alice')).toBe(await serviceToken('alice'));
  });

  it('becomes invalid when the password changes; a new one is there after that', async () => {
    const id = await newUser('changing');
    const old = await serviceToken('changing');
    expect((await by('token', old)).status).toBe(200);
    await app.post(`/api/v1/Users/${id}`, { Password: 'another word' });
    await eventually(async () => expect((await by('token', old)).status).toBe(401));
    const fresh = await serviceToken('changing:another word');
    expect(fresh).not.toBe(old);
    expect((await by('token', fresh)).status).toBe(200);
  });

  it('has no dates', async () => {
    expect(Object.keys(await app.json('/api/v1/Authentication', { as: 'alice' }))).toEqual(['Token']);
  });

  it('ends when the login is made inactive', async () => {
    const id = await newUser('leaving');
    const token = await serviceToken('leaving');
    await app.post(`/api/v1/Users/${id}`, { IsActive: false });
    await eventually(async () => expect((await by('token', token)).status).toBe(401));
  });
});

describe('an access token', () => {
  it('is obtained by its user, not by an administrator for others, and not for the System user', async () => {
    const { Token } = await accessToken('alice');
    expect((await by('access_token', Token)).json.Id).toBe(3);
    const forAlice = { Name: 'x', User: { Id: 3 } };
    expect((await app.post('/api/v1/AccessTokens', forAlice)).status).toBe(403);
  });

  it('does not depend on the password', async () => {
    const id = await newUser('keeping');
    const { Token } = await accessToken('keeping');
    await app.post(`/api/v1/Users/${id}`, { Password: 'another word' });
    await eventually(async () => expect((await app.ask(me, { as: 'keeping' })).status).toBe(401));
    expect((await by('access_token', Token)).status).toBe(200);
  });

  it('is one of several, one per application', async () => {
    const [one, two] = [await accessToken('elena'), await accessToken('elena')];
    expect(one.Token).not.toBe(two.Token);
    for (const { Token } of [one, two]) expect((await by('access_token', Token)).json.Id).toBe(7);
  });

  it('has dates of issue and last use', async () => {
    const { Id, Token } = await accessToken('elena');
    await by('access_token', Token);
    await eventually(async () => {
      const stored = await app.json(`/api/v1/AccessTokens/${Id}`, { as: 'elena' });
      expect(stored).toMatchObject({ IssueDate: expect.any(String), LastUseDate: expect.any(String) });
    });
  });

  it('ends when it is deleted', async () => {
    const { Id, Token } = await accessToken('elena');
    await app.ask(`/api/v1/AccessTokens/${Id}`, { as: 'elena', method: 'DELETE' });
    await eventually(async () => expect((await by('access_token', Token)).status).toBe(401));
  });

  it('ends when the login is made inactive', async () => {
    const id = await newUser('going');
    const { Token } = await accessToken('going');
    await app.post(`/api/v1/Users/${id}`, { IsActive: false });
    await eventually(async () => expect((await by('access_token', Token)).status).toBe(401));
  });

  it('is displayed only once, at creation', async () => {
    const { Id, Token } = await accessToken('elena');
    for (const path of [`/api/v1/AccessTokens/${Id}`, '/api/v1/AccessTokens?take=1000', me]) {
      for (const as of ['elena', 'admin']) {
        const { text } = await app.ask(path, { as });
        expect(text).not.toContain(Token);
        expect(text).not.toContain('"Token"');
      }
    }
  });
});

describe('the rights of an administrator', () => {
  it('give no token of others from the moment on that they end', async () => {
    const [replica, { Token: mine }] = [await app.replica(), await app.json('/api/v1/Authentication', { as: 'grace' })];
    const [{ id }] = await app.rows("select id from general_user where login = 'grace'");
    const asked = `/api/v1/Authentication?format=json&login=elena&token=${encodeURIComponent(mine)}`;
    // The other process remembers who asks.
    expect((await replica.raw(asked)).status).toBe(200);
    await app.post(`/api/v1/Users/${id}`, { IsAdministrator: false });
    expect((await replica.raw(asked)).status).toBe(403);
    expect((await replica.raw(asked, { method: 'POST' })).status).toBe(403);
    await app.post(`/api/v1/Users/${id}`, { IsAdministrator: true });
    await replica.stop();
  });
});

describe('a token', () => {
  it('gives the memberships and permissions of its owner', async () => {
    const projects = async (token?: string): Promise<number[]> => {
      const path = '/api/v1/Projects?format=json&include=[Id]&take=1000';
      const answer = token === undefined ? await app.ask(path, { as: 'alice' }) : await by('token', token, path);
      return answer.json.Items.map(({ Id }: { Id: number }) => Id);
    };
    const token = await serviceToken('alice');
    expect(await projects(token)).toEqual(await projects());
    expect((await by('token', token, '/api/v1/GlobalSettings')).status).toBe(403);
    await app.post('/api/v1/ProjectMembers', { Project: { Id: 26 }, User: { Id: 3 }, Role: { Id: 1 } });
    await eventually(async () => expect(await projects(token)).toContain(26));
  });
});

describe('the System user', () => {
  it('has administrator permissions once a password is set in the settings, and is 401 before', async () => {
    const { Token } = await app.json('/api/v1/Authentication?login=System');
    expect((await by('token', Token, '/api/v1/GlobalSettings')).status).toBe(401);
    await app.post('/api/v1/GlobalSettings', { SystemPassword: 'given to it' });
    const renewed = (await app.json('/api/v1/Authentication?login=System')).Token;
    expect((await by('token', renewed, '/api/v1/GlobalSettings')).status).toBe(200);
    expect((await by('token', renewed, '/api/v1/Authentication?login=alice')).status).toBe(200);
    await app.post('/api/v1/GlobalSettings', { SystemPassword: '' });
    await eventually(async () => expect((await by('token', renewed)).status).toBe(401));
  });
});

describe('cookie mode', () => {
  it('authenticates a request with the session cookie as its user, scripts inside the application included', async () => {
    const cookie = cookieOf(await logIn(app, 'alice', 'demo'));
    expect((await app.raw(me, { headers: { cookie } })).json.Id).toBe(3);
    const headers = { cookie, origin: app.base, 'content-type': 'application/json' };
    const story = JSON.stringify({ Name: 'by a script', Project: { Id: 8 } });
    const made = await app.raw('/api/v1/UserStories?format=json', { method: 'POST', body: story, headers });
    expect([made.status, made.json.Owner.Id]).toEqual([201, 3]);
  });
});

describe('basic mode', () => {
  it('takes login and password on every request, without extra spaces or line breaks', async () => {
    const asked = async (authorization: string) => (await app.raw(me, { headers: { authorization } })).status;
    expect(await asked(`Basic ${blob('alice:demo')}`)).toBe(200);
    for (const text of [`${blob('alice:demo')} `.replace(' ', '%20'), blob('alice:demo\n'), blob('alice:demo ')]) {
      expect(await asked(`Basic ${text}`)).toBe(401);
    }
    expect((await app.raw(me)).status).toBe(401);
  });

  it('is blocked for the System user, and for nobody else, while the login form is disabled', async () => {
    await app.post('/api/v1/GlobalSettings', { SystemPassword: 'given to it', IsLoginFormEnabled: false });
    await eventually(async () => expect((await app.ask(me, { as: 'System:given to it' })).status).toBe(401));
    expect((await app.ask(me, { as: 'alice' })).status).toBe(200);
    await app.post('/api/v1/GlobalSettings', { IsLoginFormEnabled: true });
    await eventually(async () => expect((await app.ask(me, { as: 'System:given to it' })).status).toBe(200));
    await app.post('/api/v1/GlobalSettings', { SystemPassword: '' });
  });
});
