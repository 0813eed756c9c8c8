/**
 * Version 2 at its edges: nothing as an argument, values that do not fit, pointers at people, groups of entities, cost.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
  await app.rows('analyze');
});
afterAll(() => app.stop());

const ask = (entity: string, parameters: Record<string, string>, as = 'admin') =>
  app.ask(`/api/v2/${entity}?${new URLSearchParams(parameters)}`, { as });

async function asked(entity: string, parameters: Record<string, string>, as?: string) {
  const answer = await ask(entity, parameters, as);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json;
}

describe('values', () => {
  it.each([
    ['Math.Abs(null)', undefined],
    ['Math.Max(effort,null)', undefined],
    ['Math.Min(CustomValues["Nope"],1)', undefined],
    ['Math.Max(3,effort)', 7],
    ['Math.Min(3,effort)', 3],
    ['Math.Ceiling(CustomValues["Nope"])', undefined],
    ['name.substring(null)', undefined],
    ['name.substring(0,null)', undefined],
    ['name.substring(-3,4)', 'Show'],
    ['name.substring(id,4)', ''],
    ['7+Today==Today+7', true],
    ['(DateTime.Parse("2026-01-01T00:01:05")-DateTime.Parse("2026-01-01")).seconds', 5],
    ['SafeConvert.ToInt("5.5")', undefined],
    ['SafeConvert.ToInt(5.5)', 6],
    // Halves are rounded away from zero, of doubles, decimals and places alike.
    ['SafeConvert.ToInt(4.5)', 5],
    ['Convert.ToInt32(5/2)', 3],
    ['Convert.ToInt32(-5/2)', -3],
    ['Math.Round(2.5)', 3],
    ['Math.Round(-2.5)', -3],
    ['Math.Round(5/2)', 3],
    ['Math.Round(0.125,2)', 0.13],
    ['Math.Round(0.12345,5/2)', 0.123],
    ['name.substring(0,5/2)', 'Sho'],
    ['DateTime.Parse("2026-01-01").AddMonths(5/2).month', 4],
    ['DateTime.Parse("2026-01-01").AddYears(2.5).year', 2029],
    ['SafeConvert.ToInt(" 12 ")', 12],
    ['SafeConvert.ToInt("99999999999")', undefined],
    ['SafeConvert.ToInt(99999999999)', undefined],
    ['SafeConvert.ToInt64("99999999999")', 99_999_999_999],
    ['SafeConvert.ToInt64("99999999999999999999")', undefined],
    ['Convert.ToInt64("99999999999")', 99_999_999_999],
    ['Convert.ToInt32(true)', 1],
    ['Convert.ToDecimal("1e2")', 100],
    ['IIF(effort>22,{a:1},null)', undefined],
    ['IIF(effort<22,{a:1},null)', { a: 1 }],
    ['IFNONE(null,{a:1})', { a: 1 }],
    ['feature.userStories.orderBy(id).select({id,n:name.length}).first().n>0', true],
    ['effort > null or null < 3', false],
    ['CustomValues["Nope"]>5 or CustomValues["Nope"] in ["a"] or CustomValues.Number("Nope")<5', false],
    ['CustomValues["Nope"] not in ["a"]', true],
    ['CustomValues["Nope"] in [null]', true],
    ['CustomValues["Nope"] not in [null]', false],
    ['null in ["a",null]', true],
    ['null not in ["a",null]', false],
    ['null in []', false],
    ['null in [feature.name]', false],
    ['null in [feature.name,lastCommentedUser]', true],
    ['Math.Abs(IIF(true,null,null))', undefined],
    ['Math.Round(IIF(true,null,null),1)', undefined],
    ['Math.Round(1.2345,null)', undefined],
    ['Math.Round(effort,CustomValues["Nope"])', undefined],
    ['IFNONE(IFNONE(null,null),1)', 1],
    ['Today.AddDays(IFNONE(null,null))', undefined],
    ['IFNONE(tasks.select(null).first(),1)', 1],
    ['tasks.average(Math.Sign(id))', 1],
    ['Math.Sign(-effort)', -1],
    ['Math.Sign(- -effort)', 1],
    ['1 - - -2', -1],
    ['- -2', 2],
    ['not not (effort>5)', true],
    ['!!true', true],
    ['SafeConvert.ToIntArray("3,x,3").distinct().count()', 2],
    ['SafeConvert.ToIntArray("3,x,3").distinct().where(true).count()', 2],
    ['SafeConvert.ToIntArray("3,x,3").distinct().skip(2).any()', false],
    ['SafeConvert.ToIntArray("3,x,3").distinct().skip(2)==null', true],
    ['IIF(true,{b:feature.name,t:tasks.select(id).count()},null)', { b: 'Shared links', t: 1 }],
    ['effort>5 ? {f:tasks.where(id<0)} : {f:bugs}', { f: { items: [] } }],
  ])('%s', async (query, expected) => {
    const { items } = await asked('UserStory/1241', { select: `{x:${query}}` });
    expect(items).toEqual([expected === undefined ? {} : { x: expected }]);
  });

  it('a sum beyond the range of doubles is left out, and nothing else', async () => {
    const sum = 'sum(9e299)';
    expect(await asked('UserStory', { result: `{count,${sum}}` })).toEqual({ count: 295 });
    const { items } = await asked('UserStory', { groupBy: 'entityType.id', result: `{count,${sum}}` });
    expect(items).toEqual([{ id: 4, count: 295 }]);
    const stories = `feature.userStories.${sum}`;
    const select = `{id,missing:${stories} is null,differs:${stories}!=1,${stories}}`;
    expect((await asked('UserStory/1241', { select })).items).toEqual([{ id: 1241, missing: true, differs: true }]);
    expect((await asked('UserStory/1241', { select: stories })).items).toEqual([null]);
  });

  it('what is sorted by next comes before the order there was', async () => {
    const { items } = await asked('UserStory/1241', {
      select: '{v:feature.userStories.orderByDescending(id).orderBy(entityState.name).thenBy(id).select(id)}',
    });
    const rows = await app.rows(`select g.id from general g join entity_state s on s.id = g.entity_state_id
      where g.entity_type_id = 4 and g.delete_date is null and g.feature_id = 1240 order by s.name, g.id`);
    expect(items[0].v).toEqual(rows.map(({ id }) => id));
  });

  it('nothing is one of the distinct values', async () => {
    const [row] = await app.rows(`select count(distinct coalesce(custom_values ->> 'Risk', '')) as n from general
      where entity_type_id = 4 and delete_date is null`);
    expect(await asked('UserStory', { result: 'select(Risk).distinct().count()' })).toBe(Number(row.n));
    expect(await asked('UserStory', { result: 'select(null).distinct().count()', where: 'id<0' })).toBe(0);
  });

  it('decimals keep their places, and rich text its words', async () => {
    const { text } = await ask('UserStory/1241', { select: '{effort*2,x:effort/2}'.replace('effort*2', 'a:effort*2') });
    expect(text).toBe('{"items":[{"a":14.0000,"x":3.5}]}');
    await app.rows(`update general set description =
      '<p>One <b>two</b>, th<i>re</i>e.</p><ul><li>four</li><li>five&nbsp;&lt;6</li></ul>a<br/>b<!-- c -->' where id = 1241`);
    expect((await asked('UserStory/1241', { select: 'description.toPlainText()' })).items).toEqual([
      'One two, three. four five <6 a b',
    ]);
  });

  it.each([
    ['One<p class="x">two</p>three', 'One two three'],
    ['One<br\n  clear="all" />two', 'One two'],
    ['One<TD STYLE="a:b">two</TD>three', 'One two three'],
    ['One<p/>two<br/ >three</ p>', 'One two three'],
    ['On<span class="x">e</span>, tw<strong>o</strong>', 'One, two'],
    ['On<picture>e</picture>, tw<del>o</del>, <link>thr</link>ee', 'One, two, three'],
  ])('tags that set text apart do so with attributes: %s', async (description, plain) => {
    await app.rows('update general set description = $1 where id = 1241', [description]);
    expect((await asked('UserStory/1241', { select: 'description.toPlainText()' })).items).toEqual([plain]);
  });

  it.each(['Assignable', 'General'])('a type is closed and compared at once in %s', async (kind) => {
    const [{ n }] = await app.rows(
      'select count(*)::int n from general where entity_type_id = 8 and delete_date is null',
    );
    for (const where of ['it.as<Bug>!=null', 'not(it.as<Bug>==null)', 'not(it.as<Bug>=null)', 'it.as<Bug> != null'])
      expect([where, await asked(kind, { where, result: 'count' })]).toEqual([where, n]);
  });

  it('the number of items of what is missing is nothing, which differs from every number', async () => {
    const where = 'release==null';
    const lacking = await asked('Bug', { where, result: 'count' });
    expect(lacking).toBeGreaterThan(0);
    const counted = async (test: string) =>
      asked('Bug', { where: `${where} and release.userStories.${test}`, result: 'count' });
    for (const test of ['count()!=0', 'count<>0', 'count(id>0)!=0', 'count()!=1', 'count()==null'])
      expect([test, await counted(test)]).toEqual([test, lacking]);
    const reversed = (test: string) => asked('Bug', { where: `${where} and ${test}`, result: 'count' });
    expect(await reversed('0!=release.userStories.count()')).toBe(lacking);
    expect(await reversed('not(release.userStories.count()!=0)')).toBe(0);
    for (const test of ['count()==0', 'count()>0', 'count()>=1', 'count()<1', 'count()<=0'])
      expect([test, await counted(test)]).toEqual([test, 0]);
  });

  it.each([
    ['1', 1],
    ["'a'+'b'", 'ab'],
    ['{x:1,who:Me.login}', { x: 1, who: 'admin' }],
    ['{}', {}],
    ['null', null],
    ['IIF(true,1,2)', 1],
  ])('a result without a number over all is one value: %s', async (result, expected) => {
    expect(await asked('UserStory', { result })).toEqual(expected);
    expect(await asked('UserStory', { result, where: 'id<0' })).toEqual(expected);
  });

  it('a plain filter looks into names and ids', async () => {
    const rows = await app.rows(`select id from general where entity_type_id = 4 and delete_date is null
      and (id::text like '%24%' or name ilike '%24%') order by id desc`);
    expect(rows.length).toBeGreaterThan(2);
    expect((await asked('UserStory', { filter: '24', select: '{id}', take: '1000' })).items).toEqual(rows);
  });
});

describe('the entity in a custom field', () => {
  it('may be a person', async () => {
    const rows = await app.rows(`select g.id, u.id as customer, u.first_name as first, u.email,
        concat_ws(' ', u.first_name, u.last_name) as name
      from general g join general_user u on u.id = (g.custom_values -> 'Customer' ->> 'Id')::int
      where g.entity_type_id = 4 and g.delete_date is null order by g.id desc`);
    expect(rows.length).toBeGreaterThan(10);
    const select =
      '{id,Customer,c:CustomValues["Customer"],i:Customer.id,n:Customer.name,f:Customer.firstName,e:Customer.as<Requester>.email,t:CustomValues.Text("Customer")}';
    const { items } = await asked('UserStory', { where: 'Customer!=null', select, take: '1000' });
    expect(items).toEqual(
      rows.map(({ id, customer, first, name, email }) => {
        const shown = { resourceType: 'Requester', id: customer, name };
        return { id, customer: shown, c: shown, i: customer, n: name, f: first, e: email, t: name };
      }),
    );
    const count = (where: string) => asked('UserStory', { where, result: 'count' });
    const [all, one] = [await count('id>0'), rows[0]!];
    expect(await count('Customer is null')).toBe(all - rows.length);
    const same = rows.filter(({ customer }) => customer === one.customer).length;
    expect(await count(`Customer.Id==${one.customer}`)).toBe(same);
    expect(await count(`Customer==${one.customer}`)).toBe(same);
    expect(await count(`Customer.Name=='${one.name.replaceAll("'", "\\'")}'`)).toBe(same);
    expect(await count('Customer==owner')).toBe(0);
    // A person is nobody's release, and neither is a release that is missing.
    expect(await count('Customer!=null and release==null and Customer==release')).toBe(0);
    expect(await count('Customer==release')).toBe(await count('Customer==null and release==null'));
    expect(await count('Customer!=release')).toBe(all - (await count('Customer==release')));
    const chosen = await asked('UserStory', {
      where: `id==${one.id}`,
      select: '{c:Customer.select({id,name}),Customer.name}',
    });
    expect(chosen.items).toEqual([{ c: { id: one.customer, name: one.name }, name: one.name }]);
    const { items: first } = await asked('UserStory', { orderBy: 'Customer desc', select: 'Customer.name', take: '1' });
    expect(first).toEqual([expect.any(String)]);
  });

  it('is no item that has the id of the person', async () => {
    const [{ id }] = await app.rows("select id from general_user where kind = 'Requester' order by id limit 1");
    const [twin] = await app.rows('select id, name from general where id = $1', [id]);
    await app.rows(`update general set custom_values = jsonb_build_object('Customer',
      jsonb_build_object('Id', ${id}, 'Kind', 'Requester')) where id = 1241`);
    const select = '{b:Customer==project,c:Customer.project.name}';
    const { items } = await asked('UserStory/1241', { select });
    expect(items).toEqual([{ b: false }]);
    if (twin) expect(JSON.stringify(items)).not.toContain(twin.name);
  });
});

describe('groups of entities', () => {
  it('are told apart by the entity, not by its name', async () => {
    const rows =
      await app.rows(`select s.id, s.name, count(*)::int as count from general g join entity_state s on s.id = g.entity_state_id
      where g.entity_type_id = 4 and g.delete_date is null group by 1, 2 order by 2, 1`);
    expect(new Set(rows.map(({ name }) => name)).size).toBeLessThan(rows.length);
    const { items } = await asked('UserStory', { groupBy: 'entityState', take: '1000' });
    expect(items).toEqual(
      rows.map(({ id, name, count }) => ({
        entityState: { resourceType: 'EntityState', id, name, numericPriority: expect.any(Number) },
        count,
      })),
    );
    expect((await asked('UserStory', { groupBy: '{entityState}', take: '1000' })).items).toEqual(items);
    const latest = await asked('UserStory', { groupBy: 's:entityState', orderBy: 's.id desc', take: '1' });
    expect(latest.items[0].s.id).toBe(Math.max(...rows.map(({ id }) => id)));
  });

  it('may be of the entity in a custom field, person or item', async () => {
    const rows = await app.rows(`select u.id, concat_ws(' ', u.first_name, u.last_name) as name, count(*)::int as count
      from general g left join general_user u on u.id = (g.custom_values -> 'Customer' ->> 'Id')::int
      where g.entity_type_id = 4 and g.delete_date is null group by 1, 2`);
    const { items } = await asked('UserStory', { groupBy: 'Customer', take: '1000' });
    const byId = (one: { customer?: { id: number } }, other: { customer?: { id: number } }) =>
      (one.customer?.id ?? 0) - (other.customer?.id ?? 0);
    expect(items.toSorted(byId)).toEqual(
      rows
        .map(({ id, name, count }) =>
          id === null ? { count } : { customer: { resourceType: 'Requester', id, name }, count },
        )
        .toSorted(byId),
    );
    const sorted = await asked('UserStory', { groupBy: 'Customer', orderBy: 'count desc', take: '1' });
    expect(sorted.items[0].count).toBe(Math.max(...rows.map(({ count }) => count)));
  });

  it('are of what the caller sees', async () => {
    const { items } = await asked('Task', { groupBy: 'userStory.feature', take: '1000' }, 'alice');
    const ids = items.flatMap(({ feature }: { feature?: { id: number } }) => feature?.id ?? []);
    const hers = await app.items('/api/v1/Features?include=[Id]&take=1000', { as: 'alice' });
    const seen = new Set(hers.map(({ Id }) => Id));
    expect([ids.length > 0, ids.filter((id: number) => !seen.has(id))]).toEqual([true, []]);
    const all = await asked('Task', { groupBy: 'userStory.feature', take: '1000' });
    expect(items.length).toBeLessThan(all.items.length);
  });
});

describe('addresses', () => {
  it('parameters may follow the condition in the path', async () => {
    const plain = await asked('Release', { where: "name!='a&b' && (id>1)", select: '{id}', take: '2' });
    const address = "/api/v2/Release/where=name!='a%26b'&&(id%3E1)&select={id}&take=2";
    const inPath = await app.ask(address);
    expect(inPath.json.items).toEqual(plain.items);
    const mixed = await app.ask(`${address.replace('&take=2', '')}?take=2`);
    expect(mixed.json.items).toEqual(plain.items);
    expect((await app.ask(`${address}?take=3`)).status).toBe(400);
  });

  it('of a form that fits into no address the page is linked alone', async () => {
    const body = new URLSearchParams({ where: `name!='${'x'.repeat(17_000)}'`, select: '{id}', take: '1' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (address: string, form: string) => app.ask(address, { method: 'POST', headers, body: form });
    const first = await post('/api/v2/UserStory', body);
    expect(first.json.next).toBe(`${app.base}/api/v2/UserStory?take=1&skip=1`);
    const second = await post('/api/v2/UserStory?take=1&skip=1', body.replace('&take=1', ''));
    expect(second.json.items).toEqual((await asked('UserStory', { select: '{id}', take: '1', skip: '1' })).items);
    const large = await post('/api/v2/UserStory', `where=${'x'.repeat(70_000)}`);
    expect([large.status, large.json.Message]).toEqual([413, 'The body is larger than 65536 bytes.']);
  });
});

describe('what costs too much is refused before it is asked', () => {
  it.each([
    ['SafeConvert.ToString(SafeConvert.ToDecimal(', ')).length>1'],
    ['SafeConvert.ToString(SafeConvert.ToInt(', ')).length>1'],
    ['Math.Max(1,Math.Sqrt(', '))>1'],
    ["('a').EndsWith((", ')+"x").toString().length>1'],
  ])('%s', async (open, close) => {
    const nest = (depth: number): string =>
      open.repeat(depth) +
      (open.startsWith('Math') ? 'id' : 'name') +
      close.replace(/[.>].*$/, '').repeat(depth) +
      close.replace(/^[^.>]*/, '');
    const { status, json } = await ask('UserStory', { where: nest(22), result: 'count' });
    expect([status, json.Message]).toEqual([400, expect.stringMatching(/too many (parts|levels)/)]);
    expect((await ask('UserStory', { where: nest(1), result: 'count' })).status).toBe(200);
  });

  it('texts do not grow without end', async () => {
    const select = `{x:${Array.from({ length: 6 }, () => ".replace('e','eeeeeeeeeeeeeeeeeeee')").reduce((of, one) => of + one, 'name')}.length}`;
    expect((await asked('UserStory/1241', { select })).items).toEqual([{ x: 100_000 }]);
  });
});

