/** A body that moves an item and what is a part of it, in whatever order it names them. */
import type { QueryRunner } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BugsOfMovedRuns1700000000143 } from '../../src/database/migrations/bugs-of-moved-runs.js';
import { type Answer, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
let from: Ids;
/** A project of the same process, and one of another. */
let near: number;
let far: number;
let third: number;

beforeAll(async () => {
  app = await TestApp.start();
  const process = (await send('Processes', { Name: 'Other' })).json.Id;
  from = { Process: 3, Role: 1 };
  const project = (Id: number) => make(app, 'Project', { mark: 'moves', ids: from }, { Process: { Id } });
  [from.Project, near, third, far] = [await project(3), await project(3), await project(3), await project(process)];
});
afterAll(() => app.stop());

const send = (path: string, body: unknown): Promise<Answer> => app.post(`/api/v1/${path}?format=json`, body);
const stored = async (path: string, body: unknown): Promise<void> => {
  const { status, text } = await send(path, body);
  expect([status, text]).toEqual([200, expect.any(String)]);
};
const placeOf = async (id: number) =>
  (await app.rows('select project_id as project, entity_state_id as state from general where id = $1', [id]))[0];
/** The last of the states of a kind in the process of a project. */
const lastState = async (project: number, kind: number): Promise<number> =>
  (
    await app.rows(
      `select s.id from entity_state s join general p on p.process_id = s.process_id
       where p.id = $1 and s.entity_type_id = $2 and s.parent_entity_state_id is null and s.is_final`,
      [project, kind],
    )
  )[0].id;

describe.each([
  ['UserStory', 'Task', 5, 'Tasks'],
  ['TestPlan', 'TestPlanRun', 14, 'TestPlanRuns'],
])('%s and %s', (ownerKind, partKind, kind, collection) => {
  let owner: number;
  let part: number;

  beforeEach(async () => {
    owner = await make(app, ownerKind, { mark: 'moves', ids: from });
    part = await make(app, partKind, { mark: 'moves', ids: { ...from, [ownerKind]: owner } });
  });

  const both = (project: number, more: object = {}) => [
    { Id: owner, Project: { Id: project } },
    { Id: part, Project: { Id: project }, ...more },
  ];

  it.each(['as listed', 'the other way round'])('go to the project that both name, %s', async (order) => {
    for (const project of [near, far]) {
      const list = both(project, { Name: 'moved' });
      const answer = await send('Assignables/bulk', order === 'as listed' ? list : list.reverse());
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"moved"')]);
      expect([(await placeOf(owner)).project, (await placeOf(part)).project]).toEqual([project, project]);
    }
  });

  it('the part takes a state of the process that both come to, and one of no other', async () => {
    const [there, here] = [await lastState(far, kind), await lastState(from.Project!, kind)];
    const refused = await send('Assignables/bulk', both(far, { EntityState: { Id: here } }));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('[1].EntityState: ')]);
    await stored('Assignables/bulk', both(far, { EntityState: { Id: there } }).reverse());
    expect(await placeOf(part)).toEqual({ project: far, state: there });
  });

  it('go along where the part stands in the collection of its owner', async () => {
    const body = { Project: { Id: far }, [collection]: [{ Id: part, Project: { Id: far } }] };
    await stored(`${ownerKind === 'TestPlan' ? 'TestPlans' : 'UserStories'}/${owner}`, body);
    expect((await placeOf(part)).project).toBe(far);
  });
});

it('a task alone, or one that names a third project, is told what moves it', async () => {
  const story = await make(app, 'UserStory', { mark: 'moves', ids: from });
  const task = await make(app, 'Task', { mark: 'moves', ids: { ...from, UserStory: story } });
  const why = 'a task lies in the project of its story: move the story, and the task goes along.';
  const alone = await send(`Tasks/${task}`, { Project: { Id: near } });
  expect([alone.status, alone.json.Message]).toEqual([400, `Project.Id: ${why}`]);
  const list = [
    { Id: story, Project: { Id: near } },
    { Id: task, Project: { Id: third } },
  ];
  const apart = await send('Assignables/bulk', list);
  expect([apart.status, apart.json.Message]).toEqual([400, `[1].Project.Id: ${why}`]);
  expect((await placeOf(story)).project).toBe(from.Project);
});

