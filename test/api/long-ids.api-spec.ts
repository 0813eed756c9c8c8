/** Ids beyond 32 bits: what they name is written, found, changed, deleted and restored as anything else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, makeEverything, model } from '../support/builder.js';
import { itemOf, parseXml } from '../support/xml.js';

const first = 3_000_000_000;
const greatest = 2 ** 53 - 1;

let app: TestApp;
/** One of each kind. */
let ids: Ids;
beforeAll(async () => {
  app = await TestApp.start();
  const sequences = `select quote_ident(sequencename) as name from pg_sequences where sequencename <> 'migration_id_seq'`;
  for (const { name } of await app.rows(sequences)) await app.rows(`alter sequence ${name} restart with ${first}`);
  ({ ids } = await makeEverything(app, 'Long', {}));
});
afterAll(() => app.stop());

const read = (path: string) => app.json(`/api/v1/${path}`);
const list = (path: string) => app.items(`/api/v1/${path}`);
const write = (path: string, body: unknown) => app.write(path, body);
const listed = (items: { Id: number }[]): number[] => items.map(({ Id }) => Id);
const remove = (path: string) => app.ask(`/api/v1/${path}?format=json`, { method: 'DELETE' });
const send = (path: string, body: unknown, method = 'POST') =>
  app.ask(`/api/v1/${path}?format=json`, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

describe('one of each kind', () => {
  const made = (): [string, number][] => Object.entries(ids).filter(([, id]) => id >= first);

  it('has an id beyond 32 bits', () => {
    const short = Object.keys(ids).filter((kind) => ids[kind]! < first);
    expect(short.sort()).toEqual(['EntityType', 'Process', 'RelationType', 'Role']);
  });

  it('is read by its id in JSON and XML and by version 2', async () => {
    for (const [kind, id] of made()) {
      const { collection } = model.resource(kind);
      expect([kind, (await read(`${collection}/${id}?include=[Id]`)).Id]).toEqual([kind, id]);
      const { attributes } = await parseXml(await app.xml(`/api/v1/${collection}/${id}`));
      expect([kind, attributes.Id]).toEqual([kind, String(id)]);
      expect([kind, (await app.json(`/api/v2/${kind}/${id}?select={id}`)).items[0].id]).toEqual([kind, id]);
    }
  });

  it.each([
    ['Id eq', (id: number) => `Id eq ${id}`, true],
    ['Id in', (id: number) => `Id in (0,${id})`, true],
    ['Id gt', (id: number) => `Id gt ${id - 1}`, true],
    ['Id lt', (id: number) => `Id lt ${id}`, false],
  ])('is filtered by %s', async (_, where, isFound) => {
    for (const [kind, id] of made()) {
      const items = await list(`${model.resource(kind).collection}?take=1000&include=[Id]&where=${where(id)}`);
      expect([kind, listed(items).includes(id)]).toEqual([kind, isFound]);
    }
  });

  it('is filtered by version 2', async () => {
    for (const [kind, id] of made()) {
      for (const where of [`id=${id}`, `id in [0,${id}]`, `id>${id - 1} and id<=${id}`]) {
        const { items } = await app.json(`/api/v2/${kind}?where=(${encodeURIComponent(where)})&select={id}`);
        expect([kind, where, items]).toEqual([kind, where, [{ id }]]);
      }
    }
  });

  it('can be sent back as it was read', async () => {
    for (const [kind, id] of made()) {
      const { collection, settings } = model.resource(kind);
      if (!settings.operations.update) continue;
      const path = `/api/v1/${collection}/${id}`;
      const before = await app.xml(path);
      const sent = await app.post(path, before);
      expect([kind, sent.status, sent.text]).toEqual([kind, 200, before]);
    }
  });
});

describe('a story', () => {
  const whole = {
    Name: 'whole',
    Tasks: [{ Name: 'one', RoleEfforts: [{ Role: { Id: 1 }, Effort: 4 }] }, { Name: 'two' }],
    Comments: [{ Description: 'comment' }],
    RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 }],
    Tags: 'long, ids',
  };
  const collections = 'Tasks,Comments,Assignments,RoleEfforts,OutboundRelations,AssignedTeams';
  const body = () => ({
    ...whole,
    Project: { Id: ids.Project },
    Feature: { Id: ids.Feature },
    Release: { Id: ids.Release },
    Iteration: { Id: ids.Iteration },
    Assignments: [{ GeneralUser: { Id: ids.User }, Role: { Id: 1 } }],
    AssignedTeams: [{ Team: { Id: ids.Team } }],
    OutboundRelations: [{ Slave: { Id: ids.Bug }, RelationType: { Id: 1 } }],
  });

  it('is created with what belongs to it and refers to what is named', async () => {
    const story = await write(`UserStories?include=[${collections},Project,Feature,Release,Iteration,Tags]`, body());
    for (const kind of ['Project', 'Feature', 'Release', 'Iteration']) expect(story[kind].Id).toBe(ids[kind]);
    for (const name of collections.split(',')) {
      for (const { Id } of story[name].Items) expect([name, Id >= first]).toEqual([name, true]);
    }
    expect(story).toMatchObject({ Tags: 'ids, long', Tasks: { Items: [{}, {}] }, Comments: { Items: [{}] } });
    expect(listed(await list(`UserStories/${story.Id}/Tasks`)).sort()).toEqual(listed(story.Tasks.Items).sort());
    const { Id } = story;
    expect(listed(await list(`Tasks?where=UserStory.Id eq ${Id}`)).sort()).toEqual(listed(story.Tasks.Items).sort());
    expect(listed(await list(`UserStories?where=Feature.Id in (${ids.Feature})&include=[Id]`))).toContain(Id);
  });

  it('keeps its totals and those above it', async () => {
    const { Id, Tasks } = await write('UserStories?include=[Tasks]', body());
    const [task] = Tasks.Items;
    const time = await write('Times', { Assignable: { Id: task.Id }, Spent: 2, Remain: 1, Role: { Id: 1 } });
    const totals = async () => ({
      story: await read(`UserStories/${Id}?include=[Effort,EffortToDo,TimeSpent,TimeRemain,Progress]`),
      feature: await read(`Features/${ids.Feature}?include=[Effort,EffortToDo,TimeSpent]`),
      spans: await Promise.all(
        [`Projects/${ids.Project}`, `Releases/${ids.Release}`, `Iterations/${ids.Iteration}`].map((path) =>
          read(`${path}?include=[Effort,EffortCompleted,EffortToDo,Progress]`),
        ),
      ),
    });
    const before = await totals();
    expect(before.story).toMatchObject({ Effort: 4, TimeSpent: 2 });
    await app.rows('select recompute_totals()');
    expect(await totals()).toEqual(before);
    await write(`Times/${time.Id}`, { Spent: 5 });
    expect((await read(`UserStories/${Id}`)).TimeSpent).toBe(5);
    await remove(`Times/${time.Id}`);
    expect((await read(`UserStories/${Id}`)).TimeSpent).toBe(0);
  });

  it('keeps its totals when gains of its project are added up', async () => {
    const { Id } = await write('UserStories', {
      Name: 'gain',
      Project: { Id: ids.Project },
      ...{ RoleEfforts: whole.RoleEfforts },
    });
    const before = await read(`Projects/${ids.Project}?include=[Effort]`);
    await app.rows('select fold_spans(array(select distinct span_id from span_delta))');
    expect(await app.rows('select 1 from span_delta')).toEqual([]);
    expect(await read(`Projects/${ids.Project}?include=[Effort]`)).toEqual(before);
    expect(Id).toBeGreaterThan(first);
  });

  it('has histories', async () => {
    const { Id } = await write('UserStories', body());
    await write(`UserStories/${Id}`, { Release: null, Feature: null, EntityState: { Name: 'Done' } });
    for (const kind of ['UserStoryHistories', 'UserStorySimpleHistories']) {
      const records = await list(
        `${kind}?where=${kind === 'UserStoryHistories' ? 'Current' : ''}UserStory.Id eq ${Id}`,
      );
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) expect(record.Id).toBeGreaterThan(first);
    }
  });

  it('points at an entity by a custom field, and at several', async () => {
    const place = { EntityType: { Id: 4 }, Process: { Id: ids.Process } };
    await write('CustomFields', { Name: 'LongOne', FieldType: 'Entity', ...place });
    await write('CustomFields', { Name: 'LongMany', FieldType: 'MultipleEntities', ...place });
    const many = `${ids.Bug} bug,${ids.Feature} feature`;
    const CustomFields = [
      { Name: 'LongOne', Value: { Id: ids.Bug, Kind: 'Bug' } },
      { Name: 'LongMany', Value: many },
    ];
    const { Id } = await write('UserStories', { ...whole, Project: { Id: ids.Project }, CustomFields });
    const story = await read(`UserStories/${Id}?include=[CustomFields]`);
    expect(story.CustomFields.find((field: { Name: string }) => field.Name === 'LongOne').Value.Id).toBe(ids.Bug);
    expect(story.CustomFields.find((field: { Name: string }) => field.Name === 'LongMany').Value).toBe(many);
    expect(listed(await list(`UserStories?where=CustomFields.LongOne eq ${ids.Bug}&include=[Id]`))).toEqual([Id]);
    const v2 = await app.json(`/api/v2/UserStory?where=(LongOne.Id=${ids.Bug})&select={id,one:LongOne.Name}`);
    expect(v2.items).toEqual([{ id: Id, one: expect.any(String) }]);
  });

  it('is written in XML and in bulk', async () => {
    const made = await app.post(
      '/api/v1/UserStories?include=[Project,Assignments]&format=xml',
      `<UserStory Name="by XML"><Project Id="${ids.Project}"/><Assignments><Assignment><GeneralUser Id="${ids.User}"/><Role Id="1"/></Assignment></Assignments></UserStory>`,
    );
    expect(made.status, made.text).toBe(201);
    const root = await parseXml(made.text);
    expect(Number(root.attributes.Id)).toBeGreaterThan(first);
    expect(itemOf(root).Project).toMatchObject({ Id: String(ids.Project) });
    const both = await app.post('/api/v1/UserStories/bulk?format=json', [
      { Id: Number(root.attributes.Id), Name: 'renamed' },
      { Name: 'new', Project: { Id: ids.Project } },
    ]);
    expect(both.json.Items).toMatchObject([{ Id: Number(root.attributes.Id), Name: 'renamed' }, { Name: 'new' }]);
    const gone = await send(
      'UserStories/bulk',
      both.json.Items.map(({ Id }: { Id: number }) => ({ Id })),
      'DELETE',
    );
    expect(gone.status, gone.text).toBe(200);
  });

  it('is deleted and restored with what it holds', async () => {
    const { Id, Tasks } = await write('UserStories?include=[Tasks]', body());
    expect((await remove(`UserStories/${Id}`)).status).toBe(200);
    expect((await app.ask(`/api/v1/Tasks/${Tasks.Items[0].Id}`)).status).toBe(404);
    const restored = await send('undelete', { EntityType: 'UserStory', Id });
    expect(restored.status, restored.text).toBe(200);
    expect(listed(await list(`UserStories/${Id}/Tasks`)).sort()).toEqual(listed(Tasks.Items).sort());
  });
});

