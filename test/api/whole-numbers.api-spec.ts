/** A whole number may be written as programs write it that know fractions alone: `26.0` and `2.6e1` are 26. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;
let story: number;
beforeAll(async () => {
  app = await TestApp.start();
  project = await made('Projects', { Name: 'of whole numbers' });
  story = await made('UserStories', { Name: 'story', Project: { Id: project } });
});
afterAll(() => app.stop());

const send = (path: string, body: unknown, method = 'POST', type = 'application/json') =>
  app.ask(`/api/v1/${path}?format=json`, {
    method,
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

async function made(path: string, body: unknown): Promise<number> {
  const { status, json } = await send(path, body);
  expect([status, json]).toEqual([201, expect.objectContaining({ Id: expect.any(Number) })]);
  return json.Id;
}

/** The same number in other spellings. */
const spellings: readonly [string, (id: number) => string][] = [
  ['with a fraction of zero', (id) => `${id}.0`],
  ['with an exponent', (id) => id.toExponential()],
  ['with an exponent and a sign', (id) => `${id / 10}E+1`],
  ['with a negative exponent', (id) => `${id}00e-2`],
];

describe.each(spellings)('a number %s', (_, spelled) => {
  it('is the Id of a reference, of an entity and of an item of a collection', async () => {
    const body = `{"Name":"task","UserStory":{"Id":${spelled(story)}},"Project":{"Id":"${spelled(project)}"}}`;
    const task = await made('Tasks', body);
    for (const text of [`{"Id":${spelled(task)},"Name":"renamed"}`, `{"Id":"${spelled(task)}","Name":"renamed"}`])
      expect(await send('Tasks', text).then(({ status, json }) => [status, json.Id, json.UserStory?.Id])).toEqual([
        200,
        task,
        story,
      ]);
    const owner = await send(`UserStories/${story}`, `{"Tasks":[{"Id":${spelled(task)}}]}`);
    expect([owner.status, owner.json.Id]).toEqual([200, story]);
  });

  it('is one in XML, as an attribute and as an element', async () => {
    const id = spelled(story);
    for (const xml of [
      `<UserStory Id="${id}"><Project Id="${spelled(project)}"/></UserStory>`,
      `<UserStory><Id>${id}</Id><Project><Id> ${spelled(project)} </Id></Project></UserStory>`,
    ])
      expect((await send('UserStories', xml, 'POST', 'application/xml')).json).toMatchObject({
        Id: story,
        Project: { Id: project },
      });
  });

  it('is one in bulk, where something is deleted and where it is restored', async () => {
    const [one, other] = [
      await made('UserStories', { Name: 'one', Project: { Id: project } }),
      await made('UserStories', { Name: 'other', Project: { Id: project } }),
    ];
    const list = `[{"Id":${spelled(one)}},{"Id":"${spelled(other)}"}]`;
    expect((await send('UserStories/bulk', list)).json.Items.map(({ Id }: { Id: number }) => Id)).toEqual([one, other]);
    expect((await send('UserStories/bulk', list, 'DELETE')).status).toBe(200);
    const undelete = `[{"EntityType":${spelled(4)},"Id":${spelled(one)}},{"EntityType":{"Id":4},"Id":"${spelled(other)}"}]`;
    expect((await send('undelete/bulk', undelete)).status).toBe(200);
  });

  it('is a whole number of any other field', async () => {
    const { status, json } = await send('Comments', `{"General":{"Id":${spelled(story)}},"Description":"a"}`);
    expect(status).toBe(201);
    const reply = `{"General":{"Id":${story}},"Description":"b","ParentId":${spelled(json.Id)}}`;
    expect((await send('Comments', reply)).json.ParentId).toBe(json.Id);
    const settings = await send('GlobalSettings', `{"AccessTokenLimit":${spelled(120)}}`);
    expect(settings.json.AccessTokenLimit).toBe(120);
  });

  it('is the Id of what a custom field points at', async () => {
    const [{ process }] = await app.rows('select process_id as process from general where id = $1', [project]);
    const Name = `Points ${_}`;
    const field = { Name, FieldType: 'Entity', EntityType: { Id: 4 }, Process: { Id: process } };
    await made('CustomFields', field);
    const body = `{"CustomFields":[{"Name":"${Name}","Value":{"Id":${spelled(story)},"Kind":"UserStory"}}]}`;
    const { status, json } = await send(`UserStories/${story}`, body);
    expect(status).toBe(200);
    expect(json.CustomFields).toContainEqual(
      expect.objectContaining({ Name, Value: expect.objectContaining({ Id: story }) }),
    );
  });

  it('is one in filters', async () => {
    const countWhere = (where: string) =>
      app.items(`/api/v1/UserStories?include=[Id]&where=${encodeURIComponent(where)}`).then((items) => items.length);
    const id = spelled(story);
    for (const where of [
      `Id eq ${id}`,
      `Id eq '${id}'`,
      `Id in (${id})`,
      `Id eq ${story} and Project.Id eq ${spelled(project)}`,
    ])
      expect([where, await countWhere(where)]).toEqual([where, 1]);
    expect(await countWhere(`Id eq ${story} and Id ne ${id}`)).toBe(0);
    const importance = await countWhere(`Id eq ${story} and Priority.Importance gte ${spelled(0)}`);
    expect(importance).toBe(1);
  });
});

