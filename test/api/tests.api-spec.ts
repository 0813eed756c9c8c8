/** Test plans, cases and steps, and what comes of them when they are run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let project: number;
let kanban: number;
beforeAll(async () => {
  app = await TestApp.start();
  const find = `select min(id) as id from general where entity_type_id = 1 and process_id = $1 and delete_date is null`;
  project = (await app.rows(find, [3]))[0].id;
  kanban = (await app.rows(find, [2]))[0].id;
});
afterAll(() => app.stop());

const write = (path: string, body: unknown, ask = {}) => app.write(path, body, ask);

const tables = ['general', 'test_case_run', 'test_step_run', 'test_step', 'test_plan_test_case', 'test_plan_hierarchy'];
const everything = `select ${tables.map((it) => `(select count(*) from ${it}) as ${it}, (select sum(hashtext(t::text)) from ${it} t) as h_${it}`).join(', ')}`;

/** Refused, and nothing is written. */
async function refused(path: string, body: unknown, message: string, status = 400): Promise<void> {
  const before = await app.rows(everything);
  const answer = await app.post(`/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`, body);
  expect([answer.status, answer.json.Message]).toEqual([status, expect.stringContaining(message)]);
  expect(await app.rows(everything)).toEqual(before);
}

async function remove(path: string): Promise<void> {
  const answer = await app.ask(`/api/v1/${path}?format=json`, { method: 'DELETE' });
  expect(answer.status, answer.text).toBe(200);
}

const read = (path: string) => app.json(`/api/v1/${path}`);
const list = (path: string) => app.items(`/api/v1/${path}${path.includes('?') ? '&' : '?'}take=1000`);
const of = (Id: number) => ({ Project: { Id } });

const plan = (more: object = {}) => write('TestPlans', { Name: 'plan', ...of(project), ...more });
const story = (more: object = {}) => write('UserStories', { Name: 'story', ...of(project), ...more });
const bug = (more: object = {}) => write('Bugs', { Name: 'bug', ...of(project), ...more });
const testCase = (more: object = {}) => write('TestCases', { Name: 'case', ...of(project), ...more });
const cases = (number: number, more: object = {}) =>
  Array.from({ length: number }, (_, at) => ({ Name: `case ${at}`, ...of(project), ...more }));
const planWith = (number: number, more: object = {}) => plan({ TestCases: cases(number), ...more });
const run = (testPlan: { Id: number }, more: object = {}) =>
  write('TestPlanRuns', { TestPlan: { Id: testPlan.Id }, ...more });
const caseRuns = (of: { Id: number }) => list(`TestPlanRuns/${of.Id}/TestCaseRuns`);

const counted = ['NotRunCount', 'PassedCount', 'FailedCount', 'OnHoldCount', 'BlockedCount'];
const counts = async (id: number): Promise<number[]> => {
  const run = await read(`TestPlanRuns/${id}`);
  return counted.map((name) => run[name]);
};

async function finish(id: number): Promise<void> {
  const [state] = await app.rows(
    `select s.id from entity_state s join general g on g.id = $1 join general p on p.id = g.project_id
     where s.process_id = p.process_id and s.entity_type_id = 14 and s.is_final`,
    [id],
  );
  await write(`TestPlanRuns/${id}`, { EntityState: { Id: state.id } });
}

it('a test plan keeps the end that it was given, a run of it does not', async () => {
  const ends = { EndDate: '2030-02-01T00:00:00Z' };
  const made = await plan(ends);
  expect(made.EndDate).toBe('/Date(1896134400000+0000)/');
  const { Id } = await run(made, ends);
  expect(await read(`TestPlanRuns/${Id}`)).toMatchObject({ EndDate: null });
});

describe('the dates of a test plan are its own', () => {
  const datesOf = async (id: number) =>
    (await app.rows('select start_date, end_date from general where id = $1', [id])).flatMap((row) => [
      row.start_date?.toISOString() ?? null,
      row.end_date?.toISOString() ?? null,
    ]);
  const day = (date: string | null) => date && `${date}T00:00:00.000Z`;

  it.each([
    ['planned for later', '2030-02-01', '2030-03-01'],
    ['under way', '2020-01-01', '2030-03-01'],
    ['over', '2020-01-01', '2020-03-01'],
    ['with an end alone', null, '2020-03-01'],
    ['with a start alone', '2030-02-01', null],
    ['without any', null, null],
  ])('one %s keeps them in all states', async (_which, StartDate, EndDate) => {
    const dates = [day(StartDate), day(EndDate)];
    const { Id } = await plan({ StartDate, EndDate });
    for (const Name of ['Done', 'Open', 'Done']) {
      await write(`TestPlans/${Id}`, { EntityState: { Name } });
      expect(await datesOf(Id)).toEqual(dates);
    }
    const done = await plan({ StartDate, EndDate, EntityState: { Name: 'Done' } });
    expect(await datesOf(done.Id)).toEqual(dates);
  });

  it('one keeps what is sent with its state', async () => {
    const { Id } = await plan({ StartDate: '2020-01-01', EndDate: '2020-03-01', EntityState: { Name: 'Done' } });
    await write(`TestPlans/${Id}`, { EntityState: { Name: 'Open' }, EndDate: '2030-03-01' });
    expect(await datesOf(Id)).toEqual([day('2020-01-01'), day('2030-03-01')]);
    await write(`Assignables/${Id}`, { EntityState: { Name: 'Done' }, StartDate: '2025-01-01', EndDate: null });
    expect(await datesOf(Id)).toEqual([day('2025-01-01'), null]);
  });
});

