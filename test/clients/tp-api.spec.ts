/**
 * The npm client `tp-api`, unmodified, every call it offers. What it does wrong by itself:
 * - It takes an answer for an error only by a member `Error`, which no error of this API has: refusals arrive as data.
 * - `pluck` after `omit`, and `omit` after `pluck`, throw.
 * - `then` of one entity asks for the list, since its Id goes into a body that a GET does not read.
 */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Redirected, redirectHttps } from './https-to-loopback.js';
import { expectStored, expectWholeList, type Item } from './stored.js';

const load = createRequire(import.meta.url);
const configure = load('tp-api');
const Entity = load('tp-api/lib/tpentity');
const domain = 'company.example';

let app: TestApp;
let network: Redirected;
// biome-ignore lint/suspicious/noExplicitAny: the client has no types
let tp: any;

beforeAll(async () => {
  app = await TestApp.start();
  network = redirectHttps(app.base, domain);
  tp = configure({ domain, username: 'admin', password: 'admin' });
});
afterAll(async () => {
  network.restore();
  await app.stop();
});

type Callback = (error: Error | null, data: Item) => void;

/**
 * What a call with a callback gives; queries of this client must not be awaited, since their `then` is no promise's.
 */
const given = (call: (callback: Callback) => void): Promise<Item> =>
  new Promise((resolve, reject) => call((error, data) => (error ? reject(error) : resolve(data))));

// biome-ignore lint/suspicious/noExplicitAny: the client has no types
const list = async (query: () => any): Promise<Item[]> => (await given((callback) => query().then(callback))) as Item[];

const rowOf = async (id: number): Promise<Item> =>
  (
    await app.rows(
      'select g.*, s.name as state from general g left join entity_state s on s.id = g.entity_state_id where g.id = $1',
      [id],
    )
  )[0];

const someStories = async (): Promise<Item[]> =>
  (await given((callback) =>
    tp('UserStories').where("EntityState.Name eq 'Open'").take(3).thenEntities(callback),
  )) as Item[];

describe('configuration', () => {
  it.each([
    ['no domain', { username: 'a', password: 'b' }, /domain is required/],
    ['no password', { domain, username: 'a' }, /username and password is required/],
  ])('%s is an error of the client', (_, options, message) => {
    expect(() => configure(options)).toThrow(message);
  });

  it('takes a token for Basic, and `new`', async () => {
    const token = Buffer.from('alice:demo').toString('base64');
    const mine = new configure({ domain, token });
    const [alice] = await app.rows("select id from general_user where login = 'alice'");
    expect((await given((callback) => mine('Context').then(callback))).LoggedUser.Id).toBe(alice.id);
  });

  it('takes a version of the API', async () => {
    const second = configure({ domain, username: 'admin', password: 'admin', version: 2 });
    const { items } = await given((callback) => second('UserStory').take(3).then(callback));
    const shown = (items as Item[]).map(({ id, name }) => ({ Id: id, Name: name }));
    expect(shown).toHaveLength(3);
    await expectStored(app, 'UserStories', shown);
  });
});

describe('reading', () => {
  const { entities } = load('tp-api/lib/tpquery').prototype;

  it.each((entities as string[]).filter((name) => name !== 'Context'))('lists %s', async (name) => {
    await expectWholeList(app, name, await list(() => tp(name).take(1000)));
  });

  it('shows the context', async () => {
    const context = await given((callback) => tp().get('Context').then(callback));
    const projects = await app.rows(
      'select id from general where entity_type_id = 1 and delete_date is null order by id',
    );
    const shown: number[] = context.SelectedProjects.Items.map(({ Id }: Item) => Id);
    expect(shown.sort((a, b) => a - b)).toEqual(projects.map(({ id }) => id));
    expect(context.LoggedUser).toMatchObject({ Id: 1 });
  });

  it('takes as many as asked, in the order asked, by the filter asked', async () => {
    const tasks = await list(() =>
      tp('Tasks')
        .take(5)
        .where("EntityState.Name eq 'Open'")
        .pluck('Name', 'NumericPriority')
        .sortBy('NumericPriority'),
    );
    const rows = await app.rows(
      `select id as "Id", name as "Name", numeric_priority::float as "NumericPriority" from general
       where entity_type_id = 5 and delete_date is null
         and entity_state_id in (select id from entity_state where name = 'Open')
       order by numeric_priority, id limit 5`,
    );
    expect(tasks).toEqual(rows.map((row) => ({ ResourceType: 'Task', ...row })));
  });

  it('leaves out what is omitted', async () => {
    const [whole] = await list(() => tp('Bugs').take(1));
    const [part] = await list(() => tp('Bugs').take(1).omit('Description', 'Tags', 'CustomFields'));
    expect(Object.keys(whole!).filter((name) => !(name in part!))).toEqual(['Description', 'Tags', 'CustomFields']);
  });

  it('makes entities of a list', async () => {
    const stories = await someStories();
    expect(stories).toHaveLength(3);
    expect(stories[0]).toBeInstanceOf(Entity);
    await expectStored(app, 'UserStories', stories);
  });
});

