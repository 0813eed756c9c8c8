/** RoleEntityTypes: what a role allows with entities of a type. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
/** The member is a developer (1) by default, and a designer (2) in the project. */
const ids: Ids = { Process: 3, Role: 1 };
const as = 'role.member';

beforeAll(async () => {
  app = await TestApp.start();
  const place = { mark: 'role', ids };
  ids.Project = await make(app, 'Project', place);
  for (const kind of ['UserStory', 'Bug']) ids[kind] = await make(app, kind, place);
  const User = await make(app, 'User', place, { Login: as, Role: { Id: 1 } });
  await make(app, 'ProjectMember', { mark: '', ids: { ...ids, User, Role: 2 } });
});
afterAll(() => app.stop());

const rightOf = async (role: number, kind: number): Promise<number> => {
  const [right] = await app.items(`/api/v1/RoleEntityTypes?where=Role.Id eq ${role} and EntityType.Id eq ${kind}`);
  return right.Id;
};

/** What the role in question does not allow, for the time of the act. */
async function without(flag: string, role: number, kind: number, act: () => Promise<void>): Promise<void> {
  const path = `/api/v1/RoleEntityTypes/${await rightOf(role, kind)}`;
  expect((await app.post(path, { [flag]: false })).status).toBe(200);
  await act();
  expect((await app.post(path, { [flag]: true })).status).toBe(200);
}

const story = () => ({ Name: 'by role', Project: { Id: ids.Project } });