describe('a test plan and the item it is for', () => {
  const linked = async (item: number, testPlan: number) => [
    (await read(`Generals/${item}`)).LinkedTestPlan?.Id ?? null,
    (await read(`TestPlans/${testPlan}`)).LinkedGeneral?.Id ?? null,
  ];

  it('are one fact, written on the side of the plan', async () => {
    const [one, other] = [await story(), await bug()];
    const made = await plan({ LinkedGeneral: { Id: one.Id } });
    expect(await linked(one.Id, made.Id)).toEqual([made.Id, one.Id]);
    // The plan is what was changed.
    const { ModifyDate, EntityVersion } = one;
    expect(await read(`UserStories/${one.Id}`)).toMatchObject({ ModifyDate, EntityVersion });
    const seen = await read(`TestPlans/${made.Id}?include=[LinkedUserStory,LinkedAssignable,LinkedBug]`);
    expect(seen).toMatchObject({ LinkedUserStory: { Id: one.Id }, LinkedAssignable: { Id: one.Id }, LinkedBug: null });
    await write(`TestPlans/${made.Id}`, { LinkedGeneral: { Id: other.Id } });
    expect(await linked(one.Id, made.Id)).toEqual([null, other.Id]);
    expect(await linked(other.Id, made.Id)).toEqual([made.Id, other.Id]);
    await write(`TestPlans/${made.Id}`, `<TestPlan><LinkedGeneral nil="true"/></TestPlan>`);
    expect(await linked(other.Id, made.Id)).toEqual([null, null]);
  });

  it('are one fact, written on the side of the item, in XML and on creation', async () => {
    const made = await plan();
    const one = await story({ LinkedTestPlan: { Id: made.Id } });
    expect(await linked(one.Id, made.Id)).toEqual([made.Id, one.Id]);
    const [release] = await list('Releases?include=[Id]');
    await app.post(`/api/v1/Releases/${release.Id}`, `<Release><LinkedTestPlan Id="${made.Id}"/></Release>`);
    expect(await linked(release.Id, made.Id)).toEqual([made.Id, release.Id]);
    expect(await linked(one.Id, made.Id)).toEqual([null, release.Id]);
    expect(await read(`TestPlans/${made.Id}?include=[LinkedRelease]`)).toMatchObject({
      LinkedRelease: { Id: release.Id },
    });
    await write(`Generals/${release.Id}`, { LinkedTestPlan: null });
    expect(await linked(release.Id, made.Id)).toEqual([null, null]);
  });

  it('an item has one plan: a second one takes the place of the first', async () => {
    const one = await story();
    const [first, second] = [await plan({ LinkedGeneral: { Id: one.Id } }), await plan()];
    await write(`UserStories/${one.Id}`, { LinkedTestPlan: { Id: second.Id } });
    expect(await linked(one.Id, second.Id)).toEqual([second.Id, one.Id]);
    expect(await linked(one.Id, first.Id)).toEqual([second.Id, null]);
    await write(`TestPlans/${first.Id}`, { LinkedGeneral: { Id: one.Id } });
    expect(await linked(one.Id, first.Id)).toEqual([first.Id, one.Id]);
    expect(await linked(one.Id, second.Id)).toEqual([first.Id, null]);
  });

  it('the last word of one body counts', async () => {
    const one = await story();
    const plans = [await plan(), await plan(), await plan()];
    await write(
      'TestPlans/bulk',
      plans.map(({ Id }) => ({ Id, LinkedGeneral: { Id: one.Id } })),
    );
    expect(await linked(one.Id, plans[2].Id)).toEqual([plans[2].Id, one.Id]);
    expect(await linked(one.Id, plans[0].Id)).toEqual([plans[2].Id, null]);
  });

  it('requests at once leave the item with one plan, which says the same', async () => {
    for (let round = 0; round < 4; round += 1) {
      const item = await story();
      const plans = await Promise.all([plan(), plan(), plan()]);
      await Promise.all(plans.map(({ Id }) => write(`TestPlans/${Id}`, { LinkedGeneral: { Id: item.Id } })));
      const rows = await app.rows('select id from general where linked_general_id = $1', [item.Id]);
      expect(rows).toEqual([{ id: (await read(`UserStories/${item.Id}`)).LinkedTestPlan.Id }]);
    }
    const [item, one] = [await story(), await plan()];
    await Promise.all([
      write(`TestPlans/${one.Id}`, { LinkedGeneral: { Id: item.Id } }),
      write(`UserStories/${item.Id}`, { LinkedTestPlan: { Id: one.Id } }),
    ]);
    expect(await linked(item.Id, one.Id)).toEqual([one.Id, item.Id]);
  });

  it('a plan is not a plan for itself', async () => {
    const made = await plan();
    await refused(
      `TestPlans/${made.Id}`,
      { LinkedGeneral: { Id: made.Id } },
      'LinkedTestPlan: a test plan is not a plan for itself.',
    );
    await refused(`TestPlans/${made.Id}`, { LinkedTestPlan: { Id: made.Id } }, 'a test plan is not a plan for itself.');
  });
});

