/** TestRunItemHierarchyLinks: which test case runs lie in a test plan run, or in one below it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
const ids: Ids = { Process: 3, Role: 1 };
const as = 'link.member';

// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
const write = async (path: string, body: unknown): Promise<any> => {
  const answer = await app.post(`/api/v1/${path}?format=json`, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};

/** A run of a plan with one case, and below it the run of a plan with another. */
async function run(): Promise<{ top: number; below: number }> {
  const Project = { Id: ids.Project };
  const child = await write('TestPlans', { Name: 'child', Project, TestCases: [{ Name: 'inner', Project }] });
  const plan = await write('TestPlans', {
    Name: 'top',
    Project,
    TestCases: [{ Name: 'outer', Project }],
    ChildTestPlans: [{ Id: child.Id }],
  });
  const { Id: top } = await write('TestPlanRuns', { TestPlan: { Id: plan.Id } });
  const [{ Id: below }] = await app.items(`/api/v1/TestPlanRuns/${top}/TestPlanRuns`);
  return { top, below };
}

const casesOf = async (id: number, path = 'TestCaseRunLinks'): Promise<string[]> => {
  const links = await app.items(`/api/v1/TestPlanRuns/${id}/${path}?include=[TestCaseRun[TestCase]]&take=1000`, { as });
  return links.map((link) => link.TestCaseRun.TestCase.Name).sort();
};

beforeAll(async () => {
  app = await TestApp.start();
  ids.Project = await make(app, 'Project', { mark: 'link', ids });
  const User = await make(app, 'User', { mark: 'link', ids }, { Login: as });
  await make(app, 'ProjectMember', { mark: '', ids: { ...ids, User } });
  await make(app, 'User', { mark: 'link', ids }, { Login: 'link.outsider' });
});
afterAll(() => app.stop());

it('a run has links to the case runs in it and below it, in both formats', async () => {
  const { top, below } = await run();
  expect([await casesOf(top), await casesOf(below)]).toEqual([['inner', 'outer'], ['inner']]);
  const [inner] = await app.items(`/api/v1/TestPlanRuns/${below}/TestCaseRuns`);
  const [first] = await app.items(`/api/v1/TestCaseRuns/${inner.Id}/TestPlanRunLinks`, { as });
  expect(first).toEqual({
    ResourceType: 'TestRunItemHierarchyLink',
    Id: expect.any(Number),
    TestCaseRun: expect.objectContaining({ Id: inner.Id }),
    TestPlanRun: expect.objectContaining({ Id: expect.any(Number) }),
  });
  const xml = await parseXml(
    await app.xml(`/api/v1/TestRunItemHierarchyLinks?where=TestCaseRun.Id eq ${inner.Id}&orderBy=TestPlanRun.Id`, {
      as,
    }),
  );
  expect(xml.children.map((child) => Number((itemOf(child).TestPlanRun as { Id: string }).Id))).toEqual(
    [top, below].sort((a, b) => a - b),
  );
  const { items } = await app.json(`/api/v2/TestPlanRun?where=id==${top}&select={testCaseRunLinks.count() as n}`, {
    as,
  });
  expect(items).toEqual([{ n: 2 }]);
});

it('a run that is moved takes its links along', async () => {
  const { top, below } = await run();
  const other = await run();
  const ownLinks = () =>
    app.items(`/api/v1/TestRunItemHierarchyLinks?where=TestPlanRun.Id eq ${below}&include=[Id]&orderBy=Id`);
  const before = await ownLinks();
  await write(`TestPlanRuns/${below}`, { ParentTestPlanRun: { Id: other.below } });
  expect(await ownLinks()).toEqual(before);
  expect(await casesOf(top)).toEqual(['outer']);
  expect(await casesOf(other.below)).toEqual(['inner', 'inner']);
  expect(await casesOf(other.top)).toEqual(['inner', 'inner', 'outer']);
  await write(`TestPlanRuns/${below}`, { ParentTestPlanRun: null });
  expect(await casesOf(other.top)).toEqual(['inner', 'outer']);
});

it('links go with their case run and are hidden with their run', async () => {
  const { top, below } = await run();
  const [inner] = await app.items(`/api/v1/TestPlanRuns/${below}/TestCaseRuns`);
  expect((await app.ask(`/api/v1/TestCaseRuns/${inner.Id}`, { method: 'DELETE' })).status).toBe(200);
  expect(await casesOf(top)).toEqual(['outer']);
  await app.ask(`/api/v1/TestPlanRuns/${top}`, { method: 'DELETE' });
  expect(await app.items(`/api/v1/TestRunItemHierarchyLinks?where=TestPlanRun.Id eq ${top}`, { as })).toEqual([]);
});

it('links are seen by who sees both ends, and written by nobody', async () => {
  const { top } = await run();
  const [{ Id }] = await app.items(`/api/v1/TestPlanRuns/${top}/TestCaseRunLinks`);
  expect((await app.ask(`/api/v1/TestRunItemHierarchyLinks/${Id}`, { as: 'link.outsider' })).status).toBe(404);
  expect((await app.post('/api/v1/TestRunItemHierarchyLinks', {})).status).toBe(405);
  expect((await app.ask(`/api/v1/TestRunItemHierarchyLinks/${Id}`, { method: 'DELETE' })).status).toBe(405);
});

it('links and the run at the top lead through a run that the reader does not see', async () => {
  const Project = { Id: ids.Project };
  const elsewhere = { Id: await make(app, 'Project', { mark: 'link', ids }) };
  const low = await write('TestPlans', { Name: 'low', Project, TestCases: [{ Name: 'inner', Project }] });
  const middle = await write('TestPlans', { Name: 'middle', Project: elsewhere, ChildTestPlans: [{ Id: low.Id }] });
  const high = await write('TestPlans', { Name: 'high', Project, ChildTestPlans: [{ Id: middle.Id }] });
  const { Id: top } = await write('TestPlanRuns', { TestPlan: { Id: high.Id } });
  const [{ Id: between }] = await app.items(`/api/v1/TestPlanRuns/${top}/TestPlanRuns`);
  const [{ Id: below }] = await app.items(`/api/v1/TestPlanRuns/${between}/TestPlanRuns`);
  const shown = async () => {
    const include = 'include=[RootTestPlanRun,TestPlanRun[ParentTestPlanRun],TestPlanRunLinks[TestPlanRun]]';
    const [caseRun] = await app.items(`/api/v1/TestPlanRuns/${below}/TestCaseRuns?${include}`, { as });
    const links: { TestPlanRun: { Id: number } }[] = caseRun.TestPlanRunLinks.Items;
    return {
      parent: caseRun.TestPlanRun.ParentTestPlanRun,
      root: caseRun.RootTestPlanRun?.Id,
      links: links.map(({ TestPlanRun }) => TestPlanRun.Id).sort((a, b) => a - b),
      ofTop: await casesOf(top),
    };
  };
  expect((await app.ask(`/api/v1/TestPlanRuns/${between}`, { as })).status).toBe(404);
  expect(await shown()).toEqual({ parent: null, root: top, links: [top, below], ofTop: ['inner'] });
  await write(`TestPlanRuns/${between}`, { ParentTestPlanRun: null });
  expect(await shown()).toEqual({ parent: null, root: undefined, links: [below], ofTop: [] });
});