it.each([
  ['Tasks/0', { Name: 'a' }, 404, 'Task with Id 0 not found'],
  ['UserStories', { Name: 'a', Project: { Id: 0, Name: 'b' } }, 400, 'Project.Id: there is no Project with Id 0'],
  ['CustomFields', { FieldType: 1 }, 400, 'FieldType: one of the known names is needed'],
  ['CustomFields', { FieldType: '1' }, 400, 'FieldType: one of the known names is needed'],
])('a number that names nothing is refused: %s %j', async (path, body, expected, message) => {
  const { status, json } = await send(path, body);
  expect([status, json.Message]).toEqual([expected, expect.stringContaining(message)]);
});

it('an enumeration is compared by its names', async () => {
  const answer = await app.ask(`/api/v1/TestCaseRuns?format=json&where=${encodeURIComponent('Status eq 2')}`);
  expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('one of NotRun, Passed')]);
});

describe('what is no whole number is refused', () => {
  it.each([
    ['Tasks', '{"UserStory":{"Id":26.5}}', 'UserStory.Id: an Id is a whole number'],
    ['Tasks', '{"Id":2.65e1}', 'Id: an Id is a whole number'],
    ['Tasks', '{"Id":-26.0}', 'Id: an Id is a whole number'],
    ['Tasks', '{"Id":"26.5"}', 'Id: an Id is a whole number'],
    ['Tasks', '{"Id":9007199254740992.0}', 'Id: an Id is a whole number'],
    ['Tasks', '{"Id":1e300}', 'Id: an Id is a whole number'],
    ['GlobalSettings', '{"AccessTokenLimit":120.5}', 'AccessTokenLimit: a whole number is needed'],
    ['GlobalSettings', '{"AccessTokenLimit":1e10}', 'AccessTokenLimit: a whole number is needed'],
    ['Tasks', '<Task><UserStory Id="26.5"/></Task>', 'UserStory.Id: an Id is a whole number'],
  ])('in %s: %s', async (path, body, message) => {
    const type = body.startsWith('<') ? 'application/xml' : 'application/json';
    const { status, json } = await send(path, body, 'POST', type);
    expect([status, json.Message]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each([
    'Id eq 26.5',
    "Id eq '2.65e1'",
    'Id in (26.0,26.5)',
    'Priority.Importance gt 0.5',
  ])('in %s', async (where) => {
    const { status, json } = await app.ask(`/api/v1/UserStories?format=json&where=${encodeURIComponent(where)}`);
    expect([status, json.Message]).toEqual([400, expect.stringContaining('is not a whole number')]);
  });

  it('in an address, where only digits are an Id', async () => {
    expect((await app.ask(`/api/v1/UserStories/${story}.0?format=json`)).status).toBe(400);
  });
});
