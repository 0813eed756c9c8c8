/** ProjectAllocations of users and teams, which follow from memberships. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make, model } from '../support/builder.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
const ids: Ids = { Process: 3, Role: 1 };
const as = 'alloc.member';

beforeAll(async () => {
  app = await TestApp.start();
  const place = { mark: 'alloc', ids };
  ids.Project = await make(app, 'Project', place, { StartDate: '2026-01-01', EndDate: '2026-12-31' });
  for (const kind of ['Team', 'TeamProject']) ids[kind] = await make(app, kind, place);
  ids.User = await make(app, 'User', place, { Login: as });
  const part = { Allocation: 40, MembershipStartDate: '2026-03-01', MembershipEndDate: '2026-03-31' };
  ids.ProjectMember = await make(app, 'ProjectMember', { mark: '', ids }, part);
  await make(app, 'User', place, { Login: 'alloc.outsider' });
  await app.rows('insert into team_project_allocation (team_project_id, percentage) values ($1, 70)', [
    ids.TeamProject,
  ]);
});
afterAll(() => app.stop());

const users = () => app.items(`/api/v1/UserProjectAllocations?where=Project.Id eq ${ids.Project}`, { as });

it('a membership is an allocation of its user', async () => {
  const [user, ...others] = await users();
  expect(others).toEqual([]);
  expect(user).toMatchObject({
    ResourceType: 'UserProjectAllocation',
    Percentage: 40,
    IsEffective: false,
    Project: { Id: ids.Project },
    ProjectMember: { Id: ids.ProjectMember },
  });
  expect(await app.json(`/api/v1/ProjectMembers/${ids.ProjectMember}/Allocations`, { as })).toEqual({ Items: [user] });
  const xml = itemOf(await parseXml(await app.xml(`/api/v1/UserProjectAllocations/${user.Id}`, { as })));
  expect(xml).toMatchObject({
    StartDate: '2026-03-01T00:00:00',
    EffectiveEndDate: '2026-03-31T00:00:00',
    Percentage: '40',
  });
});

it('what a project may count on is listed of users and teams together, and apart', async () => {
  const all = await app.items(`/api/v1/Projects/${ids.Project}/Allocations?orderBy=Percentage`, { as });
  expect(all.map(({ ResourceType, Percentage }) => [ResourceType, Percentage])).toEqual([
    ['ProjectAllocation', 40],
    ['ProjectAllocation', 70],
  ]);
  const path = `/api/v1/Projects/${ids.Project}?include=[UserAllocations[Percentage],TeamAllocations[EffectiveStartDate,TeamProject]]&append=[Allocations-Count]&dateformat=iso`;
  const project = await app.json(path, { as });
  expect(project).toMatchObject({
    'Allocations-Count': 2,
    UserAllocations: { Items: [{ Percentage: 40 }] },
    TeamAllocations: {
      Items: [{ EffectiveStartDate: '2026-01-01T00:00:00+00:00', TeamProject: { Id: ids.TeamProject } }],
    },
  });
  const [team] = await app.items(`/api/v1/TeamProjects/${ids.TeamProject}/Allocations`, { as });
  expect(team).toMatchObject({ ResourceType: 'TeamProjectAllocation', Percentage: 70 });
  for (const { Id } of all) expect((await app.json(`/api/v1/ProjectAllocations/${Id}`, { as })).Id).toBe(Id);
});

it('an allocation follows its membership at once', async () => {
  await app.post(`/api/v1/ProjectMembers/${ids.ProjectMember}`, { Allocation: 55, MembershipEndDate: null });
  const [user] = await app.items(
    `/api/v1/UserProjectAllocations?where=ProjectMember.User.Id eq ${ids.User}&dateformat=iso`,
  );
  expect(user).toMatchObject({ Percentage: 55, EndDate: null, EffectiveEndDate: '2026-12-31T00:00:00+00:00' });
  const { items } = await app.json(
    `/api/v2/UserProjectAllocation?where=project.id==${ids.Project}&select={percentage,projectMember.user.login}`,
  );
  expect(items).toEqual([{ percentage: 55, login: as }]);
});

it('allocations are seen with their project, and written as memberships', async () => {
  const [user] = await users();
  const outsider = { as: 'alloc.outsider' };
  expect((await app.ask(`/api/v1/UserProjectAllocations/${user.Id}`, outsider)).status).toBe(404);
  expect(await app.items(`/api/v1/ProjectAllocations?where=Project.Id eq ${ids.Project}`, outsider)).toEqual([]);
  for (const name of ['ProjectAllocations', 'UserProjectAllocations', 'TeamProjectAllocations']) {
    expect((await app.post(`/api/v1/${name}`, { Percentage: 1 })).status).toBe(405);
    expect((await app.ask(`/api/v1/${name}/${user.Id}`, { method: 'DELETE' })).status).toBe(405);
    expect((await parseXml(await app.xml(`/api/v1/${name}/meta`))).attributes.CanCreate).toBe('false');
  }
});

describe('a membership without Allocation', () => {
  const member = async (more: object = {}): Promise<number> => {
    const User = await make(app, 'User', { mark: 'alloc', ids });
    return make(app, 'ProjectMember', { mark: '', ids: { ...ids, User } }, more);
  };

  it.each([
    ['nothing', {}],
    ['null', { Allocation: null }],
  ])('is an allocation of 0 per cent where %s is sent, in JSON and XML', async (_, more) => {
    const path = `/api/v1/ProjectMembers/${await member(more)}/Allocations?include=[Percentage]`;
    expect(await app.items(path)).toMatchObject([{ Percentage: 0 }]);
    expect((await parseXml(await app.xml(path))).children.map(itemOf)).toMatchObject([{ Percentage: '0' }]);
  });

  it.each([
    ['ProjectMembers', 'Allocations', 'UserProjectAllocation'],
    ['Projects', 'Allocations', 'ProjectAllocation'],
    ['TeamProjects', 'Allocations', 'TeamProjectAllocation'],
  ])('takes none that is sent with %s, and says why', async (owner, collection, kind) => {
    const name = model.collection(owner)!.name;
    const why = `${collection}[0]: no ${kind} can be created here: ${kind}s are read only.`;
    const path = `/api/v1/${owner}/${ids[name]}`;
    const xml = `<${name}><${collection}><${kind} StartDate="2026-01-01"/></${collection}></${name}>`;
    for (const body of [{ [collection]: [{ StartDate: '2026-01-01' }] }, xml]) {
      const answer = await app.post(`${path}?format=json`, body);
      expect([answer.status, answer.json.Message]).toEqual([400, why]);
    }
    const read = await app.json(`${path}?include=[${collection}]`);
    expect((await app.post(path, { [collection]: read[collection] })).status).toBe(200);
    expect((await app.post(path, await app.xml(`${path}?include=[${collection}]`))).status).toBe(200);
  });
});
