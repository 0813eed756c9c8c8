/** What reads cost does not grow with the number of custom fields, which all processes have together. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

const types = ['Text', 'Number', 'Money', 'CheckBox', 'Date', 'URL', 'Entity', 'MultipleEntities', 'DropDown'];
const perProcess = 20;

let app: TestApp;
let project = 0;
let story = 0;

let shownOfFew: string[] = [];

/** As administrators would have. */
const define = (processes: string) =>
  app.rows(
    `insert into custom_field (name, field_type, value, entity_type_id, process_id, entity_field_name, numeric_priority)
     select 'Field ' || n || ' of many', ($1::text[])[1 + n % 9], 'A', k, p.id, 'CustomField' || n, n
     from process p, unnest(array[1, 4, 8]) k, generate_series(1, ${perProcess}) n where p.name ~ $2`,
    [types, processes],
  );

/** The story in all forms. */
async function shown(): Promise<string[]> {
  const texts: string[] = [];
  for (const as of ['admin', 'alice'])
    for (const path of [
      `v1/UserStories/${story}?include=[CustomFields]`,
      `v1/Generals/${story}?include=[CustomFields]&format=json`,
      `v1/UserStories?where=(Id eq ${story})&include=[CustomFields]&format=csv`,
      `v2/userStory/${story}?select={id,customValues}`,
    ])
      texts.push((await app.ask(`/api/${path}`, { as })).text);
  return texts;
}

beforeAll(async () => {
  app = await TestApp.start();
  const Process = await app.write('Processes', { Name: 'Last' });
  project = (await app.write('Projects', { Name: 'Described', Process: { Id: Process.Id } })).Id;
  const [{ id: alice }] = await app.rows(`select id from general_user where login = 'alice'`);
  await app.write('ProjectMembers', { Project: { Id: project }, User: { Id: Number(alice) }, Role: { Id: 1 } });
  await define('Last');
  const CustomFields = [
    { Name: 'Field 9 of many', Value: 'plain' },
    { Name: 'Field 10 of many', Value: 7 },
    { Name: 'Field 12 of many', Value: true },
    { Name: 'Field 13 of many', Value: '2026-01-31' },
    { Name: 'Field 14 of many', Value: { Url: 'https://a.example', Label: 'a' } },
    { Name: 'Field 15 of many', Value: { Id: project, Kind: 'Project' } },
  ];
  const made = { Name: 'described', Project: { Id: project }, CustomFields };
  story = (await app.write('UserStories', made)).Id;
  shownOfFew = await shown();
  await app.rows(`insert into process (name) select 'Process ' || n from generate_series(1, 60) n`);
  await define('^Process');
  // A write reads the definitions that hold.
  await app.write('UserStories', made);
});
afterAll(() => app.stop());

it.each([
  'v1/UserStories?take=2',
  'v1/UserStories?take=2&format=json',
  'v1/UserStories?take=2&format=csv',
  'v1/Generals?take=2&include=[Name,CustomFields]',
  'v1/Assignables?take=2',
  'v1/Projects?take=2',
  'v2/userStory?take=2',
  'v2/general?take=2&select={id,customValues}',
])('%s is answered where there are thousands', async (path) => {
  for (const as of ['admin', 'alice']) {
    const answer = await app.ask(`/api/${path}`, { as });
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  }
});

it('an item shows the same as where there are few', async () => {
  expect(shownOfFew[0]).toContain('Field 20 of many');
  expect(await shown()).toEqual(shownOfFew);
});

it('an item shows those of its process in their order', async () => {
  const { CustomFields } = await app.json(`/api/v1/UserStories/${story}?include=[CustomFields]`);
  expect(CustomFields).toHaveLength(perProcess);
  expect(CustomFields.slice(8, 15)).toEqual([
    { Name: 'Field 9 of many', Type: 'Text', Value: 'plain' },
    { Name: 'Field 10 of many', Type: 'Number', Value: 7 },
    { Name: 'Field 11 of many', Type: 'Money', Value: null },
    { Name: 'Field 12 of many', Type: 'CheckBox', Value: true },
    { Name: 'Field 13 of many', Type: 'Date', Value: expect.stringContaining('Date(') },
    { Name: 'Field 14 of many', Type: 'URL', Value: { Url: 'https://a.example', Label: 'a' } },
    { Name: 'Field 15 of many', Type: 'Entity', Value: { Id: project, Kind: 'Project', Name: 'Described' } },
  ]);
  const general = await app.json(`/api/v1/Generals/${story}?include=[CustomFields]`);
  expect(general.CustomFields).toEqual(CustomFields);
});

it('another field is refused where a process has as many as it may', async () => {
  const [{ id }] = await app.rows(`select id from process where name = 'Process 1'`);
  const field = (Name: string) => ({ Name, FieldType: 'Text', EntityType: { Id: 4 }, Process: { Id: Number(id) } });
  const fields = (from: number, count: number) => Array.from({ length: count }, (_, at) => field(`More ${from + at}`));
  const bulk = (body: object[]) => app.post('/api/v1/CustomFields/bulk?format=json', body);
  const left = 500 - 3 * perProcess;
  expect((await bulk(fields(0, left + 1))).json.Message).toBe(
    `[${left}].Process: a process may have 500 custom fields, and this one has.`,
  );
  expect((await bulk(fields(0, left))).status).toBe(200);
  const refused = await app.post('/api/v1/CustomFields?format=json', field('One more'));
  expect([refused.status, refused.json.Message]).toEqual([
    400,
    'Process: a process may have 500 custom fields, and this one has.',
  ]);
});

it('another field is refused where there are as many as there may be', async () => {
  await app.rows(
    `insert into custom_field (name, entity_type_id, process_id, entity_field_name)
     select 'Rest ' || n, 4, p.id, 'CustomField' || 100 + n from process p, generate_series(1, 440) n
     where p.name ~ '^Process' and p.name <> 'Process 1'
     limit 5000 - (select count(*) from custom_field)`,
  );
  const body = { Name: 'One more', FieldType: 'Text', EntityType: { Id: 23 } };
  const refused = await app.post('/api/v1/CustomFields?format=json', body);
  expect([refused.status, refused.json.Message]).toEqual([
    400,
    'Name: there may be 5000 custom fields, and there are.',
  ]);
});
