/**
 * Every write of the contract and of real clients, in JSON and, where XML can say it, in XML; read back in the other
 * format.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let ids: Record<string, number>;

const chosen: Record<string, string> = {
  project: 'select min(id) id from general where entity_type_id = 1 and process_id = 3 and delete_date is null',
  project2: 'select max(id) id from general where entity_type_id = 1 and process_id = 3 and delete_date is null',
  story:
    'select min(g.id) id from general g where entity_type_id = 4 and delete_date is null and project_id = {project}',
  story2:
    'select max(g.id) id from general g where entity_type_id = 4 and delete_date is null and project_id = {project}',
  task: 'select min(id) id from general where entity_type_id = 5 and delete_date is null and project_id = {project}',
  bug: 'select min(id) id from general where entity_type_id = 8 and delete_date is null and project_id = {project}',
  feature: 'select min(id) id from general where entity_type_id = 9 and delete_date is null and project_id = {project}',
  epic: 'select min(id) id from general where entity_type_id = 27 and delete_date is null',
  request:
    'select min(g.id) id from general g join assignment a on a.assignable_id = g.id where entity_type_id = 17 and delete_date is null',
  requestAssignment: 'select min(a.id) id from assignment a where assignable_id = {request}',
  team: 'select min(team_id) id from team_project where project_id = {project}',
  testPlan: 'select min(id) id from general where entity_type_id = 13 and delete_date is null',
  testCase: 'select min(test_case_id) id from test_plan_test_case where test_plan_id = {testPlan}',
  testStep: 'select min(id) id from test_step where test_case_id = {testCase}',
  comment: 'select min(c.id) id from comment c join general g on g.id = c.general_id where g.delete_date is null',
  roleEffort: 'select min(id) id from role_effort where assignable_id = {task}',
};

beforeAll(async () => {
  app = await TestApp.start();
  ids = {};
  for (const [name, query] of Object.entries(chosen)) {
    const [row] = await app.rows(filled(query));
    expect(row?.id ?? null, name).not.toBeNull();
    ids[name] = row.id;
  }
});
afterAll(() => app.stop());

const filled = (text: string): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => (ids[name] === undefined ? all : String(ids[name])));

interface Write {
  post: string;
  json: string;
  xml?: string;
  status: number;
  /** What a read of the entity tells afterwards; `reads` is the address when it is not that of the answer. */
  shows: object;
  reads?: string;
}

