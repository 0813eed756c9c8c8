/** Assignments of teams that change: the item's responsible team follows, and the state is one of the item's. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
let one: number;
let two: number;
let three: number;
let item: number;
let beside: number;
const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'teams', ids };

beforeAll(async () => {
  app = await TestApp.start();
  ids.Project = await make(app, 'Project', place);
  one = await make(app, 'Team', place);
  two = await make(app, 'Team', place);
  three = await make(app, 'Team', place);
});
afterAll(() => app.stop());
beforeEach(async () => {
  item = await make(app, 'UserStory', place, { AssignedTeams: [{ Team: { Id: one } }] });
  beside = await make(app, 'UserStory', place, { AssignedTeams: [{ Team: { Id: one } }] });
});

const write = (path: string, body: object) => app.post(`/api/v1/${path}?format=json`, body);
/** The deprecated team, that of the responsible assignment, and those assigned. */
async function teamsOf(id: number): Promise<unknown[]> {
  const include = 'include=[Team,ResponsibleTeam[Team],AssignedTeams[Team]]';
  const { Team, ResponsibleTeam, AssignedTeams } = await app.json(`/api/v1/Assignables/${id}?${include}`);
  return [
    Team?.Id ?? null,
    ResponsibleTeam?.Team.Id ?? null,
    AssignedTeams.Items.map((each: { Team: { Id: number } }) => each.Team.Id),
  ];
}
const assignmentOf = async (id: number): Promise<number> =>
  (await app.items(`/api/v1/Assignables/${id}/AssignedTeams?include=[Id]`))[0].Id;

it('another team in an assignment is the team of the item', async () => {
  expect(await teamsOf(item)).toEqual([one, one, [one]]);
  const assignment = await assignmentOf(item);
  expect((await write(`TeamAssignments/${assignment}`, { Team: { Id: two } })).status).toBe(200);
  expect(await teamsOf(item)).toEqual([two, two, [two]]);
  const AssignedTeams = [{ Id: assignment, Team: { Id: one } }];
  expect((await write(`UserStories/${item}`, { AssignedTeams })).status).toBe(200);
  expect(await teamsOf(item)).toEqual([one, one, [one]]);
});

it('an assignment that goes to another item leaves the one and comes to the other', async () => {
  const bug = await make(app, 'Bug', place);
  const assignment = await assignmentOf(item);
  await write('TeamAssignments', { Team: { Id: two }, Assignable: { Id: item } });
  const moved = await write(`TeamAssignments/${assignment}`, { Assignable: { Id: bug } });
  expect(moved.status).toBe(200);
  expect([await teamsOf(item), await teamsOf(bug)]).toEqual([
    [two, two, [two]],
    [one, one, [one]],
  ]);
  const { EntityState } = await app.json(`/api/v1/Bugs/${bug}?include=[EntityState]`);
  expect((await app.json(`/api/v1/TeamAssignments/${assignment}?include=[EntityState]`)).EntityState.Id).toBe(
    EntityState.Id,
  );
  await write(`TeamAssignments/${await assignmentOf(item)}`, { Assignable: { Id: bug } });
  expect([await teamsOf(item), await teamsOf(bug)]).toEqual([
    [null, null, []],
    [one, one, [one, two]],
  ]);
});

it('an assignment does not become that of another team that is assigned already', async () => {
  await write('TeamAssignments', { Team: { Id: two }, Assignable: { Id: item } });
  const taken = await write(`TeamAssignments/${await assignmentOf(item)}`, { Team: { Id: two } });
  expect([taken.status, taken.json.Message]).toEqual([
    409,
    expect.stringMatching(/^Team: TeamAssignment \d+ joins the same already/),
  ]);
  expect(await teamsOf(item)).toEqual([one, one, [one, two]]);
});

it('the state that is sent along is one of the new item, which it does not move', async () => {
  const bug = await make(app, 'Bug', place);
  const assignment = await assignmentOf(item);
  const states = async (path: string) =>
    (await app.items(`/api/v1/EntityStates?where=(Workflow.Process.Id eq 3)and(EntityType.Name eq '${path}')`)).filter(
      ({ IsInitial, IsFinal }) => !IsInitial && !IsFinal,
    );
  const [ofStories, ofBugs] = [(await states('UserStory'))[0], (await states('Bug'))[0]];
  const to = (state: number) =>
    write(`TeamAssignments/${assignment}`, { Assignable: { Id: bug }, EntityState: { Id: state } });
  expect((await to(ofStories!.Id)).status).toBe(400);
  expect((await to(ofBugs!.Id)).status).toBe(200);
  expect((await app.json(`/api/v1/Bugs/${bug}?include=[EntityState[IsInitial]]`)).EntityState.IsInitial).toBe(true);
});

