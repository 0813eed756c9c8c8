/**
 * The npm client `targetprocess-api`, unmodified, every call it offers, for every resource it lists. What it does wrong
 * by itself:
 * - It takes the resource as its README says (`tp.create("Projects", …)`) for a list of letters;
 *   `{resource: "Projects"}` works.
 * - It sends a login and password as `token=`, which is no token; one of `/Authentication` works.
 * - Its lists of what can be created, changed and removed hold resources for which that was never possible.
 */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operations } from '../../src/model/resource-settings.js';
import { TestApp } from '../support/app.js';
import { bodyOf, type Ids, make, makeEverything, model, storyWorkflow } from '../support/builder.js';
import { requestOf } from '../support/requests-of.js';
import { expectStored, expectWholeList, type Item } from './stored.js';

const load = createRequire(import.meta.url);
const factory = load('targetprocess-api');
const [create, retrieve, update, remove] = ['create', 'retrieve', 'update', 'remove'].map((name) =>
  load(`targetprocess-api/${name}`),
);

let app: TestApp;
let config: Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: the client has no types
let client: any;
let ids: Ids;

beforeAll(async () => {
  app = await TestApp.start();
  const { Token } = await app.json('/api/v1/Authentication');
  config = { domain: app.base.replace('http://', ''), protocol: 'http', token: Token };
  client = factory({ ...config });
  ids = { ...(await makeEverything(app, 'made', await storyWorkflow(app))).ids };
});
afterAll(() => app.stop());

const of = (resource: string) => ({ ...config, resource });

/** The status of a refusal; the client tells the whole answer of the service beside it. */
const refused = (status: number) => ({ statusCode: status, error: { Message: expect.any(String) } });

describe('configuration', () => {
  it.each([
    ['nothing', undefined, /credentials are missing/],
    ['no credentials', { domain: 'd' }, /credentials are missing/],
    ['no domain', { token: 't' }, /domain is missing/],
  ])('%s is an error of the client', (_, options, message) => {
    expect(() => factory(options)).toThrow(message);
  });

  it('a resource that the client does not list is an error of the client', () => {
    expect(() => client.retrieve({ resource: 'Foobars' })).toThrow('"Foobars" is not available for this operation.');
    expect(() => factory({ ...config }).retrieve('Bugs')).toThrow('"undefined" is not available for this operation.');
  });

  it('a login and password are sent as a token and refused', async () => {
    const { token: _, ...address } = config;
    const own = factory({ ...address, username: 'admin', password: 'admin' });
    await expect(own.retrieve({ resource: 'Bugs' }).get()).rejects.toMatchObject(refused(401));
  });
});

describe('retrieve', () => {
  it.each(retrieve.resources as string[])('%s', async (resource) => {
    const asked = client.retrieve({ resource }).take(1000).get();
    if (model.collection(resource)) await expectWholeList(app, resource, await asked);
    else await expect(asked).rejects.toMatchObject(refused(404));
  });

  it('takes filter, order, page and fields', async () => {
    const query = client.retrieve({ resource: 'Times' });
    const items = await query.where('Spent gt 2').orderbydesc('Spent').take(4).skip(3).pick(['Id', 'Spent']).get();
    const rows = await app.rows(
      `select t.id as "Id", t.spent::float as "Spent" from time t left join general g on g.id = t.assignable_id
       where t.spent > 2 and g.delete_date is null order by t.spent desc, t.id desc limit 4 offset 3`,
    );
    expect(items).toEqual(rows.map((row) => ({ ResourceType: 'Time', ...row })));
    // Each answer takes the parameters away again.
    expect(await query.take(1).get()).toHaveLength(1);
  });

  it('orders the other way', async () => {
    const items = await client.retrieve({ resource: 'Projects' }).orderby('Id').get();
    const shown = items.map(({ Id }: Item) => Id);
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
  });

  it('leaves out and appends', async () => {
    const query = client.retrieve({ resource: 'UserStories' });
    const [item] = await query
      .where(`Id eq ${ids.UserStory}`)
      .omit(['Description', 'Tags'])
      .append(['Comments-Count'])
      .get();
    expect(item).not.toHaveProperty('Description');
    expect(item).not.toHaveProperty('Tags');
    const [{ count }] = await app.rows('select count(*)::int as count from comment where general_id = $1', [
      ids.UserStory,
    ]);
    expect(item['Comments-Count']).toBe(count);
  });

  it('takes the later one of pick and omit', async () => {
    const query = retrieve(of('Bugs')).take(1);
    expect(Object.keys((await query.omit(['Name']).pick(['Name']).get())[0])).toEqual(['ResourceType', 'Id', 'Name']);
    expect((await query.take(1).pick(['Id']).omit(['Name']).get())[0]).toHaveProperty('Description');
  });

  it('hands over what the service says of a bad filter', async () => {
    await expect(client.retrieve({ resource: 'Bugs' }).where('Nmae eq 1').get()).rejects.toMatchObject(refused(400));
  });
});

