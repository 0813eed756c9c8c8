/** Version 2: objects, whatever made them, have members that can be read, chosen between and counted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
const ids: Ids = { Process: 3, Role: 1 };
let planned: number;
let unplanned: number;

beforeAll(async () => {
  app = await TestApp.start();
  await app.write('CustomFields', { Name: 'Spec', FieldType: 'URL', EntityType: { Id: 5 }, Process: { Id: 3 } });
  await app.write('CustomFields', { Name: 'Cause', FieldType: 'Entity', EntityType: { Id: 4 }, Process: { Id: 3 } });
  ids.Project = await make(app, 'Project', { mark: 'o', ids });
  ids.Feature = await make(app, 'Feature', { mark: 'o', ids }, { Name: 'Links' });
  const CustomFields = [{ Name: 'Cause', Value: { Id: ids.Feature, Kind: 'Feature' } }];
  const story = (fields: object) => make(app, 'UserStory', { mark: 'o', ids }, { Feature: null, ...fields });
  planned = await story({ Name: 'Planned', Feature: { Id: ids.Feature }, CustomFields });
  unplanned = await story({ Name: 'Unplanned' });
  ids.UserStory = planned;
  const Spec = [{ Name: 'Spec', Value: { Url: 'https://example.com/', Label: 'here' } }];
  for (const [Name, fields] of [
    ['abc', Spec],
    ['ABC', Spec],
    ['other', undefined],
  ] as const)
    await make(app, 'Task', { mark: 'o', ids }, { Name, ...(fields && { CustomFields: fields }) });
});
afterAll(() => app.stop());

const asked = async (select: string, id = planned) => {
  const { status, json } = await app.ask(`/api/v2/UserStory/${id}?${new URLSearchParams({ select: `{x:${select}}` })}`);
  return status === 200 ? json.items[0].x : json.Message;
};

describe('members are read', () => {
  const reference = () => ({ resourceType: 'Feature', id: ids.Feature, name: 'Links' });

  it.each<[string, unknown, unknown?]>([
    ['feature.select({n:name}).n', 'Links'],
    ['feature.select({n:name}).N', 'Links'],
    ['feature.select({n:1}).n', 1],
    ['feature.select({n:effort>=0}).n', true],
    ['feature.select({o:{n:name}}).o.n', 'Links'],
    ['feature.select({o:{n:name}}).o', { n: 'Links' }],
    ['feature.select({f:it}).f', reference],
    ['feature.select({f:it}).f.name', 'Links'],
    ['feature.select({p:project.select({n:name})}).p.n', 'o1'],
    ['feature.select({s:userStories}).s.count()', 1],
    ['feature.select({s:userStories}).s.select({n:name}).first().n', 'Planned'],
    ['feature.select({s:userStories.select({t:tasks})}).s.first().t.count()', 3],
    ['feature.userStories.select({t:tasks}).first().t.count()', 3],
    ['feature.userStories.select({t:tasks.select(name)}).first().t.distinct()', ['other', 'abc']],
    ['feature.userStories.select({t:tasks}).distinct().skip(0).first().t.any(name=="other")', true, false],
    ['feature.userStories.select({f:feature.select({n:name})}).first().f.n', 'Links'],
    ['feature.userStories.select({c:customValues}).first().c.cause.name', 'Links'],
    ['it.as<UserStory>.select({n:name}).n', 'Planned', 'Unplanned'],
    ['Cause.select({n:name,f:it}).n', 'Links'],
    ['IIF(id>0,{n:1},{n:2}).n', 1, 1],
    ['IIF(id<0,{n:1},{n:2.5}).n', 2.5, 2.5],
    ['IIF(id<0,{n:1},{m:2}).m', 2, 2],
    ['IIF(id>0,{n:1},{m:2}).m', undefined],
    ['IIF(id>0,{f:feature},{f:feature}).f.name', 'Links'],
    ['IIF(id>0,{f:feature},null).f', reference],
    ['IIF(feature==null,null,{t:tasks}).t.count()', 3],
    ['IIF(feature!=null,{t:tasks},null).t.select(name).first()', 'other'],
    ['IIF(feature!=null,{c:customValues},null).c.cause.name', 'Links'],
    ['IIF(id>0,feature.select({n:name}),{n:"none"}).n', 'Links'],
    ['IIF(feature==null,{n:"none"},feature.select({n:name})).n', 'Links', 'none'],
    ['IFNONE(feature.select({n:name}),{n:"none"}).n', 'Links', 'none'],
    ['IFNONE(feature.select({n:name}),{n:"none"})', { n: 'Links' }, { n: 'none' }],
    ['IFNONE(feature.userStories.select({n:name}).first(),{n:"none"})', { n: 'Planned' }, { n: 'none' }],
    ['IFNONE(IIF(feature==null,null,{n:1}),{n:2})', { n: 1 }, { n: 2 }],
    ['IFNONE({},{n:2})', {}, {}],
  ])('%s', async (select, of, ofMissing) => {
    const value = typeof of === 'function' ? of() : of;
    expect([await asked(select), await asked(select, unplanned)]).toEqual([value, ofMissing]);
  });

  it.each([
    ['feature.select({n:name}).m', "Property 'm' does not exist in 'Object'. It has n. (select, at 28)"],
    ['IIF(id>0,{n:1},{m:2}).k', "Property 'k' does not exist in 'Object'. It has n, m. (select, at 25)"],
    ['feature.select({name}).nme', "Did you mean 'name'? It has name."],
    ['tasks.select({t:name}).first().u', "Property 'u' does not exist in 'Object'. It has t."],
    ['IIF(id>0,{t:tasks},{t:bugs}).t.count()', "A value is expected here, found 'IEnumerable<Task>'"],
  ])('unless there are none: %s', async (select, message) => {
    expect(await asked(select)).toContain(message);
  });

  it('in conditions, orders and results', async () => {
    const count = async (parameters: Record<string, string>) =>
      (await app.ask(`/api/v2/UserStory?${new URLSearchParams(parameters)}`)).json;
    const own = `project.id==${ids.Project}`;
    expect(await count({ where: `${own} and feature.select({n:name}).n=='links'`, result: 'count' })).toBe(1);
    const order = 'IIF(feature==null,{n:"b"},feature.select({n:"a"})).n';
    expect((await count({ where: own, orderBy: order, select: 'name' })).items).toEqual(['Planned', 'Unplanned']);
    const sum = await count({ where: own, result: 'sum(feature.select({n:id}).n)' });
    expect(sum).toBe(ids.Feature);
  });
});

describe('distinct objects, addresses and lists are counted', () => {
  it.each([
    ['tasks.select({n:name}).distinct()', 2],
    ['tasks.select({n:name.length}).distinct()', 2],
    ['tasks.select({}).distinct()', 1],
    ['tasks.select(Spec).distinct()', 2],
    ['tasks.select(Spec).distinct().take(1)', 1],
    ['tasks.select(customValues).distinct()', 2],
    ['feature.userStories.select(tasks.select(name)).distinct()', 1],
  ])('%s', async (chain, count) => {
    expect([(await asked(chain)).length, await asked(`${chain}.count()`), await asked(`${chain}.count`)]).toEqual([
      count,
      count,
      count,
    ]);
  });
});

describe('a Select in a Select in a Select', () => {
  it('is read once, however deep it lies', async () => {
    const select = `feature.select(${'it.select('.repeat(40)}name${')'.repeat(41)}`;
    expect(await asked(select)).toBe('Links');
  });

  it('is refused where what it stands for grows with each', async () => {
    expect(await asked(`it${'.select(IIF(id>0,it,it))'.repeat(40)}.name`)).toContain('too many parts');
    expect(await asked(`it${'.select(IFNONE(it,it))'.repeat(40)}.name`)).toContain('too many parts');
    expect(await asked(`it${'.select({f:IIF(it.id>0,it,it)}).f'.repeat(40)}.name`)).toContain('too many parts');
  });

  it('is refused where a choice between objects asks ever more', async () => {
    const first = (object: string) => `${'IFNONE('.repeat(40)}IIF(count>0,{a:1},null)${`,${object})`.repeat(40)}.a`;
    const result = async (object: string) =>
      (await app.ask(`/api/v2/Task?${new URLSearchParams({ groupBy: 'name', result: `{a:${first(object)}}` })}`)).json;
    expect((await result('IIF(count>1,{a:2},null)')).Message).toContain('too many parts');
    expect((await result('{a:2}')).items[0].a).toBe(1);
  });

  it('leads through ten names at most, wherever they stand', async () => {
    const back = 'userStories.first().feature';
    expect(await asked(`feature.select(${back}.select(${back}.name))`)).toBe('Links');
    expect(await asked(`feature${`.select(${back}`.repeat(6)}.name${')'.repeat(6)}`)).toContain('more than 10 deep');
  });
});