it('an assignment that was over before now has begun no later than it ended', async () => {
  const over = { Team: { Id: two }, EndDate: '2020-01-01' };
  const made = await write('TeamAssignments', { ...over, Assignable: { Id: item } });
  expect([made.status, made.json.StartDate]).toEqual([201, made.json.EndDate]);
  const other = await make(app, 'UserStory', place, { AssignedTeams: [over] });
  const { StartDate, EndDate } = await app.json(`/api/v1/TeamAssignments/${await assignmentOf(other)}`);
  expect(StartDate).toBe(EndDate);
  const wrong = await write('TeamAssignments', { ...over, StartDate: '2021-01-01', Assignable: { Id: item } });
  expect(wrong.status).toBe(400);
});

describe('Team and AssignedTeams in one body', () => {
  const to = (Id: number) => ({ Team: { Id } });

  it.each([
    ['a team that it adds', () => [to(one)], 0],
    ['one beside that of Team', () => [to(two), to(one)], 1],
    [
      'an assignment of another team that changes',
      async () => [{ Id: await assignmentOf(item), StartDate: '2020-01-01' }],
      0,
    ],
    ['an assignment of another item', async () => [{ Id: await assignmentOf(beside) }], 0],
    ['an assignment that gets another team', async () => [{ Id: await assignmentOf(item), ...to(three) }], 0],
  ] as const)('say different things by %s: 400', async (_, items, at) => {
    for (const collection of ['AssignedTeams', 'TeamStates']) {
      const body = { Team: { Id: two }, [collection]: await items() };
      const why = `Team: it takes the place of all other teams, and ${collection}[${at}] names another one; send either.`;
      const answer = await write(`UserStories/${item}`, body);
      expect([answer.status, answer.json.Message]).toEqual([400, why]);
      expect(await teamsOf(item)).toEqual([one, one, [one]]);
      const inList = await write('UserStories/bulk', [{ Id: item, ...body }]);
      expect([inList.status, inList.json.Message]).toEqual([400, `[0].${why.replace('and ', 'and [0].')}`]);
    }
  });

  it('say different things of a new item', async () => {
    const { status } = await write('UserStories', {
      Name: 'new',
      Project: { Id: ids.Project },
      ...to(two),
      AssignedTeams: [to(one)],
    });
    expect(status).toBe(400);
  });

  it('say different things where Team takes all away', async () => {
    const { status, json } = await write(`UserStories/${item}`, { Team: null, AssignedTeams: [to(two)] });
    expect([status, json.Message]).toEqual([
      400,
      'Team: null takes all teams away, and AssignedTeams[0] names one; send either.',
    ]);
  });

  it.each([
    ['the same team', () => ({ ...to(two), AssignedTeams: [to(two)] }), () => [two, two, [two]]],
    ['no team', () => ({ ...to(two), AssignedTeams: [] }), () => [two, two, [two]]],
    [
      'what was read',
      async () => ({
        ...(await app.json(`/api/v1/UserStories/${item}?include=[Team,AssignedTeams,TeamStates]`)),
        ...to(two),
      }),
      () => [two, two, [two]],
    ],
    [
      'an assignment that gets it',
      async () => ({ ...to(two), AssignedTeams: [{ Id: await assignmentOf(item), ...to(two) }] }),
      () => [two, two, [two]],
    ],
    ['another beside the present Team', () => ({ ...to(one), AssignedTeams: [to(two)] }), () => [one, one, [one, two]]],
  ] as const)('agree: %s', async (_, body, expected) => {
    expect((await write(`UserStories/${item}`, await body())).status).toBe(200);
    expect(await teamsOf(item)).toEqual(expected());
  });

  it('agree where a new item has no Team', async () => {
    const more = { Team: null, AssignedTeams: [to(two)] };
    expect(await teamsOf(await make(app, 'UserStory', place, more))).toEqual([two, two, [two]]);
  });
});