describe('messages', () => {
  it.each([
    [
      'where',
      'SafeConvert.ToInt(project)',
      "toInt expects a value that can be converted, found 'Project'. (where, at 18)",
    ],
    ['where', 'Convert.ToBoolean(tasks)', "found 'IEnumerable<Task>'. (where, at 18)"],
    ['where', 'Convert.ToInt32("x")==1', "'x' cannot be converted to 'Int32'. (where, at 16)"],
    ['where', 'Convert.ToDateTime("soon")==Today', "'soon' cannot be converted to 'DateTime'"],
    ['where', 'Convert.ToInt32("99999999999")==1', 'A value does not fit its place in an expression'],
    [
      'select',
      '{id,project.id}',
      "Two members are named 'id'; give one of them another name, as in {other: …}. (select, at 4)",
    ],
    [
      'groupBy',
      'entityState.name,project.name',
      "Two members are named 'name'; give one of them another name, as in {other: …}. (groupBy, at 17)",
    ],
    [
      'groupBy',
      'tasks.count()',
      "Two members are named 'count'; give one of them another name, as in {other: …}. (groupBy, at 0)",
    ],
    ['where', 'project.toString()=="x"', "Method 'toString' does not exist in 'Project'. (where, at 8)"],
    ['where', 'name.StartWith("s")', "Method 'StartWith' does not exist in 'String'. Did you mean 'StartsWith'?"],
    ['where', 'Riks==null', "Property 'Riks' does not exist in 'UserStory'. Did you mean 'risk'?"],
    ['where', 'it.as<UserStry>==null', "There is no type 'UserStry'. Did you mean 'UserStory'?"],
    ['where', 'not effort>20', "found 'Decimal'; 'not' binds tighter than operators, so write not(…)"],
    ['where', 'id eq 1', 'expected an operator such as \'==\' at 3, found "eq"'],
    ['where', "name like 'x'", "expected an operator such as '.Contains(…)' at 5"],
    ['where', "createDate>'foo'", "'foo' is no date; expected one such as '2026-01-31'"],
    ['where', "createDate=='31/12/2026'", "'31/12/2026' is no date"],
    ['orderBy', 'Spec', 'An address can be shown and compared with null, and nothing else'],
    ['where', 'feature.select', 'Select takes one argument'],
    ['name!', "'a'", "Unknown parameter 'name!'"],
    [' name', "'a'", 'Within a value & is written %26.'],
    [
      'select',
      'IIF(true,Customer,null)',
      'may be an item or a person, which cannot be chosen between; choose a member of it',
    ],
    ['where', 'IFNONE(Customer,feature).name==null', 'cannot be chosen between'],
    ['result', "SafeConvert.ToIntArray('1,2').contains(count)", 'takes no value that is reckoned over all items'],
  ])('%s=%s', async (parameter, value, expected) => {
    const { status, json } = await ask('UserStory', { [parameter]: value });
    expect([status, json.Message]).toEqual([400, expect.stringContaining(expected)]);
  });

  it('a time box is told how many are near', async () => {
    const { json } = await ask('Release', { where: 'InPast' });
    expect(json.Message).toContain('InPast takes one argument: how many of the nearest');
  });
});