describe('a bug of a test case run', () => {
  const place = () => ({ mark: 'moves', ids: from });
  const to = (Id: number) => ({ Project: { Id } });
  let testCase: number;
  let plan: number;
  let run: number;
  let caseRun: number;
  let bug: number;

  beforeEach(async () => {
    testCase = await make(app, 'TestCase', place());
    plan = await make(app, 'TestPlan', place(), { TestCases: [{ Id: testCase }] });
    run = await make(app, 'TestPlanRun', { mark: 'moves', ids: { ...from, TestPlan: plan } });
    [{ Id: caseRun }] = await app.items(`/api/v1/TestPlanRuns/${run}/TestCaseRuns`);
    bug = await make(app, 'Bug', place(), { TestCaseRuns: [{ Id: caseRun }] });
  });

  const bugsOf = async (path: string): Promise<number[]> =>
    (await app.items(`/api/v1/${path}/Bugs?include=[Id]`)).map(({ Id }) => Id);

  it.each([
    ['the plan', () => stored(`TestPlans/${plan}`, to(near)), () => stored(`TestCases/${testCase}`, to(near))],
    ['the test case', () => stored(`TestCases/${testCase}`, to(near)), () => stored(`TestPlans/${plan}`, to(near))],
    [
      'the plan, which comes back',
      () => stored(`TestPlans/${plan}`, to(near)),
      () => stored(`TestPlans/${plan}`, to(from.Project!)),
    ],
  ])('is one of the run while the case lies in the project of the run: %s moves', async (_, leave, meet) => {
    expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([bug]);
    await leave();
    expect([await bugsOf(`TestPlanRuns/${run}`), await bugsOf(`TestCaseRuns/${caseRun}`)]).toEqual([[], [bug]]);
    await meet();
    expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([bug]);
    expect((await app.ask(`/api/v1/TestCaseRuns/${caseRun}/Bugs/${bug}`, { method: 'DELETE' })).status).toBe(200);
    expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([]);
  });

  it.each([
    ['to one project', () => near, true],
    ['to two', () => third, false],
  ] as const)('plan and case move %s in one request', async (_, ofCase, stays) => {
    const list = [
      { Id: plan, ...to(near) },
      { Id: testCase, ...to(ofCase()) },
    ];
    for (const body of [list, [...list].reverse()]) {
      await stored('Generals/bulk', body);
      expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual(stays ? [bug] : []);
      await stored('Generals/bulk', [
        { Id: plan, ...to(from.Project!) },
        { Id: testCase, ...to(from.Project!) },
      ]);
      expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([bug]);
    }
  });

  const migrate = () => new BugsOfMovedRuns1700000000143().up({ query: (text) => app.rows(text) } as QueryRunner);
  const move = (project: number) =>
    app.rows('update general set project_id = $2 where id = any($1)', [[plan, run], project]);

  it('is not joined again by an upgrade once it was separated from the run', async () => {
    const separate = async (): Promise<void> =>
      expect((await app.ask(`/api/v1/Bugs/${bug}/TestPlanRuns/${run}`, { method: 'DELETE' })).status).toBe(200);
    await separate();
    await migrate();
    expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([]);
    await move(near);
    await move(from.Project!);
    await migrate();
    expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([bug]);
    await separate();
    await migrate();
    expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([]);
  });

  it('is told rightly of what had moved before', async () => {
    const own = await make(app, 'Bug', place(), { TestPlanRuns: [{ Id: run }] });
    await move(near);
    await migrate();
    expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([own]);
    await move(from.Project!);
    await migrate();
    expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([own, bug]);
  });

  it('that was joined with the run itself stays', async () => {
    const own = await make(app, 'Bug', place(), { TestPlanRuns: [{ Id: run }] });
    await stored(`TestPlans/${plan}`, to(near));
    expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([own]);
  });

  it('is that of a run which comes back with its plan elsewhere', async () => {
    expect((await app.ask(`/api/v1/TestPlanRuns/${run}`, { method: 'DELETE' })).status).toBe(200);
    await stored(`TestPlans/${plan}`, to(near));
    await stored(`TestCases/${testCase}`, to(near));
    await stored('undelete', { EntityType: 'TestPlanRun', Id: run });
    expect(await bugsOf(`TestPlanRuns/${run}`)).toEqual([bug]);
  });
});