describe('writing', () => {
  it('creates', async () => {
    const [story] = await someStories();
    const entity = new Entity({}, tp('Bugs').opts);
    const bug = await given((callback) =>
      entity.create({ Name: 'Made by a client', Project: { Id: story!.Project.Id } }, callback),
    );
    expect(await rowOf(bug.Id)).toMatchObject({
      name: 'Made by a client',
      entity_type_id: 8,
      project_id: story!.Project.Id,
    });
    expect(entity).toMatchObject({ Id: bug.Id, Name: 'Made by a client' });
  });

  it('updates an entity of a list, and one that is known by its Id', async () => {
    const [story] = await someStories();
    await given((callback) => story!.update({ Name: 'first' }, callback));
    expect(await rowOf(story!.Id)).toMatchObject({ name: 'first' });
    await given((callback) => tp('UserStories', story!.Id).update({ Name: 'second' }, callback));
    expect(await rowOf(story!.Id)).toMatchObject({ name: 'second', project_id: story!.Project.Id });
    expect(story).toMatchObject({ Name: 'first' });
  });

  it('moves to a next state by its name', async () => {
    const [story] = await someStories();
    await given((callback) => story!.setState('In Progress', callback));
    expect(await rowOf(story!.Id)).toMatchObject({ state: 'In Progress' });
    expect(story!.EntityState.Name).toBe('In Progress');
  });

  it('says that there is no such next state, from what the service lists', async () => {
    const [story] = await someStories();
    await expect(given((callback) => story!.setState('Nowhere', callback))).rejects.toThrow(
      /Nowhere is not an allowed state to move to from Open/,
    );
    expect(await rowOf(story!.Id)).toMatchObject({ state: 'Open' });
  });

  it('comments', async () => {
    const [story] = await someStories();
    const comment = await given((callback) => tp().comment(story!.Id, 'A "client" says <b>this</b>', callback));
    await expectStored(app, 'Comments', [comment]);
    expect(comment).toMatchObject({
      General: { Id: story!.Id },
      Owner: { Id: 1 },
      Description: 'A "client" says <b>this</b>',
    });
  });

  it('deletes', async () => {
    const [story] = await someStories();
    const answer = await given((callback) => story!.delete(callback));
    expect(answer).toEqual({ ResourceType: 'UserStory', Id: story!.Id });
    expect((await rowOf(story!.Id)).delete_date).toBeInstanceOf(Date);
    expect(await list(() => tp('UserStories').where(`Id eq ${story!.Id}`))).toEqual([]);
  });
});

describe('faults of the client', () => {
  it.each([
    ['an unknown resource', () => tp('Foobars'), 404, "Unknown resource 'Foobars'. '/api/v1/Index/meta' lists them."],
    ['a bad filter', () => tp('Bugs').where('Nmae eq 1'), 400, /Nmae/],
    [
      'a wrong password',
      () => configure({ domain, username: 'admin', password: 'x' })('Bugs'),
      401,
      /Authentication failed/,
    ],
  ])('%s is handed over as data', async (_, query, status, message) => {
    expect(await given((callback) => query().then(callback))).toMatchObject({
      Message: expect.stringMatching(message),
    });
    expect(network.exchanges.at(-1)!.status).toBe(status);
  });

  it('a refused write is handed over as data, and nothing is stored', async () => {
    const [story] = await someStories();
    const answer = await given((callback) => story!.update({ Nmae: 'x' }, callback));
    expect(answer).toMatchObject({
      Status: 'BadRequest',
      Message: "Nmae: 'UserStory' has no such field. Did you mean 'Name'?",
    });
    expect(await rowOf(story!.Id)).toMatchObject({ entity_version: story!.EntityVersion });
  });

  it('pluck and omit exclude one another', () => {
    expect(() => tp('Bugs').omit('Name').pluck('Id')).toThrow(TypeError);
    expect(() => tp('Bugs').pluck('Name').omit('Id')).toThrow(TypeError);
  });

  it('one entity is asked for as a list, since a body of a GET is not read', async () => {
    const [story] = await someStories();
    const answer = await given((callback) => tp('UserStories', story!.Id).then({}, callback));
    expect(answer).toHaveLength(25);
    expect(network.exchanges.at(-1)).toMatchObject({
      method: 'GET',
      path: '/api/v1/UserStories',
      body: `{"Id":${story!.Id}}`,
    });
  });
});
