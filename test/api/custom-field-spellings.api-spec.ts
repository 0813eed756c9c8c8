/** Custom fields of one name that processes spell in different cases, and their options: one field to a query. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';

let app: TestApp;
const ids: number[] = [];
let here = 0;
let there = 0;

const made = async (collection: string, body: object): Promise<number> => {
  const answer = await app.post(`/api/v1/${collection}?format=json`, body);
  expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, '']);
  return answer.json.Id;
};

beforeAll(async () => {
  app = await TestApp.start();
  const other = await made('Processes', { Name: 'Other' });
  const fields: [string, string, string, object][] = [
    ['Pointed', 'pointed', 'Number', {}],
    ['Colour', 'colour', 'Text', {}],
    ['Fit', 'FIT', 'CheckBox', {}],
    ['Until', 'until', 'Date', {}],
    ['Leads To', 'leads to', 'Entity', {}],
    ['Homepage', 'homepage', 'URL', {}],
    ['Viewer', 'viewer', 'DropDown', {}],
  ];
  for (const [one, another, FieldType] of fields) {
    for (const [Id, Name, Value] of [
      [3, one, 'Firefox\nOpera'],
      [other, another, 'FIREFOX\nopera'],
    ] as const) {
      const options = FieldType === 'DropDown' ? { Value } : {};
      await made('CustomFields', { Name, FieldType, EntityType: { Id: 4 }, Process: { Id }, ...options });
    }
  }
  here = await made('Projects', { Name: 'Here', Process: { Id: 3 } });
  there = await made('Projects', { Name: 'There', Process: { Id: other } });
  for (const [at, Id] of [here, there].entries()) {
    const values = fields.map(([one, another]) => [one, another][at]!);
    const worth = [
      7,
      'red',
      true,
      '2026-01-31',
      { Id: here, Kind: 'Project' },
      { Url: 'https://a.example', Label: 'a' },
      'firefox',
    ];
    const CustomFields = values.map((Name, index) => ({ Name, Value: worth[index] }));
    ids.push(await made('UserStories', { Name: 'spelled', Project: { Id }, CustomFields }));
  }
});
afterAll(() => app.stop());

const spelled = "Name eq 'spelled'";
const v1 = async (where: string): Promise<number[]> =>
  (await app.items(`/api/v1/UserStories?include=[Id]&orderBy=Id&where=${encodeURIComponent(where)}`)).map(
    ({ Id }) => Id,
  );
const v2 = async (parameters: Record<string, string>) => {
  const answer = await app.ask(`/api/v2/UserStory?${new URLSearchParams({ orderBy: 'id', ...parameters })}`);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json;
};

describe('are found by whatever spelling', () => {
  it.each([
    'CustomFields.Pointed eq 7',
    'CustomFields.POINTED gt 6',
    'CustomFields.pointed is not null',
    "CustomFields.Colour eq 'RED'",
    "CustomFields.colour contains 're'",
    "CustomFields.Fit eq 'true'",
    "CustomFields.Until eq '2026-01-31'",
    'CustomFields.Homepage is not null',
    "CustomFields.Viewer eq 'Firefox'",
    "CustomFields.Viewer eq 'fireFOX'",
    "CustomFields.Viewer in ('firefox')",
    "not (CustomFields.Viewer ne 'firefox')",
  ])('version 1: %s', async (where) => {
    expect(await v1(`(${spelled}) and (${where})`)).toEqual(ids);
    expect(await v1(`(${spelled}) and (not (${where}))`)).toEqual([]);
  });

  it.each([
    'Pointed==7',
    'colour=="red"',
    'FIT==true',
    'Until<Today or Until>=Today',
    'LeadsTo.name=="Here"',
    'LeadsTo.resourceType=="Project"',
    'LeadsTo is not null',
    'CustomValues.Text("homepage")=="https://a.example"',
    'Homepage!=null',
    'Viewer=="fireFOX"',
    'not (Viewer!="FIREFOX")',
    'Viewer in ["firefox"]',
  ])('version 2: %s', async (where) => {
    const items = await v2({ where: `name=='spelled' and ${where}`, select: 'id' });
    expect(items.items).toEqual(ids);
  });
});

it('are shown, summed up and sorted by whatever spelling', async () => {
  const where = "name=='spelled'";
  const one = await v2({ where, select: '{p:Pointed,c:COLOUR,r:Fit,l:LeadsTo.id,u:Homepage}' });
  expect(one.items).toEqual(
    ids.map(() => ({ p: 7, c: 'red', r: true, l: here, u: { url: 'https://a.example', label: 'a' } })),
  );
  expect(await v2({ where, result: '{s:sum(pointed)}' })).toEqual({ s: 14 });
  const groups = await app.ask(`/api/v2/UserStory?${new URLSearchParams({ where, groupBy: 'p:Pointed' })}`);
  expect(groups.json.items).toEqual([{ p: 7, count: 2 }]);
});

describe('named another way', () => {
  it.each([
    [
      "where=(viewer eq 'Opera')",
      "Property 'viewer' does not exist in 'UserStory'. Did you mean 'CustomFields.Viewer'?",
    ],
    ["where='leads to' is null", "Did you mean 'CustomFields.Leads To'?"],
    ['orderBy=Viewer', "Did you mean 'CustomFields.Viewer'?"],
    ['include=[Viewer]', "Did you mean 'CustomFields'?"],
    ['include=[CustomFields.Viewer]', "'CustomFields.Viewer' cannot be included: custom fields come all together."],
    ["include=['CustomFields.Leads To']", 'Write CustomFields, or select single ones with /api/v2.'],
    ['include=[CustomFields.Leads To]', "'CustomFields.Leads To' cannot be included"],
    ['include=[Project.Name]', "Invalid include field 'Project.Name'. What to show of an entity stands in brackets"],
    [
      'where=CustomFields.Leads To is null',
      "a name with blanks stands in quotes, such as 'CustomFields.Release Notes'",
    ],
  ])('%s is 400 with the way that works', async (query, words) => {
    const { status, json } = await app.ask(`/api/v1/UserStories?${encodeURI(query)}&format=json`);
    expect([status, json.Message]).toEqual([400, expect.stringContaining(words)]);
  });

  it('they are suggested to whoever may read their definitions, which is everyone', async () => {
    const login = 'nowhere';
    await made('Users', { FirstName: 'No', Email: 'no@example.com', Login: login, Password: chosenPassword });
    const name = 'Only There';
    const process = await made('Processes', { Name: 'Hidden' });
    await made('CustomFields', { Name: name, FieldType: 'Text', EntityType: { Id: 4 }, Process: { Id: process } });
    const defined = await app.items(`/api/v1/CustomFields?where=Name eq '${name}'`, { as: login });
    const { json } = await app.ask(`/api/v1/UserStories?where='${name}' is null&format=json`, { as: login });
    expect([defined.length, json.Message]).toEqual([
      1,
      `Property '${name}' does not exist in 'UserStory'. Did you mean 'CustomFields.${name}'?`,
    ]);
  });
});

it('keep their value where an item moves to another process', async () => {
  const [story] = ids;
  for (const [Id, name] of [
    [there, 'pointed'],
    [here, 'Pointed'],
  ] as const) {
    expect((await app.post(`/api/v1/UserStories/${story}`, { Project: { Id } })).status).toBe(200);
    const [{ CustomFields }] = await app.items(`/api/v1/UserStories?include=[CustomFields]&where=Id eq ${story}`);
    const values = new Map(CustomFields.map((field: { Name: string; Value: unknown }) => [field.Name, field.Value]));
    expect(values.get(name)).toBe(7);
  }
  const [row] = await app.rows('select custom_values as values from general where id = $1', [story]);
  expect(Object.keys(row.values)).not.toContain('pointed');
});

it.each([
  ['v1', "/api/v1/UserStories?include=[CustomFields]&orderBy=Id&where=(Name eq 'spelled')", 'CustomFields'],
  ['v2', "/api/v2/UserStory?select={customValues}&orderBy=id&where=(name=='spelled')", 'customValues.customFields'],
])('a table has one column for it: %s', async (_, path, list) => {
  const { text } = await app.ask(`${path}&format=csv`);
  const [header, ...rows] = text
    .split('\r\n')
    .filter(Boolean)
    .map((line) => line.split(','));
  const columns = header!.map((name) => name.toLowerCase());
  expect(new Set(columns).size).toBe(columns.length);
  const at = columns.indexOf(`"${list}.pointed"`.toLowerCase());
  expect(rows.map((row) => row[at])).toEqual(['7', '7']);
});
