/** What the System user makes: it is no User, so where a User is meant, what is stored of it reads as null. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let token: string;
let story: number;
let project: number;
let system: number;
beforeAll(async () => {
  app = await TestApp.start();
  await app.post('/api/v1/GlobalSettings', { SystemPassword: 'given to it' });
  token = encodeURIComponent((await app.json('/api/v1/Authentication?login=System')).Token);
  [{ id: system }] = await app.rows("select id from general_user where kind = 'SystemUser'");
  [project] = await scrumProjects(app);
  story = (await app.write('UserStories', { Name: 'timed', Project: { Id: project } })).Id;
});
afterAll(() => app.stop());

const asSystem = (path: string, body: unknown) =>
  app.raw(`/api/v1/${path}?format=json&token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const admin = (path: string, body: unknown) => app.post(`/api/v1/${path}?format=json`, body);

describe('a time that the System user makes', () => {
  const time = () => ({ Spent: 1, Assignable: { Id: story } });
  const count = async () => (await app.rows('select count(*)::int as n from time'))[0].n;

  it.each([[{}], [{ User: null }], [{ User: null, Role: { Id: 1 } }]])('with %j needs a User', async (more) => {
    const before = await count();
    const answer = await asSystem('Times', { ...time(), ...more });
    expect([answer.status, answer.json.Message]).toEqual([400, 'User: a value is required.']);
    const bulk = await asSystem('Times/bulk', [
      { ...time(), User: { Id: 1 } },
      { ...time(), ...more },
    ]);
    expect([bulk.status, bulk.json.Message]).toEqual([400, '[1].User: a value is required.']);
    expect(await count()).toBe(before);
  });

  it('is that of the User it names', async () => {
    const answer = await asSystem('Times', { ...time(), User: { Id: 1 } });
    expect([answer.status, answer.json.User?.Id]).toEqual([201, 1]);
  });
});

describe('what is stored of the System user as if it were a User', () => {
  it('in an older time may be sent back, in both formats, and given to a User', async () => {
    const { Id } = await app.write('Times', { Spent: 1, Assignable: { Id: story } });
    await app.rows('update time set user_id = $2, description = $3 where id = $1', [Id, system, 'older']);
    const stored = () => app.rows('select * from time where id = $1', [Id]);
    const before = await stored();
    const read = await app.json(`/api/v1/Times/${Id}`);
    expect(read.User).toBeNull();
    const xml = await app.xml(`/api/v1/Times/${Id}`);
    expect(xml).toContain('<User nil="true" />');
    for (const [path, body] of [
      [`Times/${Id}`, read],
      [`Times/${Id}`, xml],
      ['Times/bulk', [read]],
    ] as const) {
      const answer = await admin(path, body);
      expect(answer.status, answer.text).toBe(200);
      expect(await stored()).toEqual(before);
    }
    const alice = await app.post(`/api/v1/Times/${Id}?format=json`, read, { as: 'alice' });
    expect(alice.status, alice.text).toBe(200);
    const changed = await admin(`Times/${Id}`, { ...read, Spent: 2 });
    expect([changed.status, Number(changed.json.Spent), changed.json.User]).toEqual([200, 2, null]);
    const given = await admin(`Times/${Id}`, { ...read, User: { Id: 1 } });
    expect([given.status, given.json.User?.Id]).toEqual([200, 1]);
    const taken = await admin(`Times/${Id}`, { User: null });
    expect([taken.status, taken.json.Message]).toEqual([400, 'User: a value is required.']);
  });

  it('is sent back with its impediment and changes nothing', async () => {
    const made = await asSystem('Impediments', { Name: 'in the way', Project: { Id: project } });
    expect([made.status, made.json.Responsible]).toEqual([201, null]);
    const read = await app.json(`/api/v1/Impediments/${made.json.Id}`);
    const sent = await admin(`Impediments/${made.json.Id}`, read);
    expect(sent.status, sent.text).toBe(200);
    expect(await app.json(`/api/v1/Impediments/${made.json.Id}`)).toEqual(read);
  });

  it('is no deleted User, who is shown and may be taken away', async () => {
    const { Id: user } = await app.write('Users', {
      Login: 'leaving',
      Email: 'leaving@example.com',
      Password: 'a long one, too',
    });
    const body = { Name: 'left', Project: { Id: project }, Responsible: { Id: user } };
    const { Id } = await app.write('Impediments', body);
    await app.ask(`/api/v1/Users/${user}`, { method: 'DELETE' });
    expect((await app.json(`/api/v1/Impediments/${Id}`)).Responsible.Id).toBe(user);
    expect((await admin(`Impediments/${Id}`, { Responsible: null })).json.Responsible).toBeNull();
    expect(await app.rows('select responsible_id from general where id = $1', [Id])).toEqual([
      { responsible_id: null },
    ]);
  });
});
