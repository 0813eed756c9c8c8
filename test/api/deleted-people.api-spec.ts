/** What refers to people who were deleted: it shows them, can be sent back as it is, and lets go of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
let gone: number;
const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'deletedpeople', ids };

beforeAll(async () => {
  app = await TestApp.start();
  ids.Project = await make(app, 'Project', place);
  ids.UserStory = await make(app, 'UserStory', place);
  const [alice] = await app.rows("select id from general_user where login = 'alice'");
  ids.User = alice.id;
  await make(app, 'ProjectMember', place);
});
afterAll(() => app.stop());
beforeEach(async () => {
  gone = await make(app, 'User', place);
});

const leave = (): Promise<unknown> => app.ask(`/api/v1/Users/${gone}`, { method: 'DELETE' });

describe('a reference to a deleted user', () => {
  const references: [kind: string, member: string][] = [
    ['UserStory', 'Owner'],
    ['UserStory', 'Creator'],
    ['Impediment', 'Responsible'],
    ['CustomActivity', 'User'],
    ['Revision', 'Author'],
    ['Team', 'Owner'],
  ];

  it.each(references)('is cleared by null: %s.%s', async (kind, member) => {
    const id = await make(app, kind, place, { [member]: { Id: gone } });
    await leave();
    const path = `/api/v1/${kind}s/${id}`.replace('ys/', 'ies/');
    expect((await app.json(`${path}?include=[${member}]`))[member]).toMatchObject({ Id: gone });
    const sentBack = await app.post(`${path}?format=json`, { [member]: { Id: gone } });
    expect([sentBack.status, sentBack.json[member]]).toEqual([200, expect.objectContaining({ Id: gone })]);
    const cleared = await app.post(`${path}?format=json`, { [member]: null });
    expect([cleared.status, cleared.json[member]]).toEqual([200, null]);
  });

  it('is cleared by a member of the project, and in XML', async () => {
    const id = await make(app, 'Impediment', place, { Responsible: { Id: gone }, Owner: { Id: gone } });
    await leave();
    const path = `/api/v1/Impediments/${id}?format=json&include=[Responsible,Owner]`;
    const cleared = await app.post(path, { Responsible: null }, { as: 'alice' });
    expect(cleared.json).toMatchObject({ Responsible: null, Owner: { Id: gone } });
    const body = '<Impediment><Owner nil="true"/></Impediment>';
    expect((await app.post(path, body, { as: 'alice' })).json).toMatchObject({ Responsible: null, Owner: null });
  });
});

describe('IsActive of a deleted user', () => {
  const memberships = (more: string): Promise<{ User: { Id: number } }[]> =>
    app.items(`/api/v1/Projects/${ids.Project}/ProjectMembers?include=[User[Id,IsActive]]&${more}`);

  it('reads as false and is found as false, and comes back as it was', async () => {
    await make(app, 'ProjectMember', place, { User: { Id: gone } });
    const active = "where=(User.IsActive eq 'true')";
    const idsOf = async (where: string): Promise<number[]> => (await memberships(where)).map(({ User }) => User.Id);
    expect(await idsOf(active)).toContain(gone);
    await leave();
    expect(await idsOf(active)).not.toContain(gone);
    expect(await memberships(`where=(User.Id eq ${gone})`)).toMatchObject([{ User: { Id: gone, IsActive: false } }]);
    expect(await idsOf("where=(User.IsActive eq 'false')")).toContain(gone);
    const deleted = `/api/v1/Users?where=(DeleteDate is not null) and (Id eq ${gone})&include=[IsActive]`;
    expect(await app.items(deleted)).toMatchObject([{ IsActive: false }]);
    expect((await app.post(`/api/DeletedItems/v1/Users/${gone}/Restore?format=json`, {})).status).toBe(200);
    expect(await idsOf(active)).toContain(gone);
    expect(await app.json(`/api/v1/Users/${gone}?include=[IsActive]`)).toMatchObject({ IsActive: true });
  });

  it('is false in version 2, too', async () => {
    const story = await make(app, 'UserStory', place, { Owner: { Id: gone } });
    await leave();
    const asked = `/api/v2/UserStory?where=(id=${story})&select={id,active:owner.isActive}`;
    expect((await app.json(asked)).items).toEqual([{ id: story, active: false }]);
  });
});

it('assignments of a deleted user are listed, and AssignedUser leaves him out', async () => {
  const GeneralUser = { Id: gone };
  const story = await make(app, 'UserStory', place, { Assignments: [{ GeneralUser, Role: { Id: 1 } }] });
  await leave();
  const path = `/api/v1/UserStories/${story}`;
  expect(await app.items(`${path}/Assignments?include=[GeneralUser[IsActive]]`)).toMatchObject([
    { GeneralUser: { Id: gone, IsActive: false } },
  ]);
  expect(await app.items(`${path}/Assignments?where=(GeneralUser.IsActive eq 'true')`)).toEqual([]);
  expect((await app.json(`${path}?include=[AssignedUser]`)).AssignedUser.Items).toEqual([]);
});
