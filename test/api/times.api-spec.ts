/** Time records: whose they are, and where there are any. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
/** Stories in projects of alice, whose processes have Time Tracking, and of a process that has not. */
let story: number;
let project: number;
let kanbanStory: number;
let kanbanProject: number;
let alice: number;
beforeAll(async () => {
  app = await TestApp.start();
  alice = (await app.json('/api/v1/Users/LoggedUser', { as: 'alice' })).Id;
  const [scrum] = await app.rows(
    `select id from general where entity_type_id = 1 and process_id = 3 and delete_date is null order by id limit 1`,
  );
  project = scrum.id;
  kanbanProject = (await app.write('Projects', { Name: 'kanban', Process: { Id: 2 } })).Id;
  const members = [project, kanbanProject].map((Id) => ({ Project: { Id }, User: { Id: alice }, Role: { Id: 1 } }));
  await app.write('ProjectMembers/bulk', members);
  story = (await app.write('UserStories', { Name: 'timed', Project: { Id: project } })).Id;
  kanbanStory = (await app.write('UserStories', { Name: 'untimed', Project: { Id: kanbanProject } })).Id;
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

describe('a time is not moved to where Time Tracking is not available', () => {
  const refusal = (member: string) => [400, `${member}: Time is not available for current process.`];
  const placeOf = (id: number) => app.json(`/api/v1/Times/${id}?include=[Assignable[Id],Project[Id]]`);

  it('by its item', async () => {
    const id = await record();
    const before = await placeOf(id);
    const moved = await post(`Times/${id}`, { Assignable: { Id: kanbanStory } });
    expect([moved.status, moved.json.Message]).toEqual(refusal('Assignable'));
    expect(await placeOf(id)).toEqual(before);
  });

  it('by its project', async () => {
    const { Id } = await app.write('Times', { Project: { Id: project }, Spent: 1 });
    const before = await placeOf(Id);
    const moved = await post(`Times/${Id}`, { Project: { Id: kanbanProject } });
    expect([moved.status, moved.json.Message]).toEqual(refusal('Project'));
    const item = await post(`Times/${Id}`, { Assignable: { Id: kanbanStory } });
    expect([item.status, item.json.Message]).toEqual(refusal('Assignable'));
    expect(await placeOf(Id)).toEqual(before);
  });

  it('and one that came there with its item is changed, and taken away', async () => {
    const { Id: item } = await app.write('UserStories', { Name: 'moving', Project: { Id: project } });
    const id = await record({ Assignable: { Id: item } });
    await app.write(`UserStories/${item}`, { Project: { Id: kanbanProject } });
    expect(await placeOf(id)).toMatchObject({ Project: { Id: kanbanProject } });
    expect((await post(`Times/${id}`, { Spent: 2 })).status).toBe(200);
    expect((await post(`Times/${id}`, { Assignable: { Id: kanbanStory } })).status).toBe(200);
    expect((await post(`Times/${id}`, { Assignable: { Id: story } })).status).toBe(200);
    expect(await placeOf(id)).toMatchObject({ Assignable: { Id: story }, Project: { Id: project } });
  });
});

describe('a time for an item that lies in no project is for no project', () => {
  const projectOf = async (id: number) => (await app.json(`/api/v1/Times/${id}?include=[Project[Id]]`)).Project;
  const epic = async (Project?: { Id: number }): Promise<number> =>
    (await app.write('PortfolioEpics', { Name: 'beside projects', ...(Project ? { Project } : {}) })).Id;

  it('whatever project was sent', async () => {
    const id = await record({ Assignable: { Id: await epic() }, Project: { Id: project } });
    expect(await projectOf(id)).toBeNull();
  });

  it('also when it was for another item before', async () => {
    const id = await record();
    await app.write(`Times/${id}`, { Assignable: { Id: await epic() } });
    expect(await projectOf(id)).toBeNull();
    await app.write(`Times/${id}`, { Assignable: { Id: story } });
    expect(await projectOf(id)).toEqual({ ResourceType: 'Project', Id: project });
  });

  it('also when the item has left its project', async () => {
    const item = await epic({ Id: project });
    const id = await record({ Assignable: { Id: item } });
    await app.write(`PortfolioEpics/${item}`, { Project: null });
    expect(await projectOf(id)).toBeNull();
    await app.write(`PortfolioEpics/${item}`, { Project: { Id: project } });
    expect(await projectOf(id)).toEqual({ ResourceType: 'Project', Id: project });
  });
});
