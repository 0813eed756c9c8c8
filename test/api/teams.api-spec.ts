/** Teams, members, projects of teams and milestones: who belongs where, and what follows for what they see. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';
import { make as makeOne, model } from '../support/builder.js';
import { scrumProjects } from '../support/demonstration.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let project: number;
let other: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project, other] = await scrumProjects(app);
});
afterAll(() => app.stop());

// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
type Item = Record<string, any> & { Id: number };

const make = async (collection: string, body: unknown): Promise<Item> => {
  const answer = await app.post(`/api/v1/${collection}${collection.includes('?') ? '&' : '?'}format=json`, body);
  if (answer.status !== 201) throw new Error(`${answer.status} ${collection}: ${answer.text}`);
  return answer.json;
};
const change = (path: string, body: unknown, as?: string) => app.post(`/api/v1/${path}?format=json`, body, { as });
const remove = (path: string, as?: string) => app.ask(`/api/v1/${path}?format=json`, { method: 'DELETE', as });

let made = 0;
const newUser = async (role = 9): Promise<Item> => {
  made += 1;
  const Login = `member${made}`;
  return make('Users', { Login, Email: `${Login}@example.com`, Password: chosenPassword, Role: { Id: role } });
};

const memberships = (): Promise<unknown> =>
  Promise.all(
    ['project_member', 'team_member', 'team_project', 'milestone_project'].map((table) =>
      app.rows(`select * from ${table} order by id`),
    ),
  );
const refused = async (asking: () => ReturnType<typeof remove>): Promise<[number, string]> => {
  const count = () => app.rows('select count(*), sum(entity_version) from general');
  const before = [await memberships(), await count()];
  const answer = await asking();
  expect([await memberships(), await count()]).toEqual(before);
  return [answer.status, answer.json.Message];
};

describe('what lies above projects', () => {
  const above = model.resources.filter(
    ({ settings: { lies, operations } }) => lies === 'aboveProjects' && operations.create,
  );

  it('loses a project that it was given with that, and nothing else', async () => {
    const given = await make('Projects', { Name: 'Given', Process: { Id: 3 } });
    const ids = { Project: given.Id, Team: (await make('Teams', { Name: 'Before' })).Id };
    const kept: string[] = [];
    for (const { name, collection } of above) {
      const id = await makeOne(app, name, { mark: 'above', ids }, { Project: { Id: given.Id } });
      kept.push(`${collection}/${id}`);
    }
    const named = async () => {
      const shown = kept.map(async (path) => (await app.ask(`/api/v1/${path}?format=json&include=[Project]`)).json);
      return (await Promise.all(shown)).map(({ Project }) => (Project === undefined ? 'gone' : (Project?.Id ?? null)));
    };
    expect(await named()).toEqual(kept.map(() => given.Id));
    const ours = Number(kept.find((path) => path.startsWith('Teams/'))!.split('/')[1]);
    const story = await make('UserStories', { Name: 'Elsewhere', Project: { Id: other }, Team: { Id: ours } });
    expect((await remove(`Projects/${given.Id}`)).status).toBe(200);
    // Work goes with its project.
    expect(await named()).toEqual(kept.map((path) => (path.startsWith('PortfolioEpics/') ? 'gone' : null)));
    const { Team } = await app.json(`/api/v1/UserStories/${story.Id}?include=[Team]`);
    expect(Team.Id).toBe(ours);
    expect((await app.ask(`/api/deletedItems/v1/Projects/${given.Id}/Restore`, { method: 'POST' })).status).toBe(200);
    expect(await named()).toEqual(kept.map(() => given.Id));
  });

  it('is restored without the project that it was given, which is deleted', async () => {
    const given = await make('Projects', { Name: 'Given', Process: { Id: 3 } });
    const ids = { Project: given.Id, Team: (await make('Teams', { Name: 'Before' })).Id };
    const Project = { Id: given.Id };
    for (const { name, collection } of above) {
      const Id = await makeOne(app, name, { mark: 'above', ids }, { Project });
      const path = `${collection}/${Id}`;
      expect((await remove(path)).status).toBe(200);
      expect((await remove(`Projects/${given.Id}`)).status).toBe(200);
      const restored = await change('undelete', { EntityType: name, Id });
      const { Project: shown } = (await app.ask(`/api/v1/${path}?format=json&include=[Project]`)).json;
      const isWork = name === 'PortfolioEpic';
      expect([name, restored.status, shown]).toEqual([name, ...(isWork ? [409, undefined] : [200, null])]);
      if (!isWork) expect((await change(path, { Name: 'Other' })).status).toBe(200);
      expect((await change('undelete', { EntityType: 'Project', Id: given.Id })).status).toBe(200);
      const [back] = await app.items(`/api/v1/${collection}?where=Id eq ${Id}&include=[Project]`);
      expect(back?.Project.Id).toBe(isWork ? undefined : given.Id);
    }
  });
});

describe('teams', () => {
  it('are created with their members and projects, changed and deleted, in JSON and XML', async () => {
    const user = await newUser();
    const team = await make('Teams?include=[Name,IsActive,TeamMembers,TeamProjects]', {
      Name: 'Zebras',
      TeamMembers: [{ User: { Id: user.Id } }],
      TeamProjects: { Items: [{ Project: { Id: project } }] },
    });
    expect(team).toMatchObject({
      IsActive: true,
      TeamMembers: { Items: [{ User: { Id: user.Id }, Role: { Id: 9 } }] },
      TeamProjects: { Items: [{ Project: { Id: project } }] },
    });
    const xml = await app.post(`/api/v1/Teams/${team.Id}`, '<Team><Abbreviation>ZEB</Abbreviation></Team>');
    expect(itemOf(await parseXml(xml.text))).toMatchObject({ Name: 'Zebras', Abbreviation: 'ZEB' });
    const created = await app.post('/api/v1/Teams', '<Team Name="From XML"/>');
    expect(created.status).toBe(201);
    expect((await remove(`Teams/${itemOf(await parseXml(created.text)).Id}`)).status).toBe(200);
    expect((await change('Teams', { Name: ' ' })).status).toBe(400);
  });

  it('are assigned to what is planned for their iterations, once', async () => {
    const [one, two] = [await make('Teams', { Name: 'Ones' }), await make('Teams', { Name: 'Twos' })];
    const days = { StartDate: '2031-01-01', EndDate: '2031-01-14' };
    const own = await make('TeamIterations', { Name: 'own', Team: { Id: one.Id }, ...days });
    const next = await make('TeamIterations', { Name: 'next', Team: { Id: two.Id }, ...days });
    const teamsOf = async (id: number) =>
      (await app.items(`/api/v1/UserStories/${id}/AssignedTeams?include=[Team]`)).map(({ Team }) => Team.Id).sort();
    const planned = { Name: 'planned', Project: { Id: project }, TeamIteration: { Id: own.Id } };
    const story = await make('UserStories?include=[ResponsibleTeam]', planned);
    expect(await teamsOf(story.Id)).toEqual([one.Id]);
    expect((await app.json(`/api/v1/UserStories/${story.Id}?include=[Team]`)).Team.Id).toBe(one.Id);
    const twice = await make('UserStories', { ...planned, AssignedTeams: [{ Team: { Id: one.Id } }] });
    expect(await teamsOf(twice.Id)).toEqual([one.Id]);
    await change(`UserStories/${story.Id}`, { TeamIteration: { Id: next.Id } });
    await change(`UserStories/${story.Id}`, { TeamIteration: { Id: own.Id } });
    expect(await teamsOf(story.Id)).toEqual([one.Id, two.Id].sort());
    await change(`UserStories/${story.Id}`, { TeamIteration: null });
    expect(await teamsOf(story.Id)).toEqual([one.Id, two.Id].sort());
    const loose = await make('UserStories', { Name: 'loose', Project: { Id: project } });
    await change(`TeamIterations/${next.Id}`, { UserStories: [{ Id: loose.Id }] });
    expect(await teamsOf(loose.Id)).toEqual([two.Id]);
  });

  it('leave their items when they are deleted, which go on with the teams they have besides', async () => {
    const [first, second] = [await make('Teams', { Name: 'First' }), await make('Teams', { Name: 'Second' })];
    const iteration = await make('TeamIterations', {
      Name: 'ti',
      Team: { Id: first.Id },
      StartDate: '2040-01-01',
      EndDate: '2040-01-14',
    });
    const teams = [{ Team: { Id: first.Id } }, { Team: { Id: second.Id } }];
    const shared = await make('UserStories', { Name: 'a', Project: { Id: project }, AssignedTeams: teams });
    const lone = await make('Bugs', { Name: 'b', Project: { Id: project }, Team: { Id: first.Id } });
    const user = await newUser();
    const member = await make('TeamMembers', { Team: { Id: first.Id }, User: { Id: user.Id } });
    expect((await remove(`Teams/${first.Id}`)).status).toBe(200);
    const include = 'include=[Team,ResponsibleTeam[Team],AssignedTeams[Team]]';
    expect(await app.json(`/api/v1/UserStories/${shared.Id}?${include}`)).toMatchObject({
      Team: { Id: second.Id },
      ResponsibleTeam: { Team: { Id: second.Id } },
      AssignedTeams: { Items: [{ Team: { Id: second.Id } }] },
    });
    expect(await app.json(`/api/v1/Bugs/${lone.Id}?${include}`)).toMatchObject({
      Team: null,
      ResponsibleTeam: null,
      AssignedTeams: { Items: [] },
    });
    // Members and iterations are hidden with the team, and still there.
    expect((await app.ask(`/api/v1/TeamMembers/${member.Id}`)).status).toBe(404);
    expect(await app.rows('select 1 from team_member where id = $1', [member.Id])).toHaveLength(1);
    expect(await app.rows('select team_id from general where id = $1', [iteration.Id])).toEqual([
      { team_id: first.Id },
    ]);
  });
});

describe('memberships', () => {
  it('have the role of the user unless another is said', async () => {
    const user = await newUser(2);
    const team = await make('Teams', { Name: 'Roles' });
    const member = await make('TeamMembers', { Team: { Id: team.Id }, User: { Id: user.Id } });
    expect(member).toMatchObject({ Role: { Id: 2 }, StartDate: null, EndDate: null });
    const changed = await app.post(`/api/v1/TeamMembers/${member.Id}`, '<TeamMember><Role Id="1"/></TeamMember>');
    expect(itemOf(await parseXml(changed.text))).toMatchObject({ Role: { Id: '1' } });
    const again = await change('TeamMembers', { Team: { Id: team.Id }, User: { Id: user.Id } });
    expect([again.status, again.json.Id, again.json.Role.Id]).toEqual([200, member.Id, 1]);
    const inProject = await make('ProjectMembers', { Project: { Id: project }, User: { Id: user.Id } });
    expect(inProject).toMatchObject({ Role: { Id: 2 }, Allocation: 0, WeeklyAvailableHours: 0 });
    const named = await change(`ProjectMembers/${inProject.Id}`, { Role: { Name: 'developer' }, Allocation: 50 });
    expect(named.json).toMatchObject({ Role: { Id: 1 }, Allocation: 50 });
    expect((await remove(`ProjectMembers/${inProject.Id}`)).status).toBe(200);
    expect((await remove(`Teams/${team.Id}/TeamMembers/${member.Id}`)).status).toBe(200);
    expect(await app.rows('select 1 from team_member where user_id = $1', [user.Id])).toEqual([]);
  });

  it.each([
    ['TeamMembers', () => ({ User: { Id: 3 } }), 'Team: a value is required'],
    ['TeamMembers', () => ({ Team: { Id: 999999 }, User: { Id: 3 } }), 'Team.Id: there is no Team'],
    ['TeamProjects', () => ({ Project: { Id: project } }), 'Team: a value is required'],
    ['ProjectMembers', () => ({ Project: { Id: project } }), 'User: a value is required'],
    ['ProjectMembers', () => ({ Project: { Id: project }, User: { Id: 25 } }), 'User.Id: there is no User'],
  ])('%s are refused: row %#', async (collection, body, message) => {
    const [status, refusal] = await refused(() => change(collection, body()));
    expect(refusal).toContain(message);
    expect(status).toBe(400);
  });

  it('end after they start', async () => {
    const user = await newUser();
    const team = await make('Teams', { Name: 'Dates' });
    const body = { Team: { Id: team.Id }, User: { Id: user.Id }, StartDate: '2030-02-01', EndDate: '2030-01-01' };
    expect(await refused(() => change('TeamMembers', body))).toEqual([400, 'EndDate: the end is before the start.']);
    const [story] = await app.items('/api/v1/UserStories?take=1&include=[Id]');
    const assigned = { Team: { Id: team.Id }, Assignable: { Id: story.Id } };
    const dates = { StartDate: '2030-02-01', EndDate: '2030-01-01' };
    const again = () => change('TeamAssignments', { ...assigned, ...dates });
    expect(await refused(again)).toEqual([400, 'EndDate: the end is before the start.']);
    const { Id } = await make('TeamAssignments', { ...assigned, StartDate: '2030-02-01' });
    expect(await refused(() => change(`TeamAssignments/${Id}`, { EndDate: '2030-01-01' }))).toEqual([
      400,
      'EndDate: the end is before the start.',
    ]);
  });

  it('act at once: a team shows its members the projects it works on, as long as it does', async () => {
    const user = await newUser();
    const as = String(user.Login);
    const seen = async () => (await app.items('/api/v1/Projects?include=[Id]', { as })).map(({ Id }) => Id);
    expect(await seen()).toEqual([]);
    const team = await make('Teams', { Name: 'Watchers' });
    const member = await make('TeamMembers', { Team: { Id: team.Id }, User: { Id: user.Id } });
    expect(await seen()).toEqual([]);
    const link = await make('TeamProjects', { Team: { Id: team.Id }, Project: { Id: other } });
    expect(link.IsFullProjectAccess).toBe(true);
    expect(await seen()).toEqual([other]);
    await remove(`TeamProjects/${link.Id}`);
    expect(await seen()).toEqual([]);
    await make('TeamProjects', { Team: { Id: team.Id }, Project: { Id: other } });
    expect(await seen()).toEqual([other]);
    await remove(`TeamMembers/${member.Id}`);
    expect(await seen()).toEqual([]);
    await make('TeamMembers', { Team: { Id: team.Id }, User: { Id: user.Id } });
    expect(await seen()).toEqual([other]);
    await remove(`Teams/${team.Id}`);
    expect(await seen()).toEqual([]);
  });

  it('go with what hangs on them: allocations of a team in a project', async () => {
    const [link] = await app.rows('select team_project_id as id from team_project_allocation limit 1');
    expect((await remove(`TeamProjects/${link.id}`)).status).toBe(200);
    expect(await app.rows('select 1 from team_project_allocation where team_project_id = $1', [link.id])).toEqual([]);
  });

  it('are for administrators to write: nobody lets himself in', async () => {
    const [alice] = await app.rows("select id from general_user where login = 'alice'");
    const team = await make('Teams', { Name: 'Closed' });
    await make('TeamProjects', { Team: { Id: team.Id }, Project: { Id: other } });
    const user = await newUser();
    const member = await make('TeamMembers', { Team: { Id: team.Id }, User: { Id: user.Id } });
    for (const [path, body] of [
      ['TeamMembers', { Team: { Id: team.Id }, User: { Id: alice.id } }],
      ['TeamMembers/bulk', [{ Team: { Id: team.Id }, User: { Id: alice.id } }]],
      [`TeamMembers/${member.Id}`, { User: { Id: alice.id } }],
      [`Teams/${team.Id}/TeamMembers`, { User: { Id: alice.id } }],
      [`Teams/${team.Id}`, { TeamMembers: [{ User: { Id: alice.id } }] }],
      [`Teams/${team.Id}`, { Name: 'mine' }],
      ['Teams', { Name: 'mine' }],
    ] as const) {
      const [status] = await refused(() => change(path, body, 'alice'));
      expect(`${path} ${status}`).toBe(`${path} 403`);
    }
    for (const path of [`TeamMembers/${member.Id}`, `Teams/${team.Id}/TeamMembers/${member.Id}`, `Teams/${team.Id}`]) {
      expect((await refused(() => remove(path, 'alice')))[0], path).toBe(403);
    }
  });
});

describe('milestones', () => {
  const draft = () => ({ Name: 'Launch', Date: '2030-05-01', CssClass: 'red' });

  it('are created, joined with projects, changed and deleted', async () => {
    const milestone = await make('Milestones', { ...draft(), Projects: { Items: [{ Id: project }] } });
    expect(milestone).toMatchObject({ Owner: { Id: 1 }, CssClass: 'red', EntityType: { Name: 'Milestone' } });
    const projects = async () =>
      (await app.items(`/api/v1/Milestones/${milestone.Id}/Projects`)).map(({ Id }) => Id).sort((a, b) => a - b);
    expect(await projects()).toEqual([project]);
    await change(`Milestones/${milestone.Id}/Projects`, { Id: other });
    expect(await projects()).toEqual([project, other].sort((a, b) => a - b));
    expect((await remove(`Milestones/${milestone.Id}/Projects/${project}`)).status).toBe(200);
    expect(await projects()).toEqual([other]);
    const xml = await app.post(
      `/api/v1/Milestones/${milestone.Id}`,
      '<Milestone><CssClass>blue</CssClass></Milestone>',
    );
    expect(itemOf(await parseXml(xml.text))).toMatchObject({ CssClass: 'blue', Date: '2030-05-01T00:00:00' });
    expect((await remove(`Milestones/${milestone.Id}`)).status).toBe(200);
    expect((await app.ask(`/api/v1/Milestones/${milestone.Id}`)).status).toBe(404);
  });

  it.each(['Name', 'Date', 'CssClass'])('need a %s', async (member) => {
    const [status, message] = await refused(() => change('Milestones', { ...draft(), [member]: undefined }));
    expect([status, message]).toEqual([400, expect.stringContaining(`${member}: a value is required`)]);
  });

  it('are for administrators only', async () => {
    const [mine, other] = await app.rows(
      "select m.project_id as id from project_member m join general_user u on u.id = m.user_id where u.login = 'alice' limit 2",
    );
    const milestone = await make('Milestones', { ...draft(), Projects: [{ Id: mine.id }] });
    for (const [path, body] of [
      ['Milestones', draft()],
      [`Milestones/${milestone.Id}`, { Name: 'mine' }],
      [`Milestones/${milestone.Id}/Projects`, { Id: mine.id }],
      ['MilestoneProjects', { Milestone: { Id: milestone.Id }, Project: { Id: other.id } }],
    ] as const) {
      expect((await refused(() => change(path, body, 'alice')))[0], path).toBe(403);
    }
    for (const path of [`Milestones/${milestone.Id}`, `Milestones/${milestone.Id}/Projects/${mine.id}`]) {
      expect((await refused(() => remove(path, 'alice')))[0], path).toBe(403);
    }
  });
});
