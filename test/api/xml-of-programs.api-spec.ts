/** XML as programs write it that serialize objects: with types and schemas, which belong to no entity. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;
let story: number;
beforeAll(async () => {
  app = await TestApp.start();
  const made = await app.post('/api/v1/Projects?format=json', { Name: 'of programs' });
  project = made.json.Id;
  const [{ process }] = await app.rows('select process_id as process from general where id = $1', [project]);
  for (const [Name, FieldType] of [
    ['Notes', 'Text'],
    ['Score', 'Number'],
    ['Agreed', 'CheckBox'],
  ])
    await app.post('/api/v1/CustomFields', { Name, FieldType, EntityType: { Id: 4 }, Process: { Id: process } });
  story = (await app.post('/api/v1/UserStories?format=json', { Name: 'a', Project: { Id: project } })).json.Id;
});
afterAll(() => app.stop());

const schema = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

const send = (path: string, body: string) =>
  app.ask(`/api/v1/${path}?format=json`, { method: 'POST', headers: { 'content-type': 'application/xml' }, body });

it('takes values of custom fields with their types', async () => {
  const value = (name: string, type: string, text: string) =>
    `<Field xsi:type="Field" Type="Text"><Name>${name}</Name><Value xsi:type="xsd:${type}">${text}</Value></Field>`;
  const fields =
    value('Notes', 'string', 'abc') + value('Score', 'decimal', '2.5') + value('Agreed', 'boolean', 'true');
  const { status, json } = await send(
    `UserStories/${story}`,
    `<UserStory ${schema}><CustomFields>${fields}</CustomFields></UserStory>`,
  );
  expect(status).toBe(200);
  const values = json.CustomFields.map(({ Name, Value }: { Name: string; Value: unknown }) => [Name, Value]);
  for (const pair of [
    ['Notes', 'abc'],
    ['Score', 2.5],
    ['Agreed', true],
  ])
    expect(values).toContainEqual(pair);
});

it('takes one custom field alone, whose value has a type', async () => {
  const { status, json } = await send(
    `UserStories/${story}`,
    `<UserStory ${schema}><CustomFields><Field><Name>Notes</Name><Value xsi:type="xsd:string">only</Value></Field></CustomFields></UserStory>`,
  );
  expect(status).toBe(200);
  expect(json.CustomFields).toContainEqual(expect.objectContaining({ Name: 'Notes', Value: 'only' }));
});

it('takes types of entities, of references and of items of collections', async () => {
  const { status, json } = await send(
    'UserStories',
    `<UserStory ${schema} xsi:type="UserStory" xsi:schemaLocation="a b"><Name>typed</Name>
      <Project xsi:type="Project" Id="${project}"/>
      <Tasks xsi:type="ArrayOfTask"><Task xsi:type="Task" Name="one"/><Task xsi:type="Task"><Name>two</Name></Task></Tasks>
    </UserStory>`,
  );
  expect([status, json.Name]).toEqual([201, 'typed']);
  const tasks = await app.items(`/api/v1/UserStories/${json.Id}/Tasks?include=[Name]&orderBy=Name`);
  expect(tasks.map(({ Name }) => Name)).toEqual(['one', 'two']);
});

it('takes types in a list, whose root names its schema', async () => {
  const item = (name: string) => `<Assignable xsi:type="UserStory" Id="${story}" Name="${name}"/>`;
  const { status, json } = await send(
    'Assignables/bulk',
    `<Assignables ${schema} xsi:noNamespaceSchemaLocation="x">${item('b')}</Assignables>`,
  );
  expect([status, json.Items?.map(({ Name }: { Name: string }) => Name)]).toEqual([200, ['b']]);
});

it('keeps the spaces of a text that says so, and takes its language', async () => {
  const body = '<UserStory><Name xml:lang="en">c</Name><Description xml:space="preserve"> d </Description></UserStory>';
  const { status, json } = await send(`UserStories/${story}`, body);
  expect([status, json.Name, json.Description]).toEqual([200, 'c', ' d ']);
});

it.each([
  ['UserStories', '<UserStory x:Name="a"/>', "x:Name: 'UserStory' has no such field."],
  ['UserStories', '<UserStory xsi:Kind="a"/>', "xsi:Kind: 'UserStory' has no such field."],
  ['UserStories', '<UserStory xmlnsx="a"/>', "xmlnsx: 'UserStory' has no such field."],
  ['UserStories', '<UserStory><Name x:y="a">b</Name></UserStory>', 'Name: text and attributes are mixed.'],
  [
    'UserStories/bulk',
    '<ArrayOfUserStory><UserStory Name="a"/></ArrayOfUserStory>',
    "The root element is 'ArrayOfUserStory'; 'UserStory' is expected, or 'UserStories' for a list.",
  ],
])('refuses at %s: %s', async (path, body, message) => {
  const { status, json } = await send(path, body);
  expect([status, json.Message]).toEqual([400, message]);
});

const bothWays = async (path: string, json: unknown, xml: string) => [
  await app.post(`/api/v1/${path}?format=json`, json),
  await send(path, xml),
];

it('takes an element that holds nothing for an item without members, as {} in JSON', async () => {
  const place = { Name: 'a', Project: { Id: project } };
  const begin = `Name="a"><Project Id="${project}"/>`;
  for (const count of [1, 2]) {
    const [json, xml] = await bothWays(
      'TestCases',
      { ...place, TestSteps: Array.from({ length: count }, () => ({})) },
      `<TestCase ${begin}<TestSteps>${'<TestStep/>'.repeat(count)}</TestSteps></TestCase>`,
    );
    for (const made of [json!, xml!]) {
      expect(made.status, made.text).toBe(201);
      expect(await app.items(`/api/v1/TestCases/${made.json.Id}/TestSteps`)).toHaveLength(count);
    }
  }
  const refused = await bothWays(
    'UserStories',
    { ...place, Tasks: [{}] },
    `<UserStory ${begin}<Tasks><Task> </Task></Tasks></UserStory>`,
  );
  for (const { status, json } of refused)
    expect([status, json.Message]).toEqual([400, expect.stringContaining('Tasks[0].Name: a value is required.')]);
  const texts = await bothWays(
    'UserStories',
    { ...place, Tasks: [''] },
    `<UserStory ${begin}<Tasks><Task>text</Task></Tasks></UserStory>`,
  );
  for (const { status, json } of texts)
    expect([status, json.Message]).toEqual([400, expect.stringContaining('Tasks[0]: an object is expected')]);
});

it.each([
  ['a plural that only adds a letter', (items: string) => `<UserStorys>${items}</UserStorys>`],
  ['Items within the list', (items: string) => `<UserStories><Items>${items}</Items></UserStories>`],
  ['Items of one item', (_: string) => `<userstorys><items>${entry('only')}</items></userstorys>`],
])('takes a list with %s', async (_, list) => {
  const { status, json } = await send('UserStories/bulk', list(entry('one') + entry('two')));
  expect([status, json.Message]).toEqual([200, undefined]);
});

const entry = (name: string): string => `<UserStory Name="${name}"><Project Id="${project}"/></UserStory>`;

it.each([
  ['null', null, '<UserStory nil="true"/>'],
  ['a text', 'text', '<UserStory>text</UserStory>'],
])('tells which item of a list is %s', async (_, item, element) => {
  const good = { Name: 'a', Project: { Id: project } };
  const answers = await bothWays(
    'UserStories/bulk',
    [good, item],
    `<UserStories>${entry('a')}${element}</UserStories>`,
  );
  for (const { status, json } of answers)
    expect([status, json.Message]).toEqual([400, expect.stringMatching(/^\[1\]: .*expected\.$/)]);
});

it.each([
  ['nil="true"', 'UserStory: it is nil where fields are expected.'],
  ['nil="zz"', "UserStory: nil is 'true' or 'false'."],
])('refuses a root with %s', async (mark, why) => {
  const { status, json } = await send(`UserStories/${story}`, `<UserStory ${mark}/>`);
  expect([status, json.Message]).toEqual([400, why]);
});

it.each([
  'Iterations',
  'TeamIterations',
  'Milestones',
  'Attachments',
])('an empty date of %s that has to have one is refused as null is', async (collection) => {
  const [first] = await app.items(`/api/v1/${collection}?take=1&include=[Id]`);
  const name = collection.slice(0, -1);
  for (const date of /Iterations/.test(collection) ? ['StartDate', 'EndDate'] : ['Date']) {
    const answers = [
      ...(await bothWays(`${collection}/${first.Id}`, { [date]: '' }, `<${name}><${date}/></${name}>`)),
      await app.post(`/api/v1/${collection}/${first.Id}?format=json`, { [date]: null }),
    ];
    for (const { status, json } of answers)
      expect([status, json.Message]).toEqual([400, `${date}: a value is required.`]);
    const { json } = await app.post(`/api/v1/${collection}/bulk?format=json`, [{ Id: first.Id, [date]: ' ' }]);
    expect(json.Message).toBe(`[0].${date}: a value is required.`);
  }
});
