/** CustomRules: rules that administrators switch on and off. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
const ids: Ids = { Process: 3, Role: 1 };

beforeAll(async () => {
  app = await TestApp.start();
  ids.Project = await make(app, 'Project', { mark: 'rule', ids });
  const User = await make(app, 'User', { mark: 'rule', ids }, { Login: 'rule.member' });
  await make(app, 'ProjectMember', { mark: '', ids: { ...ids, User } });
});
afterAll(() => app.stop());

const [start, close] = [1, 2];
const enable = async (rule: number | undefined, IsEnabled: boolean): Promise<void> => {
  expect((await app.post(`/api/v1/CustomRules/${rule}`, { IsEnabled })).status).toBe(200);
};

beforeEach(async () => {
  await enable(start, false);
  await enable(close, false);
});

async function storyWithTasks(Id = ids.Project): Promise<{ story: number; tasks: number[] }> {
  const body = { Name: 'story', Project: { Id }, Tasks: [{ Name: 'a' }, { Name: 'b' }] };
  const made = await app.post('/api/v1/UserStories?format=json&include=[Tasks]', body);
  return { story: made.json.Id, tasks: made.json.Tasks.Items.map(({ Id }: { Id: number }) => Id) };
}

const move = async (task: number | undefined, Name: string): Promise<void> => {
  const answer = await app.post(`/api/v1/Tasks/${task}`, { EntityState: { Name } }, { as: 'rule.member' });
  expect(answer.status, answer.text).toBe(200);
};
const stateOf = async (story: number): Promise<string> =>
  (await app.json(`/api/v1/UserStories/${story}?include=[EntityState]`)).EntityState.Name;

it('the rules are listed in both formats, switched off', async () => {
  expect(await app.items('/api/v1/CustomRules', { as: 'rule.member' })).toEqual([
    expect.objectContaining({ ResourceType: 'CustomRule', Id: 1, Name: 'Start User Story when its Task starts' }),
    expect.objectContaining({ ResourceType: 'CustomRule', Id: 2, IsEnabled: false }),
  ]);
  const xml = await parseXml(await app.xml('/api/v1/CustomRules?where=IsEnabled eq false'));
  expect(xml.children.map((child) => itemOf(child).IsEnabled)).toEqual(['false', 'false']);
  expect((await app.json('/api/v2/CustomRule?select={id,isEnabled}')).items).toHaveLength(2);
});

it('administrators switch them, in XML too; nobody creates or deletes one', async () => {
  const answer = await app.post('/api/v1/CustomRules/1', '<CustomRule IsEnabled="true" Name="ignored"/>');
  expect([answer.status, itemOf(await parseXml(answer.text))]).toEqual([
    200,
    expect.objectContaining({ IsEnabled: 'true', Name: 'Start User Story when its Task starts' }),
  ]);
  expect((await app.post('/api/v1/CustomRules/1', { IsEnabled: true }, { as: 'rule.member' })).status).toBe(403);
  expect((await app.post('/api/v1/CustomRules', { Name: 'x' })).status).toBe(405);
  expect((await app.ask('/api/v1/CustomRules/1', { method: 'DELETE' })).status).toBe(405);
});

it('a story stays where it is while they are off', async () => {
  const { story, tasks } = await storyWithTasks();
  for (const task of tasks) await move(task, 'Done');
  expect(await stateOf(story)).toBe('Open');
});

it('a task that starts starts its story', async () => {
  await enable(start, true);
  const { story, tasks } = await storyWithTasks();
  await move(tasks[0], 'In Progress');
  expect(await stateOf(story)).toBe('In Progress');
  expect(await app.json(`/api/v1/UserStories/${story}?include=[StartDate,LastEditor]`)).toMatchObject({
    StartDate: expect.stringMatching(/Date/),
    LastEditor: { Login: 'rule.member' },
  });
  await move(tasks[1], 'Done');
  expect(await stateOf(story)).toBe('In Progress');
});

it('the last task that is closed closes its story', async () => {
  await enable(close, true);
  const { story, tasks } = await storyWithTasks();
  await move(tasks[0], 'Done');
  expect(await stateOf(story)).toBe('Open');
  await move(tasks[1], 'Done');
  expect(await stateOf(story)).toBe('Done');
});

describe('in a process that is not the usual one', () => {
  let process: number;
  let project: number;
  beforeAll(async () => {
    process = await make(app, 'Process', { mark: 'unusual', ids: {} });
    const made = await app.post('/api/v1/Projects', { Name: 'unusual', Process: { Id: process } });
    project = made.json.Id;
  });
  const to = async (path: string, Name: string) =>
    expect((await app.post(`/api/v1/${path}`, { EntityState: { Name } })).status).toBe(200);
  const processOf = async (story: number): Promise<number> =>
    (await app.json(`/api/v1/UserStories/${story}?include=[EntityState[Process]]`)).EntityState.Process.Id;

  it('tasks move their story to the states that are there', async () => {
    await enable(start, true);
    await enable(close, true);
    const { story, tasks } = await storyWithTasks(project);
    await to(`Tasks/${tasks[0]}`, 'In Progress');
    expect([await stateOf(story), await processOf(story)]).toEqual(['In Progress', process]);
    for (const task of tasks) await to(`Tasks/${task}`, 'Done');
    expect([await stateOf(story), await processOf(story)]).toEqual(['Done', process]);
  });

  it('so does a team that moves on', async () => {
    const { story } = await storyWithTasks(project);
    const Team = await make(app, 'Team', { mark: 'unusual', ids: {} });
    const assignment = await make(app, 'TeamAssignment', { mark: '', ids: { Team, Assignable: story } });
    await to(`TeamAssignments/${assignment}`, 'In Progress');
    expect([await stateOf(story), await processOf(story)]).toEqual(['In Progress', process]);
  });
});

it('a story that is closed comes to the final state that work ends in by default', async () => {
  const where = "where=(Workflow.Process.Id eq 3)and(EntityType.Name eq 'UserStory')and(IsFinal eq 'true')";
  const [done] = await app.items(`/api/v1/EntityStates?${where}`);
  const add = async (Name: string, IsDefaultFinal: boolean) =>
    app.post('/api/v1/EntityStates?format=json', {
      ...{ Name, IsFinal: true, IsDefaultFinal },
      ...{ Process: { Id: 3 }, EntityType: { Id: 4 } },
    });
  expect((await add('Delivered', true)).status).toBe(201);
  await enable(close, true);
  const { story, tasks } = await storyWithTasks();
  for (const task of tasks) await move(task, 'Done');
  expect(await stateOf(story)).toBe('Delivered');
  await app.post(`/api/v1/EntityStates/${done.Id}`, { IsDefaultFinal: true });
  const another = await storyWithTasks();
  for (const task of another.tasks) await move(task, 'Done');
  expect(await stateOf(another.story)).toBe(done.Name);
});
