/** What a custom field pointed at stays hidden in full histories, whatever becomes of the field. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
const ids = { here: 0, there: 0, project: 0 };
let hidden: number;

const send = async (path: string, body: object): Promise<number> => {
  const { status, json, text } = await app.post(`/api/v1/${path}?format=json`, body);
  expect([status < 300, status < 300 ? '' : text]).toEqual([true, '']);
  return json.Id;
};
const define = (process: number, Name: string, FieldType: string): Promise<number> =>
  send('CustomFields', { Name, FieldType, EntityType: { Id: 4 }, Process: { Id: process } });

beforeAll(async () => {
  app = await TestApp.start();
  ids.here = await send('Processes', { Name: 'Here' });
  ids.there = await send('Processes', { Name: 'There' });
  ids.project = await send('Projects', { Name: 'seen', Process: { Id: ids.here } });
  hidden = await send('Bugs', { Name: 'hidden', Project: { Id: await send('Projects', { Name: 'hidden' }) } });
  const [{ Id }] = await app.items("/api/v1/Users?where=Login eq 'alice'");
  await send('ProjectMembers', { Project: { Id: ids.project }, User: { Id } });
});
afterAll(() => app.stop());

/** A story whose field had these values one after another, each in a record of its own. */
async function storyWith(Name: string, values: readonly unknown[]): Promise<number> {
  const story = await send('UserStories', { Name: 'past', Project: { Id: ids.project } });
  for (const Value of values) {
    await app.rows(`update full_history set date = date - interval '1 hour' where general_id = $1`, [story]);
    await send(`UserStories/${story}`, { CustomFields: [{ Name, Value }] });
  }
  return story;
}

interface Told {
  text?: string;
  changed: boolean;
}

/** From the first record of a change on. */
async function pastOf(story: number, name: string, as: string): Promise<Told[]> {
  const select = `{text:GetCustomValueString('${name}'),changed:IsCustomValueChanged('${name}')}`;
  const parameters = new URLSearchParams({ where: `currentUserStory.id==${story}`, select, orderBy: 'date' });
  const { status, json, text } = await app.ask(`/api/v2/UserStoryHistory?${parameters}`, { as });
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return json.items.slice(1);
}

const matching = async (story: number, name: string, as: string): Promise<number> => {
  const where = `currentUserStory.id==${story} and GetCustomValueString('${name}').contains('${hidden}')`;
  const { json } = await app.ask(`/api/v2/UserStoryHistory?${new URLSearchParams({ where, select: 'id' })}`, { as });
  return json.items.length;
};

const kinds = [
  ['Entity', () => ({ Id: hidden, Kind: 'Bug' })],
  ['MultipleEntities', () => `${hidden} bug`],
] as const;
const texts = ['Text', 'RichText', 'TemplatedURL', 'DropDown', 'MultipleSelectionList'];

it.each(
  kinds.flatMap(([type, pointer]) => texts.map((text) => [type, text, pointer] as const)),
)('%s that becomes %s', async (type, text, pointer) => {
  const name = `${type} ${text}`;
  const field = await define(ids.here, name, type);
  const story = await storyWith(name, [pointer(), null]);
  await send(`CustomFields/${field}`, { FieldType: text, Value: 'a\nb' });
  expect(await pastOf(story, name, 'alice')).toEqual([{ changed: false }, { changed: false }]);
  expect(await matching(story, name, 'alice')).toBe(0);
  // Typed by then.
  await app.rows(`update full_history set date = date - interval '1 hour' where general_id = $1`, [story]);
  await send(`UserStories/${story}`, { CustomFields: [{ Name: name, Value: 'a' }] });
  expect((await pastOf(story, name, 'alice')).at(-1)).toEqual({ text: 'a', changed: true });
});

it.each(kinds)('%s that is deleted while a text has its name in another process', async (type, pointer) => {
  const name = `${type} twin`;
  const field = await define(ids.here, name, type);
  await define(ids.there, name, 'Text');
  const story = await storyWith(name, [pointer(), null]);
  expect((await app.ask(`/api/v1/CustomFields/${field}`, { method: 'DELETE' })).status).toBe(200);
  expect(await pastOf(story, name, 'alice')).toEqual([{ changed: false }, { changed: false }]);
  expect(await matching(story, name, 'alice')).toBe(0);
});

it('of texts, all changes are shown, and what names no kind of entity', async () => {
  const field = await define(ids.here, 'Typed', 'Text');
  const story = await storyWith('Typed', ['words', '2 weeks', null]);
  const changes = [{ text: 'words', changed: true }, { text: '2 weeks', changed: true }, { changed: true }];
  expect(await pastOf(story, 'Typed', 'alice')).toEqual(changes);
  await app.ask(`/api/v1/CustomFields/${field}`, { method: 'DELETE' });
  expect(await pastOf(story, 'Typed', 'alice')).toEqual(changes);
});
