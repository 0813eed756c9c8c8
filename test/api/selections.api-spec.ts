/**
 * One selection with ever new filters: what is kept of it never shows one caller, format or time what belongs to
 * another.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

let number = 0;
/** Differs from every other in its text, and holds for every row. */
const fresh = (): string => {
  number += 1;
  return `Id%20gt%20-${number}`;
};

it('callers who see different rows see different rows, whoever came first', async () => {
  const include = 'include=[Name,Project[Name],Assignments[GeneralUser]]&append=[Tasks-Count]&take=1000';
  const seen = async (as: string) =>
    (await app.items(`/api/v1/UserStories?${include}&where=${fresh()}`, { as })).map(({ Id }) => Id);
  const all = await seen('admin');
  const own = await seen('alice');
  const others = await seen('elena');
  expect(own.length).toBeLessThan(all.length);
  expect(own).not.toEqual(others);
  expect([await seen('elena'), await seen('alice'), await seen('admin')]).toEqual([others, own, all]);
  const [{ project_id: project }] = await app.rows('select project_id from general where id = any($1) limit 1', [own]);
  expect([8, 54]).toContain(project);
});

it('private fields stay those of the caller', async () => {
  const emails = async (as: string) =>
    (await app.items(`/api/v1/Users?include=[Email]&take=1000&where=${fresh()}`, { as })).flatMap(({ Id, Email }) =>
      Email === null ? [] : [Id],
    );
  expect((await emails('admin')).length).toBeGreaterThan(2);
  expect(await emails('alice')).toEqual([3]);
  expect(await emails('elena')).toEqual([7]);
});

it('each format and style of dates is its own, and so are links of cut inner collections', async () => {
  const path = () => `/api/v1/Projects?include=[CreateDate,UserStories[Id]]&innerTake=1&take=1&where=${fresh()}`;
  const inMilliseconds = await app.json(path());
  const iso = await app.json(`${path()}&dateformat=iso`);
  expect(inMilliseconds.Items[0].CreateDate).toMatch(/^\/Date\(/);
  expect(iso.Items[0].CreateDate).toMatch(/^\d{4}-/);
  expect(iso.Items[0].UserStories.Next).toContain('dateformat=iso');
  expect(inMilliseconds.Items[0].UserStories.Next).not.toContain('dateformat');
  expect(await app.xml(path())).toMatch(/^<Projects/);
  expect((await app.json(path().replace('innerTake=1', 'innerTake=2'))).Items[0].UserStories.Items).toHaveLength(2);
});

it('a custom field that is new is there for a selection that was asked for before', async () => {
  const names = async (): Promise<string[]> => {
    const [story] = await app.items(
      `/api/v1/UserStories?include=[CustomFields]&take=1&where=(Project.Process.Id eq 3) and (${fresh()})`,
    );
    return story.CustomFields.map(({ Name }: { Name: string }) => Name);
  };
  expect(await names()).not.toContain('Made meanwhile');
  const made = await app.post('/api/v1/CustomFields?format=json', {
    Name: 'Made meanwhile',
    FieldType: 'Text',
    EntityType: { Id: 4 },
    Process: { Id: 3 },
  });
  expect(made.status, made.text).toBe(201);
  expect(await names()).toContain('Made meanwhile');
});

it('limits hold for every request, whatever was kept', async () => {
  const include = `include=[${Array.from({ length: 201 }, () => 'Id').join()}]`;
  for (let turn = 0; turn < 2; turn++) {
    const refused = await app.ask(`/api/v1/UserStories?${include}&format=json`);
    expect([refused.status, refused.json.Message]).toEqual([400, expect.stringContaining('200')]);
  }
});
