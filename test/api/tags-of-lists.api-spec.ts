/** An entity tag holds for its own entity alone, also where several were written at one moment. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

const list = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  app.post('/api/v1/UserStories/bulk?format=json&include=[Id]', body, { headers });

/** Two stories that are made in one list. */
async function twins(): Promise<[number, number]> {
  const made = await list(['A', 'B'].map((Name) => ({ Name, Project: { Id: project } })));
  const [a, b] = made.json.Items.map(({ Id }: { Id: number }) => Id);
  return [a, b];
}

const tagOf = async (id: number): Promise<string> => (await app.ask(`/api/v1/UserStories/${id}`)).headers.get('etag')!;

const described = (ids: readonly number[], Description: string) => ids.map((Id) => ({ Id, Description }));

/** The first was read before somebody else wrote both in one list, the second afterwards. */
async function halfRead(): Promise<{ ids: [number, number]; stale: string; fresh: string }> {
  const ids = await twins();
  const stale = await tagOf(ids[0]);
  expect((await list(described(ids, 'by another'))).status).toBe(200);
  return { ids, stale, fresh: await tagOf(ids[1]) };
}

const descriptions = async (ids: readonly number[]): Promise<string[]> =>
  (await app.rows('select description from general where id = any($1) order by id', [ids])).map(
    ({ description }) => description,
  );

it('a list is 412 where one of its entities has been changed since it was read', async () => {
  const { ids, stale, fresh } = await halfRead();
  expect((await list(described(ids, 'mine'), { 'if-match': `${stale}, ${fresh}` })).status).toBe(412);
  expect(await descriptions(ids)).toEqual(['by another', 'by another']);
  const tags = await Promise.all(ids.map(tagOf));
  expect((await list(described(ids, 'mine'), { 'if-match': tags.join(', ') })).status).toBe(200);
});

it('a list is 412 where one of its entities has no tag of its own', async () => {
  const ids = await twins();
  const [a, b] = await Promise.all(ids.map(tagOf));
  for (const tags of [a, b, `${a}, ${a}`])
    expect([tags, (await list(described(ids, 'mine'), { 'if-match': tags! })).status]).toEqual([tags, 412]);
});

it('a deletion of a list is 412 where one of its entities has been changed since it was read', async () => {
  const { ids, stale, fresh } = await halfRead();
  const remove = (tags: string) =>
    app.ask('/api/v1/UserStories/bulk?format=json', {
      method: 'DELETE',
      body: JSON.stringify(ids.map((Id) => ({ Id }))),
      headers: { 'content-type': 'application/json', 'if-match': tags },
    });
  expect((await remove(`${stale}, ${fresh}`)).status).toBe(412);
  expect(await descriptions(ids)).toEqual(['by another', 'by another']);
  expect((await remove((await Promise.all(ids.map(tagOf))).join(', '))).status).toBe(200);
});

it('the tag of one entity is no tag of another that was written with it', async () => {
  const { ids, fresh } = await halfRead();
  const path = `/api/v1/UserStories/${ids[0]}?format=json`;
  const write = (headers: Record<string, string>) => app.post(path, { Description: 'mine' }, { headers });
  expect((await write({ 'if-match': fresh })).status).toBe(412);
  expect((await app.ask(path, { method: 'DELETE', headers: { 'if-match': fresh } })).status).toBe(412);
  // Nor does it keep that one from being changed.
  expect((await write({ 'if-none-match': fresh })).status).toBe(200);
});
