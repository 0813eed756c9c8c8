/** Links to the rest of collections lead to it, in whatever format the items around them are told. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const json = 'application/json; charset=utf-8';
const owners = ['Project', 'UserStory', 'Feature', 'Release', 'User', 'TestPlan'].map((name) => model.resource(name));

/** As a client that asks for everything in one format. */
async function rest(link: string, headers: Record<string, string>): Promise<unknown> {
  const answer = await app.ask(link.slice(app.base.length), { headers });
  expect([link, answer.status, answer.headers.get('content-type')]).toEqual([link, 200, json]);
  return answer.json.Items.map(({ Id }: { Id: number }) => Id);
}

const ways: [name: string, parameter: string, headers: Record<string, string>][] = [
  ['format=ndjson', '&format=ndjson', {}],
  ['Accept', '', { accept: 'application/x-ndjson' }],
  ['format=ndjson and dates', '&isodate=1&format=NDJSON&dateformat=iso', {}],
];

it.each(ways)('of a whole list by %s', async (_, parameter, headers) => {
  let followed = 0;
  for (const { collection, fields } of owners) {
    const collections = fields.filter(({ kind }) => kind === 'collection').map(({ name }) => name);
    const include = `[Id,${collections.slice(0, 12).map((name) => `${name}[Id]`)}]`;
    const { text } = await app.ask(`/api/v1/${collection}?include=${include}&innerTake=1${parameter}`, { headers });
    const items = text
      .split('\n')
      .filter(Boolean)
      .slice(0, 40)
      .map((line) => JSON.parse(line));
    for (const name of collections) {
      const item = items.find((one) => one[name]?.Next);
      if (!item) continue;
      const { Next, Items } = item[name];
      const ids = await app.items(`/api/v1/${collection}/${item.Id}/${name}?include=[Id]&take=2`);
      expect(await rest(Next, headers)).toEqual([ids[1].Id]);
      expect(Items[0].Id).toBe(ids[0].Id);
      followed += 1;
    }
  }
  expect(followed).toBeGreaterThan(8);
});

it.each(['csv', 'ndjson'])('of one entity by format=%s, which is told in JSON', async (format) => {
  const [{ Id }] = await app.items('/api/v1/Projects?include=[Id]&take=1');
  const { json: project } = await app.ask(
    `/api/v1/Projects/${Id}?include=[UserStories[Id]]&innerTake=1&format=${format}`,
  );
  expect(await rest(project.UserStories.Next, {})).toHaveLength(1);
});

it('with the context that the list is of', async () => {
  const { Acid } = await app.json('/api/v1/Context');
  const { text } = await app.ask(`/api/v1/Projects?include=[UserStories[Id]]&innerTake=1&format=ndjson&acid=${Acid}`);
  const { Next } = JSON.parse(text.split('\n')[0]!).UserStories;
  expect(Next).toContain(`acid=${Acid}`);
  expect(await rest(Next, {})).toHaveLength(1);
});
