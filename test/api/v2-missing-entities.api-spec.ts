/** Version 2 tells nothing of an entity that is not there: none is referred to, it is of another kind, or hidden. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

async function asked(entity: string, parameters: Record<string, string>, as = 'admin') {
  const answer = await app.ask(`/api/v2/${entity}?${new URLSearchParams(parameters)}`, { as });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json;
}

/** What would be something whatever it is asked of. */
const certain = [
  'feature.resourceType',
  'feature.epic.resourceType',
  'it.as<Bug>.resourceType',
  "feature.CustomValues.Get('Risk')",
  'feature.select(5)',
  'feature.select(resourceType)',
  "feature.select('text')",
  "feature.select(IFNONE(description,'none'))",
  "feature.select(IIF(id>0,'a','b'))",
  'feature.select(IIF(id>0,{a:1},null))',
  'feature.select(Today)',
  'feature.select(id>0)',
  'feature.select(id is null)',
  'feature.userStories.first().resourceType',
  'IIF(id>0,feature,null).resourceType',
  'feature.select(Me)',
  'feature.select(Me.login)',
  'feature.select(IIF(true,Me,owner))',
];

const selected = `{id,${certain.map((one, index) => `x${index}:${one}`)}}`;

it('where nothing is referred to, nothing is told', async () => {
  const { items } = await asked('UserStory', { where: 'feature is null', select: selected, take: '2' });
  expect(items).toEqual([{ id: expect.any(Number) }, { id: expect.any(Number) }]);
});

it('nor where what is referred to is hidden from the caller', async () => {
  const story = { where: 'id==1241', select: selected };
  const owned = await asked('UserStory', story);
  const feature = '(select feature_id from general where id = 1241)';
  await app.rows(`update general set delete_date = now() where id = ${feature}`);
  const { items } = await asked('UserStory', story);
  await app.rows(`update general set delete_date = null where id = ${feature}`);
  expect([Object.keys(owned.items[0]).length, items]).toEqual([certain.length, [{ id: 1241 }]]);
});

describe('what is there is told', () => {
  it('as before', async () => {
    const { items } = await asked('UserStory/1241', { select: selected });
    expect(items).toEqual([
      {
        id: 1241,
        x0: 'Feature',
        x1: 'Epic',
        x3: { name: 'Risk', type: 'DropDown', entityKind: 'Feature' },
        x4: 5,
        x5: 'Feature',
        x6: 'text',
        x7: expect.any(String),
        x8: 'a',
        x9: { a: 1 },
        x10: expect.any(String),
        x11: true,
        x12: false,
        x13: 'UserStory',
        x14: 'Feature',
        x15: expect.objectContaining({ resourceType: 'GeneralUser', id: 1 }),
        x16: 'admin',
        x17: expect.objectContaining({ resourceType: 'GeneralUser', id: 1 }),
      },
    ]);
  });

  it.each([
    ['UserStory', "feature.resourceType=='Feature'", 'feature is not null'],
    ['UserStory', "feature.resourceType!='Feature'", 'feature is null'],
    ['UserStory', 'feature.resourceType is null', 'feature is null'],
    ['UserStory', "feature.resourceType in ['feature']", 'feature is not null'],
    ['UserStory', "feature.resourceType.startsWith('fea')", 'feature is not null'],
    ['Assignable', "it.as<Bug>.resourceType=='Bug'", "entityType.name=='Bug'"],
    [
      'Assignable',
      "it.as<Bug>.resourceType=='Bug' or it.as<Task>.resourceType=='Task'",
      "entityType.name in ['Bug','Task']",
    ],
    ['Relation', "MasterFeature.resourceType=='Feature'", 'MasterFeature is not null'],
  ])('%s: %s is the same as %s', async (kind, where, same) => {
    const count = (condition: string) => asked(kind, { where: condition, result: 'count' });
    const [of, all] = [await count(same), await count('id>0')];
    expect([of > 0 || kind === 'Relation', of < all]).toEqual([true, true]);
    expect(await count(where)).toBe(of);
  });

  it('in groups and orders', async () => {
    const { items } = await asked('UserStory', { groupBy: 'kind:feature.resourceType' });
    const missing = await asked('UserStory', { where: 'feature is null', result: 'count' });
    const others = await asked('UserStory', { where: 'feature is not null', result: 'count' });
    expect(items).toEqual([{ count: missing }, { kind: 'Feature', count: others }]);
  });
});

it.each([
  "CustomValues.Get('Risk')=='High'",
  "CustomValues.Get('Risk') is null",
  "feature.CustomValues.Get('Risk')!='x'",
])('what is told of a custom field compares with nothing: %s', async (where) => {
  const { status, json } = await app.ask(`/api/v2/UserStory?${new URLSearchParams({ where })}`);
  expect([status, json.Message ?? json.message]).toEqual([400, expect.stringContaining(".Get('Risk').value")]);
  const value = where.replace("Get('Risk')", "Get('Risk').value");
  const same = where.replace(".Get('Risk')", "['Risk']");
  const count = (condition: string) => asked('UserStory', { where: condition, result: 'count' });
  expect(await count(value)).toBe(await count(same));
});
