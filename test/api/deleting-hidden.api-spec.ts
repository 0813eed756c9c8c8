/** What went along with something else is told to nobody who could not see it then, for whatever reason. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
const ids: Ids = { Process: 3, Role: 1 };
let hiddenProject: number;
const callers = ['run.member', 'run.observer', 'case.member'];

beforeAll(async () => {
  app = await TestApp.start();
  ids.Project = await make(app, 'Project', { mark: 'own', ids });
  hiddenProject = await make(app, 'Project', { mark: 'hidden', ids });
  for (const Login of callers) {
    const User = await make(app, 'User', { mark: '', ids }, { Login, IsObserver: Login === 'run.observer' });
    await make(app, 'ProjectMember', { mark: '', ids: { ...ids, User } });
    const joined = { ...ids, User, Project: hiddenProject };
    if (Login === 'case.member') await make(app, 'ProjectMember', { mark: '', ids: joined });
  }
});
afterAll(() => app.stop());

const remove = (path: string, as = 'admin', body?: unknown) =>
  app.ask(`/api/v1/${path}?format=json`, {
    method: 'DELETE',
    as,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  });
const statusToAll = (path: string, body?: unknown): Promise<number[]> =>
  Promise.all(callers.map(async (as) => (await remove(path, as, body)).status));

/** A run, in the callers' project, of a test case that lies in another one. */
async function runOfHiddenCase() {
  const { Id: testCase } = await app.write('TestCases', {
    Name: 'case',
    Project: { Id: hiddenProject },
    TestSteps: [{ Description: 'first' }, { Description: 'second' }],
  });
  const plan = { Name: 'plan', Project: { Id: ids.Project }, TestCases: [{ Id: testCase }] };
  const TestPlan = { Id: (await app.write('TestPlans', plan)).Id };
  const { Id: run } = await app.write('TestPlanRuns', { TestPlan });
  const [caseRun] = await app.items(`/api/v1/TestPlanRuns/${run}/TestCaseRuns?include=[Id,TestStepRuns]`);
  const stepRuns: number[] = caseRun.TestStepRuns.Items.map(({ Id }: { Id: number }) => Id);
  const [step] = await app.items(`/api/v1/TestCases/${testCase}/TestSteps`);
  return { testCase, caseRun: `TestCaseRuns/${caseRun.Id}`, stepRuns, step: `TestSteps/${step.Id}` };
}

it.each(['caseRun', 'step'] as const)('step runs that went with a %s of a hidden test case', async (what) => {
  const run = await runOfHiddenCase();
  expect((await remove(run[what])).status).toBe(200);
  const gone = what === 'step' ? run.stepRuns.slice(0, 1) : run.stepRuns;
  for (const id of gone) {
    expect((await remove(`TestStepRuns/${id}`)).status).toBe(200);
    expect(await statusToAll(`TestStepRuns/${id}`)).toEqual([404, 404, 200]);
    expect(await statusToAll('TestStepRuns/bulk', [{ Id: id }])).toEqual([404, 404, 200]);
  }
});

it('step runs of a test case that had been deleted are told to those who see what lies where it lay', async () => {
  const { testCase, caseRun, stepRuns } = await runOfHiddenCase();
  expect((await remove(`TestCases/${testCase}`)).status).toBe(200);
  expect((await remove(caseRun)).status).toBe(200);
  expect(await statusToAll(`TestStepRuns/${stepRuns[0]}`)).toEqual([404, 404, 200]);
});
