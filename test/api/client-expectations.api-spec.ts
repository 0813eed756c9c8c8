/** What published clients rely on: contexts by acid, dates of users, the caller, refusals that name what is missing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const idsOf = (items: { Id: number }[]): number[] => items.map(({ Id }) => Id).sort((a, b) => a - b);

describe('a context', () => {
  const context = (query: string, as = 'admin') => app.json(`/api/v1/Context?${query}`, { as });
  const projects = async (limit: number): Promise<number[]> =>
    (
      await app.rows(
        'select distinct project_id as id from general where entity_type_id = 4 and delete_date is null order by 1 limit $1',
        [limit],
      )
    ).map(({ id }) => id);

  it.each([
    ['ids[]=A&ids[]=B'],
    ['ids%5B%5D=A&IDS[]=B'],
    ['projectIds[]=A,B'],
    ['ids[]=A&projectIds[]=B'],
    ['ids=A,B&ids=A,B'],
    ['ids[0]=A&ids[1]=B'],
    ['ids%5B1%5D=A&projectIds[0]=B'],
    ['ids[7]=A&ids[]=B'],
  ])('takes ids one by one: %s', async (text) => {
    const [a, b] = await projects(2);
    const query = text.replaceAll(/(?<==|,)A/g, String(a)).replaceAll(/(?<==|,)B/g, String(b));
    expect(idsOf((await context(query)).SelectedProjects.Items)).toEqual([a, b]);
    const xml = itemOf(await parseXml(await app.xml(`/api/v1/Context?${query}`)));
    const { Items } = xml.SelectedProjects as { Items: { Id: string }[] };
    expect(Items.map(({ Id }) => Number(Id)).sort((one, other) => one - other)).toEqual([a, b]);
  });

  it('has an acid, which gives it again, in JSON and XML', async () => {
    const [a, b] = await projects(2);
    const first = await context(`ids=${a},${b}&teamIds=0`);
    const again = await context(`acid=${first.Acid.toLowerCase()}`);
    expect(again).toEqual(first);
    expect((await parseXml(await app.xml(`/api/v1/Context?acid=${first.Acid}`))).attributes.Acid).toBe(first.Acid);
    const none = await context('ids=0');
    expect((await context(`acid=${none.Acid}`)).SelectedProjects.Items).toEqual([]);
  });

  it('limits lists to what lies in its projects and is of its teams', async () => {
    const [a] = await projects(1);
    const { Acid } = await context(`ids=${a}&teamIds=0`);
    const rows = await app.rows(
      `select id as "Id" from general where entity_type_id = 4 and delete_date is null and project_id = ${a}`,
    );
    const path = `/api/v1/UserStories?include=[Id,Owner[Email]]&acid=${Acid}&take=1000`;
    const items = await app.items(path);
    expect(idsOf(items)).toEqual(idsOf(rows as { Id: number }[]));
    expect(items.some(({ Owner }) => Owner?.Email)).toBe(true);
    expect((await parseXml(await app.xml(path))).children).toHaveLength(items.length);
    const [other] = await app.rows(
      `select id from general where entity_type_id = 4 and delete_date is null and project_id <> ${a} limit 1`,
    );
    expect(await app.items(`/api/v1/UserStories?where=Id eq ${other.id}&acid=${Acid}`)).toEqual([]);
    const project = `/api/v1/Projects/${a}/UserStories?include=[Id]&take=1000`;
    expect(idsOf(await app.items(`${project}&acid=${Acid}`))).toEqual(idsOf(await app.items(project)));
  });

  it('limits them by team as well', async () => {
    const [{ id }] = await app.rows(
      `select a.team_id as id from team_assignment a join general g on g.id = a.assignable_id
       where g.entity_type_id = 4 and g.delete_date is null group by 1 order by count(*) desc limit 1`,
    );
    const { Acid } = await context(`ids=0&teamIds=${id}`);
    const rows = await app.rows(
      `select g.id as "Id" from general g where g.entity_type_id = 4 and g.delete_date is null
       and exists (select 1 from team_assignment a where a.assignable_id = g.id and a.team_id = ${id})`,
    );
    expect(idsOf(await app.items(`/api/v1/UserStories?include=[Id]&take=1000&acid=${Acid}`))).toEqual(
      idsOf(rows as { Id: number }[]),
    );
  });

  it('goes with the links to other pages', async () => {
    const [a] = await projects(1);
    const { Acid } = await context(`ids=${a}`);
    const { Next } = await app.json(`/api/v1/UserStories?take=1&include=[Id]&acid=${Acid}`);
    expect(new URL(Next).searchParams.get('acid')).toBe(Acid);
  });

  it('gives nobody more than he sees', async () => {
    const { Acid } = await context('', 'alice');
    const path = '/api/v1/Bugs?include=[Id]&take=1000';
    expect(idsOf(await app.items(`${path}&acid=${Acid}`, { as: 'alice' }))).toEqual(
      idsOf(await app.items(path, { as: 'alice' })),
    );
    const [member] = await app.rows(
      `select m.id, m.project_id from project_member m join general_user u on u.id = m.user_id where u.login = 'alice'`,
    );
    const held = await app.rows('delete from project_member where id = $1 returning *', [member.id]);
    const replica = await app.replica();
    try {
      const left = await replica.items(`${path}&acid=${Acid}`, { as: 'alice' });
      expect(idsOf(left)).toEqual(idsOf(await replica.items(path, { as: 'alice' })));
    } finally {
      await replica.stop();
      const columns = Object.keys(held[0]);
      await app.rows(
        `insert into project_member (${columns}) values (${columns.map((_, at) => `$${at + 1}`)})`,
        Object.values(held[0]),
      );
    }
  });

  it.each([
    ['no hash', () => 'x'],
    ['one of nobody', () => 'A'.repeat(32)],
    ['one of somebody else', async () => (await context('ids=1')).Acid],
  ])('%s is refused', async (_, acid) => {
    for (const path of ['UserStories', 'Context', 'Projects/1/Releases']) {
      for (const format of ['json', 'xml']) {
        const answer = await app.ask(`/api/v1/${path}?format=${format}&acid=${await acid()}`, { as: 'alice' });
        expect(answer.status).toBe(400);
        expect(answer.text).toContain('no such context was given to you');
      }
    }
  });

  it('is remembered by every process, and only the latest hundred of a user', async () => {
    const { Acid } = await context('ids=1');
    const replica = await app.replica();
    try {
      expect((await replica.ask(`/api/v1/Bugs?acid=${Acid}`)).status).toBe(200);
    } finally {
      await replica.stop();
    }
    await app.rows(`insert into context (user_id, acid, project_ids, team_ids, noted_date)
      select 1, lpad(n::text, 32, '0'), '{}', '{}', now() - interval '1 day' from generate_series(1, 300) n`);
    const [a, b, c] = await projects(3);
    await context(`ids=${a},${b},${c}`);
    expect(await app.rows('select count(*)::int from context where user_id = 1')).toEqual([{ count: 100 }]);
  });

  it('stands in the index, and has a description', async () => {
    const index = await app.json('/api/v1/Index/meta');
    const entry = index.Items.find(({ Name }: { Name: string }) => Name === 'Context');
    expect(entry.Uri).toMatch(/\/api\/v1\/Context\/meta$/);
    const names = index.Items.map(({ Name }: { Name: string }) => Name);
    expect(names).toEqual([...names].sort());
    const xml = await parseXml(await app.xml('/api/v1/Index/meta'));
    expect(xml.children.filter(({ attributes }) => attributes.Name === 'Context')).toHaveLength(1);
    expect((await app.json('/api/v1/context/meta')).Name).toBe('Context');
    expect(await app.xml('/api/v1/Context/meta')).toContain('Name="SelectedProjects"');
  });
});

describe('dates of users', () => {
  const dates = ['CreateDate', 'ModifyDate', 'LastLoginDate', 'DeleteDate', 'AvailableFrom'];

  it('have no fraction of a second, in either format', async () => {
    const user = {
      FirstName: 'Whole',
      Email: 'whole@example.com',
      Login: 'whole',
      Password: 'chosen by a spec',
      AvailableFrom: '2026-01-31T12:00:00.789',
    };
    const created = await app.post('/api/v1/Users?format=json', user);
    expect(created.status, created.text).toBe(201);
    const path = `/api/v1/Users/${created.json.Id}`;
    await app.post(`${path}?format=json`, { LastName: 'Second' });
    await app.rows('update general_user set last_login_date = now() where id = $1', [created.json.Id]);
    const json = await app.json(path);
    const xml = itemOf(await parseXml(await app.xml(path)));
    for (const name of dates.filter((one) => json[one] !== null)) {
      expect(json[name], name).toMatch(/^\/Date\(\d+000\+0000\)\/$/);
      expect(xml[name], name).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    }
    expect(json.AvailableFrom).toBe(`/Date(${Date.parse('2026-01-31T12:00:00Z')}+0000)/`);
    expect((await app.items(`/api/v1/Users?where=CreateDate eq '${xml.CreateDate}'`)).length).toBeGreaterThan(0);
  });

  it('nor have those of users who were there before', async () => {
    const fractions = `extract(milliseconds from %)::numeric % 1000`;
    const columns = ['create_date', 'modify_date', 'delete_date', 'last_login_date', 'available_from'];
    for (const column of columns)
      expect(
        await app.rows(`select id from general_user where ${fractions.replace('%)', `${column})`)} <> 0`),
        column,
      ).toEqual([]);
  });
});

describe('the caller', () => {
  it('as the System user is shown as a User, with Id and Role', async () => {
    await app.post('/api/v1/GlobalSettings', { SystemPassword: 'given to it' });
    const { Token } = await app.json('/api/v1/Authentication?login=System');
    const path = `/api/v1/Users/LoggedUser?token=${encodeURIComponent(Token)}`;
    const system = (await app.raw(`${path}&format=json`)).json;
    expect(system).toMatchObject({ ResourceType: 'User', Id: 2, Login: 'System', Kind: 'SystemUser', Role: null });
    expect(Object.keys(system)).toEqual(Object.keys(await app.json('/api/v1/Users/LoggedUser')));
    const xml = await parseXml((await app.raw(path)).text);
    expect([xml.name, xml.attributes.Id]).toEqual(['User', '2']);
    expect(xml.children.map(({ name }) => name)).toContain('Role');
    const some = (await app.raw(`${path}&format=json&include=[Id,Role]`)).json;
    expect(some).toEqual({ ResourceType: 'User', Id: 2, Role: null });
    await app.post('/api/v1/GlobalSettings', { SystemPassword: '' });
  });

  it('and nobody else finds it among the Users', async () => {
    await app.json('/api/v1/Users/LoggedUser?include=[Id]');
    expect((await app.ask('/api/v1/Users/2?include=[Id]')).status).toBe(404);
    expect(await app.items('/api/v1/Users?where=Id eq 2')).toEqual([]);
  });
});

describe('a task without its story', () => {
  it.each([
    ['JSON', { Name: 'x', Project: { Id: 82 } }],
    ['XML', '<Task Name="x"><Project Id="82"/></Task>'],
  ])('is refused in %s with what is missing', async (_, body) => {
    const answer = await app.post('/api/v1/Tasks?format=json', body);
    expect([answer.status, answer.json.Message]).toEqual([400, 'UserStory: a value is required.']);
  });
});

describe('/api/login/validate', () => {
  const validate = (body: unknown) => app.post('/api/login/validate?format=json', body, { as: 'nobody' });

  it('is 200 for the right password and 401 for a wrong one, in JSON and XML', async () => {
    const right = await validate({ username: 'alice', Password: 'demo' });
    expect([right.status, right.json]).toEqual([200, { isValid: true }]);
    const wrong = await validate({ username: 'alice', Password: 'x' });
    expect([wrong.status, wrong.json.Status]).toEqual([401, 'Unauthorized']);
    const xml = await app.post('/api/login/validate', '<Login Username="ALICE" Password="demo"/>', { as: 'nobody' });
    expect([xml.status, xml.text]).toEqual([200, '<Login isValid="true" />']);
    expect(right.headers.get('set-cookie')).toBeNull();
  });

  const form = 'application/x-www-form-urlencoded';
  const send = (body: string, more: object = {}, path = '/api/login/validate', type = form) =>
    app.ask(path, { method: 'POST', as: 'nobody', body, headers: { 'content-type': type, ...more } });

  it.each([
    [16_384, 401],
    [16_385, 413],
  ])('of %i bytes: %i', async (bytes, status) => {
    const start = 'username=alice&password=';
    expect((await send(start.padEnd(bytes, 'x'))).status).toBe(status);
  });

  it('takes a form', async () => {
    for (const type of [form, `${form}; charset=UTF-8`, form.toUpperCase()]) {
      const json = await send('username=ALICE&Password=demo', {}, '/api/login/validate?format=json', type);
      expect([json.status, json.json]).toEqual([200, { isValid: true }]);
    }
    expect((await send('username=alice&Password=demo')).text).toBe('<Login isValid="true" />');
    expect((await send('username=alice&Password=demo', { accept: 'application/json' })).json).toEqual({
      isValid: true,
    });
  });

  it.each([
    ['a wrong password', 'Username=alice&Password=Demo', 401],
    ['spaces that are no part of the password', 'Username=alice&Password=demo+', 401],
    ['no password', 'Username=alice', 400],
    ['a name given twice', 'Username=alice&Password=demo&password=demo', 400],
    ['more than that', 'Username=alice&Password=demo&Id=1', 400],
    ['nothing', '', 400],
    ['too much', `Username=alice&Password=${'x'.repeat(20_000)}`, 413],
  ])('a form with %s is refused', async (_, body, status) => {
    expect((await send(body)).status).toBe(status);
    expect((await send(body, { accept: 'application/json' })).json.Message).toEqual(expect.any(String));
  });

  it('takes every character of a password in a form', async () => {
    const Password = 'pä ss+w&rd=100% \u20ac';
    const user = { FirstName: 'Form', Email: 'form@example.com', Login: 'form', Password };
    await app.write('Users', user);
    expect((await send(String(new URLSearchParams({ Username: 'form', Password })))).status).toBe(200);
    expect((await send(`Username=form&Password=${encodeURIComponent(Password)}`)).status).toBe(200);
  });

  it.each([
    ['an unknown login', { Username: 'nobody', Password: 'alice' }, 401],
    ['the System user without a password', { Username: 'System', Password: '' }, 401],
    ['no password', { Username: 'alice' }, 400],
    ['more than that', { Username: 'alice', Password: 'alice', Id: 1 }, 400],
    ['no text', { Username: 'alice', Password: { Id: 1 } }, 400],
    ['too much', { Username: 'alice', Password: 'x'.repeat(20_000) }, 413],
  ])('%s is refused', async (_, body, status) => expect((await validate(body)).status).toBe(status));

  it('counts wrong passwords as any log-in', async () => {
    for (let attempt = 0; attempt < 10; attempt++) await validate({ Username: 'guessed', Password: 'x' });
    const locked = await validate({ Username: 'guessed', Password: 'x' });
    expect([locked.status, locked.headers.has('retry-after')]).toEqual([429, true]);
  });

  it('takes POST alone', async () => {
    expect((await app.ask('/api/login/validate')).status).toBe(405);
    expect((await app.ask('/api/login/validate', { as: 'nobody' })).status).toBe(401);
  });
});

describe('the details of a refusal', () => {
  const details = async (path: string, as = 'admin', body?: unknown) => {
    const answer = await (body ? app.post(path, body, { as }) : app.ask(path, { as }));
    const { Message, Details } = answer.json;
    expect(Details.Items).toEqual([{ Type: 'Simple', Message: expect.objectContaining({ Value: Message }) }]);
    const { Token, Data } = Details.Items[0].Message;
    expect(Token.replace(/\{(\w+)\}/g, (_: string, name: string) => Data[name])).toBe(Message);
    return [answer.status, Token, Data];
  };
  const missing = '{entityKind} with Id {id} not found or access is forbidden.';

  it.each([
    ['/api/v1/UserStories/75470?format=json', missing, { entityKind: 'UserStory', id: '75470' }],
    ['/api/v1/UserStories/75470/Tasks?format=json', missing, { entityKind: 'UserStory', id: '75470' }],
    ['/api/v2/UserStory/75470', missing, { entityKind: 'UserStory', id: '75470' }],
  ])('tell what is missing: %s', async (path, token, data) => expect(await details(path)).toEqual([404, token, data]));

  it('are the same of what may not be seen', async () => {
    const hidden = (await app.json('/api/v1/Projects?take=1000&include=[Id]')).Items.map(
      ({ Id }: { Id: number }) => Id,
    );
    const seen = (await app.json('/api/v1/Projects?take=1000&include=[Id]', { as: 'alice' })).Items;
    const id = hidden.find((one: number) => !seen.some(({ Id }: { Id: number }) => Id === one));
    expect(await details(`/api/v1/Projects/${id}?format=json`, 'alice')).toEqual([
      404,
      missing,
      { entityKind: 'Project', id: String(id) },
    ]);
  });

  it('tell which item of a list it is', async () => {
    const body = [{ Id: 75470, Name: 'a' }];
    expect(await details('/api/v1/UserStories/bulk?format=json', 'admin', body)).toEqual([
      404,
      `[0].Id: ${missing}`,
      { entityKind: 'UserStory', id: '75470' },
    ]);
  });

  const property = "Property '{property}' does not exist in '{type}'.";
  it.each([
    ["where=Qwertz eq 'x'", property, { property: 'Qwertz', type: 'UserStory' }],
    ['orderBy=Qwertz', property, { property: 'Qwertz', type: 'UserStory' }],
    [
      "where=Nmae eq 'x'",
      `${property} Did you mean '{suggestion}'?`,
      { property: 'Nmae', type: 'UserStory', suggestion: 'Name' },
    ],
    ['include=[Qwertz]', `Invalid include field '{property}'. ${property}`, { property: 'Qwertz', type: 'UserStory' }],
  ])('tell which field is not there: %s', async (query, token, data) => {
    const path = `/api/v1/UserStories?format=json&${encodeURI(query)}`;
    expect(await details(path)).toEqual([400, token, data]);
  });

  it('are the message alone elsewhere', async () => {
    expect(await details('/api/v1/UserStories?format=json&take=x')).toEqual([
      400,
      "take: 'x' is not a whole number of 0 or more.",
      {},
    ]);
  });
});