const writes: Write[] = [
  {
    post: '/api/v1/comments/?format=json',
    json: '{"description":"text\\nncc - …","owner":{"id":"1"},"general":{"id":"{story}"}}',
    xml: '<Comment><Description>text\nncc - …</Description><Owner Id="1"/><General Id="{story}"/></Comment>',
    status: 201,
    shows: { Description: 'text\nncc - …', General: { Id: '{story}' } },
  },
  {
    post: '/api/v1/bugs/?format=json',
    json: '{"Name":"text","Project":{"Id":"{project}"},"customFields":[{"name":"Origin","type":"DropDown","value":"Manual QA"}],"assignedTeams":[{"team":{"id":"{team}"}}],"Description":"text","UserStory":{"Id":"{story}"}}',
    xml: '<Bug Name="text"><Project Id="{project}"/><CustomFields><Field Type="DropDown"><Name>Origin</Name><Value>Manual QA</Value></Field></CustomFields><AssignedTeams><TeamAssignment><Team Id="{team}"/></TeamAssignment></AssignedTeams><Description>text</Description><UserStory Id="{story}"/></Bug>',
    status: 201,
    shows: { Name: 'text', Team: { Id: '{team}' }, UserStory: { Id: '{story}' } },
  },
  {
    post: '/api/v1/UserStories/{story}/?format=json',
    json: '{"id":"{story}"}',
    xml: '<UserStory Id="{story}"/>',
    status: 200,
    shows: { Id: '{story}' },
  },
  {
    post: '/api/v1/UserStories/?format=json',
    json: '{"Name":"text","Project":{"Id":"{project}"},"assignedTeams":[{"team":{"id":"{team}"}}]}',
    status: 201,
    shows: { Name: 'text' },
  },
  {
    post: '/api/v1/Features/?format=json',
    json: '{"Id":"{feature}"}',
    xml: '<Feature Id="{feature}"/>',
    status: 200,
    shows: { Id: '{feature}' },
  },
  { post: '/api/v1/Epics/?format=json', json: '{"Id":"{epic}"}', status: 200, shows: { Id: '{epic}' } },
  {
    post: '/api/v1/testCases/?format=json',
    json: '{"Name":"text","Project":{"Id":"{project}"},"Description":"text","TestPlans":[{"Id":"{testPlan}"}]}',
    xml: '<TestCase Name="text" Description="text"><Project Id="{project}"/><TestPlans><TestPlan Id="{testPlan}"/></TestPlans></TestCase>',
    status: 201,
    shows: { Name: 'text' },
  },
  {
    post: '/api/v1/Times/?format=json',
    json: '{"Spent":7,"Date":"/Date(1795220065520)/","User":{"Id":"1"},"Assignable":{"Id":"{task}","ResourceType":"Task"}}',
    xml: '<Time><Spent>7</Spent><Date>/Date(1795220065520)/</Date><User Id="1"/><Assignable Id="{task}"/></Time>',
    status: 201,
    shows: { Spent: 7, Date: '/Date(1795220065520+0000)/' },
  },
  {
    post: '/api/v1/UserStories/{story}?format=json',
    json: '{}',
    xml: '<UserStory/>',
    status: 200,
    shows: { Id: '{story}' },
  },
  { post: '/api/v1/UserStorys/{story}', json: '{}', status: 200, shows: { Id: '{story}' } },
  {
    post: '/api/v1/Relations?',
    json: '{"Master":{"Id":{story}},"Slave":{"Id":{bug}},"RelationType":{"Id":2}}',
    xml: '<Relation><Master Id="{story2}"/><Slave Id="{bug}"/><RelationType Id="2"/></Relation>',
    status: 201,
    shows: { RelationType: { Id: 2, Name: 'Blocker' } },
  },
  {
    post: '/api/v1/Assignments?',
    json: '{"Assignable":{"Id":{story2}},"GeneralUser":{"Id":7}}',
    xml: '<Assignment><Assignable Id="{feature}"/><GeneralUser Id="9"/></Assignment>',
    status: 201,
    shows: { Role: { Id: expect.any(Number) } },
  },
  {
    post: '/api/v1/RoleEfforts?',
    json: '{"Assignable":{"Id":{story2}},"Role":{"Id":2}}',
    xml: '<RoleEffort Effort="1.5"><Assignable Id="{feature}"/><Role Id="2"/></RoleEffort>',
    status: 201,
    shows: { Role: { Id: 2 } },
  },
  {
    post: '/api/v1/Comments',
    json: '{"Description":"hi","General":{"Id":{bug}}}',
    xml: '<Comment Description="hi"><General Id="{bug}"/></Comment>',
    status: 201,
    shows: { Description: 'hi' },
  },
  {
    post: '/api/v1/Bugs/?',
    json: '{"Id":{bug},"Name":"y"}',
    xml: '<Bug Id="{bug}" Name="y"/>',
    status: 200,
    shows: { Id: '{bug}', Name: 'y' },
  },
  {
    post: '/api/v1/Tasks/{task}?',
    json: '{"EntityState":{"Id":51}}',
    xml: '<Task><EntityState Id="52"/></Task>',
    status: 200,
    shows: { EntityState: { Name: expect.stringMatching(/In Progress|Done/) } },
  },
  {
    post: '/api/v1/RoleEfforts/{roleEffort}?include=[Id]&format=json',
    json: '{"Effort": 3}',
    xml: '<RoleEffort Effort="3"/>',
    status: 200,
    shows: { Effort: 3 },
    reads: 'RoleEfforts/{roleEffort}',
  },
  {
    post: '/api/v1/Tasks/',
    json: '{"Name":"task","UserStory":{"id":{story}}}',
    xml: '<Task Name="task"><UserStory Id="{story}"/></Task>',
    status: 201,
    shows: { Name: 'task', Project: { Id: '{project}' } },
  },
  {
    post: '/api/v1/Comment/{comment}?format=json',
    json: '{"Description":"new"}',
    xml: '<Comment Description="new"/>',
    status: 200,
    shows: { Description: 'new' },
  },
  {
    post: '/api/v1/TeamAssignment?format=json',
    json: '{"Assignable":{"Id":{story2}},"Team":{"Id":{team}}}',
    xml: '<TeamAssignment><Assignable Id="{bug}"/><Team Id="{team}"/></TeamAssignment>',
    status: 201,
    shows: { Team: { Id: '{team}' } },
  },
  {
    post: '/api/v1/UserStory/{story}?format=json',
    json: '{"CustomFields":[{"Name":"Risk","Value":null}]}',
    xml: '<UserStory><CustomFields><Field><Name>Risk</Name><Value nil="true"/></Field></CustomFields></UserStory>',
    status: 200,
    shows: { Id: '{story}' },
  },
  {
    post: '/api/v1/TestPlanRuns?resultInclude=[Id,TestCaseRuns[Id,TestCase[Id]]]',
    json: '{"Name":"run","Project":{"Id":{project}},"TestPlan":{"Id":{testPlan}}}',
    xml: '<TestPlanRun Name="run"><TestPlan Id="{testPlan}"/></TestPlanRun>',
    status: 201,
    shows: { Name: 'run', TestPlan: { Id: '{testPlan}' } },
  },
  {
    post: '/api/v1/UserStories?resultFormat=json&resultInclude=[Id,Name,Project]',
    json: '{"Name":"New User Story","Project":{"Id":{project}}}',
    xml: '<UserStory Name="New User Story"><Project Id="{project}"/></UserStory>',
    status: 201,
    shows: { Name: 'New User Story' },
  },
  {
    post: '/api/v1/userstories',
    json: '{"Name":"New story","Project":{"Id":{project}},"Assignments":[{"GeneralUser":{"Id":7},"Role":{"Id":1}}],"Roleefforts":[{"Role":{"Id":1},"Effort":10}]}',
    xml: '<UserStory Name="New story"><Project Id="{project}"/><Assignments><Assignment><GeneralUser Id="7"/><Role Id="1"/></Assignment></Assignments><RoleEfforts><RoleEffort><Role Id="1"/><Effort>10</Effort></RoleEffort></RoleEfforts></UserStory>',
    status: 201,
    shows: { Name: 'New story', Effort: 10 },
  },
  // The shapes of the contract itself.
  {
    post: '/api/v1/UserStories/{story}',
    json: '{Description: "a \\"quoted\\" text", EntityState: {Id: 47}}',
    xml: '<UserStory><Description>a "quoted" text</Description><EntityState Id="47"/></UserStory>',
    status: 200,
    shows: { Description: 'a "quoted" text', EntityState: { Id: 47 } },
  },
  {
    post: '/api/v1/UserStories/{story}',
    json: '{Assignments: {Items: [{GeneralUser: {Id: 3}, Role: {Id: 1}}]}, AssignedTeams: {Items: [{Team: {Id: {team}}}]}, RoleEfforts: {Items: [{Role: {Id: 9}, Effort: 2}]}}',
    status: 200,
    shows: { ResponsibleTeam: { Id: expect.any(Number) } },
  },
  {
    post: '/api/v1/UserStories/{story}',
    json: '{Tags: "a,b"}',
    xml: '<UserStory Tags="a,b"/>',
    status: 200,
    shows: { Tags: 'a, b' },
  },
  {
    post: '/api/v1/UserStories/{story}',
    json: '{TagObjects: [{Name: "brand new"}]}',
    xml: '<UserStory><TagObjects><Tag Name="brand newer"/></TagObjects></UserStory>',
    status: 200,
    shows: { Tags: expect.stringContaining('brand new') },
  },
  {
    post: '/api/v1/Users',
    json: '{FirstName: "Ann", LastName: "Lee", Email: "ann@example.com", Login: "ann-json", Password: "a long secret", IsActive: true, ProjectMembers: {Items: [{Project: {Id: {project}}, Role: {Id: 1}}]}}',
    xml: '<User FirstName="Ann" LastName="Lee" Email="ann2@example.com" Login="ann-xml" Password="a long secret" IsActive="true"><ProjectMembers><ProjectMember><Project Id="{project}"/><Role Id="1"/></ProjectMember></ProjectMembers></User>',
    status: 201,
    shows: { FirstName: 'Ann', IsActive: true, WeeklyAvailableHours: 40 },
  },
  {
    post: '/api/v1/times',
    json: '{Assignable: {Id: {bug}}, User: {Id: 1}, Spent: 1.5, Remain: 2, Description: "d"}',
    status: 201,
    shows: { Spent: 1.5, Remain: 2, Description: 'd', Project: { Id: '{project}' } },
  },
  {
    post: '/api/v1/Projects',
    json: '{Name: "Tau Product - Kanban #1"}',
    xml: '<Project Name="Tau Product - Kanban #1"/>',
    status: 201,
    shows: { Abbreviation: 'TPK', Process: { Id: 3 }, IsActive: true },
  },
  {
    post: '/api/v1/Impediments',
    json: '{Name: "in the way", Project: {Id: {project}}, Assignable: {Id: {story}}}',
    xml: '<Impediment Name="in the way"><Project Id="{project}"/></Impediment>',
    status: 201,
    shows: { Responsible: { Id: 1 }, EntityState: { Name: 'Open' } },
  },
  {
    post: '/api/v1/Builds',
    json: '{Name: "1.0.1", Project: {Id: {project}}, Bugs: [{Id: {bug}}]}',
    xml: '<Build Name="1.0.2"><Project Id="{project}"/></Build>',
    status: 201,
    shows: { BuildDate: expect.any(String) },
  },
  {
    post: '/api/v1/Requests',
    json: '{Name: "please", Project: {Id: {project}}}',
    xml: '<Request Name="please"><Project Id="{project}"/></Request>',
    status: 201,
    shows: { RequestType: { Name: 'Issue' }, SourceType: 'None', VotesCount: 1 },
  },
  {
    post: '/api/v1/Milestones',
    json: '{Name: "day", Date: "2030-01-01", CssClass: "red", Projects: [{Id: {project}}]}',
    xml: '<Milestone Name="day" Date="2030-01-01" CssClass="red"/>',
    status: 201,
    shows: { CssClass: 'red', Owner: { Id: 1 } },
  },
  {
    post: '/api/v1/Programs',
    json: '{Name: "program", Projects: [{Id: {project2}}]}',
    xml: '<Program Name="program"/>',
    status: 201,
    shows: { Name: 'program' },
  },
];

