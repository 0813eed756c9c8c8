/** Requests of programs in use are answered with what those read: reads as the table has them, and writes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, TestApp } from '../support/app.js';
import { parseXml } from '../support/xml.js';
import { gathered } from './gathered-requests.js';

let app: TestApp;
let ids: Record<string, string>;

const chosen: Record<string, string> = {
  story:
    'select g.id from general g join assignment a on a.assignable_id = g.id where entity_type_id = 4 and delete_date is null and feature_id is not null and team_iteration_id is not null order by g.id limit 1',
  bug: 'select g.id from general g join assignment a on a.assignable_id = g.id where entity_type_id = 8 and delete_date is null order by g.id limit 1',
  task: 'select min(id) id from general where entity_type_id = 5 and delete_date is null',
  feature:
    'select feature_id id from general where entity_type_id = 4 and feature_id is not null and delete_date is null limit 1',
  project: 'select min(id) id from general where entity_type_id = 1 and process_id = 3 and delete_date is null',
  request: 'select min(id) id from general where entity_type_id = 17 and delete_date is null',
  team: 'select min(team_id) id from team_member',
  teamIteration:
    'select team_iteration_id id from general where entity_type_id = 4 and team_iteration_id is not null and delete_date is null order by id limit 1',
  release:
    'select release_id id from general where entity_type_id = 8 and release_id is not null and delete_date is null limit 1',
  plan: 'select min(p.id) id from general p join test_plan_test_case l on l.test_plan_id = p.id where p.delete_date is null',
  case: 'select min(test_case_id) id from test_plan_test_case',
  run: 'select min(test_plan_run_id) id from test_case_run',
  user: "select id from general_user where login = 'alice'",
};

beforeAll(async () => {
  app = await TestApp.start();
  ids = {};
  for (const [name, query] of Object.entries(chosen)) {
    const [row] = await app.rows(query);
    expect(row?.id ?? null, name).not.toBeNull();
    ids[name] = String(row.id);
  }
  ids.token = encodeURIComponent((await app.json('/api/v1/Authentication?format=json')).Token);
});
afterAll(() => app.stop());

const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all);

const sent = (path: string): string => encodeURI(filled(path)).replaceAll('%25', '%');

function expectRead(answer: unknown, read: string): void {
  const [path, type] = read.split(':') as [string, string?];
  const value = path.split('.').reduce<unknown>((of, name) => (of as Record<string, unknown> | null)?.[name], answer);
  expect(value, read).not.toBe(undefined);
  if (type === 'list') expect(Array.isArray(value), read).toBe(true);
  else if (type) expect(typeof value, read).toBe(type);
}

interface Gathered {
  path: string;
  reads: string[];
  ask: Ask;
}

/** Who asks, or how. */
const words: Readonly<Record<string, Ask | undefined>> = {
  nobody: { as: 'nobody' },
  alice: { as: 'alice' },
  json: { headers: { accept: 'application/json', 'content-type': 'application/json' } },
};

function requests(): Gathered[] {
  const all: Gathered[] = [];
  for (const line of gathered.split('\n')) {
    const [, word, path] = /^(?:(\w+) )?(\/.*)$/.exec(line) ?? [];
    if (path) all.push({ path, reads: [], ask: word ? words[word]! : {} });
    else if (line.startsWith(' ')) all.at(-1)!.reads.push(...line.trim().split(' ').filter(Boolean));
  }
  return all;
}

