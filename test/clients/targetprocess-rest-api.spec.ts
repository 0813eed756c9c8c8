/**
 * The npm client `targetprocess-rest-api`, unmodified, every call it offers. What it does wrong by itself:
 * - `setTaskState` throws where no state has the name.
 * - Of a refusal it tells the status alone, not the message.
 */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Redirected, redirectHttps } from './https-to-loopback.js';
import { expectStored, type Item } from './stored.js';

const { Targetprocess } = createRequire(import.meta.url)('targetprocess-rest-api');

let app: TestApp;
let network: Redirected;
// biome-ignore lint/suspicious/noExplicitAny: the types of the client are those of another compiler
let client: any;
let task: Item;

beforeAll(async () => {
  app = await TestApp.start();
  network = redirectHttps(app.base, 'company.tpondemand.com');
  client = new Targetprocess('company', 'admin', 'admin');
  [task] = (await app.rows(
    `select t.id, p.id as project, p.process_id as process from general t join general p on p.id = t.project_id
     join entity_state s on s.id = t.entity_state_id
     where t.entity_type_id = 5 and t.delete_date is null and p.process_id = 3 and s.name = 'Open' order by t.id limit 1`,
  )) as [Item];
});
afterAll(async () => {
  network.restore();
  await app.stop();
});

const anyOf = async (kind: number): Promise<number> =>
  (await app.rows('select min(id) as id from general where entity_type_id = $1 and delete_date is null', [kind]))[0].id;

describe('reading', () => {
  it.each([
    ['getStory', 'UserStories', 4],
    ['getTask', 'Tasks', 5],
    ['getBug', 'Bugs', 8],
  ])('%s', async (call, collection, kind) => {
    const id = await anyOf(kind);
    const item = await client[call](id);
    expect(item.Id).toBe(id);
    await expectStored(app, collection, [item]);
  });

  it('tells what is missing by its status', async () => {
    await expect(client.getBug(task.id)).rejects.toEqual({ statusCode: 404, message: 'Not Found' });
  });

  it('getCustomValueForProject', async () => {
    const field = { Name: 'Cost Center', FieldType: 'Text', EntityType: { Id: 1 }, Process: { Id: task.process } };
    expect((await app.post('/api/v1/CustomFields', field)).status).toBe(201);
    expect(await client.getCustomValueForProject(task.project, 'Cost Center')).toBeNull();
    await app.post(`/api/v1/Projects/${task.project}`, { CustomFields: [{ Name: 'Cost Center', Value: 'A "1" + ü' }] });
    expect(await client.getCustomValueForProject(task.project, 'Cost Center')).toBe('A "1" + ü');
  });
});

describe('writing', () => {
  it('setTaskState', async () => {
    const item = await client.setTaskState(task.id, 'Done', task.process);
    expect(item.EntityState.Name).toBe('Done');
    const [row] = await app.rows(
      'select s.name, s.process_id as process from general g join entity_state s on s.id = g.entity_state_id where g.id = $1',
      [task.id],
    );
    expect(row).toEqual({ name: 'Done', process: task.process });
  });

  it('setTaskState to a state that is not there: the client finds none in an empty list', async () => {
    await expect(client.setTaskState(task.id, 'Nowhere', task.process)).rejects.toThrow(TypeError);
    expect(network.exchanges.at(-1)).toMatchObject({ method: 'GET', status: 200 });
  });

  it('addTime', async () => {
    const date = new Date('2026-03-04T05:06:07Z');
    const time = await client.addTime(task.id, 0.75, 4.25, date, 'Integration testing');
    const [row] = await app.rows('select * from time where id = $1', [time.Id]);
    expect(row).toMatchObject({
      assignable_id: task.id,
      project_id: task.project,
      user_id: 1,
      description: 'Integration testing',
    });
    expect([Number(row.spent), Number(row.remain), row.date]).toEqual([0.75, 4.25, date]);
    await expectStored(app, 'Times', [time]);
  });
});

describe('credentials', () => {
  it('an access token in place of a password', async () => {
    const { Token } = (await app.post('/api/v1/AccessTokens?format=json', { Name: 'client' }, { as: 'alice' })).json;
    const withToken = new Targetprocess('company', undefined, undefined, { accessToken: Token });
    const [own] = await app.rows(
      `select g.id from general g join project_member m on m.project_id = g.project_id
       join general_user u on u.id = m.user_id
       where u.login = 'alice' and g.entity_type_id = 4 and g.delete_date is null order by g.id limit 1`,
    );
    await expectStored(app, 'UserStories', [await withToken.getStory(own.id)]);
  });

  it('a wrong password', async () => {
    const wrong = new Targetprocess('company', 'admin', 'nothing');
    await expect(wrong.getTask(task.id)).rejects.toEqual({ statusCode: 401, message: 'Unauthorized' });
  });
});
