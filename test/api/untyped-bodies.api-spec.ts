/** Bodies without a Content-Type, as programs send them that leave it out. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { cookieOf, logIn } from '../support/log-in.js';

let app: TestApp;
let project: number;

beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

/** Bytes have no type, where a text would be sent as `text/plain`. */
const untyped = (path: string, text: string, headers: Record<string, string> = {}) =>
  app.ask(path, { method: 'POST', headers, body: Buffer.from(text) });

const stories = '/api/v1/UserStories';
const json = () => `{Name: "untyped", Project: {Id: ${project}}}`;
const xml = () => `<UserStory Name="untyped"><Project Id="${project}"/></UserStory>`;

it('are JSON or XML by the character that they begin with, and answered so', async () => {
  for (const [text, type] of [
    [json(), 'application/json'],
    [`\r\n\t ${json()}`, 'application/json'],
    [`\ufeff${json()}`, 'application/json'],
    [xml(), 'application/xml'],
    [`\ufeff<?xml version="1.0"?>${xml()}`, 'application/xml'],
  ] as const) {
    const answer = await untyped(stories, text);
    expect([text, answer.status, answer.headers.get('content-type')]).toEqual([text, 201, `${type}; charset=utf-8`]);
  }
});

it('may be long', async () => {
  const answer = await untyped(
    stories,
    `{Name: "untyped", Description: "${'x'.repeat(200_000)}", Project: {Id: ${project}}}`,
  );
  expect(answer.status).toBe(201);
});

it('are taken by an entity and by an inner collection, with each credential that somebody chose to send', async () => {
  const { Id } = (await untyped(stories, json())).json;
  expect((await untyped(`${stories}/${Id}`, '{Name: "other"}')).json).toMatchObject({ Id, Name: 'other' });
  const task = await untyped(`${stories}/${Id}/Tasks`, '{Name: "untyped"}');
  expect([task.status, task.json.UserStory.Id]).toEqual([201, Id]);
  const { Token } = await app.write('AccessTokens', { Name: 'untyped' });
  const { Token: service } = await app.json('/api/v1/Authentication');
  const cookie = cookieOf(await logIn(app, 'alice', 'demo'));
  const byToken = (query: string, headers: Record<string, string>) => {
    const body = Buffer.from(`{Description: "untyped", General: {Id: ${Id}}}`);
    return app.raw(`/api/v1/Comments${query}`, { method: 'POST', headers, body });
  };
  for (const [query, headers] of [
    ['', { authorization: `Bearer ${Token}` }],
    ['', { 'x-access-token': Token, cookie }],
    [`?access_token=${encodeURIComponent(Token)}`, {}],
    [`?token=${encodeURIComponent(service)}`, {}],
  ] as [string, Record<string, string>][])
    expect([query, headers, (await byToken(query, headers)).status]).toEqual([query, headers, 201]);
});

it('of a list to one entity are refused as lists', async () => {
  const answer = await untyped(`${stories}?format=json`, `[${json()}]`);
  expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('/UserStories/bulk')]);
});

it('that are no JSON and no XML are 415', async () => {
  for (const text of ['Name=untyped', '"untyped"', '5', ' ', '\ufeff', '%7B%7D', '\u00a0{}', 'null'])
    expect([text, (await untyped(stories, text)).status]).toEqual([text, 415]);
});

const count = async (): Promise<number> => (await app.rows('select count(*)::int as n from general'))[0].n;

it('are 415 with a session, and where a page of a browser sends them with the password that it keeps', async () => {
  const before = await count();
  const cookie = cookieOf(await logIn(app, 'admin', 'admin'));
  for (const [name, value] of [
    ['origin', app.base],
    ['sec-fetch-site', 'same-origin'],
    ['x-requested-with', 'XMLHttpRequest'],
  ] as const) {
    const sent = { method: 'POST', headers: { [name]: value, cookie }, body: Buffer.from(json()) };
    expect([name, (await app.raw(stories, sent)).status]).toEqual([name, 415]);
  }
  for (const headers of [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: app.base },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
  ] as Record<string, string>[])
    expect([headers, (await untyped(stories, json(), headers)).status]).toEqual([headers, 415]);
  expect(await count()).toBe(before);
});

it('are 415 with a coding', async () => {
  for (const coding of ['gzip', 'br'])
    expect((await untyped(stories, json(), { 'content-encoding': coding })).status).toBe(415);
});

it('are 415 where the address takes lists, forms, files, secrets or messages', async () => {
  const before = await count();
  const text = json();
  for (const [path, body] of [
    [`${stories}/bulk`, `[${text}]`],
    ['/api/v1/userstories.asmx/BULK', `[${text}]`],
    ['/api/v2/UserStory', text],
    ['/api/history/v2/UserStory', text],
    ['/api/v1/Attachments', '{Name: "a", Content: "AAAA"}'],
    ['/UploadFile.ashx', text],
    ['/avatar.ashx', text],
    ['/login', '{login: "alice", password: "demo"}'],
    ['/api/login/validate', '{Username: "alice", Password: "demo"}'],
    ['/api/v1/Users/LoggedUser/Password', '{CurrentPassword: "admin", NewPassword: "a longer one"}'],
    ['/api/v1/undelete', '{Id: 1}'],
    ['/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ] as const)
    expect([path, (await untyped(path, body)).status]).toEqual([path, 415]);
  const erased = await untyped(`${stories}/bulk`, '[{Id: 1}]', { 'x-http-method-override': 'DELETE' });
  expect(erased.status).toBe(415);
  expect(await count()).toBe(before);
});

it('are read of callers alone', async () => {
  for (const path of [stories, '/api/v1/Comments']) {
    const sent = { method: 'POST', body: Buffer.from(json()) };
    expect((await app.raw(path, sent)).status).toBe(401);
  }
});
