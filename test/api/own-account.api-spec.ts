/** What users do with their own account: a new password, a new service token. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, chosenPassword, TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { cookieOf, logIn } from '../support/log-in.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';
const path = '/api/v1/Users/LoggedUser/Password?format=json';
const newUser = async (login: string): Promise<string> => {
  const body = { Login: login, Email: `${login}@example.com`, Password: chosenPassword };
  expect((await app.post('/api/v1/Users?format=json', body)).status).toBe(201);
  return login;
};
const change = (as: string, CurrentPassword: string, NewPassword: string): Promise<Answer> =>
  app.post(path, { CurrentPassword, NewPassword }, { as });
const token = async (as: string): Promise<string> => (await app.json('/api/v1/Authentication', { as })).Token;
const withToken = (token: string): Promise<Answer> => app.raw(`${me}&token=${encodeURIComponent(token)}`);

describe('one`s own password', () => {
  it('is changed by who knows it, which ends sessions and the service token', async () => {
    await newUser('ada');
    const [cookie, other] = [
      cookieOf(await logIn(app, 'ada', chosenPassword)),
      cookieOf(await logIn(app, 'ada', chosenPassword)),
    ];
    const old = await token('ada');
    const headers = { cookie, origin: app.base };
    const body = { CurrentPassword: chosenPassword, NewPassword: 'a new ø one' };
    const answer = await app.post(path, body, { as: 'nobody', headers });
    expect([answer.status, answer.json]).toEqual([200, { Status: 'Changed' }]);
    const fresh = cookieOf(answer);
    expect(fresh).not.toBe(cookie);
    expect((await app.raw(me, { headers: { cookie: fresh } })).json.Login).toBe('ada');
    for (const dead of [cookie, other]) expect((await app.raw(me, { headers: { cookie: dead } })).status).toBe(401);
    expect((await withToken(old)).status).toBe(401);
    await eventually(async () => expect((await app.ask(me, { as: 'ada' })).status).toBe(401));
    expect((await app.ask(me, { as: 'ada:a new ø one' })).status).toBe(200);
    expect(await token('ada:a new ø one')).not.toBe(old);
  });

  it('is set again as it was, which ends the service token all the same, whoever does it', async () => {
    await newUser('same');
    const first = await token('same');
    expect((await change('same', chosenPassword, chosenPassword)).status).toBe(200);
    expect((await withToken(first)).status).toBe(401);
    const second = await token('same');
    const { Id } = await app.json('/api/v1/Users/LoggedUser?include=[Id]', { as: 'same' });
    expect((await app.post(`/api/v1/Users/${Id}`, { Password: chosenPassword })).status).toBe(200);
    await eventually(async () => expect((await withToken(second)).status).toBe(401));
  });

  it('is changed in XML too, without a session where there was none', async () => {
    await newUser('bea');
    const body = `<Password CurrentPassword="${chosenPassword}" NewPassword="another one"/>`;
    const answer = await app.post('/api/v1/Users/LoggedUser/Password', body, { as: 'bea' });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    expect(await parseXml(answer.text)).toMatchObject({ name: 'Password', attributes: { Status: 'Changed' } });
    expect((await app.ask(me, { as: 'bea:another one' })).status).toBe(200);
  });

  it('is changed by a form, too', async () => {
    await newUser('fay');
    const sent = { CurrentPassword: chosenPassword, NewPassword: 'a+b &c ø' };
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const answer = await app.ask(path, { ...form, as: 'fay', body: String(new URLSearchParams(sent)) });
    expect([answer.status, answer.json]).toEqual([200, { Status: 'Changed' }]);
    expect((await app.ask(me, { as: 'fay:a+b &c ø' })).status).toBe(200);
    const without = await app.ask(path, { ...form, as: 'fay:a+b &c ø', body: 'NewPassword=another+one' });
    expect([without.status, without.json.Message]).toEqual([400, 'CurrentPassword: a value is required.']);
  });

  it('stays as it is when the present one is wrong, and that is counted', async () => {
    await newUser('cyd');
    for (let time = 0; time < 10; time++) expect((await change('cyd', `wrong ${time}`, 'a new one')).status).toBe(403);
    expect((await change('cyd', chosenPassword, 'a new one')).status).toBe(429);
  });

  it.each([
    ['nothing', {}],
    ['no new one', { CurrentPassword: 'demo' }],
    ['an empty one', { CurrentPassword: 'demo', NewPassword: '' }],
    ['one that is too long', { CurrentPassword: 'demo', NewPassword: 'x'.repeat(1025) }],
    ['a number', { CurrentPassword: 'demo', NewPassword: 1 }],
    ['what is not known', { CurrentPassword: 'demo', NewPassword: 'a new one', Login: 'admin' }],
    ['a list', []],
  ])('is not set to %s', async (_, body) => {
    const before = await app.rows('select password_hash from general_user where id = 7');
    expect((await app.post(path, body, { as: 'elena' })).status).toBe(400);
    expect(await app.rows('select password_hash from general_user where id = 7')).toEqual(before);
  });

  it.each([
    ['seven77', 'at least 8 characters are needed.'],
    ['Password1', 'is one of the most common passwords; choose another one.'],
    ['Dora.Long', 'must not be the login.'],
  ])('is not one that is easily guessed: %s', async (NewPassword, complaint) => {
    const login = 'dora.long';
    if ((await app.rows('select 1 from general_user where login = $1', [login])).length === 0) await newUser(login);
    const answer = await change(login, chosenPassword, NewPassword);
    expect([answer.status, answer.json.Message]).toEqual([400, `NewPassword: ${complaint}`]);
    expect(answer.text).not.toContain(NewPassword);
    const xml = `<Password CurrentPassword="${chosenPassword}" NewPassword="${NewPassword}"/>`;
    expect((await app.post(path, xml, { as: login })).status).toBe(400);
    expect((await app.ask(me, { as: login })).status).toBe(200);
    // The present one was not looked at.
    for (let time = 0; time < 11; time++) expect((await change(login, 'wrong', NewPassword)).status).toBe(400);
    expect((await logIn(app, login, chosenPassword)).status).toBe(303);
  });

  it('is nothing that a token for reading can change', async () => {
    const made = await app.post('/api/v1/AccessTokens?format=json', { Name: 'r', IsReadOnly: true }, { as: 'elena' });
    const headers = { authorization: `Bearer ${made.json.Token}` };
    const body = { CurrentPassword: 'demo', NewPassword: 'a new one' };
    expect((await app.post(path, body, { as: 'nobody', headers })).status).toBe(403);
  });
});

describe('a credential that has just died', () => {
  it('buys none that lives, on a replica that has not noticed yet', async () => {
    const replica = await app.replica();
    const body = { Login: 'hasty', Email: 'hasty@example.com', Password: chosenPassword };
    const { Id } = (await app.post('/api/v1/Users?format=json', body)).json;
    const old = await token('hasty');
    const withOld = `token=${encodeURIComponent(old)}`;
    const json = { 'content-type': 'application/json' };
    const fresh = ['the first one', 'the second one', 'the third one'];
    for (const [at, password] of fresh.entries()) {
      const before = at === 0 ? chosenPassword : fresh[at - 1]!;
      // Warm: the replica remembers the password and the token.
      const warm = encodeURIComponent((await replica.json('/api/v1/Authentication', { as: `hasty:${before}` })).Token);
      expect((await replica.raw(`${me}&token=${warm}`)).status).toBe(200);
      await app.post(`/api/v1/Users/${Id}`, { Password: password });
      const answers = await Promise.all([
        replica.raw(`/api/v1/Authentication?token=${warm}`),
        replica.raw(`/api/v1/Authentication?token=${warm}`, { method: 'POST' }),
        replica.raw(`/api/v1/AccessTokens?token=${warm}`, { method: 'POST', body: '{Name: "x"}', headers: json }),
        logIn(replica, 'hasty', before),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
      expect(answers[3]!.headers.get('set-cookie')).toBeNull();
    }
    expect((await app.raw(`${me}&${withOld}`)).status).toBe(401);
    await replica.stop();
  });
});

describe('a new service token', () => {
  it('takes the place of the one before, of oneself or, for administrators, of others', async () => {
    const first = await token('alice');
    const renewed = await app.ask('/api/v1/Authentication?format=json', { as: 'alice', method: 'POST' });
    expect([renewed.status, await token('alice')]).toEqual([200, renewed.json.Token]);
    expect((await withToken(first)).status).toBe(401);
    expect((await withToken(renewed.json.Token)).json.Login).toBe('alice');
    const others = await app.ask('/api/v1/Authentication?login=alice&format=json', { method: 'POST' });
    expect((await withToken(renewed.json.Token)).status).toBe(401);
    expect((await withToken(others.json.Token)).status).toBe(200);
    expect((await app.ask('/api/v1/Authentication?login=admin', { as: 'alice', method: 'POST' })).status).toBe(403);
  });

  it('comes with no log-in: integrations go on working', async () => {
    const first = await token('alice');
    await logIn(app, 'alice', 'demo');
    expect(await token('alice')).toBe(first);
  });
});

describe('forms that are no texts', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = (to: string, body: string, as = 'nobody') =>
    app.ask(to, { as, method: 'POST', headers: { ...headers, origin: app.base }, body: Buffer.from(body, 'latin1') });
  beforeAll(() => newUser('forms'));

  it.each([
    ['in Latin-1', 'p%E4ssw%F6rd1'],
    ['as bytes of Latin-1', 'p\xe4ssw\xf6rd1'],
    ['with half of a surrogate pair', 'password %ED%A0%80'],
    ['with a percent sign', 'password of 100%'],
  ])('change no password and log nobody in: %s', async (_, password) => {
    const current = encodeURIComponent(chosenPassword);
    const answers = [
      await send(path, `CurrentPassword=${current}&NewPassword=${password}`, 'forms'),
      await send('/api/login/validate?format=json', `Username=forms&Password=${password}`),
      await send('/login', `login=forms&password=${password}`),
      await send('/login', `login=forms&password=${current}&password=${password}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(answers.map((answer) => answer.headers.get('set-cookie'))).toEqual(Array(4).fill(null));
    expect((await app.ask(me, { as: 'forms' })).status).toBe(200);
  });

  it('with a field twice are no log-in', async () => {
    const current = encodeURIComponent(chosenPassword);
    const twice = await send('/login', `login=forms&password=${current}&password=other`);
    expect([twice.status, twice.headers.get('set-cookie')]).toEqual([400, null]);
    const once = await send('/login', `login=forms&password=${current}`);
    expect([once.status, once.headers.get('set-cookie')]).toEqual([303, expect.any(String)]);
  });
});