describe('texts that differ in letter case alone', () => {
  const names = ['zqCase Ärger', 'ZQCASE ÄRGER', 'zqcase ärger', 'zqother', 'Zqother'];
  let project: number;
  beforeAll(async () => {
    project = (await app.post('/api/v1/Projects?format=json', { Name: 'letter case' })).json.Id;
    const stories = names.map((Name) => ({ Name, Project: { Id: project } }));
    expect((await app.post('/api/v1/UserStories/bulk?format=json', stories)).status).toBe(200);
  });

  const ofProject = () => ({ where: `project.id==${project}` });

  it.each([
    [
      'name',
      [
        { name: 'zqcase ärger', count: 3 },
        { name: 'zqother', count: 2 },
      ],
    ],
    [
      'n:name.length,name',
      [
        { n: 7, name: 'zqother', count: 2 },
        { n: 12, name: 'zqcase ärger', count: 3 },
      ],
    ],
    [
      'n:name.substring(0,3)',
      [
        { n: 'zqc', count: 3 },
        { n: 'zqo', count: 2 },
      ],
    ],
  ])('are one group by %s, in the first spelling by order', async (groupBy, items) => {
    expect((await asked('UserStory', { ...ofProject(), groupBy })).items).toEqual(items);
  });

  it.each([
    ['userStories.select(name).distinct().orderBy(it)', ['zqcase ärger', 'zqother']],
    ['userStories.select({name}).distinct()', [{ name: 'zqother' }, { name: 'zqcase ärger' }]],
    ['userStories.select(name).distinct().count()', 2],
    ['userStories.select(name).distinct().take(1).count()', 1],
    ['userStories.select(name).distinct().skip(1).any()', true],
    ['userStories.select(name).distinct().skip(2).any()', false],
    ['SafeConvert.ToStringArray("a,A,b").distinct().count()', 2],
    ['userStories.select(name).distinct().where(it=="ZQother").count()', 1],
  ])('are one to %s', async (expression, value) => {
    expect((await asked('Project', { where: `id==${project}`, select: `{v:${expression}}` })).items).toEqual([
      { v: value },
    ]);
  });

  it('are counted once over all', async () => {
    expect(await asked('UserStory', { ...ofProject(), result: 'select(name).distinct().count()' })).toBe(2);
  });

  it.each([
    'name',
    'entityState.name',
    'feature.name',
    'Risk',
    'owner.firstName',
    'priority.name',
    'tags',
    'project.name.substring(0,1)',
  ])('a group by %s has as many items as its key selects', async (key) => {
    const { items } = await asked('UserStory', { groupBy: `k:${key}`, take: '1000' });
    const total = items.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect(total).toBe(await asked('UserStory', { result: 'count' }));
    const folded = items.map(({ k }: { k?: string }) => k?.toLowerCase());
    expect(new Set(folded).size).toBe(items.length);
    for (const { k, count } of items.slice(0, 20)) {
      const where = `(${key})==${k === undefined ? 'null' : JSON.stringify(k)}`;
      expect([where, await asked('UserStory', { where, result: 'count' })]).toEqual([where, count]);
    }
  });
});
