/**
 * What an administrator does in a hidden project with visible things: runs test cases, links plans, notes times,
 * relates and comments. And with the private fields of visible things.
 */
import type { TestApp } from './app.js';
import type { Secrets } from './secrets.js';

export async function workInHiding(app: TestApp, { own, tied, secret }: Secrets): Promise<void> {
  const write = async (path: string, body: unknown): Promise<number> => {
    const { status, text, json } = await app.post(`/api/v1/${path}?format=json&include=[Id]`, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    return json.Id;
  };
  const at = (Id?: number) => ({ Id });
  const Project = at(secret.Project);

  const TestCases = [own.TestCase, tied.TestCase, secret.TestCase].map(at);
  const below = await write('TestPlans', { Name: 'hidden', Project, TestCases, LinkedGeneral: at(own.Bug) });
  const plan = await write('TestPlans', { Name: 'hidden', Project, TestCases, ChildTestPlans: [at(below)] });
  await write(`TestPlans/${plan}`, { LinkedGeneral: at(tied.UserStory) });
  await write(`Bugs/${secret.Bug}`, { LinkedTestPlan: at(own.TestPlan) });
  const run = await write('TestPlanRuns', { TestPlan: at(plan) });
  const caseRuns = await app.rows('select id from test_case_run where root_test_plan_run_id = $1 order by id', [run]);
  const failed = { Status: 'Failed', Comment: 'hidden', Bugs: [own.Bug, secret.Bug].map(at) };
  for (const { id } of caseRuns) await write(`TestCaseRuns/${id}`, failed);

  const story = await write('UserStories', { Name: 'hidden', Project, TagObjects: [at(own.Tag)], Owner: at(own.User) });
  await write('Comments', { General: at(story), Description: 'hidden', Owner: at(own.User) });
  await write('Times', { Assignable: at(story), Spent: 1, CustomActivity: at(own.CustomActivity), User: at(own.User) });
  await write('Assignments', { Assignable: at(story), GeneralUser: at(own.User), Role: at(1) });
  await write('GeneralFollowers', { General: at(story), User: at(own.User) });
  await write('Relations', { Master: at(story), Slave: at(own.UserStory), RelationType: at(1) });
  await write('Relations', { Master: at(tied.Bug), Slave: at(story), RelationType: at(2) });
  await write('Impediments', { Name: 'hidden', Project, Assignable: at(own.UserStory), Responsible: at(own.User) });
  await write(`Messages/${own.Message}`, { MessageUid: at(secret.MessageUid) });
  await write(`Users/${own.User}`, { Login: 'renamed', Email: 'renamed@example.com', Password: 'renamed person' });
  await write(`Requesters/${own.Requester}`, { Email: 'renamed.requester@example.com' });
  await write('Requests', { Name: 'hidden', Project, Requesters: [at(own.Requester)] });
}