it('a run of a plan has runs of its cases and counts them', async () => {
  const plan = await write('TestPlans', {
    Name: 'plan',
    Project: { Id: ids.Project },
    TestCases: [{ Name: 'case', Project: { Id: ids.Project }, TestSteps: [{ Description: 'step', Result: 'result' }] }],
  });
  const run = await write('TestPlanRuns', { TestPlan: { Id: plan.Id } });
  const [caseRun] = await list(`TestPlanRuns/${run.Id}/TestCaseRuns`);
  expect(caseRun.Id).toBeGreaterThan(first);
  await write(`TestCaseRuns/${caseRun.Id}`, { Status: 'Failed', Bugs: [{ Id: ids.Bug }] });
  expect(await read(`TestPlanRuns/${run.Id}`)).toMatchObject({ FailedCount: 1, NotRunCount: 0 });
  expect(listed(await list(`TestPlanRuns/${run.Id}/Bugs`))).toEqual([ids.Bug]);
});

it('cases are taken out of a plan, by their address and by childrenIds', async () => {
  const TestCases = [1, 2, 3].map((at) => ({ Name: `case ${at}`, Project: { Id: ids.Project } }));
  const plan = await write('TestPlans?include=[TestCases]', { Name: 'plan', Project: { Id: ids.Project }, TestCases });
  const [one, ...others] = listed(plan.TestCases.Items);
  const path = `TestPlans/${plan.Id}/TestCases`;
  expect((await remove(`${path}/${one}`)).status).toBe(200);
  expect(listed(await list(path)).sort()).toEqual(others.sort());
  const answer = await app.ask(`/api/v1/${path}?format=json&childrenIds=${others.join()}`, { method: 'DELETE' });
  expect(answer.status, answer.text).toBe(200);
  expect(await list(path)).toEqual([]);
});