describe('states of the workflow of a team', () => {
  let bug: number;
  let workflow: { Id: number };
  let teamProject: number;
  /** Ids of states by name: of bugs, and of the team's part of their workflow. */
  let main: Record<string, number>;
  let own: Record<string, number>;

  beforeAll(async () => {
    const [{ id: ofBugs }] = await app.rows(
      'select id from workflow where process_id = 3 and entity_type_id = 8 and parent_workflow_id is null',
    );
    const states = await app.items(`/api/v1/Workflows/${ofBugs}/EntityStates?include=[Name]`);
    main = Object.fromEntries(states.map(({ Name, Id }) => [Name, Id]));
    const initial = states[0]!.Name;
    const last = states.at(-1)!.Name;
    const part = (Name: string, of: string) => ({ Name, ParentEntityState: { Id: main[of] } });
    const made = await write('Workflows', {
      Name: 'fixers',
      ParentWorkflow: { Id: ofBugs },
      EntityStates: [part(initial, initial), part('Fixing', states[1]!.Name), { ...part(last, last), IsFinal: true }],
    });
    expect(made.text).toContain('fixers');
    workflow = { Id: made.json.Id };
    const parts = await app.items(`/api/v1/Workflows/${workflow.Id}/EntityStates?include=[Name]`);
    own = Object.fromEntries(parts.map(({ Name, Id }) => [Name, Id]));
    const ofTeam = { mark: 'teams', ids: { ...ids, Team: one } };
    teamProject = await make(app, 'TeamProject', ofTeam, { Workflows: [workflow] });
  });
  beforeEach(async () => {
    bug = await make(app, 'Bug', place, { AssignedTeams: [{ Team: { Id: one } }, { Team: { Id: two } }] });
  });

  const assignments = async (): Promise<number[]> =>
    (await app.items(`/api/v1/Bugs/${bug}/AssignedTeams?include=[Id]&orderBy=Id`)).map(({ Id }) => Id);
  const move = async (assignment: number, EntityState: object, more: object = {}): Promise<unknown[]> => {
    const { status, json } = await write(`TeamAssignments/${assignment}`, { EntityState, ...more });
    return [status, json.EntityState?.Id ?? json.Message];
  };

  it('are named by that team; another team names those of the item', async () => {
    const [first, second] = await assignments();
    const last = Object.keys(main).at(-1)!;
    expect(await move(second!, { Name: last })).toEqual([200, main[last]]);
    expect(await move(first!, { Name: 'Fixing' })).toEqual([200, own.Fixing]);
    expect(await move(first!, { Name: last })).toEqual([200, own[last]]);
    expect(await move(first!, { Id: main[last] })).toEqual([200, main[last]]);
  });

  it('are refused for a team that does not have the workflow in this project', async () => {
    const [first, second] = await assignments();
    const why = expect.stringMatching(/^EntityState: the state \d+ is not one of the workflow of this item: /);
    expect(await move(second!, { Id: own.Fixing })).toEqual([400, why]);
    const Project = { Id: await make(app, 'Project', place) };
    const elsewhere = await make(app, 'Bug', place, { Project, AssignedTeams: [{ Team: { Id: one } }] });
    expect(await move(await assignmentOf(elsewhere), { Id: own.Fixing })).toEqual([400, why]);
    await app.ask(`/api/v1/TeamProjects/${teamProject}/Workflows/${workflow.Id}`, { method: 'DELETE' });
    expect(await move(first!, { Id: own.Fixing })).toEqual([400, why]);
    await write(`TeamProjects/${teamProject}`, { Workflows: [workflow] });
    expect(await move(first!, { Id: own.Fixing })).toEqual([200, own.Fixing]);
  });

  it('are left where the assignment gets a team without the workflow', async () => {
    const [first] = await assignments();
    await move(first!, { Id: own.Fixing });
    const { EntityState } = await app.json(`/api/v1/Bugs/${bug}?include=[EntityState]`);
    const { json } = await write(`TeamAssignments/${first}`, { Team: { Id: three } });
    expect([json.Team.Id, json.EntityState.Id]).toEqual([three, EntityState.Id]);
    const back = await write(`TeamAssignments/${first}`, { Team: { Id: one }, EntityState: { Id: own.Fixing } });
    expect([back.status, back.json.EntityState.Id]).toEqual([200, own.Fixing]);
  });

  it('are not shown to who sees the item through a team alone, and decide nothing for him', async () => {
    const as = 'through.a.team';
    const User = await make(app, 'User', place, { Login: as });
    await make(app, 'TeamMember', { mark: 'teams', ids: { ...ids, User, Team: two } });
    const [first, second] = await assignments();
    expect(await move(first!, { Id: own.Fixing })).toEqual([200, own.Fixing]);
    expect((await app.ask(`/api/v1/TeamProjects/${teamProject}`, { as })).status).toBe(404);
    const answers = async (): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (const EntityState of [{ Name: 'nonesuch' }, { Name: 'Fixing' }, { Id: own.Fixing }])
        for (const [path, body] of [
          ['TeamAssignments', { Assignable: { Id: bug }, Team: { Id: one }, EntityState }],
          [`TeamAssignments/${second}`, { Team: { Id: one }, EntityState }],
          [`TeamAssignments/${first}`, { EntityState }],
          [`Bugs/${bug}`, { AssignedTeams: [{ Team: { Id: one }, EntityState }] }],
          [`Bugs/${bug}/AssignedTeams`, { Team: { Id: one }, EntityState }],
        ] as const) {
          const { status, json } = await app.post(`/api/v1/${path}?format=json`, body, { as });
          found.push([path, status, json.Message]);
        }
      return found;
    };
    const withWorkflow = await answers();
    await app.ask(`/api/v1/TeamProjects/${teamProject}/Workflows/${workflow.Id}`, { method: 'DELETE' });
    const without = await answers();
    await write(`TeamProjects/${teamProject}`, { Workflows: [workflow] });
    expect(withWorkflow).toEqual(without);
    // What he reads of an assignment he may send back.
    expect(without).toContainEqual([`TeamAssignments/${first}`, 200, undefined]);
  });
});

