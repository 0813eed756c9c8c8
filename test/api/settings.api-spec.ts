/** Settings: for administrators alone, one row, followed within a second. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
let replica: TestApp;
const provider = { OIDC_ISSUER: 'http://127.0.0.1:9/', OIDC_CLIENT_ID: 'worktrack' };
beforeAll(async () => {
  app = await TestApp.start(provider);
  replica = await app.replica();
});
afterAll(async () => {
  await replica.stop();
  await app.stop();
});

const path = '/api/v1/GlobalSettings';
const set = (body: unknown, as = 'admin'): Promise<Answer> => app.post(`${path}?format=json`, body, { as });
const me = '/api/v1/Users/LoggedUser?format=json&include=[Kind]';

const initial = {
  ResourceType: 'GlobalSettings',
  Id: 1,
  CompanyName: null,
  DefaultRichEditor: null,
  IsLoginFormEnabled: true,
  AccessTokenLimit: 100,
  SessionIdleMinutes: 480,
  SessionHours: 168,
};

describe('settings', () => {
  it.each(['json', 'xml'])('that were read are a list, and sent back as one in %s', async (format) => {
    const read = await app.ask(`${path}?format=${format}`);
    const send = (to: string) =>
      app.ask(to, { method: 'POST', headers: { 'content-type': `application/${format}` }, body: read.text });
    expect(await send(`${path}/bulk?format=json`).then(({ status, json }) => [status, json.Items])).toEqual([
      200,
      [initial],
    ]);
    const { status, text } = await send(path);
    expect([status, text]).toEqual([400, expect.stringContaining('Lists go to /GlobalSettings/bulk.')]);
  });

  it('are told to administrators, in JSON and XML, as a list of one and by id', async () => {
    expect(await app.items(path)).toEqual([initial]);
    expect(await app.json(`${path}/1`, { as: 'grace' })).toEqual(initial);
    const root = await parseXml(await app.xml(path));
    expect(root.children[0]).toMatchObject({ name: 'GlobalSettings', attributes: { Id: '1' } });
    for (const as of ['alice', 'uma']) {
      for (const one of [path, `${path}/1`, `${path}/2`]) expect((await app.ask(one, { as })).status).toBe(403);
      expect((await set({ CompanyName: 'x' }, as)).status).toBe(403);
    }
  });

  it('are changed with the id or without; there is never another one', async () => {
    expect((await set({ CompanyName: 'Ours & Sons' })).json.CompanyName).toBe('Ours & Sons');
    const answer = await app.post(`${path}/1?format=json`, '<GlobalSettings CompanyName="Theirs"/>');
    expect([answer.status, answer.json.CompanyName]).toEqual([200, 'Theirs']);
    expect((await set({ Id: 1, CompanyName: null })).json.CompanyName).toBeNull();
    expect((await app.post(`${path}/2`, { CompanyName: 'x' })).status).toBe(404);
    expect((await app.ask(`${path}/1`, { method: 'DELETE' })).status).toBe(405);
    expect(await app.rows('select count(*)::int as n from global_settings')).toEqual([{ n: 1 }]);
  });

  it.each([
    [{ AccessTokenLimit: -1 }],
    [{ AccessTokenLimit: 10_001 }],
    [{ SessionIdleMinutes: 4 }],
    [{ SessionHours: 0 }],
    [{ SessionHours: 'many' }],
    [{ DefaultRichEditor: 'Word' }],
    [{ CompanyName: 'x'.repeat(256) }],
    [{ SystemPassword: 'x'.repeat(1025) }],
    [{ SystemPassword: 'seven77' }],
    [{ SystemPassword: 'Password1' }],
    [{ Nothing: 1 }],
    [{ IsLoginFormEnabled: 'perhaps' }],
  ])('are not set to %j', async (body) => {
    const before = await app.rows('select * from global_settings');
    expect((await set(body)).status).toBe(400);
    expect(await app.rows('select * from global_settings')).toEqual(before);
  });

  it('say what rich text is, in place of the environment', async () => {
    const body = { Name: 'marked', Project: { Id: 8 }, Description: '**bold**' };
    const { Id } = (await app.post('/api/v1/Bugs?format=json', body)).json;
    const page = async () => (await app.ask(`/entity/${Id}`)).text;
    expect(await page()).not.toContain('<strong>');
    await set({ DefaultRichEditor: 'Markdown' });
    expect(await page()).toContain('<strong>bold</strong>');
    await set({ DefaultRichEditor: null });
    expect(await page()).not.toContain('<strong>');
  });

  it('tell the System user`s password to nobody', async () => {
    await set({ SystemPassword: 'a secret of the system' });
    expect((await app.ask(`${path}?format=json`)).text).not.toMatch(/password|secret/i);
    expect((await app.ask(`${path}?include=[SystemPassword]`)).status).toBe(400);
    expect((await app.ask(`${path}?where=(SystemPassword is not null)`)).status).toBe(400);
    await set({ SystemPassword: '' });
  });
});

describe('the System user', () => {
  it('is nobody without a password, and an administrator with one', async () => {
    const tokenOf = async (): Promise<string> => (await app.json('/api/v1/Authentication?login=System')).Token;
    const withToken = async (on = app) => on.raw(`${me}&token=${encodeURIComponent(await tokenOf())}`);
    const basic = (on = app) => on.ask(me, { as: 'System:of the system' });
    for (const answer of [await withToken(), await basic()]) expect(answer.status).toBe(401);
    await set({ SystemPassword: 'of the system' });
    for (const on of [app, replica]) {
      await eventually(async () => expect((await withToken(on)).json.Kind).toBe('SystemUser'));
      await eventually(async () => expect((await basic(on)).status).toBe(200));
    }
    const token = encodeURIComponent(await tokenOf());
    expect((await app.raw(`${path}?token=${token}`)).status).toBe(200);
    expect((await app.raw(`/api/v1/Authentication?login=alice&token=${token}`)).status).toBe(200);
    await set({ SystemPassword: '' });
    for (const on of [app, replica]) {
      await eventually(async () => expect((await withToken(on)).status).toBe(401));
      await eventually(async () => expect((await basic(on)).status).toBe(401));
    }
    expect((await app.raw(`${path}?token=${token}`)).status).toBe(401);
  });

  it('A16: is refused by Basic, not by token, while the login form is disabled', async () => {
    await set({ SystemPassword: 'of the system', IsLoginFormEnabled: false });
    const { Token } = await app.json('/api/v1/Authentication?login=System');
    for (const on of [app, replica]) {
      await eventually(async () => expect((await on.ask(me, { as: 'System:of the system' })).status).toBe(401));
      expect((await on.raw(`${me}&token=${encodeURIComponent(Token)}`)).status).toBe(200);
      expect((await on.ask(me, { as: 'alice' })).status).toBe(200);
    }
    await set({ SystemPassword: '', IsLoginFormEnabled: true });
  });

  it('is changed and deleted by nobody', async () => {
    const [{ id }] = await app.rows("select id from general_user where kind = 'SystemUser'");
    expect((await app.post(`/api/v1/GeneralUsers/${id}`, { IsActive: false })).status).toBe(403);
    expect((await app.ask(`/api/v1/GeneralUsers/${id}`, { method: 'DELETE' })).status).toBe(403);
  });
});

describe('the login form', () => {
  it('is not disabled where nothing else would let people in', async () => {
    const answer = await replica.post(`${path}?format=json`, { IsLoginFormEnabled: false });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('single sign-on')]);
  });

  it('opens no session while it is disabled', async () => {
    await set({ IsLoginFormEnabled: false });
    const body = new URLSearchParams({ login: 'alice', password: 'demo' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const on of [app, replica]) {
      await eventually(async () => {
        const answer = await on.raw('/login', { method: 'POST', body, headers });
        expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
      });
      expect((await on.raw('/login')).text).not.toContain('type="password"');
    }
    await set({ IsLoginFormEnabled: true });
  });
});
