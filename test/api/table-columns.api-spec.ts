/** Columns of tables of version 2: what a request selects, whatever its rows hold and whether there are any. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
  const URL = { Name: 'Spec site', FieldType: 'URL', EntityType: { Id: 8 } };
  for (const { Id } of await app.items('/api/v1/Processes?include=[Id]'))
    await app.write('CustomFields', { ...URL, Process: { Id } });
  const [bug] = await app.items('/api/v1/Bugs?include=[Id]&take=1');
  const CustomFields = [{ Name: 'Spec site', Value: { Url: 'http://x.example', Label: 'x' } }];
  await app.write(`Bugs/${bug.Id}`, { CustomFields });
});
afterAll(() => app.stop());

const linesOf = async (path: string, as = 'admin'): Promise<string[]> => {
  const { status, text } = await app.ask(`/api/v2/${path}&format=csv`, { as });
  expect([path, status]).toEqual([path, 200]);
  return text.split('\r\n').filter(Boolean);
};

const person = (path: string) =>
  ['id', 'firstName', 'lastName', 'login', 'fullName', 'kind'].map((one) => `${path}.${one}`);

describe.each([
  ['{id,name,severity:severity.name}', ['id', 'name', 'severity']],
  ['{id,effort:effort*2,long:name.length>5,when:createDate}', ['id', 'effort', 'long', 'when']],
  ['{id,project}', ['id', 'project.resourceType', 'project.id', 'project.name']],
  ['{id,release:release}', ['id', 'release.resourceType', 'release.id', 'release.name']],
  ['{id,owner}', ['id', 'owner.resourceType', ...person('owner').slice(0, 5)]],
  ['{id,x:{name,y:{id}}}', ['id', 'x.name', 'x.y.id']],
  ['{id,comments,n:comments.count(),last:comments.select(description)}', ['id', 'comments', 'n', 'last']],
  ['{id,one:iif(id>5,project,null)}', ['id', 'one.resourceType', 'one.id', 'one.name']],
  ["{id,site:CustomValues['Spec site']}", ['id', 'site.url', 'site.label']],
  ['{id,first:comments.orderBy(id).first().description}', ['id', 'first']],
])('select=%s', (select, columns) => {
  const header = columns.map((column) => `"${column}"`).join(',');
  it('has these columns with rows and without', async () => {
    expect((await linesOf(`Bug?take=1000&select=${encodeURIComponent(select)}`))[0]).toBe(header);
    expect(await linesOf(`Bug?where=(id<0)&select=${encodeURIComponent(select)}`)).toEqual([header]);
    expect(await linesOf(`Bug?take=0&select=${encodeURIComponent(select)}`, 'bruno')).toEqual([header]);
  });
});

describe.each([
  'UserStory',
  'Bug',
  'Task',
  'General',
  'Project',
  'User',
  'Comment',
  'Time',
  'TestPlanRun',
  'UserStoryHistory',
])('whole items: %s', (name) => {
  it('have the same columns with rows and without', async () => {
    const [with_, [without]] = [await linesOf(`${name}?take=1000`), await linesOf(`${name}?where=(id<0)`)];
    expect(with_.length).toBeGreaterThan(1);
    expect(with_[0]).toBe(without);
  });
});

it('a column that is null in all rows is there', async () => {
  const path = 'Bug?where=(release==null)&take=2&select={id,release:release.name,z:null}';
  const [header, ...rows] = await linesOf(path);
  expect(header).toBe('"id","release","z"');
  expect(rows).toEqual([expect.stringMatching(/^\d+,,$/), expect.stringMatching(/^\d+,,$/)]);
});

it('groups have their columns without rows', async () => {
  const asked = 'groupBy=severity,s:entityState.name&result={count,effort:sum(effort)}';
  const [header] = await linesOf(`Bug?${asked}`);
  expect(header).toMatch(/^"severity\.resourceType","severity\.id","severity\.name",.*"s","count","effort"$/);
  expect(await linesOf(`Bug?where=(id<0)&${asked}`)).toEqual([header]);
});

it('a member that a request calls customFields is one like any other', async () => {
  const tasks = 'where=(tasks.count()>0)&take=3';
  for (const list of [
    "tasks.select({name,type:'a',value:id})",
    'tasks.where(id<0).select({name})',
    'tasks.select(id)',
  ]) {
    const select = encodeURIComponent(`{id,customFields:${list},x:{customFields:${list}},c:customValues}`);
    const lines = await linesOf(`UserStory?${tasks}&select=${select}`);
    expect(lines[0]).toMatch(/^"id","customFields","x\.customFields","c\.customFields\.Risk"/);
    expect((await linesOf(`UserStory?where=(id<0)&select=${select}`))[0]).toBe(lines[0]);
  }
});

it('custom fields of any name have columns of their own, in both versions', async () => {
  const names = ['customFields', 'CustomFields.Risk', 'Name', 'Value', '__proto__'];
  const of = { FieldType: 'Text', EntityType: { Id: 4 }, Process: { Id: 3 } };
  for (const Name of names) await app.write('CustomFields', { ...of, Name });
  const { Id } = await app.write('Projects', { Name: 'Named', Process: { Id: 3 } });
  const CustomFields = names.map((Name) => ({ Name, Value: `of ${Name}` }));
  const story = await app.write('UserStories', { Name: 'Named', Project: { Id }, CustomFields });
  const v2 = await linesOf(`UserStory?where=(id==${story.Id})&select={customValues}`);
  const v1 = await app.ask(`/api/v1/UserStories?where=Id eq ${story.Id}&include=[CustomFields]&format=csv`);
  for (const lines of [v2, v1.text.split('\r\n')]) {
    const [header, row] = lines.map((line) => line.split(','));
    expect(new Set(header).size).toBe(header!.length);
    for (const name of names) {
      const at = header!.findIndex((one) =>
        new RegExp(`^"(customValues\\.customFields|CustomFields)\\.${name}"$`).test(one),
      );
      expect([name, row![at]]).toEqual([name, `"of ${name}"`]);
    }
  }
});

describe('a single value', () => {
  it.each([
    ['name', 'name'],
    ['Project.Name', 'name'],
    ['comments.count()', 'count'],
    ['id + 1', 'id + 1'],
    ["iif(id>5,'a,\"b\"','c')", 'iif(id>5,\'a,""b""\',\'c\')'],
    ['-id', "'-id"],
    ['comments.select(id)', 'select'],
  ])('select=%s has a name', async (select, name) => {
    const asked = `select=${encodeURIComponent(select)}`;
    const lines = await linesOf(`Bug?take=2&${asked}`);
    expect([lines.length >= 3, lines[0]]).toEqual([true, `"${name}"`]);
    expect(await linesOf(`Bug?where=(id<0)&${asked}`)).toEqual([`"${name}"`]);
  });
});
