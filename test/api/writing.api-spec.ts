/** Creating and updating scalars and references, in JSON and XML, each result read back in the other format. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

const count = async (): Promise<number> =>
  (
    await app.rows(
      'select (select count(*) from general) + (select count(*) from comment) + (select count(*) from time) + (select count(*) from general_user) n',
    )
  )[0].n;

describe('create', () => {
  it('answers 201 with the full representation, as a GET shows it', async () => {
    const created = await app.post('/api/v1/UserStories?format=json', {
      Name: 'Sign in',
      Project: { Id: project },
      TimeSpent: 3,
      description: '<b>why</b>',
    });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      ResourceType: 'UserStory',
      Name: 'Sign in',
      Description: '<b>why</b>',
      Project: { Id: project },
      Tags: '',
      EndDate: null,
      EntityState: { Name: 'Open' },
      Priority: { Name: 'Nice To Have' },
      Owner: { Id: 1 },
      EntityType: { Id: 4, Name: 'UserStory' },
    });
    expect(await app.json(`/api/v1/UserStories/${created.json.Id}`)).toEqual(created.json);
    const xml = itemOf(await parseXml(await app.xml(`/api/v1/userstories/${created.json.Id}`)));
    expect(xml).toMatchObject({ Id: String(created.json.Id), Name: 'Sign in', Description: '<b>why</b>' });
  });

  it('takes XML, fields as attributes or elements, and answers in the format of the request', async () => {
    const body = `<userstory Name="From &lt;XML&gt;"><Description><![CDATA[<p>a & b</p>]]></Description><Project Id="${project}"/><PlannedEndDate>2030-01-31</PlannedEndDate></userstory>`;
    const created = await app.post('/api/v1/UserStories', body);
    expect([created.status, created.headers.get('content-type')]).toEqual([201, 'application/xml; charset=utf-8']);
    const { Id } = itemOf(await parseXml(created.text)) as { Id: string };
    expect(await app.json(`/api/v1/UserStories/${Id}`)).toMatchObject({
      Name: 'From <XML>',
      Description: '<p>a & b</p>',
      Project: { Id: project },
      PlannedEndDate: '/Date(1896134399000+0000)/',
    });
  });

  it('takes lenient JSON: bare keys in any case, single quotes, trailing commas, ids as text', async () => {
    const created = await app.post(
      '/api/v1/Bugs/?format=json',
      `{name: 'it\\'s broken', project: {id: '${project}', Name: 'ignored',}, /* and so on */ ResourceType: 'Bug', CreateDate: null,}`,
    );
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      Name: "it's broken",
      Project: { Id: project },
      Severity: { Name: 'Enhancement' },
      Priority: { Name: 'Fix If Time' },
    });
  });

  it('gives a task the project, release and iteration of its story', async () => {
    const [story] = await app.rows(
      'select id, project_id, release_id from general where entity_type_id = 4 and release_id is not null and delete_date is null limit 1',
    );
    const created = await app.post('/api/v1/Tasks?format=json', { Name: 'step', UserStory: { Id: story.id } });
    expect(created.json).toMatchObject({
      Project: { Id: story.project_id },
      Release: { Id: story.release_id },
      UserStory: { Id: story.id },
    });
  });

  it('gives a project the default process, a state and an abbreviation', async () => {
    const created = await app.post('/api/v1/Projects?format=json', { Name: 'Tau Product - Kanban #1' });
    expect(created.json).toMatchObject({
      Abbreviation: 'TPK',
      Process: { Id: 3 },
      IsActive: true,
      IsProduct: false,
      EntityState: { Id: expect.any(Number) },
    });
  });

  it('makes a user who can sign in, and never tells the password', async () => {
    const created = await app.post('/api/v1/Users?format=json', {
      FirstName: 'New',
      LastName: 'Comer',
      Email: 'new@example.com',
      Login: 'newcomer',
      Password: chosenPassword,
      IsActive: true,
    });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      Kind: 'User',
      WeeklyAvailableHours: 40,
      IsActive: true,
      IsAdministrator: false,
      Role: { Id: 1 },
    });
    expect(created.text).not.toMatch(/password|argon2/i);
    expect(await app.json('/api/v1/Users/LoggedUser?include=[Login]', { as: 'newcomer' })).toMatchObject({
      Login: 'newcomer',
    });
  });

  it('records a comment and a time, with their authors', async () => {
    const [story] = await app.rows(
      'select id, project_id from general where entity_type_id = 4 and delete_date is null order by id limit 1',
    );
    const comment = await app.post(
      '/api/v1/comments',
      `<Comment><Description>Hello</Description><General Id="${story.id}"/></Comment>`,
    );
    expect(comment.status).toBe(201);
    expect(await app.json(`/api/v1/UserStories/${story.id}?include=[LastCommentedUser,LastCommentDate]`)).toMatchObject(
      { LastCommentedUser: { Id: 1 }, LastCommentDate: expect.any(String) },
    );
    const time = await app.post('/api/v1/times?format=json', {
      Assignable: { Id: story.id },
      User: { Id: 1 },
      Spent: 1.5,
      Remain: 2,
      Description: 'work',
      Date: '/Date(1795220065520)/',
    });
    expect(time.json).toMatchObject({
      Spent: 1.5,
      Remain: 2,
      Project: { Id: story.project_id },
      Assignable: { Id: story.id, ResourceType: 'Assignable' },
      Date: '/Date(1795220065520+0000)/',
    });
  });

  it('links people, roles, teams and entities', async () => {
    const [story] = await app.rows(
      'select id, project_id from general where entity_type_id = 4 and delete_date is null and id not in (select assignable_id from assignment) limit 1',
    );
    const [member] = await app.rows('select user_id, role_id from project_member where project_id = $1 limit 1', [
      story.project_id,
    ]);
    const assigned = await app.post('/api/v1/Assignments?format=json', {
      Assignable: { Id: story.id },
      GeneralUser: { Id: member.user_id },
    });
    expect(assigned.json).toMatchObject({
      Assignable: { Id: story.id },
      GeneralUser: { Id: member.user_id, ResourceType: 'User' },
      Role: { Id: member.role_id },
    });
    const [task] = await app.rows('select id from general g where entity_type_id = 27 and delete_date is null limit 1');
    await app.rows('update general set epic_id = null where epic_id = $1', [task.id]);
    await app.rows('delete from role_effort where assignable_id = $1', [task.id]);
    const effort = await app.post('/api/v1/RoleEfforts?format=json', {
      Assignable: { Id: task.id },
      Role: { Name: 'developer' },
      Effort: 3,
    });
    expect([effort.status, effort.json.Role.Id, effort.json.Effort]).toEqual([201, 1, 3]);
    const nobody = await app.post('/api/v1/RoleEfforts?format=json', {
      Assignable: { Id: task.id },
      Role: { Name: 'nobody' },
    });
    expect([nobody.status, nobody.json.Message]).toEqual([
      400,
      "Role: there is no single Role named 'nobody'; use its Id.",
    ]);
    const again = await app.post('/api/v1/RoleEfforts?format=json', { Assignable: { Id: task.id }, Role: { Id: 1 } });
    // Naming the same item and role again means the row that is there.
    expect([again.status, again.json.Id, again.json.Effort]).toEqual([200, effort.json.Id, 3]);
    const relation = await app.post('/api/v1/Relations?format=json', {
      Inbound: { Id: task.id },
      Outbound: { Id: story.id },
      RelationType: { Id: 2 },
    });
    expect(relation.json).toMatchObject({
      Master: { Id: task.id },
      Slave: { Id: story.id },
      RelationType: { Name: 'Blocker' },
    });
    const itself = await app.post('/api/v1/Relations?format=json', {
      Master: { Id: story.id },
      Slave: { Id: story.id },
      RelationType: { Id: 2 },
    });
    expect(itself.status).toBe(400);
  });

  it('shapes the answer as include, exclude, append and their result twins ask', async () => {
    const body = { Name: 'shaped', Project: { Id: project } };
    expect((await app.post('/api/v1/UserStories?format=json&include=[Name]', body)).json).toEqual({
      ResourceType: 'UserStory',
      Id: expect.any(Number),
      Name: 'shaped',
    });
    const twin = await app.post(
      '/api/v1/UserStories?resultFormat=json&resultInclude=[Name,Project]&resultAppend=[Tasks-Count]',
      body,
    );
    expect(twin.json).toMatchObject({ Name: 'shaped', Project: { Id: project }, 'Tasks-Count': 0 });
  });
});

describe('update', () => {
  it('changes only what is sent, by id in the path or in the body, and answers 200', async () => {
    const created = (
      await app.post('/api/v1/UserStories?format=json', { Name: 'a', Project: { Id: project }, Description: 'kept' })
    ).json;
    const byPath = await app.post(`/api/v1/UserStories/${created.Id}?format=json`, { Name: 'b' });
    expect([byPath.status, byPath.json.Name, byPath.json.Description]).toEqual([200, 'b', 'kept']);
    const byBody = await app.post('/api/v1/UserStories?format=json', { id: String(created.Id), Description: null });
    expect([byBody.status, byBody.json.Name, byBody.json.Description]).toEqual([200, 'b', null]);
    const nothing = await app.post(`/api/v1/UserStories/${created.Id}?format=json`, {});
    expect([nothing.status, nothing.json.Name]).toEqual([200, 'b']);
    expect(Number(nothing.json.EntityVersion)).toBeGreaterThan(created.EntityVersion);
    const xml = await app.post(`/api/v1/userstory/${created.Id}`, '<UserStory><Name>c</Name></UserStory>');
    expect(itemOf(await parseXml(xml.text))).toMatchObject({ Name: 'c' });
  });

  it('changes any kind through its base types', async () => {
    const [bug] = await app.rows('select id from general where entity_type_id = 8 and delete_date is null limit 1');
    expect((await app.post(`/api/v1/Generals/${bug.id}?format=json`, { Name: 'through General' })).status).toBe(200);
    expect(
      (await app.post(`/api/v1/Assignables/${bug.id}?format=json`, { Description: 'through Assignable' })).status,
    ).toBe(200);
    expect(await app.json(`/api/v1/Bugs/${bug.id}`)).toMatchObject({
      Name: 'through General',
      Description: 'through Assignable',
    });
    expect((await app.post('/api/v1/Generals?format=json', { Name: 'x' })).status).toBe(405);
  });

  it('records totals that move with parts in the project of the item, and no others', async () => {
    const create = async (kind: string, body: object) => (await app.post(`/api/v1/${kind}?format=json`, body)).json.Id;
    const other = await create('Projects', { Name: 'Another one' });
    const feature = await create('Features', { Name: 'whole', Project: { Id: project } });
    const records = async (): Promise<number[]> => {
      const all = await app.items(`/api/v1/Features/${feature}/History?include=[Effort]`);
      return all.map(({ Effort }) => Effort).reverse();
    };
    const part = async (projectId: number) => {
      const RoleEfforts = [{ Role: { Id: 1 }, Effort: 5 }];
      const story = await create('UserStories', {
        Name: 'x',
        Project: { Id: projectId },
        Feature: { Id: feature },
        RoleEfforts,
      });
      const [effort] = await app.items(`/api/v1/UserStories/${story}/RoleEfforts?where=Effort gt 0`);
      return effort.Id;
    };
    const elsewhere = await part(other);
    await app.post(`/api/v1/RoleEfforts/${elsewhere}`, { Effort: 6 });
    expect(await records()).toEqual([0]);
    const here = await part(project);
    expect(await records()).toEqual([0, 11]);
    await app.post(`/api/v1/RoleEfforts/${here}`, { Effort: 8 });
    expect(await records()).toEqual([0, 11, 14]);
    await app.post(`/api/v1/RoleEfforts/${elsewhere}`, { Effort: 7 });
    expect(await records()).toEqual([0, 11, 14]);
    const full = await app.items(`/api/v1/FeatureHistories?where=CurrentFeature.Id eq ${feature}&include=[Effort]`);
    expect(Math.max(...full.map(({ Effort }) => Effort))).toBe(15);
  });

  it('adds to the histories what changed, who changed it and when', async () => {
    const story = (await app.post('/api/v1/UserStories?format=json', { Name: 'first', Project: { Id: project } })).json;
    await app.post(`/api/v1/UserStories/${story.Id}`, { EntityState: { Name: 'In Progress' } });
    const simple = await app.items(`/api/v1/UserStories/${story.Id}/History?include=[EntityState,Modifier,UserStory]`);
    expect(simple.map((record) => record.EntityState.Name)).toEqual(['In Progress', 'Open']);
    expect(simple[0]).toMatchObject({ Modifier: { Id: 1 }, UserStory: { Id: story.Id } });
    const full = await app.items(`/api/v1/UserStoryHistories?where=CurrentUserStory.Id eq ${story.Id}`);
    expect(full.map((record) => [record.Modification, record.IsChangedEntityState])).toEqual([
      ['Update', true],
      ['Add', expect.any(Boolean)],
    ]);
  });

  it('moves an item to any state of its workflow, by id or unique name, and to no other', async () => {
    const story = (await app.post('/api/v1/UserStories?format=json', { Name: 's', Project: { Id: project } })).json;
    const named = await app.post(`/api/v1/UserStories/${story.Id}?format=json`, {
      EntityState: { Name: 'in progress' },
    });
    expect(named.json.EntityState.Name).toBe('In Progress');
    const [other] = await app.rows('select id from entity_state where entity_type_id = 5 and process_id = 3 limit 1');
    const refused = await app.post(`/api/v1/UserStories/${story.Id}?format=json`, { EntityState: { Id: other.id } });
    expect([refused.status, refused.json.Message]).toEqual([
      400,
      expect.stringContaining(`EntityState: the state ${other.id} is not one of the workflow of this item: Open, `),
    ]);
  });
});

it('tells names that a resource does not have by their code', async () => {
  for (const path of ['UserStories', 'UserStories/bulk']) {
    const body = { Name: 'x', Project: { Id: 1 }, Nmae: 'y' };
    const answer = await app.post(`/api/v1/${path}?format=json`, path.endsWith('bulk') ? [body] : body);
    expect([answer.status, answer.json.Code]).toEqual([400, 'UnknownField']);
  }
});

describe('refusals leave nothing behind', () => {
  it.each([
    ['UserStories', {}, 'Name: a value is required.'],
    ['UserStories', { Name: 'x' }, 'Project'],
    ['UserStories', { Name: '' }, 'Name: a value is required'],
    ['UserStories', { Name: 'x', Nmae: 'y' }, "Nmae: 'UserStory' has no such field. Did you mean 'Name'?"],
    ['UserStories', { Name: 'x'.repeat(256) }, 'Name: at most 255 characters'],
    ['UserStories', { Name: 'x', Project: 5 }, 'Project: a reference is an object with an Id'],
    ['UserStories', { Name: 'x', Project: { Id: 999999 } }, 'there is no Project with Id 999999'],
    ['UserStories', { Name: 'x', Project: { Name: 'y' } }, 'a reference needs the Id'],
    ['UserStories', { Name: 'x', StartDate: '2023-02-29' }, 'StartDate: a date such as'],
    ['UserStories', { Name: 'x', StartDate: '/Date(1e99)/' }, 'StartDate: a date such as'],
    ['UserStories', { Name: 'x', InitialEstimate: 'many' }, 'InitialEstimate: a number'],
    ['UserStories', { Name: 'x', NumericPriority: '1e400' }, 'NumericPriority: a number'],
    ['UserStories', { Name: 'x\u0000' }, 'NUL'],
    ['UserStories', { Name: 'x\u0001' }, 'a character that XML cannot carry'],
    ['UserStories', { Name: ['x'] }, 'Name: a text is needed'],
    ['UserStories', { Id: 99999999, Name: 'x' }, 'not found'],
    ['UserStories', [{ Name: 'x' }], 'The body is a list; one entity is expected'],
    ['Requests', { Name: 'x', SourceType: 'Pigeon' }, 'SourceType: one of the known names is needed: None, Email'],
    ['Comments', { Description: 'x', General: { Id: 99999999 } }, 'there is no General with Id 99999999'],
    ['Times', { Spent: 1 }, 'Assignable'],
  ])('%s row %#', async (collection, body, message) => {
    const before = await count();
    const answer = await app.post(`/api/v1/${collection}?format=json`, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.json.Message).toContain(message);
    expect(await count()).toBe(before);
  });

  it('refuses ids that disagree', async () => {
    const answer = await app.post('/api/v1/UserStories/5?format=json', { Id: 6 });
    expect([answer.status, answer.json.Message]).toEqual([400, 'Id: the body says 6, the address says 5.']);
  });

  it('refuses other content, other encodings and what is too large', async () => {
    const send = (headers: Record<string, string>, body = '{}') =>
      app.ask('/api/v1/Tags?format=json', { method: 'POST', headers, body });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
    ]) {
      expect((await send({ 'content-type': type })).status, type).toBe(415);
    }
    expect((await send({ 'content-type': 'application/json', 'content-encoding': 'gzip' })).status).toBe(415);
    expect(
      (await send({ 'content-type': 'application/json' }, `{"Name":"${'x'.repeat(11 * 1024 * 1024)}"}`)).status,
    ).toBe(413);
    expect((await send({ 'content-type': 'application/json' }, '<Tag/>')).status).toBe(400);
    expect((await send({ 'content-type': 'application/xml' }, '{}')).status).toBe(400);
  });
});

describe('an Id that no entity can have', () => {
  const tooLarge = '9999999999999999';

  it.each([
    ['GET', `Revisions/${tooLarge}`, 'Revision'],
    ['GET', `UserProjectAllocations/${tooLarge}`, 'UserProjectAllocation'],
    ['GET', `UserStories/${tooLarge}/Tasks`, 'UserStory'],
    ['POST', `UserStories/${tooLarge}`, 'UserStory'],
    ['POST', `UserStories/${tooLarge}/Tasks`, 'UserStory'],
    ['DELETE', `UserStories/${tooLarge}`, 'UserStory'],
    ['DELETE', `UserStories/5/Tasks/${tooLarge}`, 'Task'],
    ['GET', 'Bugs/2147483648', 'Bug'],
  ])('is not found by the Id that was sent, in JSON and XML: %s %s', async (method, path, kind) => {
    const id = /\d{9,}/.exec(path)![0];
    for (const format of ['json', 'xml']) {
      const body = method === 'POST' ? '{"Name":"x"}' : undefined;
      const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
      const answer = await app.ask(`/api/v1/${path}?format=${format}`, { method, body, headers });
      const why = `${kind} with Id ${id} not found or access is forbidden.`;
      expect([answer.status, answer.text]).toEqual([404, expect.stringContaining(why)]);
    }
  });
});

it('a required reference that is null on creation is left to its default', async () => {
  const [project] = await app.items('/api/v1/Projects?where=Process.Id eq 3&take=1');
  const days = { StartDate: '2033-01-01', EndDate: '2033-02-01' };
  const release = { Name: 'r', Project: null, Projects: { Items: [{ Id: project.Id }] }, ...days };
  const made = await app.post('/api/v1/Releases?format=json', release);
  expect([made.status, made.json.Project?.Id]).toEqual([201, project.Id]);
  const xml = await app.post(
    '/api/v1/Releases',
    `<Release Name="r" StartDate="2033-01-01" EndDate="2033-02-01"><Project nil="true"/><Projects><Project Id="${project.Id}"/></Projects></Release>`,
  );
  expect([xml.status, xml.text]).toEqual([
    201,
    expect.stringContaining(`<Project ResourceType="Project" Id="${project.Id}"`),
  ]);
  const [story] = await app.items(`/api/v1/UserStories?where=Project.Id eq ${project.Id}&take=1`);
  for (const [path, body] of [
    ['Tasks', { Name: 't', Project: { Id: project.Id }, UserStory: null }],
    ['UserStories', { Name: 's', Project: null }],
  ] as const) {
    const refused = await app.post(`/api/v1/${path}?format=json`, body);
    const without = await app.post(
      `/api/v1/${path}?format=json`,
      Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
    );
    expect([refused.status, refused.json.Message]).toEqual([400, without.json.Message]);
  }
  const cleared = await app.post(`/api/v1/UserStories/${story.Id}?format=json`, { Project: null });
  expect(cleared.status).toBe(400);
});

describe('a collection that takes no items', () => {
  it('is refused where it has new ones, in JSON and XML, alone and in bulk', async () => {
    const [story] = await app.items('/api/v1/UserStories?take=1&include=[Id]');
    const why = 'Times[0]: no Time can be created here; send it to Times.';
    const Times = [{ Spent: 1 }];
    const bodies: [path: string, body: unknown, why: string][] = [
      [`UserStories/${story.Id}`, { Times }, why],
      [`UserStories/${story.Id}`, '<UserStory><Times><Time Spent="1"/></Times></UserStory>', why],
      ['UserStories/bulk', [{ Id: story.Id, Times: { Items: Times } }], `[0].${why}`],
    ];
    const before = await app.rows('select count(*) from time');
    for (const [path, body, message] of bodies) {
      const answer = await app.post(`/api/v1/${path}`, body);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
    }
    expect(await app.rows('select count(*) from time')).toEqual(before);
  });

  it('may be sent back as it was read', async () => {
    const [{ id }] = await app.rows(`select t.assignable_id as id from time t join general g on g.id = t.assignable_id
      where g.entity_type_id = 4 and g.delete_date is null limit 1`);
    const read = await app.json(`/api/v1/UserStories/${id}?include=[Times,Bugs,AssignedEfforts]`);
    expect(read.Times.Items.length).toBeGreaterThan(0);
    for (const body of [read, { Times: [] }, { Times: null }]) {
      const answer = await app.post(`/api/v1/UserStories/${id}?format=json`, body);
      expect(answer.status, answer.text).toBe(200);
    }
    const xml = await app.xml(`/api/v1/UserStories/${id}?include=[Times]`);
    expect((await app.post(`/api/v1/UserStories/${id}`, xml)).status).toBe(200);
  });
});
