/**
 * Requests as programs in Python, Ruby, Go, PHP, Rust and JavaScript send them, each with what they read of its answer.
 * Names in braces stand for ids.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let ids: Record<string, number | string>;

beforeAll(async () => {
  app = await TestApp.start();
  const one = async (path: string) => (await app.items(`/api/v1/${path}&take=1`))[0]!;
  const story = await one('UserStories?where=(Tasks is not null) and (Comments is not null)&include=[Project,Tasks]');
  const [user, team, state] = await Promise.all([
    one('Users?where=Login eq "admin"'),
    one('Teams?where=Id gt 0'),
    one('EntityStates?where=(EntityType.Name eq "UserStory") and (IsFinal eq "true")&orderBy=Id'),
  ]);
  const made = await app.post('/api/v1/UserStories?format=json&include=[Id,RoleEfforts]', {
    ...{ Name: 'gathered', Project: { Id: story.Project.Id }, Tasks: [{ Name: 'part' }] },
  });
  ids = {
    ...{ story: story.Id, project: story.Project.Id, task: story.Tasks.Items[0].Id, made: made.json.Id },
    ...{ user: user.Id, team: team.Id, state: state.Id, effort: made.json.RoleEfforts.Items[0].Id },
  };
});
afterAll(() => app.stop());

const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (all, name: string) => String(ids[name] ?? all));

/** As clients put it into the request line: blanks and quotes escaped, all else as it is. */
const sent = (path: string): string => encodeURI(filled(path)).replaceAll('%5B', '[').replaceAll('%5D', ']');

const valueAt = (json: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], json);

const reads: [path: string, ...members: string[]][] = [
  ["/api/v1/UserStories?where=CreateDate gt '11/26/2010'&take=1&format=json", 'Items.0.Id', 'Next'],
  ['/api/v1/TeamIterations?format=json&where=EndDate gte 11-26-2010&take=1000&orderBy=EndDate', 'Items.0.EndDate'],
  ["/api/v1/Iterations/?where=(StartDate gte '2/5/2012')and(EndDate lt '12/31/2036 5:00:00 PM')&format=json", 'Items'],
  ["/api/v1/Projects?format=json&where=(ModifyDate gt '2015-01-01T00:00:00Z')&orderByDesc=ModifyDate", 'Items.0.Tags'],
  ['/api/v1/UserStories?where=(LinkedTestPlan is nil) and (CreateDate is not nil)&format=json', 'Items.0.Name'],
  ["/api/v1/UserStories?where=(Id in ('{story}', '2'))&format=json", 'Items.0.Project.Process.Id'],
  [
    "/api/v1/userstories?where=(Id eq '{story}')&include=[Name,LastStateChangeDate,Effort]&format=json",
    'Items.0.Effort',
  ],
  ['/api/v1/Users/LoggedUser?format=json&include[id,email]', 'Email', 'FirstName', 'Role.Id'],
  ['/api/v1/Users/loggeduser?format=json', 'Id'],
  ['/api/v1/generals/{story}?format=json', 'EntityType.Name', 'Project.Name'],
  ['/api/v1/TeamIteration?format=json&dateformat=iso&include=[Id,Name,Effort,Team[Name]]', 'Items.0.Team.Name'],
  [
    '/api/v1/UserStory/{story}?include=[Id, Comments[Description,Owner[FirstName]]]&format=json',
    'Comments.Items.0.Owner',
  ],
  ['/api/v1/UserStories/{story}/tasks?take=500&$select=Id&format=json', 'Items.0.Id'],
  ['/api/v1/UserStories?append=[Bugs-count]&orderbydesc=Effort&take=1&format=json', 'Items.0.Bugs-Count'],
  ['/api/v1/UserStorys/?0=skip&15=take&=where&format=json', 'Items.0.CustomFields'],
  [
    '/api/v1/Assignments/?where=(GeneralUser.id gt 0)&include=[Assignable[EntityType,Name],GeneralUser,Role]&format=json',
    'Items.0.Assignable.EntityType.Name',
    'Items.0.GeneralUser.FullName',
    'Items.0.Role.Name',
  ],
  [
    '/api/v1/Times?include=[User,Assignable[EntityType],UserStory[Name,InboundAssignables[EntityType]]]&format=json',
    'Items.0.User.FirstName',
  ],
  ['/api/v1/TestCaseRuns?include=[Id,Status,TestCase[Id,Name]]&format=json&take=1', 'Items.0.Status'],
  ['/api/v1/Projects?filter=Name Contains x&format=json', 'Items.0.Id'],
  ['/api/V1/Context/?take=1000&orderByDesc=Id&format=json', 'LoggedUser.Id', 'Acid'],
  ['/api/v1/UserStories/meta?format=json', 'Name', 'ResourceMetadataPropertiesDescription'],
  ['/api/v2/UserStories?select={id,name,EntityState.isFinal,EntityState.name as state}&take=1', 'items.0.state'],
  [
    '/api/v2/assignables?where=(Project.Id={project})and(EntityState.IsFinal = false)&select={id,entityState}',
    'items.0.entityState.name',
  ],
  [
    '/api/v2/Tasks/?select={id,focus:CustomValues.Get("Focus").value,first:CustomValues["First"]}&take=5000',
    'items.0.id',
  ],
  [
    '/api/v2/userstory?where=comments.where(owner.id>0 and createDate<Today.AddDays(1)).count()>0' +
      '&select={id,comments:comments.select({id,createDate,description})}',
    'items.0.comments.0.createDate',
  ],
  ['/api/v2/userStory?isoDate=true&result={count:count,effort:sum(effort)}', 'count', 'effort'],
  ['/api/v2/projects?where=(deleteDate!=null)&select={id,deleteDate}&includeDeleted=true&orderBy=id', 'items'],
];