describe('reads', () => {
  it.each(requests().map((one) => [one.path, one] as const))('%s', async (path, { reads, ask }) => {
    const answer = await app.ask(sent(path), ask);
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    for (const one of reads) expectRead(answer.json, one);
  });

  it.each<[path: string, root: string, element: string, children: string]>([
    [
      '/api/v1/UserStories/',
      'UserStories',
      'UserStory',
      'PlannedEndDate Effort InitialEstimate Feature Iteration EntityState',
    ],
    [
      "/api/v1/Times?format=xml&take=1000&where=(Date gte '2020-01-01') and (User.Id in ({user},1))",
      'Times',
      'Time',
      'Spent Date User Project Assignable CustomFields',
    ],
    ['/api/v1/Users?format=xml&take=1000', 'Users', 'User', 'Login FirstName LastName Email'],
    ['/api/v1/Projects?format=xml&take=1000', 'Projects', 'Project', 'Company Program'],
    ['/api/v1/Iterations/?take=1', 'Iterations', 'Iteration', 'Description StartDate EndDate'],
    ['/api/v1/TestPlans/{plan}/TestPlanRuns', 'TestPlanRuns', 'TestPlanRun', 'NotRunCount PassedCount FailedCount'],
  ])('%s in XML, as without a word about formats', async (path, root, element, children) => {
    const answer = await app.ask(sent(path), { headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    const tree = await parseXml(answer.text);
    const [first] = tree.children;
    expect([tree.name, first!.name]).toEqual([root, element]);
    expect(first!.attributes).toMatchObject({ ResourceType: element, Id: expect.any(String) });
    const names = first!.children.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(children.split(' ')));
  });
});

describe('writes', () => {
  const page = {
    accept: 'application/json, text/javascript, */*; q=0.01',
    origin: 'chrome-extension://abcdefghijklmno',
  };
  const xmlSender = {
    accept: 'application/json, application/xml, text/json, text/x-json, text/javascript, text/xml',
    'content-type': 'application/xml',
  };
  let story: number;
  beforeAll(async () => {
    story = (await app.write('UserStories', { Name: 'item', Project: { Id: Number(ids.project) } })).Id;
    ids.made = String(story);
  });

  /** The path, the body, what is read. */
  it.each<[path: string, body: string, reads: string, headers?: Record<string, string>]>([
    [
      '/api/v1/Bugs?resultInclude=[Id,Name]',
      '{"Name":"shot","Description":"<p>x</p>","Project":{"Id":{project}},"Team":null,"Severity":{"Id":3}}',
      'Id:number Name:string',
      page,
    ],
    [
      '/api/v1/UserStories/?format=json',
      '{"Name":"card","Tags":"a,b,","Project":{"Id":{project}},"CustomFields":[{"Name":"Risk","Type":"DropDown"}]}',
      'Id:number Tags:string CustomFields.0.Name:string',
    ],
    ['/api/v1/UserStories/{made}?format=json', '{"Name":"item","Tags":",tag"}', 'Tags:string'],
    [
      '/api/v1/Assignables/?format=json&include=[EntityState[Id,IsFinal,Role,Name,NextStates]]',
      '{"id":{made},"entityState":{"id":46}}',
      'EntityState.Name:string EntityState.NextStates.Items.0.Id:number',
    ],
    ['/api/v1/Comments/', '{"general":{"id":{made}},"description":"c"}', 'Id:number', { accept: 'application/json' }],
    [
      '/api/v1/Times?resultFormat=json&resultInclude=[Description,Project,Assignable,Spent]',
      '{Description:"d", Project:{Id:{project}}, Assignable:{Id:{made}}, Spent:1, Remain:2, Date:"2026-11-20"}',
      'Spent:number Project.Name:string Assignable.Id:number',
    ],
    [
      '/api/v1/times.asmx/?skip=0&take=999&resultInclude=[id]&format=json',
      '{"spent":1,"remain":0,"description":"x","date":"/Date(1795651200000+0100)/","assignable":{"id":{made}}}',
      'Id:number',
    ],
    [
      '/api/v1/Assignments?format=json',
      "{'Assignable':{'Id':{made}},'GeneralUser':{'Id':{user}},'Role':{'Id':1}}",
      'Id:number GeneralUser.Id:number Role.Name:string',
    ],
    [
      '/api/v1/TestPlanRuns?resultFormat=json&resultInclude=[Id,TestCaseRuns[Id,TestCase]]',
      '{"TestPlan":{"Id":{plan}}}',
      'Id:number TestCaseRuns.Items.0.TestCase.Id:number',
    ],
    [
      '/api/v1/customfields/bulk?resultFormat=json',
      '[{"Name":"Gathered","FieldType":"Text","Required":false,"IsSystem":false,"EntityType":{"Id":4},"Process":{"Id":3}}]',
      'Items.0.Id:number Items.0.Process.Id:number',
    ],
    [
      '/api/v1/UserStories',
      '<UserStory><Name>x</Name><Project><Id>{project}</Id></Project></UserStory>',
      'Id:number Project.Id:number',
      xmlSender,
    ],
  ])('POST %s', async (path, body, reads, headers = {}) => {
    const ask = { method: 'POST', body: filled(body), headers: { 'content-type': 'application/json', ...headers } };
    const answer = await app.ask(sent(path), ask);
    expect([200, 201], answer.text.slice(0, 300)).toContain(answer.status);
    for (const one of reads.split(' ')) expectRead(answer.json, one);
  });

  it('a custom field without its value stays as it is', async () => {
    const path = `/api/v1/UserStories/${story}?format=json`;
    await app.post(path, { CustomFields: [{ Name: 'Risk', Value: 'High' }] });
    const { status, json } = await app.post(path, { CustomFields: [{ Name: 'Risk', Type: 'DropDown' }] });
    const risk = json.CustomFields.find(({ Name }: { Name: string }) => Name === 'Risk');
    expect([status, risk.Value]).toEqual([200, 'High']);
    expect((await app.post(path, { CustomFields: [{ Name: 'Risk' }] })).status).toBe(400);
  });

  it('a deletion without a body, in the words of a client of XML', async () => {
    const { status, json } = await app.ask(`/api/v1/UserStories/${story}`, { method: 'DELETE', headers: xmlSender });
    expect([status, json]).toEqual([200, { ResourceType: 'UserStory', Id: story }]);
  });
});
