/** Assignments of teams that change: the item's responsible team follows, and the state is one of the item's. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
let one: number;
let two: number;
let three: number;
let item: number;
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
    ['an assignment of another team', async () => [{ Id: await assignmentOf(item) }], 0],
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
