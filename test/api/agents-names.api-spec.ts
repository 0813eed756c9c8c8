/** What agents write by name in lists, measures of one name, and refusals that say what to write. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent } from '../support/agent.js';
import { basic, TestApp } from '../support/app.js';

let app: TestApp;
let agent: Agent;
let alice: Agent;
let story: number;

beforeAll(async () => {
  app = await TestApp.start();
  agent = await Agent.http(app.base, { authorization: basic('admin') });
  alice = await Agent.http(app.base, { authorization: basic('alice') });
  story = (await app.write('UserStories', { Name: 'Named', Project: { Id: 8 } })).Id;
});
afterAll(async () => {
  await agent.close();
  await alice.close();
  await app.stop();
});

const shown = async (kind: string, id: number, select: string) =>
  (await app.json(`/api/v2/${kind}/${id}?select={of:${select}}`)).items[0].of;

describe('an item of a list is taken by name and by id', () => {
  const users = async () => (await app.items('/api/v1/Users?include=[Id,FullName,Login]&take=3')).slice(0, 3);

  it('of people who are assigned', async () => {
    const [first, second, third] = await users();
    const written = [
      [first.FullName],
      [second.Id],
      [String(first.Id)],
      [{ FullName: third.FullName }],
      [{ login: third.Login }],
      second.FullName,
      first.Id,
    ];
    const ids = [first, second, first, third, third, second, first].map(({ Id }) => Id);
    for (const [at, AssignedUser] of written.entries()) {
      const { Id } = await app.write('UserStories', { Name: 'To assign', Project: { Id: 8 } });
      await agent.use('update', { id: Id, fields: { AssignedUser } });
      expect([AssignedUser, await shown('UserStory', Id, 'assignedUser.select(id)')]).toEqual([
        AssignedUser,
        [ids[at]],
      ]);
    }
  });

  it('of teams, by the link to each', async () => {
    const [link] = await app.items('/api/v1/TeamProjects?where=(Project.Id eq 8)&include=[Team]');
    const { Id, Name } = link.Team;
    for (const one of [Name, Id]) {
      const made = await app.write('UserStories', { Name: 'For a team', Project: { Id: 8 } });
      await agent.use('update', { id: made.Id, fields: { AssignedTeams: [one] } });
      expect(await shown('UserStory', made.Id, 'assignedTeams.select(team.id)')).toEqual([Id]);
    }
  });

  it('of projects, requesters and tags', async () => {
    const milestone = await agent.use('create', {
      kind: 'Milestone',
      name: 'Two projects',
      fields: { Projects: ['Web Shop', { Name: 'Web Shop' }], Date: '2026-12-24', CssClass: 'a' },
    });
    expect(await shown('Milestone', milestone.id, 'projects.select(id)')).toEqual([8]);
    const [{ Id, FullName }] = await users();
    const request = await agent.use('create', {
      kind: 'Request',
      name: 'Asked by one',
      project: 'Web Shop',
      fields: { Requesters: [FullName] },
    });
    expect(await shown('Request', request.id, 'requesters.select(id)')).toEqual([Id]);
    const [tag] = await app.items('/api/v1/Tags?take=1&include=[Id,Name]');
    await agent.use('update', { id: story, fields: { TagObjects: [tag.Name] } });
    expect(await shown('UserStory', story, 'tagObjects.select(id)')).toEqual([tag.Id]);
  });

  it('unless there is none, or it would be a new one', async () => {
    expect(await agent.refusal('update', { id: story, fields: { AssignedUser: ['Nobody Here'] } })).toMatch(
      /^AssignedUser: there is no GeneralUser named Nobody Here\. /,
    );
    expect(await agent.refusal('update', { id: story, fields: { Tasks: ['Fetch it'] } })).toBe(
      'Tasks: a new Task is {"Name": "Fetch it"}; for one that is there give its id as a number.',
    );
    expect(await agent.refusal('update', { id: story, fields: { AssignedUser: Array(51).fill('x') } })).toBe(
      'In lists at most 50 references are given by name: give ids for the others.',
    );
  });
});

it('a reference is taken as an object with a name alone', async () => {
  const { id } = await agent.use('create', { kind: 'Bug', name: 'By name', fields: { Project: { Name: 'Web Shop' } } });
  expect(await shown('Bug', id, 'project.id')).toBe(8);
});

describe('measures and selected calls of one name', () => {
  it('have names of their own', async () => {
    const measures = ['sum(effort)', 'sum(timeSpent)', 'open:count(effort>1)', 'count'];
    const result = await agent.use('report', { kind: 'UserStory', measures });
    expect(Object.keys(result.items?.[0] ?? result)).toEqual(['sum', 'sumTimeSpent', 'open', 'count']);
    const { groups } = await agent.use('report', {
      kind: 'UserStory',
      groupBy: ['project.name'],
      measures: ['sum(effort)', 'sum(timeSpent)'],
      orderBy: 'sum(timeSpent) desc',
    });
    const spent = groups.map((one: { sumTimeSpent: number }) => one.sumTimeSpent);
    expect(spent).toEqual(spent.toSorted((one: number, other: number) => other - one));
    const { items } = await agent.use('list', {
      kind: 'UserStory',
      take: 1,
      select: ['tasks.select(name)', "bugs.where(name!='(x').select(name)", 'tasks.count()', 'bugs.count()', 'name'],
    });
    expect(Object.keys(items[0])).toEqual(['id', 'select', 'bugsWhereNameSelectName', 'count', 'bugsCount', 'name']);
  });

  it.each([
    [
      'a closing parenthesis in double quotes',
      'tasks.where(name.contains("a)b")).count()',
      'tasksWhereNameContainsCount',
    ],
    ['a quote behind a backslash', "tasks.where(name.contains('it\\'s)')).count()", 'tasksWhereNameContainsCount'],
    ['a doubled quote', "tasks.where(name.contains('it''s)')).count()", 'tasksWhereNameContainsCount'],
    ['quotes of the other kind', `tasks.where(name.contains("it's (")).count()`, 'tasksWhereNameContainsCount'],
    ['two lines in a text', 'tasks.where(name.contains("(\n")).count()', 'tasksWhereNameContainsCount'],
    ['letters that are not of ASCII', `tasks.where(name.contains('é(')).count()`, 'tasksWhereNameContainsCount'],
  ])('have names of their own whatever a text holds: %s', async (_, call, name) => {
    for (const [select, members] of [
      [
        [call, 'bugs.count()'],
        ['id', 'count', 'bugsCount'],
      ],
      [
        ['bugs.count()', call],
        ['id', 'count', name],
      ],
    ]) {
      const { items } = await agent.use('list', { kind: 'UserStory', take: 1, select });
      expect(Object.keys(items[0])).toEqual(members);
    }
  });

  it.each<[string[], string[]]>([
    [
      ['bugs.count() as count', 'tasks.count()'],
      ['id', 'count', 'tasksCount'],
    ],
    [
      ['(name).toUpper()', '(project.name).toUpper()'],
      ['id', 'toUpper', 'projectNameToUpper'],
    ],
    [
      ['größe: bugs.count()', 'count: 1', 'tasks.count()'],
      ['id', 'größe', 'count', 'tasksCount'],
    ],
  ])('have names beside those of others: %j', async (select, members) => {
    const { items } = await agent.use('list', { kind: 'UserStory', take: 1, select });
    expect(Object.keys(items[0])).toEqual(members);
  });

  it('are refused with a form that works where both are given the same name', async () => {
    const refusal = await agent.refusal('report', { kind: 'UserStory', measures: ['n:sum(effort)', 'n:count'] });
    expect(refusal).toContain('give one of them another name, as in other:…');
    await agent.use('report', { kind: 'UserStory', measures: ['n:sum(effort)', 'other:count'] });
  });
});

describe('a member that a collection does not have is refused with what works', () => {
  it.each<[string, Record<string, unknown>, string, Record<string, unknown>]>([
    ['report', { measures: ['effort'] }, 'Write sum(effort), average(effort), ', { measures: ['sum(effort)'] }],
    [
      'report',
      { measures: ['name'] },
      'Write count, or count(name is not null);',
      { measures: ['count(name is not null)'] },
    ],
    [
      'report',
      { measures: ['median(effort)'] },
      'Write count, sum(…), average(…), ',
      { measures: ['average(effort)'] },
    ],
    [
      'list',
      { where: "effort>1 and assignedUser.login=='alice'" },
      "Write assignedUser.any(login=='alice').",
      { where: "effort>1 and assignedUser.any(login=='alice')" },
    ],
    ['list', { where: 'tasks.effort > 2' }, 'Write tasks.any(effort > 2).', { where: 'tasks.any(effort > 2)' }],
    [
      'list',
      { where: "feature.userStories.name.contains('a')" },
      'Write feature.userStories.any(name is not null).',
      { where: 'feature.userStories.any(name is not null)' },
    ],
    [
      'list',
      { select: ['name', 'tasks.name'] },
      'Write tasks.select(name).',
      { select: ['name', 'tasks.select(name)'] },
    ],
    [
      'list',
      { orderBy: 'tasks.effort desc' },
      'Write tasks.min(effort) or tasks.max(effort).',
      { orderBy: 'tasks.max(effort) desc' },
    ],
    [
      'list',
      { where: 'tasks.median(effort)>1' },
      'Write tasks.count(), tasks.any(…), ',
      { where: 'tasks.sum(effort)>1' },
    ],
    [
      'list',
      { where: "tasks.state=='Open'" },
      'There is entityState; call describe {"kind":"Task"}',
      { where: "tasks.any(entityState.name=='Open')" },
    ],
  ])('%s %j', async (tool, wrong, advice, right) => {
    const refusal = await agent.refusal(tool, { kind: 'UserStory', ...wrong });
    expect(refusal).toContain(advice);
    expect(refusal).not.toContain('and the like');
    await agent.use(tool, { kind: 'UserStory', ...right });
  });
});

it('a search in a project that is not there or not seen is refused', async () => {
  const { Id } = await app.write('Projects', { Name: 'Unseen', Process: { Id: 3 } });
  for (const project of [999999, Id]) {
    const refusal = await alice.refusal('search', { words: 'shared', project });
    expect(refusal).toBe(
      `project: there is no Project with Id ${project}, or access to it is forbidden. ` +
        'Call list {"kind": "Project"} for those that there are.',
    );
  }
  expect((await agent.use('search', { words: 'shared', project: Id })).items).toEqual([]);
});

it('what leads to nothing is refused with where to find ids', async () => {
  const missing = 99_999_999;
  for (const [tool, args] of [
    ['comment', { id: missing, text: 'x' }],
    ['log_time', { id: missing, hours: 1 }],
    ['create', { kind: 'UserStory', name: 'x', project: missing }],
    ['move', { id: missing, state: 'Done' }],
    ['update', { id: missing, fields: { Name: 'x' } }],
    ['update', { id: story, fields: { Feature: missing } }],
  ] as const)
    expect([tool, await agent.refusal(tool, args)]).toEqual([
      tool,
      expect.stringMatching(
        / is forbidden\. Use search to find the id of an item, and list for that of anything else\.$/,
      ),
    ]);
});