describe('the rows', () => {
  it('are there for each role and type, and allow everything', async () => {
    const types = await app.items('/api/v1/EntityTypes?take=1000');
    const roles = await app.items('/api/v1/Roles?include=[Id,RoleEntityTypes]&innerTake=1000', { as });
    for (const { RoleEntityTypes } of roles) expect(RoleEntityTypes.Items.length).toBe(types.length);
    expect(await app.items('/api/v1/RoleEntityTypes?where=IsAddEnabled eq false or IsEditEnabled eq false')).toEqual(
      [],
    );
  });

  it('are read in both formats', async () => {
    const id = await rightOf(1, 4);
    expect(await app.json(`/api/v1/RoleEntityTypes/${id}`)).toEqual({
      ResourceType: 'RoleEntityType',
      Id: id,
      IsAddEnabled: true,
      IsEditEnabled: true,
      IsDeleteEnabled: true,
      EntityType: { ResourceType: 'EntityType', Id: 4, Name: 'UserStory' },
      Role: { ResourceType: 'Role', Id: 1, Name: 'Developer' },
    });
    expect(itemOf(await parseXml(await app.xml(`/api/v1/RoleEntityTypes/${id}`)))).toMatchObject({
      IsAddEnabled: 'true',
      Role: { Id: '1' },
    });
    const v2 = await app.json(`/api/v2/RoleEntityType/${id}?select={role.name as role,entityType.name as type}`);
    expect(v2.items?.[0] ?? v2).toEqual({ role: 'Developer', type: 'UserStory' });
  });

  it('stand beside those that a role merely tells of', async () => {
    const shown = 'include=[Description,IsPair,CanPrioritize,TimeSheetAccess,PeopleAccess]';
    const none = { IsPair: false, CanPrioritize: false, TimeSheetAccess: false, PeopleAccess: false };
    expect(await app.json(`/api/v1/Roles/1?${shown}`)).toMatchObject({ Description: null, ...none });
    const sent = { Name: 'Pilot', Description: '<b>flies</b>', IsPair: true, CanPrioritize: true, PeopleAccess: true };
    const made = await app.post(`/api/v1/Roles?format=json&${shown}`, sent);
    const { Name: _, ...kept } = sent;
    expect([made.status, made.json]).toEqual([201, expect.objectContaining({ ...none, ...kept })]);
    const id = made.json.Id;
    const xml = `<Role Id="${id}"><TimeSheetAccess>true</TimeSheetAccess><IsPair>false</IsPair></Role>`;
    expect((await app.post(`/api/v1/Roles/${id}`, xml)).status).toBe(200);
    expect(itemOf(await parseXml(await app.xml(`/api/v1/Roles/${id}?${shown}`)))).toMatchObject({
      Description: '<b>flies</b>',
      ...{ IsPair: 'false', CanPrioritize: 'true', TimeSheetAccess: 'true', PeopleAccess: 'true' },
    });
    const where = encodeURIComponent(`(TimeSheetAccess eq 'true') and (Description contains 'flies')`);
    expect((await app.items(`/api/v1/Roles?where=${where}`)).map(({ Id }) => Id)).toEqual([id]);
    const v2 = await app.json(`/api/v2/Role?where=${encodeURIComponent('timeSheetAccess==true')}&select={id,isPair}`);
    expect(v2.items).toEqual([{ id, isPair: false }]);
    expect((await app.post(`/api/v1/Roles/${id}`, { PeopleAccess: 'perhaps' })).status).toBe(400);
    expect((await app.ask(`/api/v1/Roles/${id}`, { method: 'DELETE' })).status).toBe(200);
  });

  it('come with a role, sent or not, and go with it', async () => {
    const body = { Name: 'Guest', RoleEntityTypes: [{ EntityType: { Id: 4 }, IsDeleteEnabled: false }] };
    const made = await app.post('/api/v1/Roles?format=json&include=[RoleEntityTypes]&innerTake=1000', body);
    expect(made.status, made.text).toBe(201);
    const types = await app.items('/api/v1/EntityTypes?take=1000');
    expect(made.json.RoleEntityTypes.Items.length).toBe(types.length);
    const denied = await app.items(
      `/api/v1/RoleEntityTypes?where=Role.Id eq ${made.json.Id} and IsDeleteEnabled eq false`,
    );
    expect(denied.map(({ EntityType }) => EntityType.Id)).toEqual([4]);
    expect((await app.ask(`/api/v1/Roles/${made.json.Id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await app.items(`/api/v1/RoleEntityTypes?where=Role.Id eq ${made.json.Id}`)).toEqual([]);
  });

  it('are known by role and type, in XML too', async () => {
    const body =
      '<RoleEntityType><Role Id="3"/><EntityType Id="4"/><IsAddEnabled>false</IsAddEnabled></RoleEntityType>';
    const again = await app.post('/api/v1/RoleEntityTypes', body);
    expect([again.status, itemOf(await parseXml(again.text)).Id]).toEqual([200, String(await rightOf(3, 4))]);
    const id = await rightOf(3, 5);
    expect((await app.ask(`/api/v1/RoleEntityTypes/${id}`, { method: 'DELETE' })).status).toBe(200);
    const anew = await app.post('/api/v1/RoleEntityTypes', { Role: { Id: 3 }, EntityType: { Id: 5 } });
    expect(anew.status).toBe(201);
  });

  it('are written by administrators alone', async () => {
    const id = await rightOf(1, 4);
    expect((await app.post(`/api/v1/RoleEntityTypes/${id}`, { IsAddEnabled: false }, { as })).status).toBe(403);
    expect((await app.ask(`/api/v1/RoleEntityTypes/${id}`, { method: 'DELETE', as })).status).toBe(403);
  });
});

describe('what a role does not allow is refused with 403', () => {
  const refused = async (path: string, ask: { method: string; body?: string }, word: string): Promise<void> => {
    const answer = await app.ask(path, { as, ...ask, headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(word)]);
  };

  it('creating', () =>
    without('IsAddEnabled', 2, 4, async () => {
      const before = await app.rows('select count(*) from general');
      const body = JSON.stringify(story());
      await refused('/api/v1/UserStories', { method: 'POST', body }, 'does not allow you to add UserStories');
      expect(await app.rows('select count(*) from general')).toEqual(before);
      expect((await app.post('/api/v1/Bugs', story(), { as })).status).toBe(201);
      expect((await app.post(`/api/v1/UserStories/${ids.UserStory}`, { Name: 'changed' }, { as })).status).toBe(200);
      expect((await app.post('/api/v1/UserStories', story())).status).toBe(201);
    }));

  it('changing', () =>
    without('IsEditEnabled', 2, 4, async () => {
      const body = JSON.stringify({ Name: 'no' });
      await refused(`/api/v1/UserStories/${ids.UserStory}`, { method: 'POST', body }, 'edit UserStories');
      await refused(`/api/v1/Generals/${ids.UserStory}`, { method: 'POST', body }, 'edit UserStories');
      expect((await app.post('/api/v1/UserStories', story(), { as })).status).toBe(201);
    }));

  it('deleting', () =>
    without('IsDeleteEnabled', 2, 8, async () => {
      await refused(`/api/v1/Bugs/${ids.Bug}`, { method: 'DELETE' }, 'delete Bugs');
      const body = JSON.stringify([{ Id: ids.Bug }]);
      await refused('/api/v1/Bugs/bulk', { method: 'DELETE', body }, 'delete Bugs');
      expect((await app.ask(`/api/v1/Bugs/${ids.Bug}`)).status).toBe(200);
    }));

  it('only by the role in the project, if there is one, else by the own role', async () => {
    await without('IsAddEnabled', 1, 4, async () => {
      expect((await app.post('/api/v1/UserStories', story(), { as })).status).toBe(201);
    });
    await without('IsAddEnabled', 1, 19, async () => {
      const body = JSON.stringify({ Description: 'no', General: { Id: ids.UserStory } });
      await refused('/api/v1/Comments', { method: 'POST', body }, 'add Comments');
    });
  });
});