it('pages follow one another beyond 32 bits', async () => {
  await app.post(
    '/api/v1/Tags/bulk?format=json',
    Array.from({ length: 7 }, (_, at) => ({ Name: `paged ${at}` })),
  );
  const all = listed(await list(`Tags?where=Id gte ${first}&include=[Id]&take=1000`));
  const seen: number[] = [];
  let path: string | undefined = `/api/v1/Tags?format=json&take=3&include=[Id]&where=Id gte ${first}`;
  while (path) {
    const page: { Items: { Id: number }[]; Next?: string } = await app.json(path);
    seen.push(...listed(page.Items));
    path = page.Next?.replace(app.base, '');
  }
  expect(all.length).toBeGreaterThan(6);
  expect(seen).toEqual(all);
});

describe('a user', () => {
  it('signs in by a service token and works in a context', async () => {
    const credentials = { as: (await read(`Users/${ids.User}?include=[Login]`)).Login };
    const { Token } = await app.json('/api/v1/Authentication', credentials);
    const me = await app.raw(`/api/v1/Users/LoggedUser?format=json&token=${encodeURIComponent(Token)}`);
    expect([me.status, JSON.parse(me.text).Id]).toEqual([200, ids.User]);
    const context = await app.json(`/api/v1/Context?ids=${ids.UserStory}&projectIds=${ids.Project}&teamIds=0`);
    expect(listed(context.SelectedProjects.Items)).toEqual([ids.Project]);
    const seen = await app.items(`/api/v1/UserStories?acid=${context.Acid}&include=[Project]&take=1000`);
    expect(new Set(seen.map(({ Project }) => Project.Id))).toEqual(new Set([ids.Project]));
  });
});