describe('plans below plans', () => {
  it('are added from above and from below, and taken out again', async () => {
    const [top, middle] = [await plan(), await plan()];
    await write(`TestPlans/${top.Id}`, { ChildTestPlans: [{ Id: middle.Id }, { Name: 'new', ...of(project) }] });
    const low = await plan({ ParentTestPlans: [{ Id: middle.Id }] });
    const below = await list(`TestPlans/${top.Id}/ChildTestPlans?include=[Id,Name]`);
    expect(below.map(({ Name }) => Name)).toEqual(['new', 'plan']);
    expect(await list(`TestPlans/${low.Id}/ParentTestPlans?include=[Id]`)).toMatchObject([{ Id: middle.Id }]);
    await remove(`TestPlans/${top.Id}/ChildTestPlans/${middle.Id}`);
    expect(await list(`TestPlans/${middle.Id}/ParentTestPlans`)).toEqual([]);
    const added = await write(`TestPlans/${top.Id}/ChildTestPlans`, { Name: 'one more', ...of(project) });
    expect(added).toMatchObject({ ResourceType: 'TestPlan', Name: 'one more' });
    expect(await list(`TestPlans/${added.Id}/ParentTestPlans?include=[Id]`)).toMatchObject([{ Id: top.Id }]);
  });

  it('no plan lies below itself, however the circle is closed', async () => {
    const low = await plan();
    const middle = await plan({ ChildTestPlans: [{ Id: low.Id }] });
    const top = await plan({ ChildTestPlans: [{ Id: middle.Id }] });
    const why = 'a test plan cannot lie below itself.';
    await refused(`TestPlans/${low.Id}`, { ChildTestPlans: [{ Id: top.Id }] }, `ChildTestPlans: ${why}`);
    await refused(`TestPlans/${top.Id}`, { ParentTestPlans: [{ Id: low.Id }] }, `ParentTestPlans: ${why}`);
    await refused(`TestPlans/${top.Id}`, { ParentTestPlans: [{ Id: top.Id }] }, why);
    await refused(`TestPlans/${low.Id}/ChildTestPlans`, { Id: top.Id }, why);
    await refused(
      'TestPlans/bulk',
      [
        { Name: 'x', ...of(project) },
        { Id: low.Id, ChildTestPlans: [{ Id: top.Id }] },
      ],
      `[1].ChildTestPlans: ${why}`,
    );
    const closing = { Name: 'between', ...of(project), ChildTestPlans: [{ Id: top.Id }] };
    await refused(`TestPlans/${low.Id}`, { ChildTestPlans: [closing] }, why);
    await refused(
      `TestPlans/${low.Id}`,
      `<TestPlan><ChildTestPlans><TestPlan Id="${top.Id}"/></ChildTestPlans></TestPlan>`,
      why,
    );
  });

  it('two requests cannot close a circle together, though neither names a plan of the other', async () => {
    const below = (Id: number, child: number) =>
      app.post(`/api/v1/TestPlans/${Id}`, { ChildTestPlans: [{ Id: child }] });
    for (let round = 0; round < 4; round += 1) {
      const [a, b, c, d] = (await Promise.all([plan(), plan(), plan(), plan()])).map(({ Id }) => Id);
      await Promise.all([below(a, b), below(c, d)]);
      const answers = await Promise.all([below(b, c), below(d, a)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });
});

describe('test cases and their steps', () => {
  it('are created with a plan, and added to others', async () => {
    const [one, other] = [await plan(), await plan()];
    const made = await write('testCases', {
      Name: 'text',
      Project: { Id: String(project) },
      TestPlans: [{ Id: String(one.Id) }],
    });
    await write(`TestCases/${made.Id}`, { TestPlans: { Items: [{ Id: other.Id }] } });
    expect((await list(`TestCases/${made.Id}/TestPlans?include=[Id]`)).map(({ Id }) => Id)).toEqual(
      expect.arrayContaining([one.Id, other.Id]),
    );
    await remove(`TestPlans/${one.Id}/TestCases/${made.Id}`);
    expect(await list(`TestPlans/${one.Id}/TestCases`)).toEqual([]);
    expect(await list(`TestPlans/${other.Id}/TestCases?include=[Id]`)).toMatchObject([{ Id: made.Id }]);
  });

  it('start as the usual ones: the default priority, not run', async () => {
    const made = await testCase();
    expect(made).toMatchObject({ Priority: { Name: 'Moderate' }, LastRunStatus: null, LastRunDate: null });
  });

  const steps = async (id: number) =>
    (await list(`TestCases/${id}/TestSteps`)).map(({ Description, RunOrder }) => [Description, RunOrder]);

  it('steps without a place come last, several at once in the order they are sent', async () => {
    const made = await testCase({ TestSteps: [{ Description: 'a', Result: 'A' }, { Description: 'b' }] });
    await write(`TestCases/${made.Id}`, {
      TestSteps: [{ Description: 'e', RunOrder: 7 }, { Description: 'f' }],
    });
    const alone = await write('TestSteps', { TestCase: { Id: made.Id }, Description: 'g', Result: 'G' });
    expect(alone).toMatchObject({ RunOrder: 9, Result: 'G', TestCase: { Id: made.Id } });
    await write('TestSteps/bulk', [
      { TestCase: { Id: made.Id }, Description: 'h' },
      { TestCase: { Id: made.Id }, Description: 'c', RunOrder: 3 },
      { TestCase: { Id: made.Id }, Description: 'i' },
    ]);
    expect(await steps(made.Id)).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['e', 7],
      ['f', 8],
      ['g', 9],
      ['h', 10],
      ['i', 11],
    ]);
  });

  it('steps are written in XML, changed and deleted on their own', async () => {
    const created = await app.post(
      '/api/v1/TestCases',
      `<TestCase Name="from XML"><Project Id="${project}"/><TestSteps><TestStep><Description>one</Description></TestStep><TestStep Description="two"/></TestSteps></TestCase>`,
    );
    expect(created.status, created.text).toBe(201);
    const id = Number(itemOf(await parseXml(created.text)).Id);
    expect(await steps(id)).toEqual([
      ['one', 1],
      ['two', 2],
    ]);
    const [first, second] = await list(`TestCases/${id}/TestSteps`);
    await write(`TestSteps/${first.Id}`, { RunOrder: 5, Result: 'seen' });
    expect(await steps(id)).toEqual([
      ['two', 2],
      ['one', 5],
    ]);
    await remove(`testSteps/${second.Id}/`);
    expect(await steps(id)).toEqual([['one', 5]]);
    await refused('TestSteps', { Description: 'of nothing' }, 'TestCase: a value is required.');
  });

  it('steps that many requests add at once have places of their own', async () => {
    const made = await testCase();
    await Promise.all(
      Array.from({ length: 8 }, () => write('TestSteps', { TestCase: { Id: made.Id }, Description: 's' })),
    );
    expect((await steps(made.Id)).map(([, order]) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('a run of a test plan', () => {
  it('needs its plan alone, and takes project, name and test cases from there', async () => {
    const one = await planWith(3, { Name: 'Acceptance' });
    await testCase({
      TestPlans: [{ Id: one.Id }],
      TestSteps: [{ Description: 'do', Result: 'see' }, { Description: 'on' }],
    });
    const [gone] = await list(`TestPlans/${one.Id}/TestCases?where=Name eq 'case 0'`);
    await remove(`TestCases/${gone.Id}`);
    const made = await run(one, { ...of(kanban) });
    expect(made).toMatchObject({
      Name: 'Acceptance',
      Project: { Id: project },
      TestPlan: { Id: one.Id },
      EntityState: { Name: 'Open' },
      ParentTestPlanRun: null,
    });
    expect(await counts(made.Id)).toEqual([3, 0, 0, 0, 0]);
    const runs = await caseRuns(made);
    expect(
      runs.map(({ Status, TestPlanRun, RootTestPlanRun, LastExecutor, Priority }) => [
        Status,
        TestPlanRun.Id,
        RootTestPlanRun.Id,
        LastExecutor,
        Priority.Name,
      ]),
    ).toEqual(Array(3).fill(['NotRun', made.Id, made.Id, null, 'Moderate']));
    const withSteps = runs.find(({ Name }) => Name === 'case');
    expect(await list(`TestCaseRuns/${withSteps.Id}/TestStepRuns`)).toMatchObject([
      { Description: 'do', Result: 'see', RunOrder: 1, Passed: false, Runned: false, TestStep: {} },
      { Description: 'on', RunOrder: 2 },
    ]);
    expect(await read(`TestPlanRuns/${made.Id}?include=[IsLastStarted]`)).toMatchObject({ IsLastStarted: true });
  });

  it('is started in XML as well, and answers with what the client asks for', async () => {
    const one = await planWith(2);
    const created = await app.post('/api/v1/TestPlanRuns', `<TestPlanRun><TestPlan Id="${one.Id}"/></TestPlanRun>`);
    expect([created.status, itemOf(await parseXml(created.text))]).toMatchObject([
      201,
      { NotRunCount: '2', Name: 'plan' },
    ]);
    const asked = await write('TestPlanRuns?resultInclude=[Id,TestCaseRuns[Id,TestCase[Id]]]', {
      Name: 'n',
      ...of(project),
      TestPlan: { Id: one.Id },
    });
    expect(asked.TestCaseRuns.Items).toHaveLength(2);
    expect(Object.keys(asked)).toEqual(['ResourceType', 'Id', 'TestCaseRuns']);
    await refused('TestPlanRuns', { Name: 'of nothing', ...of(project) }, 'TestPlan: a value is required.');
  });

  it('has a run below it for each plan below its plan, and counts what they count', async () => {
    const low = await planWith(2, { Name: 'low' });
    const left = await planWith(1, { Name: 'left', ChildTestPlans: [{ Id: low.Id }] });
    const right = await planWith(3, { Name: 'right', ...of(kanban), ChildTestPlans: [{ Id: low.Id }] });
    const gone = await planWith(9, { Name: 'gone' });
    const top = await planWith(1, { ChildTestPlans: [{ Id: left.Id }, { Id: right.Id }, { Id: gone.Id }] });
    await remove(`TestPlans/${gone.Id}`);
    const made = await run(top);
    expect(await counts(made.Id)).toEqual([7, 0, 0, 0, 0]);
    const below = await list(`TestPlanRuns/${made.Id}/TestPlanRuns?orderBy=Name`);
    expect(
      below.map(({ Name, Project, NotRunCount, ParentTestPlanRun, EntityState }) => [
        Name,
        Project.Id,
        NotRunCount,
        ParentTestPlanRun.Id,
        EntityState.Name,
      ]),
    ).toEqual([
      ['left', project, 3, made.Id, 'Open'],
      ['right', kanban, 3, made.Id, 'Open'],
    ]);
    const [deepest] = await list(`TestPlanRuns/${below[0].Id}/TestPlanRuns`);
    expect(deepest).toMatchObject({ Name: 'low', NotRunCount: 2, TestPlan: { Id: low.Id } });
    const all = await list(`TestCaseRuns?where=RootTestPlanRun.Id eq ${made.Id}`);
    expect(all).toHaveLength(7);
    expect(await caseRuns(made)).toHaveLength(1);

    const [one] = await caseRuns(deepest);
    await write(`TestCaseRuns/${one.Id}`, { Status: 'Failed' });
    expect(await Promise.all([made, below[0], below[1], deepest].map(({ Id }) => counts(Id)))).toEqual([
      [6, 0, 1, 0, 0],
      [2, 0, 1, 0, 0],
      [3, 0, 0, 0, 0],
      [1, 0, 1, 0, 0],
    ]);
    await remove(`TestPlanRuns/${below[0].Id}`);
    expect(await counts(made.Id)).toEqual([4, 0, 0, 0, 0]);
    expect((await app.ask(`/api/v1/TestPlanRuns/${deepest.Id}`)).status).toBe(404);
    expect((await read(`TestCases/${one.TestCase.Id}`)).LastRunStatus).toBeNull();
  });

  it('can be put below another run, with its counts and its root, but not below itself', async () => {
    const [top, low] = [await run(await planWith(1)), await run(await planWith(2))];
    await write(`TestPlanRuns/${low.Id}`, { ParentTestPlanRun: { Id: top.Id } });
    expect(await counts(top.Id)).toEqual([3, 0, 0, 0, 0]);
    expect((await caseRuns(low)).map(({ RootTestPlanRun }) => RootTestPlanRun.Id)).toEqual([top.Id, top.Id]);
    const why = 'ParentTestPlanRun: a run cannot lie below itself.';
    await refused(`TestPlanRuns/${top.Id}`, { ParentTestPlanRun: { Id: low.Id } }, why);
    await refused(`TestPlanRuns/${top.Id}`, { ParentTestPlanRun: { Id: top.Id } }, why);
    const third = await run(await planWith(4), { ParentTestPlanRun: { Id: low.Id } });
    expect(await counts(top.Id)).toEqual([7, 0, 0, 0, 0]);
    expect((await caseRuns(third))[0].RootTestPlanRun.Id).toBe(top.Id);
    await write(`TestPlanRuns/${low.Id}`, { ParentTestPlanRun: null });
    expect(await Promise.all([top, low, third].map(({ Id }) => counts(Id)))).toEqual([
      [1, 0, 0, 0, 0],
      [6, 0, 0, 0, 0],
      [4, 0, 0, 0, 0],
    ]);
    expect((await caseRuns(third))[0].RootTestPlanRun.Id).toBe(low.Id);
  });

  it('stays with its plan, lies where the plan lies and goes with it', async () => {
    const one = await planWith(1);
    const made = await run(one);
    await refused(
      `TestPlanRuns/${made.Id}`,
      { TestPlan: { Id: (await plan()).Id } },
      'TestPlan: a run stays with the plan it was started for.',
    );
    expect((await write(`TestPlanRuns/${made.Id}`, of(kanban))).Project.Id).toBe(project);
    await write(`TestPlans/${one.Id}`, of(kanban));
    const moved = await read(`TestPlanRuns/${made.Id}?include=[Project,EntityState[Workflow[Process]]]`);
    expect([moved.Project.Id, moved.EntityState.Workflow.Process.Id]).toEqual([kanban, 2]);
    await remove(`TestPlans/${one.Id}`);
    expect((await app.ask(`/api/v1/TestPlanRuns/${made.Id}`)).status).toBe(404);
  });

  it('that lay below a deleted run does not go with the plan of that one', async () => {
    const one = await planWith(1);
    const top = await run(one);
    const low = await run(await planWith(1), { ParentTestPlanRun: { Id: top.Id } });
    for (const { Id } of [low, top]) await remove(`TestPlanRuns/${Id}`);
    await write('undelete', { EntityType: 'TestPlanRun', Id: low.Id });
    expect((await read(`TestPlanRuns/${low.Id}`)).ParentTestPlanRun).toBeNull();
    await remove(`TestPlans/${one.Id}`);
    expect((await app.ask(`/api/v1/TestPlanRuns/${low.Id}`)).status).toBe(200);
  });

  it('ends when it reaches its final state', async () => {
    const made = await run(await planWith(1));
    expect(made.EndDate).toBeNull();
    await finish(made.Id);
    expect((await read(`TestPlanRuns/${made.Id}`)).EndDate).not.toBeNull();
  });

  it('several at once have each their own', async () => {
    const [one, other] = [await planWith(1), await planWith(2)];
    const { Items } = await write('TestPlanRuns/bulk', [
      { TestPlan: { Id: one.Id } },
      { TestPlan: { Id: other.Id } },
      { TestPlan: { Id: one.Id }, Name: 'again' },
    ]);
    expect(Items.map((it: { Name: string; NotRunCount: number }) => [it.Name, it.NotRunCount])).toEqual([
      ['plan', 1],
      ['plan', 2],
      ['again', 1],
    ]);
  });

  it('of a plan with a thousand test cases is made in one go', async () => {
    const one = await planWith(1000);
    const made = await run(one);
    expect(made.NotRunCount).toBe(1000);
    const all = await caseRuns(made);
    await write(
      'TestCaseRuns/bulk',
      all.map(({ Id }) => ({ Id, Status: 'Passed' })),
    );
    expect(await counts(made.Id)).toEqual([0, 1000, 0, 0, 0]);
  });
});

describe('test case runs', () => {
  const why = 'Add TestCase to TestPlan to create a TestCaseRun.';

  it('are not created by themselves', async () => {
    const made = await run(await planWith(1));
    const one = await testCase();
    await refused('TestCaseRuns', { TestPlanRun: { Id: made.Id }, TestCase: { Id: one.Id } }, why);
    await refused('TestCaseRuns', {}, why);
    await refused('TestCaseRuns', `<TestCaseRun><TestPlanRun Id="${made.Id}"/></TestCaseRun>`, why);
    await refused('TestCaseRuns/bulk', [{ TestPlanRun: { Id: made.Id } }], `[0]: ${why}`);
    await refused(`TestPlanRuns/${made.Id}`, { TestCaseRuns: [{ Status: 'Passed' }] }, `TestCaseRuns[0]: ${why}`);
    await refused(`TestPlanRuns/${made.Id}/TestCaseRuns`, { Status: 'Passed' }, why);
    await refused('TestPlanRuns', { TestPlan: { Id: made.TestPlan.Id }, TestCaseRuns: [{}] }, why);
  });

  it('appear when a test case comes to a plan with runs that are not over, whichever side is written', async () => {
    const one = await planWith(1);
    const over = await run(one);
    await finish(over.Id);
    const [first, second] = [await run(one), await run(one)];
    const [fromPlan, fromCase, fromInner] = [await testCase(), await testCase(), await testCase()];
    await write(`TestPlans/${one.Id}`, { TestCases: [{ Id: fromPlan.Id }, { Name: 'new', ...of(project) }] });
    await write(`TestCases/${fromCase.Id}`, `<TestCase><TestPlans><TestPlan Id="${one.Id}"/></TestPlans></TestCase>`);
    await write(`TestPlans/${one.Id}/TestCases`, { Id: fromInner.Id });
    await testCase({ TestPlans: [{ Id: one.Id }], TestSteps: [{ Description: 'later' }] });
    for (const { Id } of [first, second]) expect(await counts(Id)).toEqual([6, 0, 0, 0, 0]);
    expect(await counts(over.Id)).toEqual([1, 0, 0, 0, 0]);
    // Once is enough.
    await write(`TestPlans/${one.Id}`, { TestCases: [{ Id: fromPlan.Id }] });
    expect(await counts(first.Id)).toEqual([6, 0, 0, 0, 0]);
    const last = (await caseRuns(first)).find(({ Name }) => Name === 'case');
    expect(last.RootTestPlanRun.Id).toBe(first.Id);
    const steps = await list(`TestStepRuns?where=TestCaseRun.TestPlanRun.Id eq ${first.Id}&include=[Description]`);
    expect(steps).toMatchObject([{ Description: 'later' }]);
  });

  it('appear in the runs below other runs too', async () => {
    const low = await plan();
    const top = await plan({ ChildTestPlans: [{ Id: low.Id }] });
    const made = await run(top);
    await testCase({ TestPlans: [{ Id: low.Id }] });
    expect(await counts(made.Id)).toEqual([1, 0, 0, 0, 0]);
    expect(await list(`TestCaseRuns?where=RootTestPlanRun.Id eq ${made.Id}`)).toHaveLength(1);
  });

  it('say who ran them and when; the run counts, the test case remembers', async () => {
    const made = await run(await planWith(2));
    const [one] = await caseRuns(made);
    const failed = await write(
      `TestCaseRuns/${one.Id}`,
      { Status: 'failed', Comment: 'the sum is wrong' },
      { as: 'alice' },
    );
    expect(failed).toMatchObject({ Status: 'Failed', Comment: 'the sum is wrong', LastExecutor: { Id: 3 } });
    expect(failed.EndRunDate).toBe(failed.StartRunDate);
    expect(await counts(made.Id)).toEqual([1, 0, 1, 0, 0]);
    expect(
      await read(`TestCases/${one.TestCase.Id}?include=[LastRunStatus,LastFailureComment,LastRunDate,LastStatus]`),
    ).toMatchObject({
      LastRunStatus: 'Failed',
      LastFailureComment: 'the sum is wrong',
      LastRunDate: failed.EndRunDate,
      LastStatus: false,
    });
    await write(`TestCaseRuns/${one.Id}`, { Comment: 'and the total' });
    expect(await read(`TestCases/${one.TestCase.Id}`)).toMatchObject({ LastFailureComment: 'and the total' });
    const passed = await write(`TestCaseRuns/${one.Id}`, '<TestCaseRun><Status>Passed</Status></TestCaseRun>');
    expect(passed).toMatchObject({ StartRunDate: failed.StartRunDate, LastExecutor: { Id: 1 } });
    expect(
      await read(`TestCases/${one.TestCase.Id}?include=[LastRunStatus,LastFailureComment,LastStatus]`),
    ).toMatchObject({
      LastRunStatus: 'Passed',
      LastFailureComment: null,
      LastStatus: true,
    });
    const again = await write(`TestCaseRuns/${one.Id}`, { Status: 'NotRun' });
    expect(again).toMatchObject({ StartRunDate: null, EndRunDate: null, LastExecutor: null, Comment: 'and the total' });
    expect(await read(`TestCases/${one.TestCase.Id}`)).toMatchObject({ LastRunStatus: null, LastRunDate: null });
    expect(await counts(made.Id)).toEqual([2, 0, 0, 0, 0]);
  });

  it('keep the dates that a client says', async () => {
    const [one] = await caseRuns(await run(await planWith(1)));
    const ran = await write(`TestCaseRuns/${one.Id}`, { Status: 'Blocked', EndRunDate: '2026-01-02T10:00:00' });
    expect([ran.StartRunDate, ran.EndRunDate]).toEqual(Array(2).fill('/Date(1767348000000+0000)/'));
    expect((await read(`TestCases/${one.TestCase.Id}`)).LastRunDate).toBe(ran.EndRunDate);
    await refused(`TestCaseRuns/${one.Id}`, { StartRunDate: '2026-01-03' }, 'EndRunDate: the end is before the start.');
    await refused(`TestCaseRuns/${one.Id}`, { Status: 'Great' }, 'NotRun, Passed, Failed, OnHold, Blocked');
  });

  it('the last one that was run counts for the test case, not the last one that was written', async () => {
    const one = await planWith(1);
    const [[early], [late]] = [await caseRuns(await run(one)), await caseRuns(await run(one))];
    await write(`TestCaseRuns/${late.Id}`, { Status: 'Passed', EndRunDate: '2026-02-01' });
    await write(`TestCaseRuns/${early.Id}`, { Status: 'Failed', EndRunDate: '2026-01-01' });
    expect((await read(`TestCases/${early.TestCase.Id}`)).LastRunStatus).toBe('Passed');
    await remove(`TestPlanRuns/${late.TestPlanRun.Id}`);
    expect((await read(`TestCases/${early.TestCase.Id}`)).LastRunStatus).toBe('Failed');
  });

  it('count for the test case in its own project', async () => {
    const testPlan = await planWith(1);
    const [one] = await caseRuns(await run(testPlan));
    const last = async () => (await read(`TestCases/${one.TestCase.Id}`)).LastRunStatus;
    await write(`TestCaseRuns/${one.Id}`, { Status: 'Failed' });
    expect(await last()).toBe('Failed');
    await write(`TestPlans/${testPlan.Id}`, of(kanban));
    expect(await last()).toBeNull();
    await write(`TestCases/${one.TestCase.Id}`, of(kanban));
    expect(await last()).toBe('Failed');
  });

  it('are changed with their run, and stay in it', async () => {
    const [made, other] = [await run(await planWith(2)), await run(await planWith(1))];
    const runs = await caseRuns(made);
    const changed = await write(`TestPlanRuns/${made.Id}`, {
      TestCaseRuns: runs.map(({ Id }) => ({ Id, Status: 'OnHold' })),
    });
    expect([changed.OnHoldCount, changed.NotRunCount]).toEqual([2, 0]);
    const stays = 'TestPlanRun: a test case run stays in its run.';
    await refused(`TestCaseRuns/${runs[0].Id}`, { TestPlanRun: { Id: other.Id } }, stays);
    await refused(`TestPlanRuns/${other.Id}`, { TestCaseRuns: [{ Id: runs[0].Id }] }, stays);
  });

  it('many at once, in one body: all or none', async () => {
    const made = await run(await planWith(6));
    const all = await caseRuns(made);
    const statuses = ['Passed', 'Failed', 'OnHold', 'Blocked', 'NotRun', 'Passed'];
    const { Items } = await write(
      'TestCaseRuns/bulk',
      all.map(({ Id }, at) => ({ Id, Status: statuses[at] })),
    );
    expect(Items.map(({ Status }: { Status: string }) => Status)).toEqual(statuses);
    expect(await counts(made.Id)).toEqual([1, 2, 1, 1, 1]);
    await refused(
      'TestCaseRuns/bulk',
      [
        { Id: all[0].Id, Status: 'NotRun' },
        { Id: all[1].Id, Status: 'Passed', StartRunDate: '2035-01-01' },
      ],
      '[1].EndRunDate: the end is before the start.',
    );
  });

  it('many at once, in as many requests: the counts are what a count gives', async () => {
    const low = await planWith(10);
    const top = await planWith(10, { ChildTestPlans: [{ Id: low.Id }] });
    const made = await run(top);
    const all = await list(`TestCaseRuns?where=RootTestPlanRun.Id eq ${made.Id}`);
    const statuses = ['Passed', 'Failed', 'OnHold', 'Blocked'];
    await Promise.all(all.map(({ Id }, at) => write(`TestCaseRuns/${Id}`, { Status: statuses[at % 4] })));
    expect(await counts(made.Id)).toEqual([0, 5, 5, 5, 5]);
    const [below] = await list(`TestPlanRuns/${made.Id}/TestPlanRuns`);
    const own = await caseRuns(below);
    expect(await counts(below.Id)).toEqual(
      ['NotRun', ...statuses].map((status) => own.filter(({ Status }) => Status === status).length),
    );
  });

  it('a test case that comes while a run is started is in it once', async () => {
    const one = await planWith(3);
    const added = await Promise.all([testCase(), testCase(), testCase()]);
    const [made] = await Promise.all([
      run(one),
      ...added.map(({ Id }) => write(`TestPlans/${one.Id}/TestCases`, { Id })),
    ]);
    expect(await counts(made.Id)).toEqual([6, 0, 0, 0, 0]);
    expect(await caseRuns(made)).toHaveLength(6);
  });

  it('are deleted with their steps and bugs, and no longer counted', async () => {
    const created = await bug();
    const one = await planWith(2, { TestCases: cases(2, { TestSteps: [{ Description: 's' }] }) });
    const made = await run(one);
    const [first] = await caseRuns(made);
    await write(`TestCaseRuns/${first.Id}`, { Status: 'Failed', Bugs: [{ Id: created.Id }] });
    await remove(`TestCaseRuns/${first.Id}`);
    expect(await counts(made.Id)).toEqual([1, 0, 0, 0, 0]);
    expect(await list(`TestPlanRuns/${made.Id}/Bugs`)).toEqual([]);
    expect((await read(`TestCases/${first.TestCase.Id}`)).LastRunStatus).toBeNull();
    const [{ n }] = await app.rows('select count(*)::int n from test_step_run where test_case_run_id = $1', [first.Id]);
    expect(n).toBe(0);
    const [second] = await caseRuns(made);
    await remove(`TestPlanRuns/${made.Id}/TestCaseRuns/${second.Id}`);
    expect(await counts(made.Id)).toEqual([0, 0, 0, 0, 0]);
  });

  it('stay when their test case is deleted', async () => {
    const made = await run(await planWith(2));
    const [one] = await caseRuns(made);
    await remove(`TestCases/${one.TestCase.Id}`);
    expect((await app.ask(`/api/v1/TestCases/${one.TestCase.Id}`)).status).toBe(404);
    expect(await caseRuns(made)).toHaveLength(2);
    expect(await write(`TestCaseRuns/${one.Id}`, { Status: 'Passed' })).toMatchObject({ Status: 'Passed' });
    expect(await counts(made.Id)).toEqual([1, 1, 0, 0, 0]);
  });

  it('are written by members of the project, not by observers and not by those who cannot see them', async () => {
    const [place] = await app.rows(
      `select g.id from general g join project_member m on m.project_id = g.id and m.user_id = 23
       where g.entity_type_id = 1 and g.delete_date is null order by g.id limit 1`,
    );
    const one = await plan({ ...of(place.id), TestCases: cases(1, of(place.id)) });
    const made = await run(one);
    const [caseRun] = await caseRuns(made);
    const observed = await app.post(`/api/v1/TestCaseRuns/${caseRun.Id}`, { Status: 'Passed' }, { as: 'uma' });
    expect(observed.status).toBe(403);
    const [stranger] = await app.rows(
      `select login from general_user u where kind = 'User' and is_active and not is_administrator and delete_date is null
       and not is_observer and not exists (select 1 from project_member m where m.user_id = u.id and m.project_id = $1)
       and not exists (select 1 from team_member m join team_project p on p.team_id = m.team_id
         where m.user_id = u.id and p.project_id = $1) order by id limit 1`,
      [place.id],
    );
    const hidden = await app.post(`/api/v1/TestCaseRuns/${caseRun.Id}`, { Status: 'Passed' }, { as: stranger.login });
    expect(hidden.status).toBe(404);
    const start = await app.post('/api/v1/TestPlanRuns', { TestPlan: { Id: one.Id } }, { as: stranger.login });
    expect(start.status).toBe(400);
    expect(await counts(made.Id)).toEqual([1, 0, 0, 0, 0]);
  });
});

describe('bugs of test case runs', () => {
  const bugsOf = async (path: string) => (await list(`${path}/Bugs?include=[Id]`)).map(({ Id }) => Id);

  it('are bugs of the run too, whichever side they are joined on', async () => {
    const made = await run(await planWith(2));
    const [one, other] = await caseRuns(made);
    const created = await bug();
    await write(`TestCaseRuns/${one.Id}`, { Bugs: [{ Id: created.Id }, { Name: 'new bug', ...of(project) }] });
    expect(await bugsOf(`TestPlanRuns/${made.Id}`)).toHaveLength(2);
    const second = await bug({ TestCaseRuns: [{ Id: other.Id }] });
    expect(await bugsOf(`TestPlanRuns/${made.Id}`)).toContain(second.Id);
    expect(await bugsOf(`TestCaseRuns/${other.Id}`)).toEqual([second.Id]);
    const inner = await write(`TestCaseRuns/${one.Id}/Bugs`, { Name: 'inner', ...of(project) });
    expect(await bugsOf(`TestPlanRuns/${made.Id}`)).toContain(inner.Id);
    const seen = await list(`Bugs?where=(TestPlanRuns.TestPlan.Id eq ${made.TestPlan.Id})&include=[Id]`);
    expect(seen).toHaveLength(4);
    await write(`TestCaseRuns/${other.Id}`, `<TestCaseRun><Bugs><Bug Id="${created.Id}"/></Bugs></TestCaseRun>`);
    expect(await bugsOf(`TestCaseRuns/${other.Id}`)).toContain(created.Id);
  });

  it('leave the run when no other test case of it has found them', async () => {
    const made = await run(await planWith(2));
    const [one, other] = await caseRuns(made);
    const both = await bug({ TestCaseRuns: [{ Id: one.Id }, { Id: other.Id }] });
    await remove(`TestCaseRuns/${one.Id}/Bugs/${both.Id}`);
    expect(await bugsOf(`TestPlanRuns/${made.Id}`)).toEqual([both.Id]);
    await remove(`TestCaseRuns/${other.Id}/bugs/${both.Id}`);
    expect(await bugsOf(`TestPlanRuns/${made.Id}`)).toEqual([]);
    const gone = await app.ask(`/api/v1/TestCaseRuns/${other.Id}/Bugs/${both.Id}`, { method: 'DELETE' });
    expect(gone.status).toBe(404);
  });
});

describe('runs of test steps', () => {
  const started = async () => {
    const one = await plan({ TestCases: cases(1, { TestSteps: [{ Description: 'a' }, { Description: 'b' }] }) });
    const made = await run(one);
    const [caseRun] = await caseRuns(made);
    return { made, caseRun, steps: await list(`TestCaseRuns/${caseRun.Id}/TestStepRuns`) };
  };

  it('are passed, or run without passing', async () => {
    const { steps } = await started();
    expect(await write(`TestStepRuns/${steps[0].Id}`, { Passed: true })).toMatchObject({ Passed: true, Runned: true });
    expect(
      await write(`TestStepRuns/${steps[1].Id}`, '<TestStepRun><Runned>true</Runned></TestStepRun>'),
    ).toMatchObject({
      Passed: false,
      Runned: true,
    });
    expect(await write(`TestStepRuns/${steps[0].Id}`, { Runned: false })).toMatchObject({
      Passed: false,
      Runned: false,
    });
    await refused(
      `TestStepRuns/${steps[1].Id}`,
      { Passed: true, Runned: false },
      'Passed: what was not run has not passed.',
    );
  });

  it('are created in a test case run, with the text of the step they are of, or at the end', async () => {
    const { caseRun, steps } = await started();
    const extra = await write('TestStepRuns', { TestCaseRun: { Id: caseRun.Id }, Description: 'also', Passed: true });
    expect(extra).toMatchObject({ RunOrder: 3, Runned: true, TestStep: null });
    await remove(`TestStepRuns/${steps[0].Id}`);
    const again = await write('TestStepRuns', { TestCaseRun: { Id: caseRun.Id }, TestStep: steps[0].TestStep });
    expect(again).toMatchObject({ Description: 'a', RunOrder: 1 });
    await refused('TestStepRuns', { Description: 'of nothing' }, 'TestCaseRun: a value is required.');
    const other = await testCase({ TestSteps: [{ Description: 'x' }] });
    const [foreign] = await list(`TestCases/${other.Id}/TestSteps`);
    await refused(
      'TestStepRuns',
      { TestCaseRun: { Id: caseRun.Id }, TestStep: { Id: foreign.Id } },
      'TestStep.Id: the step is not one of the test case that is run.',
    );
    const elsewhere = await started();
    await refused(
      `TestStepRuns/${again.Id}`,
      { TestCaseRun: { Id: elsewhere.caseRun.Id } },
      'TestCaseRun: a test step run stays in its test case run.',
    );
  });

  it('are written with their test case run, in both formats', async () => {
    const { made, caseRun, steps } = await started();
    const passed = async () => (await list(`TestCaseRuns/${caseRun.Id}/TestStepRuns`)).map(({ Passed }) => Passed);
    await write(`TestCaseRuns/${caseRun.Id}`, { TestStepRuns: [{ Id: steps[0].Id, Passed: true }] });
    expect(await passed()).toEqual([true, false]);
    const xml = `<TestCaseRun><TestStepRuns><TestStepRun Id="${steps[1].Id}" Passed="true"/></TestStepRuns></TestCaseRun>`;
    await write(`TestCaseRuns/${caseRun.Id}`, xml);
    expect(await passed()).toEqual([true, true]);
    await write(`TestCaseRuns/${caseRun.Id}/TestStepRuns`, { Id: steps[0].Id, Passed: false });
    await write(`TestPlanRuns/${made.Id}`, {
      TestCaseRuns: [{ Id: caseRun.Id, TestStepRuns: [{ Description: 'also' }] }],
    });
    expect(await passed()).toEqual([false, true, false]);
  });

  it('follow the test case until it is run, and keep what was done afterwards', async () => {
    const { caseRun, steps } = await started();
    const stepRuns = async () =>
      (await list(`TestCaseRuns/${caseRun.Id}/TestStepRuns`)).map(({ Description, TestStep }) => [
        Description,
        TestStep !== null,
      ]);
    const [first, second] = steps.map(({ TestStep }) => TestStep.Id);
    await write(`TestSteps/${first}`, { Description: 'A' });
    await write('TestSteps', { TestCase: { Id: caseRun.TestCase.Id }, Description: 'c' });
    await remove(`TestSteps/${second}`);
    expect(await stepRuns()).toEqual([
      ['A', true],
      ['c', true],
    ]);
    await write(`TestCaseRuns/${caseRun.Id}`, { Status: 'Passed' });
    await write('TestSteps', { TestCase: { Id: caseRun.TestCase.Id }, Description: 'd' });
    await remove(`TestSteps/${first}`);
    expect(await stepRuns()).toEqual([
      ['A', false],
      ['c', true],
    ]);
  });
});
