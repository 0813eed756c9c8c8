/** Version 2 over HTTP: addresses, parameters, pages, errors, and what is shown when nothing is selected. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { cookieOf, logIn } from '../support/log-in.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

type Parameters = Record<string, string>;
const path = (entity: string, parameters: Parameters = {}): string =>
  `/api/v2/${entity}?${new URLSearchParams(parameters)}`;
const ask = (entity: string, parameters?: Parameters, as = 'admin') => app.ask(path(entity, parameters), { as });
async function items(entity: string, parameters?: Parameters, as?: string) {
  const answer = await ask(entity, parameters, as);
  expect([answer.status, answer.text.slice(0, 500)]).toEqual([200, expect.any(String)]);
  return answer.json.items;
}
const message = async (entity: string, parameters?: Parameters): Promise<string> => {
  const answer = await ask(entity, parameters);
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.json).toMatchObject({ Status: 'BadRequest', Type: 'Presentational', ErrorId: expect.any(String) });
  return answer.json.Message;
};

describe('addresses', () => {
  it.each([
    'UserStory',
    'userstory',
    'UserStories',
    'USERSTORIES',
    'UserStorys',
    'userstorys/',
  ])('%s names the same items', async (spelling) => {
    const [story] = await app.rows(
      'select id, name from general where entity_type_id = 4 and delete_date is null order by id desc limit 1',
    );
    expect(await items(spelling, { take: '1', select: '{id,name}' })).toEqual([story]);
  });

  it('the releases of a project are asked for in the path', async () => {
    const [{ project_id: project }] = await app.rows('select project_id from release_project limit 1');
    const rows = await app.rows(
      'select distinct release_id as id from release_project where project_id = $1 order by 1 desc',
      [project],
    );
    expect(rows.length).toBeGreaterThan(0);
    const answer = await app.ask(`/api/v2/Release/where=(Projects.Count(ID=='${project}')%3E0)?select={id}`);
    expect(answer.json).toEqual({ items: rows });
    const bare = await app.ask(`/api/v2/Release/where=(Projects.Count(ID=='${project}')>0)`);
    expect(
      bare.json.items.map(({ id, resourceType }: { id: number; resourceType: string }) => [resourceType, id]),
    ).toEqual(rows.map(({ id }) => ['Release', id]));
    const asParameter = await items('releases', { where: `(Projects.Count(ID=='${project}')>0)`, select: '{id}' });
    expect(asParameter).toEqual(rows);
  });

  it('one item comes in a list of one', async () => {
    const [story] = await app.rows(
      'select id, name from general where entity_type_id = 4 and delete_date is null order by id limit 1 offset 7',
    );
    expect((await ask(`UserStory/${story.id}`, { select: '{id,name}' })).json).toEqual({ items: [story] });
  });

  it('what is not there, not of this kind, or not to be seen is not found', async () => {
    const [bug] = await app.rows('select id from general where entity_type_id = 8 limit 1');
    const [hidden] = await app.rows(
      'select id from general where entity_type_id = 4 and project_id not in (8, 54) limit 1',
    );
    for (const [id, as] of [
      [999_999, 'admin'],
      [bug.id, 'admin'],
      [hidden.id, 'alice'],
      ['99999999999', 'admin'],
    ] as const) {
      const answer = await ask(`UserStory/${id}`, {}, as);
      expect([answer.status, answer.json.Message]).toEqual([
        404,
        `UserStory with Id ${id} not found or access is forbidden.`,
      ]);
    }
  });

  it('who does not say who he is is refused in JSON', async () => {
    for (const place of ['UserStory', 'nothing', 'UserStory/1']) {
      const answer = await ask(place, {}, 'nobody');
      expect([answer.status, answer.json.Status]).toEqual([401, 'Unauthorized']);
    }
  });

  it('an unknown entity is not found, with a near one', async () => {
    const answer = await ask('UserStry');
    expect([answer.status, answer.json.Message]).toEqual([
      404,
      "Unknown resource 'UserStry'. Did you mean 'UserStory'?",
    ]);
    expect((await ask('nothing')).status).toBe(404);
  });

  it('the full history of a kind has an address of its own', async () => {
    const [{ id }] = await app.rows('select id from general where entity_type_id = 4 and delete_date is null limit 1');
    const asked = { where: `sourceEntityId==${id}`, select: '{id,name}' };
    const answer = await app.ask(`/api/history/v2/userstories?${new URLSearchParams({ ...asked, take: '1' })}`);
    const all = await items('UserStoryHistory', asked);
    expect(all.length).toBeGreaterThan(1);
    expect(answer.json.items).toEqual(all.slice(0, 1));
    expect((await app.ask(answer.json.next.replace(app.base, ''))).json.items).toEqual(all.slice(1, 2));
    const one = await app.ask(`/api/history/v2/UserStory/${all[0].id}?select={id,name}`);
    expect(one.json).toEqual({ items: [all[0]] });
    const wrong = await app.ask('/api/history/v2/UserStorry');
    expect([wrong.status, wrong.json.Message]).toEqual([404, expect.stringContaining("Did you mean 'UserStory'?")]);
    expect((await app.ask('/api/history/v2/Role')).status).toBe(404);
    expect((await app.ask('/api/history/v2/UserStory', { as: 'nobody' })).json.Status).toBe('Unauthorized');
  });

  it('other methods are not allowed', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      expect((await app.ask('/api/history/v2/UserStory', { method })).status).toBe(405);
      const answer = await app.ask(path('UserStory/1'), { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
  });
});

describe('a form', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (body: string, headers: Record<string, string> = {}, place = path('Bug')) =>
    app.ask(place, { method: 'POST', body, headers: { ...form, ...headers } });

  it('says what is too long for an address', async () => {
    const ids = Array.from({ length: 900 }, (_, index) => 10_000_000 + index);
    const where = `id in [${ids},${(await items('Bug', { take: '1', select: 'id' }))[0]}]`;
    expect(where.length).toBeGreaterThan(8000);
    const answer = await post(new URLSearchParams({ where, select: 'id' }).toString());
    expect([answer.status, answer.json.items.length]).toEqual([200, 1]);
  });

  it.each(['csv', 'ndjson'])('may ask for %s', async (format) => {
    const asked = { format, where: 'id>0', select: '{name}' };
    const byForm = await post(new URLSearchParams(asked).toString());
    const byAddress = await app.ask(path('Bug', asked));
    expect(byForm.headers.get('content-type')).toContain(format);
    expect(byForm.text).toBe(byAddress.text);
  });

  it('may be used by a token that only reads, and by a session from wherever', async () => {
    const made = await app.post('/api/v1/AccessTokens?format=json', { Name: 'reader', IsReadOnly: true });
    expect(made.status).toBe(201);
    const cookie = cookieOf(await logIn(app, 'alice', 'demo'));
    const credentials: Record<string, string>[] = [
      { authorization: `Bearer ${made.json.Token}` },
      { cookie },
      { cookie, origin: 'https://elsewhere.example' },
    ];
    for (const headers of credentials) {
      const sent = { method: 'POST', body: 'take=1', headers: { ...form, ...headers } };
      expect((await app.raw(path('Bug'), sent)).status).toBe(200);
      expect((await app.raw('/api/v1/Bugs', { ...sent, body: '' })).status).not.toBe(201);
    }
  });

  it('is told where a parameter is given twice, or is no form', async () => {
    expect((await post('take=1', {}, path('Bug', { take: '2' }))).status).toBe(400);
    expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(415);
  });
});

describe('parameters', () => {
  it('those that are not known are refused, with a near one', async () => {
    expect(await message('Bug', { wher: 'id==1' })).toContain("Unknown parameter 'wher'. Did you mean 'where'?");
    expect(await message('Bug', { limit: '1' })).toContain("Unknown parameter 'limit'");
    expect(await message('Bug', { 'where[]': 'id==1' })).toContain("Unknown parameter 'where[]'");
    expect(await message('Bug', { include: '[Name]' })).toContain('select={id,name');
    expect(await message('Bug', { take: '-1' })).toContain('take');
    expect(await message('Bug', { dateformat: 'xml' })).toContain('dateformat');
    expect(await message('Bug', { select: 'id', result: 'count' })).toContain('leave select out');
  });

  it.each([
    'format=xml',
    'resultFormat=json',
    'resultInclude=[Id]',
    'exclude=[Name]',
    'append=[Tasks-Count]',
    'innerTake=1',
    'callback=cb',
    'acid=x',
    'ids[]=1&ids[]=2',
  ])('those of version 1 alone are ignored: %s', async (text) => {
    const plain = await app.ask(path('Bug', { select: '{id}', take: '1' }));
    const answer = await app.ask(`${path('Bug', { select: '{id}', take: '1' })}&${text}`);
    expect([answer.status, answer.text]).toEqual([200, plain.text]);
  });

  it('one that is given twice with the same value is given once', async () => {
    const answer = await app.ask(`${path('Bug', { take: '1' })}&take=1`);
    expect(answer.status).toBe(200);
    expect(answer.json.items).toHaveLength(1);
  });

  it('pages are linked with all that was said, and without credentials', async () => {
    const [{ Token }] = [await app.json('/api/v1/Authentication')];
    const parameters = {
      where: "name.contains('e') and id>0",
      select: '{id, n: name}',
      orderBy: 'name',
      isoDate: '',
      includeDeleted: 'true',
    };
    const first = await app.raw(
      `${path('Bug', { ...parameters, take: '2', skip: '2' })}&token=${encodeURIComponent(Token)}`,
    );
    expect(first.text).not.toContain('oken=');
    const { next, prev } = first.json;
    expect(new URL(next).searchParams.get('where')).toBe(parameters.where);
    expect(new URL(next).searchParams.get('includeDeleted')).toBe('true');
    expect(new URL(next).searchParams.get('isoDate')).toBe('true');
    const rows = await app.rows(
      "select id, name as n from general where entity_type_id = 8 and name ilike '%e%' and delete_date is null order by name, id limit 6",
    );
    const page = async (link: string) => (await app.ask(link.replace(app.base, ''))).json.items;
    expect([...(await page(prev)), ...first.json.items, ...(await page(next))]).toEqual(rows);
  });

  it.each([
    ['UserStory', { select: '{Id,Name as Title,Owner:{ID:Owner.Id,Owner.Login}}' }, ['id', 'title', 'owner']],
    ['UserStory', { select: '{Id,Tasks.Select({Id,Name as TaskName}) as AllTasks}' }, ['id', 'allTasks']],
    ['Process', { select: '{Id,EntityStates.Select({Id}) as EntityStates}' }, ['id', 'entityStates']],
    ['UserStory', { groupBy: 'EntityState.Name as StateName', result: '{Count as HowMany,Sum(Effort) as Total}' }, []],
    ['UserStory', { result: '{All:count,Most:max(Effort)}' }, ['all', 'most']],
    ['UserStory', { select: '{Id,Ümlaut:Name}' }, ['id', 'ümlaut']],
  ] as [
    string,
    Parameters,
    string[],
  ][])('names in answers of %s begin with a small letter: %o', async (entity, query, names) => {
    const answer = await ask(entity, { ...query, ...(query.result && !query.groupBy ? {} : { take: '3' }) });
    expect(answer.status, answer.text).toBe(200);
    const keys = new Set<string>();
    JSON.parse(answer.text, (key, value) => {
      keys.add(key);
      return value;
    });
    expect([...keys].filter((key) => /^\p{Lu}/u.test(key))).toEqual([]);
    expect([...keys]).toEqual(expect.arrayContaining(names));
  });

  it('names that differ in their first letter alone are refused', async () => {
    expect(await message('Bug', { select: '{Id,id:Name}' })).toContain("Two members are named 'id'");
  });

  it('there is no next page after the last, and none before the first', async () => {
    const [{ count }] = await app.rows(
      'select count(*)::int from general where entity_type_id = 8 and delete_date is null',
    );
    const last = (await ask('Bug', { take: '1000', select: 'id' })).json;
    expect([last.items.length, last.next, last.prev]).toEqual([count, undefined, undefined]);
    const beyond = (await ask('Bug', { take: '10', skip: String(count), select: 'id' })).json;
    expect([beyond.items, beyond.next]).toEqual([[], undefined]);
  });

  it('dates are told as they are asked for', async () => {
    const [{ ms }] = await app.rows(
      'select (extract(epoch from create_date) * 1000)::bigint::text as ms from general where entity_type_id = 8 and delete_date is null order by id desc limit 1',
    );
    const date = async (parameters: Parameters) =>
      (await items('Bug', { select: 'createDate', take: '1', ...parameters }))[0];
    const iso = new Date(Number(ms)).toISOString().slice(0, 19);
    expect(await date({})).toBe(`/Date(${ms}+0000)/`);
    expect((await date({ isoDate: '' })).slice(0, 19)).toBe(iso);
    expect(await date({ dateformat: 'iso' })).toMatch(new RegExp(`^${iso}.*\\+00:00$`));
  });

  it.each(['prettify', 'isoDate', 'includeDeleted'])('%s is switched on and off by the same words', async (name) => {
    const withoutLinks = ({ text }: { text: string }) => text.replace(/"next":\s*"[^"]*",/, '');
    const text = async (word: string) => withoutLinks(await ask('Bug', { take: '3', [name]: word }));
    const plain = withoutLinks(await ask('Bug', { take: '3' }));
    for (const word of ['false', '0', 'No', 'off']) expect(await text(word)).toBe(plain);
    for (const word of ['true', '1', 'YES', 'on', name, name.toUpperCase()])
      expect(await text(word)).toBe(await text(''));
    const isFree = name === 'prettify';
    expect((await ask('Bug', { [name]: 'maybe' })).status).toBe(isFree ? 200 : 400);
    if (isFree) expect(await text('maybe')).toBe(await text(''));
  });

  it.each([
    [
      '{id,name,EntityState.isFinal,entityState.name as state,Name}',
      '{id,name,entityState.isFinal,state:entityState.name}',
    ],
    ['{name,name,name}', '{name}'],
    ['{n: name, N: Name}', '{n:name}'],
    ['{tasks.count(effort > 1), Tasks.Count(Effort>1)}', '{tasks.count(effort>1)}'],
    ['{feature:{feature.id,feature.id}}', '{feature:{feature.id}}'],
    ['{tasks.select({id,id}) as tasks,tasks.select({id,id}) as tasks}', '{tasks:tasks.select({id})}'],
    ['new(id,id)', '{id}'],
  ])('a member that is written twice stands there once: %s', async (twice, once) => {
    const shown = await items('UserStory', { select: once, take: '3' });
    expect(shown).toHaveLength(3);
    expect(await items('UserStory', { select: twice, take: '3' })).toEqual(shown);
  });

  it('so it does in results, in groups and in whole lists', async () => {
    expect((await ask('Bug', { result: '{count,count}' })).json).toEqual(
      (await ask('Bug', { result: '{count}' })).json,
    );
    const groups = (groupBy: string, result: string) => items('Bug', { groupBy, result });
    expect(await groups('entityState.name,EntityState.Name', '{sum(effort),Sum(effort)}')).toEqual(
      await groups('entityState.name', '{sum(effort)}'),
    );
    const lines = (select: string) => ask('Bug', { select, format: 'ndjson' });
    expect((await lines('{id,id,name,name}')).text).toBe((await lines('{id,name}')).text);
  });

  it('prettify changes nothing but white space', async () => {
    const plain = await ask('Bug', { take: '3' });
    const pretty = await ask('Bug', { take: '3', prettify: '' });
    expect(pretty.text.split('\n').length).toBeGreaterThan(50);
    expect(pretty.json.items).toEqual(plain.json.items);
  });

  it('deleted items are listed for administrators who ask for them', async () => {
    const rows = await app.rows(
      "select id from general_user where kind = 'User' and delete_date is not null order by id desc",
    );
    expect(rows.length).toBeGreaterThan(0);
    const parameters = { where: '(DeleteDate!=null)', select: '{id}' };
    expect(await items('User', { ...parameters, includeDeleted: 'true' })).toEqual(rows);
    expect(await items('User', parameters)).toEqual([]);
    expect(await items('User', { ...parameters, includeDeleted: 'true' }, 'alice')).toEqual([]);
  });

  it('a plain filter looks for names and ids', async () => {
    const rows = await app.rows(
      "select id from general where entity_type_id = 8 and delete_date is null and name ilike '%save%' order by id desc limit 25",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(await items('Bug', { filter: 'SAVE', select: '{id}' })).toEqual(rows);
    expect(await items('Bug', { filter: String(rows[0].id), select: '{id}' })).toContainEqual(rows[0]);
  });

  it('a filter behind a question mark is a condition, where Me is the caller', async () => {
    const rows = await app.rows(
      "select g.id from general g where entity_type_id = 8 and delete_date is null and exists (select 1 from assignment a where a.assignable_id = g.id and a.general_user_id = (select id from general_user where login = 'alice')) order by id desc limit 25",
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const filter of [
      '?AssignedUser.Where(it is Me)',
      '?AssignedUser.Any(id == Me.id)',
      '?assignedUser.contains(Me)',
    ])
      expect(await items('Bug', { filter, select: '{id}' }, 'alice')).toEqual(rows);
  });
});

describe('without select', () => {
  it('an item shows what it does in version 1, in camelCase, without what is null', async () => {
    const old = (await app.items('/api/v1/UserStories?take=3&orderByDesc=Id')) as Record<string, unknown>[];
    const camel = (key: string): string => key.charAt(0).toLowerCase() + key.slice(1);
    const namesIn = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(namesIn);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, one]) => one !== null)
          .map(([key, one]) => [camel(key), namesIn(one)]),
      );
    };
    const expected = old.map(({ CustomFields, ...rest }) => ({
      ...(namesIn(rest) as object),
      customValues: { customFields: namesIn(CustomFields) },
    }));
    expect(await items('UserStory', { take: '3' })).toEqual(expected);
  });

  it.each([
    'Users',
    'Comment',
    'Relation',
    'Times',
    'generalconversions',
    'UserStorySimpleHistories',
    'Process',
    'GlobalSettings',
  ])('%s answers', async (entity) => {
    const entities = await items(entity, { take: '2' });
    expect(entities[0]).toMatchObject({ id: expect.any(Number), resourceType: expect.any(String) });
  });
});

describe('mistakes', () => {
  it.each([
    ['where', 'DueDate==null', "Property 'DueDate' does not exist in 'UserStory'."],
    ['where', 'nam=="x"', "Did you mean 'name'? (where, at 0)"],
    [
      'where',
      'id==1 and project.nme=="x"',
      "Property 'nme' does not exist in 'Project'. Did you mean 'name'? (where, at 18)",
    ],
    ['where', 'tasks.nothing(1)>0', "Method 'nothing' does not exist in 'IEnumerable<Task>'."],
    ['where', 'tasks.name=="x"', "Property 'name' does not exist in 'IEnumerable<Task>'. Members of its items"],
    ['where', 'createDate>3', "Operator '>' incompatible with operand types 'DateTime' and 'Int32'. (where, at 10)"],
    ['where', 'createDate>"yesterday-ish"', "'yesterday-ish' is no date; expected one such as"],
    ['where', 'effort=="x"', "Operator '==' incompatible with operand types 'Decimal' and 'String'"],
    ['where', 'project==5', "incompatible with operand types 'Project' and 'Int32'"],
    ['where', 'units=="miles"', "'miles' is not one of pt, h. (where, at 5)"],
    ['where', 'name', "A condition is expected here, found 'String'. (where, at 0)"],
    ['where', 'name==', 'where: expected an expression at 6, found the end.'],
    ['where', '(id==1', "where: expected ')' at 6, found the end."],
    ['where', 'id==1)', 'expected an operator or the end at 5, found ")"'],
    ['where', "name=='x", "expected a closing ' at 8"],
    ['where', 'Projects.Count(x=>x.id)>0', 'expected an expression at 17, found ">"'],
    ['where', "'😀'==name ~ 1", 'at 10, found "~"'],
    ['where', 'DateTime.Parse("no date")<Today', "'no date' is no date"],
    ['where', 'password!=null', "Property 'password' does not exist in 'UserStory'"],
    ['where', 'owner.password!=null', "Property 'password' does not exist in 'GeneralUser'"],
    ['where', 'constructor==null', "Property 'constructor' does not exist"],
    ['where', 'tasks.constructor()==null', "'constructor' does not exist"],
    ['where', 'name.tolower(1)==""', 'tolower takes 0 arguments, found 1'],
    ['select', '{id,project.id}', "Two members are named 'id'"],
    ['select', '{n:name,n:project.name}', "Two members are named 'n'"],
    ['select', '{tasks.count(),tasks.count(effort>1)}', "Two members are named 'count'"],
    ['select', '{effort+1}', "Expression is missing an 'as' clause"],
    ['select', '{id', "expected ',' or '}' at 3"],
    ['select', 'it.as<Nothing>', "There is no type 'Nothing'"],
    ['select', 'it.as<User>', "'UserStory' can never be a 'User'"],
    ['orderBy', 'tasks', "A value is expected here, found 'IEnumerable<Task>'"],
    ['orderBy', 'name down', 'expected an operator or the end at 5, found "down"'],
    ['result', 'id', "Property 'id' does not exist in 'IEnumerable<UserStory>'"],
    ['result', 'first()', 'A result over all items has no first one'],
    ['result', 'where(id>1)', 'A result is a number'],
    ['result', 'select({id}).distinct().count()', "Distinct values can be counted, 'Object' is none"],
    ['result', 'select(effort).distinct().sum(it*2)', 'sum cannot follow Distinct in a result over all items'],
    ['result', 'select(name).distinct().select(it.length).max()', 'select cannot follow Distinct in a result over all'],
    ['where', "SafeConvert.ToIntArray('1').contains('x')", "Items are 'Int32', never 'String'"],
    ['where', 'SafeConvert.ToIntArray(id).any()', "expects 'String', found 'Int32'"],
    ['where', "Guid.Parse('x')==name", 'A value does not fit its place'],
    ['where', 'Guid.Last==name', "Method 'Last' does not exist in 'Guid'"],
    ['where', 'tasks.select({id}).first()==null', "incompatible with operand types 'Object' and 'null'"],
    ['where', 'tasks.select({id}).orderBy(it).any()', "A value is expected here, found 'Object'"],
    ['select', '{a:IIF(true,project,entityState)}', "'Project' and 'EntityState' are of different types"],
    ['select', '{a:IIF(true,project,name)}', "'Project' and 'String' are of different types"],
    ['select', '{a:IIF(true,tasks,bugs)}', "A value is expected here, found 'IEnumerable<Task>'"],
    ['where', 'IIF(true,{id},{name})==null', "incompatible with operand types 'Object' and 'null'"],
    ['select', '{a:IIF(true,project,feature).tasks}', "'tasks' is something else for each kind of 'General'"],
    ['select', '{a:IIF(true,name,effort)}', "'String' and 'Decimal' are of different types"],
    ['groupBy', 'tasks', 'A value is expected here'],
  ])('%s=%s', async (parameter, value, expected) => {
    expect(await message('UserStory', { [parameter]: value })).toContain(expected);
  });

  it('groups are ordered by what they have', async () => {
    expect(await message('UserStory', { groupBy: 'effort', orderBy: 'name' })).toContain(
      "Property 'name' does not exist in 'Object'. It has effort, count.",
    );
  });

  it.each([
    ['('.repeat(4000)],
    [`${'('.repeat(200)}id==1${')'.repeat(200)}`],
    [
      Array.from({ length: 400 }, () => 'id==1')
        .join(' or ')
        .slice(0, 14_000),
    ],
    [`id in [${Array.from({ length: 1100 }, (_, index) => index)}]`],
    [`${'tasks.select('.repeat(12)}id${')'.repeat(12)}.count()>0`],
    [`tasks${'.select(it+it)'.repeat(1)}.count()>0`],
    [`tasks.select(effort)${'.select(it+it)'.repeat(30)}.sum()>0`],
    ["name=='\u0000'"],
    ["name=='\\u0000'"],
    ["name=='\\ud800'"],
    ['1'.repeat(31)],
    ['id==1e999'],
    ['id==--'],
    ['id==1;drop table general'],
  ])('cost and form: row %#', async (where) => {
    expect(await message('UserStory', { where })).not.toMatch(/select |general_|syntax error|pg_|\.ts/);
  });

  it.each([
    ['Convert.ToDouble("Infinity")>1'],
    ['Math.Pow(10,400)>1'],
    ['Math.Exp(1000)>1'],
    ['Today.AddYears(999999)>Today'],
    ['Today.AddDays(1e300)>Today'],
    ['name.substring(99999999999)==""'],
  ])('values that do not fit are told of: %s', async (where) => {
    expect(await message('UserStory', { where })).toMatch(/out of range|no number or date|is no|cannot be converted/);
  });
});

describe('what does not fit a row', () => {
  it.each([
    ['Convert.ToInt32(name)'],
    ['Convert.ToDateTime(name)'],
    ['Guid.Parse(name)'],
    ['Math.Exp(id+700)'],
    ['Math.Pow(id+1000,id+1000)'],
    ['Today.AddYears(id*10+8000)'],
    ['(Today-(Today.AddYears(-2000)-Today.AddYears(6000)))'],
    ['Math.Sqrt(0-id)'],
  ])('is null: %s', async (value) => {
    const { status, json } = await ask('UserStory', { where: `${value}==null`, result: 'count' });
    expect([status, json]).toEqual([200, (await ask('UserStory', { result: 'count' })).json]);
  });

  it('is null for that row alone', async () => {
    const { json } = await ask('UserStory', {
      where: 'id in [1241,1247]',
      select:
        "{id,n:Convert.ToInt32(IIF(id==1241,'12',name)),d:Convert.ToDateTime(IIF(id==1241,name,'2026-01-31')).year}",
    });
    expect(json.items).toEqual([
      { id: 1247, d: 2026 },
      { id: 1241, n: 12 },
    ]);
  });

  it('is refused where numbers would become too long', async () => {
    const { status, json } = await ask('UserStory', {
      where: `${Array.from({ length: 40 }, () => '(1/effort)').join('*')}>1`,
    });
    expect([status, json.Message]).toEqual([400, 'where: numbers of too many digits; at most 10000 are allowed.']);
  });
});

describe('what takes too long', () => {
  it('is answered with 503 and what to do about it', async () => {
    const blocker = await app.database.connect();
    await blocker.query('begin; lock table entity_state in access exclusive mode');
    const slow = ask('UserStory', { where: 'entityState.name!=""', result: 'count' });
    const waits = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let pids: { pid: number }[] = [];
    while (pids.length === 0) pids = await app.rows(waits);
    // As the database itself does once ten seconds are over.
    await app.rows('select pg_cancel_backend($1)', [pids[0]!.pid]);
    const { status, json } = await slow;
    await blocker.query('rollback');
    blocker.release();
    expect([status, json.Status, json.Message]).toEqual([
      503,
      'ServiceUnavailable',
      expect.stringContaining('Ask for less: a narrower filter, fewer fields'),
    ]);
  });
});