it.each([greatest, 2 ** 53])('nothing is beyond %s', async (id) => {
  expect(await list(`Generals?where=Id gt ${id}`)).toEqual([]);
  expect((await app.json(`/api/v2/General?where=(id>${id})`)).items).toEqual([]);
});

describe.each([
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '9'.repeat(40),
])('compared with %s', (id) => {
  it.each([
    [`Id eq ${id}`, false],
    [`Id ne ${id}`, true],
    [`Id gt ${id}`, false],
    [`Id gte ${id}`, false],
    [`Id lt ${id}`, true],
    [`Id lte ${id}`, true],
    [`Id in (${id})`, false],
    [`Id not in (${id})`, true],
    [`Id gt -${id}`, true],
    [`Id lt -${id}`, false],
    [`Project.Id eq ${id}`, false],
    [`Project.Id lt ${id}`, true],
    [`EntityState.Id in (${id},-${id})`, false],
    [`EntityType.Id ne ${id}`, true],
    [`Tasks.Id gt ${id}`, false],
    [`NumericPriority gt -${id.slice(0, 20)}`, true],
  ])('%s', async (where, holds) => {
    const items = await list(`UserStories?include=[Id]&where=(Id eq ${ids.UserStory}) and (${where})`);
    expect(listed(items)).toEqual(holds ? [ids.UserStory] : []);
  });
});

describe.each([
  ['2^31', 2 ** 31, true],
  ['2^53 - 1', greatest, true],
  ['2^53', 2 ** 53, false],
])('the id %s, which nothing has', (_, id, isId) => {
  it.each(['UserStories', 'Users', 'Comments'])('is not found among %s', async (collection) => {
    for (const method of ['GET', 'DELETE']) {
      const { status } = await app.ask(`/api/v1/${collection}/${id}?format=json`, { method });
      expect([method, status]).toEqual([method, 404]);
    }
  });

  it.each([
    '/api/v1/EntityTypes/ID',
    '/Attachment.aspx?attachmentid=ID',
    '/api/v1/UserStories/ID/Tasks',
    '/api/v1/Context?ids=ID',
    '/api/v2/UserStory/ID',
    '/entity/ID',
  ])('%s', async (path) => {
    const { status } = await app.ask(path.replace('ID', String(id)));
    const accepted = path.includes('Context') && isId ? 200 : path.includes('Context') ? 400 : 404;
    expect(status).toBe(accepted);
  });

  it.each([
    `/api/v1/UserStories?where=Id eq ID`,
    `/api/v1/UserStories?where=Id in (ID)`,
    `/api/v1/UserStories?where=Feature.Id eq ID`,
  ])('lists nothing: %s', async (path) => {
    expect(await app.items(path.replace('ID', String(id)))).toEqual([]);
  });

  it.each(['id=ID', 'id in [ID]', 'feature.id=ID'])('lists nothing by version 2: %s', async (where) => {
    const text = encodeURIComponent(where.replace('ID', String(id)));
    expect((await app.json(`/api/v2/UserStory?where=(${text})`)).items).toEqual([]);
  });

  const missing = isId ? [404, 400] : [400];
  it.each([
    ['POST', 'UserStories', (Id: number) => ({ Id, Name: 'x' })],
    ['POST', 'UserStories/bulk', (Id: number) => [{ Id, Name: 'x' }]],
    ['POST', 'UserStories', (Id: number) => ({ Name: 'x', Project: { Id } })],
    ['POST', 'Comments', (Id: number) => ({ Description: 'x', General: { Id } })],
    ['POST', 'undelete', (Id: number) => ({ EntityType: 'UserStory', Id })],
    ['DELETE', 'UserStories/bulk', (Id: number) => [{ Id }]],
  ])('is refused by %s %s %#', async (method, path, body) => {
    const { status, text } = await send(path, body(id), method);
    expect(missing, text).toContain(status);
  });
});