describe('states of an item and of its teams in one body', () => {
  let states: number[];
  let first: number;
  let second: number;

  beforeEach(async () => {
    await write('TeamAssignments', { Team: { Id: two }, Assignable: { Id: item } });
    const assigned = await app.items(`/api/v1/UserStories/${item}/AssignedTeams?include=[Id]&orderBy=Id`);
    [first, second] = assigned.map(({ Id }) => Id) as [number, number];
    const workflow =
      "(Workflow.Process.Id eq 3) and (EntityType.Name eq 'UserStory') and (Workflow.ParentWorkflow is null)";
    states = (await app.items(`/api/v1/EntityStates?where=${workflow}&include=[Id]`)).map(({ Id }) => Id);
  });
  const to = (at: number) => ({ EntityState: { Id: states[at] } });
  const shown = async (): Promise<number[]> => {
    const include = 'include=[EntityState,AssignedTeams[EntityState]]';
    const { EntityState, AssignedTeams } = await app.json(`/api/v1/UserStories/${item}?${include}`);
    return [EntityState, ...AssignedTeams.Items.map((one: { EntityState: object }) => one.EntityState)].map(({ Id }) =>
      states.indexOf(Id),
    );
  };

  it.each([
    ['the item and a team', () => ({ ...to(1), AssignedTeams: [{ Id: first, ...to(2) }] }), 0],
    ['the item and a team by its key', () => ({ ...to(1), AssignedTeams: [{ Team: { Id: one }, ...to(2) }] }), 0],
    [
      'two teams',
      () => ({
        AssignedTeams: [
          { Id: first, ...to(1) },
          { Id: second, ...to(2) },
        ],
      }),
      1,
    ],
  ] as const)('say different things: %s', async (_, body, at) => {
    const { status, json } = await write(`UserStories/${item}`, body());
    const why = `AssignedTeams[${at}].EntityState: the same body moves the item to another state.`;
    expect([status, json.Message]).toEqual([400, why]);
    expect(await shown()).toEqual([0, 0, 0]);
  });

  it('say different things of two teams that are listed', async () => {
    const { status } = await write('TeamAssignments/bulk', [
      { Id: first, ...to(1) },
      { Id: second, ...to(2) },
    ]);
    expect([status, await shown()]).toEqual([400, [0, 0, 0]]);
  });

  it.each([
    [
      'the same state',
      () => ({
        ...to(2),
        AssignedTeams: [
          { Id: first, ...to(2) },
          { Id: second, ...to(2) },
        ],
      }),
    ],
    ['that of a team as it was read', () => ({ ...to(2), AssignedTeams: [{ Id: first, ...to(0) }] })],
    ['that of a team alone', () => ({ ...to(0), AssignedTeams: [{ Id: first, ...to(2) }] })],
  ] as const)('agree: %s', async (_, body) => {
    expect((await write(`UserStories/${item}`, body())).status).toBe(200);
    expect(await shown()).toEqual([2, 2, 2]);
  });
});
