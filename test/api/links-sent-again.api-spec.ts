/** A link that is there and sent again is that one, whatever is asked of new ones; what rules add gives way to it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { bodyOf, type Ids, make, makeEverything, model, type Place, storyWorkflow } from '../support/builder.js';

let app: TestApp;
let team: number;
let iteration: number;
let story: number;
let state: number;
const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'again', ids };

beforeAll(async () => {
  app = await TestApp.start();
  ids.Project = await make(app, 'Project', place);
  ids.Team = team = await make(app, 'Team', place);
  iteration = await make(app, 'TeamIteration', place);
  const [row] = await app.rows(
    `select id from entity_state where process_id = 3 and entity_type_id = 4 and parent_entity_state_id is null
       and not is_initial and not is_final order by id limit 1`,
  );
  state = row.id;
});
afterAll(() => app.stop());
beforeEach(async () => {
  story = await make(app, 'UserStory', place);
});

const send = async (path: string, body: object): Promise<Answer['json']> => {
  const { status, json, text } = await app.post(`/api/v1/${path}`, body);
  return status < 300 ? { status, ...json } : { status, text };
};
const teamsOf = async (id: number) =>
  app.rows(
    'select team_id as team, entity_state_id as state, end_date as until from team_assignment where assignable_id = $1',
    [id],
  );
const assign = async (): Promise<number> =>
  (await send('TeamAssignments', { Assignable: { Id: story }, Team: { Id: team } })).Id;

const until = '2041-05-01T00:00:00Z';
const members = [
  ['its state', () => ({ EntityState: { Id: state } })],
  ['its end', () => ({ EndDate: until })],
  ['nothing', () => ({})],
] as const;
const adding = [
  ['TeamIteration', () => ({ TeamIteration: { Id: iteration } })],
  ['Team', () => ({ Team: { Id: team } })],
  ['both', () => ({ TeamIteration: { Id: iteration }, Team: { Id: team } })],
] as const;

describe.each(adding)('a team that a rule assigns for %s, sent with %s', (_, added) => {
  it.each(members)('%s', async (what, more) => {
    const expected = {
      team,
      state: what === 'its state' ? state : expect.any(Number),
      until: what === 'its end' ? new Date(until) : null,
    };
    const AssignedTeams = [{ Team: { Id: team }, ...more() }];
    const Project = { Id: ids.Project };
    const made = await send('UserStories', { Name: 'new', Project, ...added(), AssignedTeams });
    expect(made).toMatchObject({ status: 201 });
    expect(await teamsOf(made.Id)).toEqual([expected]);
    expect(await send(`UserStories/${story}`, { ...added(), AssignedTeams })).toMatchObject({ status: 200 });
    expect(await teamsOf(story)).toEqual([expected]);
    story = await make(app, 'UserStory', place);
    const Id = await assign();
    const byId = { ...added(), AssignedTeams: [{ Id, ...more() }] };
    expect(await send(`UserStories/${story}`, byId)).toMatchObject({ status: 200 });
    expect(await teamsOf(story)).toEqual([expected]);
  });
});

it('an assignment that is to be of another team does not stand for that of the iteration', async () => {
  const Id = await assign();
  const other = await make(app, 'Team', place);
  const body = { TeamIteration: { Id: iteration }, AssignedTeams: [{ Id, Team: { Id: other } }] };
  const text = expect.stringContaining('sent twice with different values');
  expect(await send(`UserStories/${story}`, body)).toMatchObject({ status: 400, text });
});

describe('what is asked of new links alone', () => {
  it.each([
    ['with its role', { Role: { Id: 1 } }],
    ['without a role', {}],
    ['with its role by name', { Role: { Name: 'Developer' } }],
  ])('an assignment of a user who is active no longer, %s', async (_, role) => {
    const User = await make(app, 'User', place, { Role: { Id: 1 } });
    const assignment = { GeneralUser: { Id: User }, ...role };
    const { Id } = await send('Assignments', { Assignable: { Id: story }, ...assignment });
    await send(`Users/${User}`, { IsActive: false });
    const again = await send('Assignments', { Assignable: { Id: story }, ...assignment });
    expect(again).toMatchObject({ status: 200, Id });
    expect(await send(`UserStories/${story}`, { Assignments: [assignment] })).toMatchObject({ status: 200 });
    const bug = await make(app, 'Bug', place);
    expect(await send('Assignments', { Assignable: { Id: bug }, ...assignment })).toMatchObject({ status: 400 });
  });

  it('an effort of a role for which none is kept any longer', async () => {
    const [{ Id, Role }] = await app.items(`/api/v1/UserStories/${story}/RoleEfforts?include=[Id,Role]`);
    await send(`RoleEfforts/${Id}`, { Effort: 10 });
    await send(`Roles/${Role.Id}`, { HasEffort: false });
    try {
      const sent = { Role: { Id: Role.Id }, Effort: 7 };
      expect(await send('RoleEfforts', { ...sent, Assignable: { Id: story } })).toMatchObject({ status: 200, Id });
      expect(await send(`UserStories/${story}`, { RoleEfforts: [sent] })).toMatchObject({ status: 200 });
      expect((await app.json(`/api/v1/RoleEfforts/${Id}`)).Effort).toBe(7);
    } finally {
      await send(`Roles/${Role.Id}`, { HasEffort: true });
    }
  });

  it('what is left of an effort is part of the one that is there', async () => {
    const [{ Id, Role }] = await app.items(`/api/v1/UserStories/${story}/RoleEfforts?include=[Id,Role]`);
    await send(`RoleEfforts/${Id}`, { Effort: 10 });
    const sent = { Role: { Id: Role.Id }, EffortToDo: 3 };
    expect(await send(`UserStories/${story}`, { RoleEfforts: [sent] })).toMatchObject({ status: 200 });
    expect(await app.json(`/api/v1/RoleEfforts/${Id}`)).toMatchObject({ EffortCompleted: 7, EffortToDo: 3 });
  });

  it('a membership that a member sends back', async () => {
    const User = await make(app, 'User', place, { Login: 'sending.member' });
    await make(app, 'ProjectMember', { mark: '', ids: { ...ids, User } });
    const sent = { Project: { Id: ids.Project }, User: { Id: User } };
    const back = await app.post('/api/v1/ProjectMembers', sent, { as: 'sending.member' });
    expect(back.status).toBe(200);
    const role = await app.post('/api/v1/ProjectMembers', { ...sent, Role: { Id: 2 } }, { as: 'sending.member' });
    expect(role.status).toBe(403);
  });

  it('the same link twice in one body is one, there or not', async () => {
    const assignment = { GeneralUser: { Id: 1 }, Role: { Id: 1 } };
    for (const _ of [1, 2]) {
      const answer = await send(`UserStories/${story}`, { Assignments: [assignment, assignment] });
      expect(answer).toMatchObject({ status: 200 });
      expect(await app.items(`/api/v1/UserStories/${story}/Assignments`)).toHaveLength(1);
    }
  });
});

describe('a link that is sent again to the collection of an entity', () => {
  const collections = model.resources
    .filter(({ derived }) => derived.length === 0)
    .flatMap((owner) =>
      owner.fields.flatMap((field) =>
        field.kind === 'collection' && field.canAdd && field.target.settings.key.length > 0 ? [{ owner, field }] : [],
      ),
    );
  let all: Place;

  beforeAll(async () => {
    all = await makeEverything(app, 'inner', await storyWorkflow(app));
  });

  const moreOf = (kind: string) => (kind === 'Project' ? { Process: { Id: all.ids.Process } } : {});

  it.each(collections)('$owner.collection/{id}/$field.name', async ({ owner, field }) => {
    const one = await make(app, owner.name, all, moreOf(owner.name));
    const path = `${owner.collection}/${one}/${field.name}`;
    const own = field.target.fields.find((to) => to.kind === 'reference' && to.column === Object(field.via).column)!;
    const { [own.name]: _, ...body } = bodyOf(field.target.name, all);
    const sent = field.target.name === 'ReleaseProject' ? { Project: { Id: ids.Project } } : body;
    const before = await app.items(`/api/v1/${path}?take=1000`);
    const first = await send(path, sent);
    // Efforts of roles and rights of roles are made with their owner.
    expect(first.status).toBe(before.some(({ Id }) => Id === first.Id) ? 200 : 201);
    const again = { status: 200, Id: first.Id };
    expect(await send(path, sent)).toMatchObject(again);
    expect(await send(field.target.collection, { ...sent, [own.name]: { Id: one } })).toMatchObject(again);
  });
});
