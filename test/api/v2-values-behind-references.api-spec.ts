/** Version 2: `CustomValues.Get('Risk').value` is the value, of whatever type, also behind references. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
let planned: number;
let pointing: number;
const ids: Ids = { Process: 3, Role: 1 };
const types = { Link: 'URL', Owned: 'Entity', Person: 'Entity', Level: 'Number', Told: 'Text', Due: 'Date' };

beforeAll(async () => {
  app = await TestApp.start();
  for (const [Name, FieldType] of Object.entries(types))
    await app.write('CustomFields', { Name, FieldType, EntityType: { Id: 9 }, Process: { Id: 3 } });
  await app.write('CustomFields', { Name: 'Points', FieldType: 'Entity', EntityType: { Id: 4 }, Process: { Id: 3 } });
  ids.Project = await make(app, 'Project', { mark: 'v', ids });
  const bug = await make(app, 'Bug', { mark: 'v', ids });
  ids.Feature = await make(
    app,
    'Feature',
    { mark: 'v', ids },
    {
      CustomFields: [
        { Name: 'Link', Value: { Url: 'https://example.com/', Label: 'here' } },
        { Name: 'Owned', Value: { Id: bug, Kind: 'Bug' } },
        { Name: 'Person', Value: { Id: 1, Kind: 'User' } },
        { Name: 'Level', Value: 3 },
        { Name: 'Told', Value: 'x' },
        { Name: 'Due', Value: '2041-05-01' },
      ],
    },
  );
  const Feature = { Id: ids.Feature };
  planned = await make(app, 'UserStory', { mark: 'v', ids }, { Feature });
  const CustomFields = [{ Name: 'Points', Value: { Id: ids.Feature, Kind: 'Feature' } }];
  pointing = await make(app, 'UserStory', { mark: 'v', ids }, { CustomFields });
});
afterAll(() => app.stop());

const asked = (kind: string, parameters: Record<string, string>) =>
  app.ask(`/api/v2/${kind}?${new URLSearchParams(parameters)}`);

const select = (owner: string): string =>
  `{${Object.keys(types).map((name) => `${name}:${owner}CustomValues.Get('${name}').value`)}}`;
const shown = async (kind: string, id: number, owner: string) => {
  const { json } = await asked(kind, { where: `id==${id}`, select: select(owner) });
  return json.items;
};

it('of every type', async () => {
  const own = await shown('Feature', ids.Feature!, '');
  expect(Object.keys(own[0])).toHaveLength(6);
  expect(await shown('UserStory', planned, 'feature.')).toEqual(own);
  expect(await shown('UserStory', pointing, 'Points.as<Feature>.')).toEqual(own);
  expect(await shown('UserStory', planned, 'Points.as<Feature>.')).toEqual([{}]);
  expect(await shown('UserStory', pointing, 'Points.')).toEqual(own);
  expect(await shown('UserStory', planned, 'Points.')).toEqual([{}]);
  expect(await shown('UserStory', pointing, 'feature.')).toEqual([{}]);
});

it.each(Object.keys(types))('%s is there, or not', async (name) => {
  const value = `feature.CustomValues.Get('${name}').value`;
  const of = (where: string) => asked('UserStory', { where: `project.id==${ids.Project} and ${where}`, select: 'id' });
  expect((await of(`${value} is not null`)).json).toEqual({ items: [planned] });
  expect((await of(`${value} is null`)).json).toEqual({ items: [pointing] });
});

it('members of an entity that a field points at', async () => {
  const own = "{a:feature.CustomValues.Get('Owned').value.name,b:feature.CustomValues.Get('Person').value.id}";
  const { json } = await asked('UserStory', { where: `id==${planned}`, select: own });
  expect(json.items).toEqual([{ a: expect.stringMatching(/^v\d+$/), b: 1 }]);
});

it.each([
  ['Link', 'An address can be shown and compared with null, and nothing else'],
  ['Owned', 'The entity of a custom field may be an item or a person, which cannot be chosen between'],
])('%s under a condition is refused with what can be asked', async (name, why) => {
  const { status, json } = await asked('Feature', { select: `{x:IIF(id>0,CustomValues.Get('${name}'),null).value}` });
  expect([status, json.Message]).toEqual([400, expect.stringContaining(why)]);
});
