/** Time records: whose they are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
/** In a project of alice whose process has Time Tracking. */
let story: number;
let alice: number;
beforeAll(async () => {
  app = await TestApp.start();
  alice = (await app.json('/api/v1/Users/LoggedUser', { as: 'alice' })).Id;
  const [scrum] = await app.rows(
    `select id from general where entity_type_id = 1 and process_id = 3 and delete_date is null order by id limit 1`,
  );
  await app.write('ProjectMembers', { Project: { Id: scrum.id }, User: { Id: alice }, Role: { Id: 1 } });
  story = (await app.write('UserStories', { Name: 'timed', Project: { Id: scrum.id } })).Id;
});
afterAll(() => app.stop());

const post = (path: string, body: unknown, as = 'admin') => app.post(`/api/v1/${path}?format=json`, body, { as });
const whose = async (id: number) => (await app.json(`/api/v1/Times/${id}?include=[User]`)).User?.Id;
const record = async (more: object = {}, as = 'admin'): Promise<number> =>
  (await app.write('Times', { Assignable: { Id: story }, Spent: 1, ...more }, { as })).Id;

describe('a time without a user', () => {
  it.each([
    ['alice', { User: null }],
    ['alice', { User: { Id: null } }],
    ['alice', {}],
    ['admin', { User: null }],
  ])('that %s makes with %j is the own one', async (as, more) => {
    const id = await record(more, as);
    expect(await whose(id)).toBe(as === 'alice' ? alice : 1);
  });

  it('in XML is the own one', async () => {
    const body = `<Time Spent="1"><Assignable Id="${story}"/><User nil="true"/></Time>`;
    const answer = await post('Times', body, 'alice');
    expect([answer.status, answer.json.User?.Id]).toEqual([201, alice]);
  });

  it('is made of none by a change', async () => {
    const id = await record({}, 'alice');
    for (const as of ['alice', 'admin']) {
      const answer = await post(`Times/${id}`, { User: null }, as);
      expect([answer.status, answer.json.Message]).toEqual([400, 'User: a value is required.']);
    }
    expect(await whose(id)).toBe(alice);
  });

  it('that is there is changed by administrators alone, and may be sent back', async () => {
    const id = await record();
    await app.rows('update time set user_id = null where id = $1', [id]);
    const read = await app.json(`/api/v1/Times/${id}`, { as: 'alice' });
    expect(read.User).toBeNull();
    expect((await post(`Times/${id}`, read, 'alice')).status).toBe(200);
    for (const body of [{ Spent: 2 }, { Spent: 2, User: { Id: alice } }, { User: { Id: alice } }])
      expect((await post(`Times/${id}`, body, 'alice')).status).toBe(403);
    expect((await app.ask(`/api/v1/Times/${id}`, { method: 'DELETE', as: 'alice' })).status).toBe(403);
    expect((await post(`Times/${id}`, { Spent: 2 })).status).toBe(200);
  });
});