const cases = writes.flatMap((write) =>
  (['json', 'xml'] as const).flatMap((format) =>
    write[format] === undefined ? [] : [[write.post, format, write] as const],
  ),
);

/** Names in braces inside what is expected. */
const expected = (value: unknown): unknown => {
  if (typeof value === 'string') return /^\{\w+\}$/.test(value) ? Number(filled(value)) : value;
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expected(inner)]));
};

describe('POST', () => {
  it.each(cases)('%s in %s', async (post, format, { status, shows, reads, ...bodies }) => {
    const body = filled(bodies[format]!);
    const answer = await app.post(filled(post), body, { headers: { 'content-type': `application/${format}` } });
    expect(answer.status, answer.text).toBe(status);
    const isJson = answer.headers.get('content-type')!.includes('json');
    const shown = isJson ? answer.json : itemOf(await parseXml(answer.text));
    const collection = /^\/api\/v1\/(\w+)/.exec(post)![1]!;
    const path = reads ? filled(reads) : `${collection}/${shown.Id}`;
    expect(await app.json(`/api/v1/${path}`)).toMatchObject(expected(shows) as object);
    // The other format tells the same entity.
    expect(itemOf(await parseXml(await app.xml(`/api/v1/${path}`))).Id).toBe(
      String(reads ? path.split('/')[1] : shown.Id),
    );
  });
});

