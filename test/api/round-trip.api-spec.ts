/**
 * What is read can be sent back: unchanged it changes nothing, in either format, for every resource that can be
 * updated.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({ TIME_ZONE: 'Europe/Berlin' });
});
afterAll(() => app.stop());

const model = buildModel(resourceEntities);
const updatable = model.resources
  .filter(({ settings }) => settings.operations.update)
  .map((resource) => resource.collection);

const types = { json: 'application/json', xml: 'application/xml' } as const;

/** A few of each: the first, the last, and what happens to be in between. */
async function someIds(collection: string): Promise<number[]> {
  const ids = (await app.items(`/api/v1/${collection}?include=[Id]&take=1000`)).map(({ Id }) => Id as number);
  return [
    ...new Set([0, Math.floor(ids.length / 3), Math.floor(ids.length / 2), ids.length - 1].map((at) => ids[at]!)),
  ].filter((id) => id !== undefined);
}

async function sendsBack(path: string, format: 'json' | 'xml'): Promise<void> {
  const read = await app.ask(path);
  expect(read.status).toBe(200);
  const sent = await app.ask(path, {
    method: 'POST',
    headers: { 'content-type': types[format] },
    body: read.text,
  });
  expect([path, sent.status, sent.status === 200 ? '' : sent.text]).toEqual([path, 200, '']);
  expect(sent.text).toBe(read.text);
  expect((await app.ask(path)).text).toBe(read.text);
}

/** Everything there is to read of an entity, collections of items in short form. */
const everything = (collection: string): string =>
  model.resources
    .find((resource) => resource.collection === collection)!
    .fields.filter((field) => field.kind !== 'scalar' || !field.isWriteOnly)
    .map(({ name }) => name)
    .join(',');

/** Some of the numbers over its collections. */
function numbers(collection: string): string[] {
  const { fields } = model.resources.find((resource) => resource.collection === collection)!;
  return fields
    .flatMap((field) => {
      if (field.kind !== 'collection') return [];
      return field.target.field('Effort') ? [`${field.name}-Count`, `${field.name}-Effort-Sum`] : `${field.name}-Count`;
    })
    .slice(0, 12);
}

describe.each(updatable.filter((collection) => numbers(collection).length > 0))('numbers over %s', (collection) => {
  it.each(['json', 'xml'] as const)('sent back in %s', async (format) => {
    for (const id of (await someIds(collection)).slice(0, 2))
      await sendsBack(`/api/v1/${collection}/${id}?format=${format}&append=[${numbers(collection)}]`, format);
  });
});

describe('numbers of a kind', () => {
  const send = (path: string, body: unknown) => app.post(`/api/v1/${path}?format=json`, body);

  it('sent to its base type, in bulk and in a collection change nothing', async () => {
    const [story] = await app.items(
      '/api/v1/UserStories?take=1&include=[Id,Project,Tasks-Count]&where=Tasks is not null',
    );
    const { Id, Project } = story;
    expect(story['Tasks-Count']).toBeGreaterThan(0);
    const sent = { Id, 'tasks-count': 5, 'Tasks-Effort-Avg': null };
    for (const path of ['Assignables', `Generals/${Id}`])
      expect(await send(path, sent).then(({ status, json }) => [status, json.Id])).toEqual([200, Id]);
    expect((await send('Assignables/bulk', [sent])).status).toBe(200);
    const made = { Name: 'a', Project, UserStories: [{ Name: 'b', 'Tasks-Count': 2 }] };
    expect((await send('Features', made)).status).toBe(201);
  });

  it.each([
    'Nope-Count',
    'Tasks-Nope',
    'Tasks-Effort',
    'Tasks-Nope-Sum',
    'Tasks-Sum',
    'Tasks-Effort-Count',
    'Project-Count',
    '-Count',
  ])('%s is unknown', async (name) => {
    const { status, json } = await send('UserStories', { [name]: 1 });
    expect([status, json.Message]).toEqual([400, expect.stringContaining(`${name}: 'UserStory' has no such field.`)]);
  });
});

describe.each(updatable)('%s', (collection) => {
  it.each(['json', 'xml'] as const)('sent back in %s', async (format) => {
    for (const id of await someIds(collection)) await sendsBack(`/api/v1/${collection}/${id}?format=${format}`, format);
  });

  it.each(['json', 'xml'] as const)('sent back in %s with all that belongs to it', async (format) => {
    for (const id of (await someIds(collection)).slice(0, 2)) {
      await sendsBack(`/api/v1/${collection}/${id}?format=${format}&include=[${everything(collection)}]`, format);
    }
  });
});

it.each(['Users/15', 'Users/1', 'Requesters/32'])('%s, read without its address, stays as it is', async (path) => {
  const { text: body } = await app.ask(`/api/v1/${path}?format=json`, { as: 'alice' });
  const answer = await app.ask(`/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': types.json },
    body,
    as: 'alice',
  });
  expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('Only administrators may change')]);
});