it.each(reads)('GET %s', async (path, ...members) => {
  const answer = await app.ask(sent(path), { headers: { accept: 'application/json, text/plain, */*' } });
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  for (const member of members) expect(valueAt(answer.json, member), member).toBeDefined();
});

const writes: [path: string, body: unknown, ...members: string[]][] = [
  [
    '/api/v1/Bugs?format=json',
    { project: { Id: '{project}' }, userstory: { Id: '{made}' }, Name: 'a' },
    'UserStory.Id',
  ],
  ['/api/v1/UserStories/{made}/', { AssignedTeams: [], Tags: ',new' }, 'Tags'],
  ['/api/v1/UserStories/{made}', { AssignedTeams: { Items: [{ Team: { Id: '{team}' } }] } }, 'Team.Id'],
  ['/api/v1/Generals/{made}', { Name: 'renamed' }, 'EntityType.Name'],
  ['/api/v1/Assignables/{made}?resultFormat=json&resultInclude=[Id]', { EntityState: { Name: 'Done' } }, 'Id'],
  ['/api/v1/Assignables/{made}', { Assignments: [{ GeneralUser: { Id: '{user}' }, Role: { Id: 1 } }] }, 'ResourceType'],
  ['/api/v1/RoleEfforts/{effort}', { Id: '{effort}', Effort: 5, EffortCompleted: 2, EffortToDo: 3 }, 'EffortToDo'],
  ['/api/v1/Comment?format=json', { Description: '<!--markdown-->**x**', General: { Id: '{made}' } }, 'Owner.Login'],
  [
    '/api/v1/Comments?include=[Description,General]&format=json',
    { description: 'y', owner: { id: '{user}' }, General: { id: '{made}' } },
    'General.Id',
  ],
  ['/api/v1/Times/', { Assignable: { Id: '{made}' }, User: { Id: '{user}' }, Spent: '1.5', Remain: 0.0 }, 'Spent'],
  [
    '/api/v1/tasks/bulk?resultInclude=[Id,Name]&format=json',
    [{ Name: 'b', UserStory: { Id: '{made}' } }],
    'Items.0.Id',
  ],
  ['/api/v1/GeneralFollowers', { General: { Id: '{made}' }, User: { Id: '{user}' } }, 'User.Id'],
];

it.each(writes)('POST %s %o', async (path, body, ...members) => {
  const answer = await app.ask(sent(path), {
    method: 'POST',
    body: filled(JSON.stringify(body)),
    headers: { accept: 'application/json', 'content-type': 'application/json' },
  });
  expect([200, 201], answer.text.slice(0, 300)).toContain(answer.status);
  for (const member of members) expect(valueAt(answer.json, member), member).toBeDefined();
});
