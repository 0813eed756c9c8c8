/** What a tool answers where a path or a name does not fit, so that the next call does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent } from '../support/agent.js';
import { basic, TestApp } from '../support/app.js';

let app: TestApp;
let agent: Agent;

beforeAll(async () => {
  app = await TestApp.start();
  agent = await Agent.http(app.base, { authorization: basic('admin') });
});
afterAll(async () => {
  await agent.close();
  await app.stop();
});

const describeCall = (kind: string): string => `describe {"kind":"${kind}"} for all fields.`;

it.each<[string, Record<string, unknown>, string]>([
  ['list', { where: "state=='Open'" }, `There is entityState; call ${describeCall('UserStory')}`],
  [
    'list',
    { kind: 'User', select: ['name'] },
    'There is firstName, lastName, fullName, activeDirectoryName; call describe {"kind":"User"}',
  ],
  ['list', { where: "assignedUser.any(name=='x')" }, 'fullName; call describe {"kind":"GeneralUser"}'],
  ['list', { orderBy: 'importance' }, `(orderBy, at 0) Call ${describeCall('UserStory')}`],
  ['report', { kind: 'Time', measures: ['sum(hours)'] }, `(measures in 'sum(hours)') Call ${describeCall('Time')}`],
  ['list', { where: "project=='Web Shop'" }, 'A Project is compared by a field of it: put .name or .id behind it.'],
  ['list', { where: "owner=='alice'" }, 'is compared by a field of it: put .fullName or .id behind it.'],
  ['list', { where: 'Release Notes is not null' }, "such as ReleaseNotes, or as customValues['Release Notes']."],
  ['list', { where: "customFields.Risk=='High'" }, "such as ReleaseNotes, or as customValues['Release Notes']."],
])('%s %j is refused with what fits', async (tool, args, advice) => {
  expect(await agent.refusal(tool, { kind: 'UserStory', ...args })).toContain(advice);
});

it('what is advised fits', async () => {
  for (const where of ["entityState.name=='Open'", "project.name=='Web Shop'", "customValues['Release Notes'] is null"])
    await agent.use('list', { kind: 'UserStory', where, take: 1 });
  await agent.use('list', { kind: 'UserStory', where: "owner.fullName=='alice'", take: 1 });
});

it('a condition says how custom fields are named', async () => {
  const { tools } = await agent.client.listTools();
  const { where } = tools.find(({ name }) => name === 'list')!.inputSchema.properties as {
    where: { description: string };
  };
  expect(where.description).toContain("customValues['Release Notes']");
});

it('tools that replace something are announced as destructive', async () => {
  const { tools } = await agent.client.listTools();
  const replacing = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
  expect(replacing).toEqual(['update', 'move']);
});

describe('a name that each project has', () => {
  const pick = { Name: 'Pick 1', StartDate: '2026-09-01', EndDate: '2026-09-14' };
  const projects: number[] = [];
  const iterations: number[] = [];
  beforeAll(async () => {
    for (const Name of ['Apples', 'Pears', 'Plums']) {
      const { Id } = await app.write('Projects', { Name, Process: { Id: 3 } });
      projects.push(Id);
      iterations.push((await app.write('Iterations', { ...pick, Project: { Id } })).Id);
    }
  });

  const iterationOf = async (id: number) => (await app.json(`/api/v1/UserStories/${id}`)).Iteration.Id;

  it('is that of the project that is written', async () => {
    for (const project of [projects[1], 'Pears', String(projects[1])]) {
      const fields = { Iteration: 'Pick 1' };
      const { id } = await agent.use('create', { kind: 'UserStory', name: 'Ripe', project, fields });
      expect(await iterationOf(id)).toBe(iterations[1]);
    }
  });

  it('is that of the project which the item is in, or comes to', async () => {
    const { Id } = await app.write('UserStories', { Name: 'Ripe', Project: { Id: projects[0] } });
    await agent.use('update', { id: Id, fields: { Iteration: 'Pick 1' } });
    expect(await iterationOf(Id)).toBe(iterations[0]);
    await agent.use('update', { id: Id, fields: { Iteration: 'Pick 1', Project: 'Plums' } });
    expect(await iterationOf(Id)).toBe(iterations[2]);
  });

  it('is refused with the project of each where none of them is that one', async () => {
    const refusal = await agent.refusal('create', {
      kind: 'UserStory',
      name: 'Ripe',
      project: 8,
      fields: { Iteration: 'Pick 1' },
    });
    const ids = iterations.toReversed().map((id, at) => `${id} (Pick 1 of ${['Plums', 'Pears', 'Apples'][at]})`);
    expect(refusal).toBe(`Iteration: several are named Pick 1. Give one of the ids as a number: ${ids.join(', ')}.`);
  });

  it('is refused with those of the project where it has several', async () => {
    const other = await app.write('Iterations', {
      Name: 'Pick 1',
      StartDate: '2026-09-15',
      EndDate: '2026-09-28',
      Project: { Id: projects[2] },
    });
    const fields = { Iteration: 'Pick 1', Project: projects[2] };
    const refusal = await agent.refusal('create', { kind: 'UserStory', name: 'Ripe', fields });
    expect(refusal).toContain(`${other.Id} (Pick 1 of Plums)`);
    expect(refusal).not.toContain('Apples');
  });

  it('is refused with a note where there are more', async () => {
    for (let at = 0; at < 7; at += 1)
      await app.write('Features', { Name: 'Ladder', Project: { Id: projects[at % 2] } });
    const asked = { kind: 'UserStory', name: 'Ripe', project: projects[2], fields: { Feature: 'Ladder' } };
    expect(await agent.refusal('create', asked)).toMatch(
      /(?:\d+ \(Ladder of \w+\), ){5}\d+ \(Ladder of \w+\) and others\.$/,
    );
  });
});

it('a search says where it ends before all is found', async () => {
  const bodies = Array.from({ length: 501 }, (_, at) => ({ Name: `medlar ${at}`, Project: { Id: 8 } }));
  expect((await app.post('/api/v1/Bugs/bulk?include=[Id]', bodies)).status).toBeLessThan(300);
  const search = (skip: number) => agent.use('search', { words: 'medlar', take: 25, skip });
  expect(await search(450)).toMatchObject({ next: 'There are more: ask again with skip 475.' });
  const { items, warning } = await search(475);
  expect([items.length, warning]).toEqual([25, 'Only the newest 500 texts that fit are ranked: there may be others.']);
  expect((await search(450)).warning).toBeUndefined();
});

describe('references by name in lists', () => {
  const create = (RoleEfforts: object[]) => ({
    kind: 'UserStory',
    name: 'Pick by roles',
    project: 'Web Shop',
    fields: { RoleEfforts },
  });

  it('are those of its members', async () => {
    const written = create([
      { Role: 'Developer', Effort: 3 },
      { role: 'QA Engineer', Effort: 2 },
    ]);
    const { id } = await agent.use('create', written);
    expect(await app.json(`/api/v1/UserStories/${id}?include=[Effort]`)).toMatchObject({ Effort: 5 });
    await agent.use('update', { id, fields: { Assignments: [{ GeneralUser: 'alice', Role: 'Developer' }] } });
    const { assignedUser } = (
      await app.json(`/api/v2/UserStory/${id}?select={assignedUser:assignedUser.select(login)}`)
    ).items[0];
    expect(assignedUser).toEqual(['alice']);
  });

  it('are refused as elsewhere', async () => {
    const refusal = await agent.refusal('create', create([{ Role: 'Develop', Effort: 3 }]));
    expect(refusal).toMatch(/^Role: there is no Role named Develop\. Some that are similar: Developer \(id \d+\)/);
  });

  it('are no more than are asked for in good time', async () => {
    const refusal = await agent.refusal('create', create(Array(51).fill({ Role: 'Developer', Effort: 0 })));
    expect(refusal).toBe('In lists at most 50 references are given by name: give ids for the others.');
  });

  it('stand beside texts in Markdown', async () => {
    const fields = { Tasks: [{ Name: 'Fetch it', Description: '*now*', Project: 'Web Shop' }] };
    const { id } = await agent.use('create', { kind: 'UserStory', name: 'Pick it', project: 'Web Shop', fields });
    const { Items } = await app.json(`/api/v1/UserStories/${id}/Tasks?include=[Description]`);
    expect(Items).toMatchObject([{ Description: '<!--markdown-->*now*' }]);
  });
});
