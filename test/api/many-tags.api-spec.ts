/** An entity with more tags than one text may add: what is there may be sent back, and each may be taken away. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
let story: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
  const TagObjects = Array.from({ length: 203 }, (_, n) => ({ Name: `Many ${n}` }));
  story = (await app.write('UserStories', { Name: 'many', Project: { Id: project }, TagObjects })).Id;
});
afterAll(() => app.stop());

const post = (path: string, body: unknown) => app.post(`/api/v1/${path}?format=json`, body);
const read = () => app.json(`/api/v1/UserStories/${story}`);
const tags = async (): Promise<string[]> => (await read()).Tags.split(', ');
const refusal = [400, 'Tags: more than 200 tags are sent.'];

it('all of them are sent back with another name, in both formats and in bulk', async () => {
  const before = await tags();
  expect(before.length).toBe(203);
  const json = await post(`UserStories/${story}`, { ...(await read()), Name: 'renamed' });
  expect([json.status, json.json.Name]).toEqual([200, 'renamed']);
  const xml = await post(`UserStories/${story}`, await app.xml(`/api/v1/UserStories/${story}`));
  expect(xml.status, xml.text).toBe(200);
  const bulk = await post('UserStories/bulk', [await read()]);
  expect(bulk.status, bulk.text).toBe(200);
  expect(await tags()).toEqual(before);
});

it('one is taken away by the text of the others, in whatever case', async () => {
  const others = (await tags()).slice(1);
  const sent = await post(`UserStories/${story}`, { Tags: others.join().toUpperCase() });
  expect(sent.status, sent.text).toBe(200);
  expect((await tags()).sort()).toEqual(others.sort());
});

it('another one is not added by a text with more than 200', async () => {
  const before = await tags();
  for (const Tags of [
    [...before, 'one more'],
    ['one more', ...before.slice(1)],
  ].map((names) => names.join())) {
    const one = await post(`UserStories/${story}`, { Tags });
    expect([one.status, one.json.Message]).toEqual(refusal);
    const bulk = await post('UserStories/bulk', [{ Id: story, Tags }]);
    expect([bulk.status, bulk.json.Message]).toEqual([400, `[0].${refusal[1]}`]);
  }
  const made = await post('UserStories', { Name: 'x', Project: { Id: project }, Tags: before.join() });
  expect([made.status, made.json.Message]).toEqual(refusal);
  expect(await tags()).toEqual(before);
});

it('200 others take their place', async () => {
  const names = Array.from({ length: 200 }, (_, n) => `Other ${n}`);
  const sent = await post(`UserStories/${story}`, { Tags: names.join() });
  expect(sent.status, sent.text).toBe(200);
  expect((await tags()).sort()).toEqual(names.sort());
});