describe('create, update, remove', () => {
  const lists = { create: create.resources, update: update.resources, remove: remove.resources };
  const resources = new Set<string>(Object.values(lists).flat());
  const isOffered = (resource: string, operation: keyof Operations) =>
    model.collection(resource)?.settings.operations[operation] ?? false;
  /** Only test plan runs make them. */
  const comingAlong = ['TestCaseRuns'];
  const refusal = (resource: string) => refused(comingAlong.includes(resource) ? 400 : statusOf(resource));
  const statusOf = (resource: string) => (model.collection(resource) ? 405 : 404);
  /** One that stands for each base type, and a run of a case; they are removed in the end. */
  let bases: Ids;
  beforeAll(async () => {
    const place = { mark: 'base', ids };
    const [General, Assignable, GeneralUser] = [
      await make(app, 'Build', place),
      await make(app, 'Task', place),
      await make(app, 'User', place),
    ];
    const run = await make(app, 'TestPlanRun', place);
    const [{ id: TestCaseRun }] = await app.rows('select id from test_case_run where test_plan_run_id = $1', [run]);
    bases = { General, Assignable, GeneralUser, TestCaseRun };
  });

  it.each([...resources])('%s', async (resource) => {
    const kind = model.collection(resource)?.name ?? '';
    let id = bases[kind] ?? ids[kind] ?? 1;
    if (isOffered(resource, 'create') && !comingAlong.includes(resource)) id = await created(resource, kind);
    else if (lists.create.includes(resource))
      await expect(client.create({ resource }, {})).rejects.toMatchObject(refusal(resource));
    if (isOffered(resource, 'update')) await changed(resource, kind, id);
    else if (lists.update.includes(resource))
      await expect(client.update({ resource }, { Id: id })).rejects.toMatchObject(refusal(resource));
    if (isOffered(resource, 'delete')) await removed(resource, kind, id);
    else if (lists.remove.includes(resource))
      await expect(client.remove({ resource }, id)).rejects.toMatchObject(refusal(resource));
  });

  async function created(resource: string, kind: string): Promise<number> {
    const item = await client.create(
      { resource },
      { ...bodyOf(kind, { mark: 'client', ids }), ...(await joining(kind)) },
    );
    await expectStored(app, resource, [item]);
    return item.Id;
  }

  /** A relation is refused the second time, and a release is not taken out of its own project. */
  const joining = async (kind: string): Promise<object> => {
    if (kind === 'Relation') return { Master: { Id: await make(app, 'UserStory', { mark: 'master', ids }) } };
    if (kind === 'ReleaseProject') return { Project: { Id: await make(app, 'Project', { mark: 'sharing', ids }) } };
    return {};
  };

  async function changed(resource: string, kind: string, id: number): Promise<void> {
    const { body } = requestOf('update', kind, { ids, fresh: {}, other: ids }, id)!;
    const change = JSON.parse(body!);
    const item = await client.update({ resource }, { Id: id, ...change });
    expect(item).toMatchObject({ Id: id, ...shown(change) });
    await expectStored(app, resource, [item]);
  }

  const shown = (change: Item): Item =>
    Object.fromEntries(Object.entries(change).map(([name, value]) => [name, shownDate(value)]));
  const shownDate = (value: unknown): unknown =>
    /^\d{4}-\d\d-\d\d$/.test(String(value)) ? `/Date(${Date.parse(String(value))}+0000)/` : value;

  async function removed(resource: string, kind: string, id: number): Promise<void> {
    expect(await client.remove({ resource }, id)).toMatchObject({ Id: id });
    const { table, settings } = model.resource(kind);
    const isThere = settings.softDelete ? 'delete_date is null' : 'true';
    expect(await app.rows(`select id from "${table}" where id = $1 and ${isThere}`, [id])).toEqual([]);
  }
});

describe('batches', () => {
  const storyOf = (name: string) => ({ Name: name, Project: { Id: ids.Project } });

  it('create and remove many', async () => {
    const { Items } = await create(of('UserStories')).batchCreate([storyOf('one'), storyOf('two'), storyOf('three')]);
    expect(Items.map(({ Name }: Item) => Name)).toEqual(['one', 'two', 'three']);
    await expectStored(app, 'UserStories', Items);
    const made = Items.map(({ Id }: Item) => Id);
    await remove(of('UserStories')).batchRemove(made);
    const rows = await app.rows('select id from general where id = any($1) and delete_date is not null', [made]);
    expect(rows).toHaveLength(3);
  });

  it('of one are single requests', async () => {
    const item = await create(of('UserStories')).batchCreate([storyOf('alone')]);
    await expectStored(app, 'UserStories', [item]);
    expect(await remove(of('UserStories')).batchRemove([item.Id])).toEqual({ ResourceType: 'UserStory', Id: item.Id });
  });

  it('are stored as a whole or not at all', async () => {
    const batch = create(of('UserStories')).batchCreate([storyOf('left out'), { Name: 'no project' }]);
    await expect(batch).rejects.toMatchObject(refused(400));
    expect(await app.rows("select id from general where name = 'left out'")).toEqual([]);
  });

  it.each([
    ['batchCreate', () => create(of('Bugs')).batchCreate({}), /must be an array/],
    ['batchRemove', () => remove(of('Bugs')).batchRemove(1), /must be an array/],
    ['remove', () => remove(of('Bugs')).remove(), /id must be provided/],
    ['update', () => update(of('Bugs')).update({ Name: 'x' }), /Id must be provided/],
  ])('%s of something else is an error of the client', async (_, call, message) => {
    await expect(call()).rejects.toThrow(message);
  });
});