describe('POST /api/v1/Tasks/bulk?', () => {
  it('makes all of them, in JSON and XML', async () => {
    const json = '[{"Name":"a","UserStory":{"Id":{story}}},{"Name":"b","UserStory":{"Id":{story}}}]';
    const xml = `<Tasks>${['a', 'b'].map((name) => `<Task Name="${name}"><UserStory Id="{story}"/></Task>`).join('')}</Tasks>`;
    const inJson = await app.post('/api/v1/Tasks/bulk?', filled(json));
    const inXml = await app.post('/api/v1/Tasks/bulk?', filled(xml));
    expect([inJson.status, inXml.status]).toEqual([200, 200]);
    const made = [...inJson.json.Items, ...(await parseXml(inXml.text)).children.map(({ attributes }) => attributes)];
    const rows = await app.rows('select name, user_story_id as story from general where id = any($1) order by id', [
      made.map(({ Id }) => Number(Id)),
    ]);
    expect(rows).toEqual(['a', 'b', 'a', 'b'].map((name) => ({ name, story: ids.story })));
  });

  it('names the first that lacks its story', async () => {
    const answer = await app.post('/api/v1/Tasks/bulk?', '[{"Name":"a"},{"Name":"b"}]');
    expect(answer.status).toBe(400);
    expect(answer.json.Message).toMatch(/^\[0\]\.UserStory/);
  });
});

describe('DELETE', () => {
  it.each([
    '/api/v1/testSteps/{testStep}/?format=json',
    '/api/v1/testCases/{testCase}/?format=json',
    '/api/v1/bugs/{bug}/?format=json',
    '/api/v1/RoleEfforts/{roleEffort}?',
    '/api/v1/UserStories/{story}/',
    '/api/v1/Requests/{request}/Assignments/{requestAssignment}',
  ])('%s', async (path) => {
    const answer = await app.ask(filled(path), { method: 'DELETE' });
    expect(answer.status, answer.text).toBe(200);
    const address = filled(path).replace(/\/Requests\/\d+\/Assignments/, '/Assignments');
    expect((await app.ask(address)).status).toBe(404);
  });
});
