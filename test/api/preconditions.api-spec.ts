/**
 * For careful clients: entity tags, conditional requests and idempotency keys. Without these headers nothing changes.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

const story = async (name = 'careful'): Promise<{ id: number; tag: string }> => {
  const made = await app.post('/api/v1/UserStories?format=json', { Name: name, Project: { Id: project } });
  expect(made.status).toBe(201);
  return { id: made.json.Id, tag: made.headers.get('etag')! };
};

const person = { Login: 'stale', Email: 'stale@example.com', FirstName: 'a', LastName: 'b', Password: chosenPassword };

describe('ETag', () => {
  it('comes with single reads and writes, and not with lists', async () => {
    const { id, tag } = await story();
    expect(tag).toMatch(/^"[\w-]+"$/);
    const read = await app.ask(`/api/v1/UserStories/${id}?format=json`);
    expect(read.headers.get('etag')).toBe(tag);
    expect((await app.ask('/api/v1/UserStories?format=json&take=1')).headers.get('etag')).toBeNull();
    // Another format or selection is another answer.
    expect((await app.ask(`/api/v1/UserStories/${id}`)).headers.get('etag')).not.toBe(tag);
    expect((await app.ask(`/api/v1/UserStories/${id}?format=json&include=[Name]`)).headers.get('etag')).not.toBe(tag);
    for (const path of ['Users/1', 'Processes/1', 'Roles/1', 'Users/LoggedUser']) {
      expect((await app.ask(`/api/v1/${path}`)).headers.get('etag')).toMatch(/^"/);
    }
  });

  it('answers 304 to If-None-Match as long as nothing has changed, items of collections included', async () => {
    const { id } = await story();
    const path = `/api/v1/UserStories/${id}?format=json&include=[Name,Assignments,Tags]`;
    const tag = (await app.ask(path)).headers.get('etag')!;
    const same = await app.ask(path, { headers: { 'if-none-match': `"other", ${tag}` } });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', tag]);
    await app.post('/api/v1/Assignments', { Assignable: { Id: id }, GeneralUser: { Id: 3 } });
    const changed = await app.ask(path, { headers: { 'if-none-match': tag } });
    expect(changed.status).toBe(200);
  });
});

describe('If-Match', () => {
  it('that is stale is 412 where the body, too, says something else by now', async () => {
    const { id, tag } = await story();
    await app.post(`/api/v1/UserStories/${id}`, { Owner: { Id: (await app.write('Users', person)).Id } });
    const headers = { 'if-match': tag };
    for (const [path, body] of [
      [`UserStories/${id}`, { Owner: { Id: 1 }, Creator: { Id: 2 } }],
      [`Generals/${id}`, { Severity: { Id: 1 } }],
    ] as const) {
      const answer = await app.post(`/api/v1/${path}?format=json`, body, { headers });
      expect(answer.status, answer.text).toBe(412);
    }
  });

  it('lets the first of two updates with one tag through and tells the other with 412', async () => {
    const { id, tag } = await story();
    const update = (Name: string) =>
      app.post(`/api/v1/UserStories/${id}?format=json`, { Name }, { headers: { 'if-match': tag } });
    const answers = await Promise.all([update('one'), update('two')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const winner = answers.find(({ status }) => status === 200)!;
    expect((await app.json(`/api/v1/UserStories/${id}`)).Name).toBe(winner.json.Name);
    expect(answers.find(({ status }) => status === 412)!.json.Status).toBe('PreconditionFailed');
    const again = await app.post(
      `/api/v1/UserStories/${id}?format=json`,
      { Name: 'three' },
      { headers: { 'if-match': winner.headers.get('etag')! } },
    );
    expect(again.status).toBe(200);
  });

  it('takes the tag of any representation of the entity, and the star', async () => {
    const { id } = await story();
    const xml = (await app.ask(`/api/v1/Generals/${id}`)).headers.get('etag')!;
    const update = await app.post(`/api/v1/UserStories/${id}`, '<UserStory Name="x"/>', {
      headers: { 'if-match': xml },
    });
    expect(update.status).toBe(200);
    expect((await app.post(`/api/v1/UserStories/${id}`, { Name: 'y' }, { headers: { 'if-match': '*' } })).status).toBe(
      200,
    );
    expect(
      (await app.post(`/api/v1/UserStories/${id}`, { Name: 'z' }, { headers: { 'if-match': 'nonsense' } })).status,
    ).toBe(400);
  });

  it('says that a creation has no version', async () => {
    const body = { Name: 'x', Project: { Id: project } };
    const headers = { 'if-match': '"17-x"' };
    const { status, json } = await app.post('/api/v1/UserStories?format=json', body, { headers });
    expect([status, json.Message]).toEqual([
      412,
      'If-Match: what is being created has no version. Leave the header out.',
    ]);
  });

  it.each([
    ['POST', 'Comments', { Description: 'new' }],
    ['POST', 'Comments', { Id: 0, Description: 'changed' }],
    ['POST', 'Tasks', { Name: 'new' }],
    ['POST', 'TestCases', { Name: 'new' }],
    ['DELETE', 'Comments?childrenIds=0', undefined],
    ['DELETE', 'Comments/0', undefined],
  ])('is about the owner where a collection of it is written: %s %s', async (method, at, body) => {
    const { id, tag } = await story();
    const comment = await app.post('/api/v1/Comments?format=json', { Description: 'a', General: { Id: id } });
    const said = (text: string): string => text.replace('0', String(comment.json.Id));
    const write = (headers: Record<string, string>) =>
      app.ask(`/api/v1/UserStories/${id}/${said(at)}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body && { body: said(JSON.stringify(body)) }),
      });
    const counts = async () => {
      const path = `/api/v1/UserStories/${id}?include=[Id]&append=[Comments-Count,Tasks-Count,TestCases-Count]`;
      return (await app.ask(`${path}&format=json`)).text;
    };
    const before = await counts();
    const stale = (await write({ 'if-match': tag })).status;
    const other = (await write({ 'if-match': '"0-x"' })).status;
    const there = (await write({ 'if-none-match': '*' })).status;
    expect([stale, other, there, await counts()]).toEqual([412, 412, 412, before]);
    const fresh = (await app.ask(`/api/v1/UserStories/${id}`)).headers.get('etag')!;
    expect((await write({ 'if-match': fresh })).status).toBeLessThan(300);
  });

  it('has a counterpart in If-None-Match, which refuses to change what is there', async () => {
    const { id, tag } = await story();
    const update = (header: string) =>
      app.post(`/api/v1/UserStories/${id}`, { Name: 'y' }, { headers: { 'if-none-match': header } });
    expect((await update('*')).status).toBe(412);
    expect((await update(tag)).status).toBe(412);
    const deletion = { method: 'DELETE', headers: { 'if-none-match': '*' } };
    expect((await app.ask(`/api/v1/UserStories/${id}`, deletion)).status).toBe(412);
    expect((await update('"x-other"')).status).toBe(200);
    const body = { Name: 'new', Project: { Id: project } };
    expect((await app.post('/api/v1/UserStories', body, { headers: { 'if-none-match': '*' } })).status).toBe(201);
  });

  it('guards deletions, and entities of every kind', async () => {
    const { id, tag } = await story();
    await app.post(`/api/v1/UserStories/${id}`, { Name: 'newer' });
    const stale = await app.ask(`/api/v1/UserStories/${id}?format=json`, {
      method: 'DELETE',
      headers: { 'if-match': tag },
    });
    expect(stale.status).toBe(412);
    const fresh = (await app.ask(`/api/v1/UserStories/${id}`)).headers.get('etag')!;
    expect(
      (await app.ask(`/api/v1/UserStories/${id}`, { method: 'DELETE', headers: { 'if-match': fresh } })).status,
    ).toBe(200);
    const comment = await app.post('/api/v1/Comments?format=json', { Description: 'a', General: { Id: project } });
    const first = comment.headers.get('etag')!;
    expect(
      (await app.post(`/api/v1/Comments/${comment.json.Id}`, { Description: 'b' }, { headers: { 'if-match': first } }))
        .status,
    ).toBe(200);
    expect(
      (await app.post(`/api/v1/Comments/${comment.json.Id}`, { Description: 'c' }, { headers: { 'if-match': first } }))
        .status,
    ).toBe(412);
  });
});

it('a version that a restored archive has not is no version of what is written at its number since', async () => {
  const { id, tag } = await story('lost');
  // As the row is after another one was stored in the place of the one that was lost.
  const client = await app.database.connect();
  await client.query("begin; set local worktrack.versions = 'off'");
  await client.query(
    `update general set name = 'another', modify_date = modify_date + interval '1 second' where id = $1`,
    [id],
  );
  await client.query('commit');
  client.release();
  const address = `/api/v1/UserStories/${id}?format=json`;
  expect((await app.post(address, { Name: 'over it' }, { headers: { 'if-match': tag } })).status).toBe(412);
  expect((await app.ask(address, { method: 'DELETE', headers: { 'if-match': tag } })).status).toBe(412);
  expect((await app.json(address)).Name).toBe('another');
});

describe('Idempotency-Key', () => {
  const named = async (name: string) =>
    (await app.rows('select count(*)::int n from general where name = $1', [name]))[0].n;
  const create = (key: string, Name: string, as?: string) =>
    app.post(
      '/api/v1/UserStories?format=json',
      { Name, Project: { Id: project } },
      { as, headers: { 'idempotency-key': key } },
    );

  it('replays the first answer to the same request', async () => {
    const first = await create('key-1', 'once');
    const second = await create('key-1', 'once');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await named('once')).toBe(1);
    const bulk = () =>
      app.post('/api/v1/Bugs/bulk', `<Bugs><Bug Name="bulk once"><Project Id="${project}"/></Bug></Bugs>`, {
        headers: { 'idempotency-key': 'key-bulk' },
      });
    expect((await bulk()).text).toBe((await bulk()).text);
    expect(await named('bulk once')).toBe(1);
  });

  it('replays the answer of a deletion, of one and of several', async () => {
    const [one, two] = [(await create('del-1', 'to go')).json.Id, (await create('del-2', 'to go')).json.Id];
    const remove = (path: string, key: string, body?: string) =>
      app.ask(`/api/v1/UserStories/${path}?format=json`, {
        method: 'DELETE',
        body,
        headers: { 'idempotency-key': key, ...(body && { 'content-type': 'application/json' }) },
      });
    const first = await remove(String(one), 'del-3');
    expect([first.status, first.json]).toEqual([200, { ResourceType: 'UserStory', Id: one }]);
    expect((await remove(String(one), 'del-3')).text).toBe(first.text);
    expect((await remove(String(one), 'del-4')).status).toBe(404);
    expect((await remove(String(two), 'del-3')).status).toBe(409);
    const list = () => remove('bulk', 'del-5', JSON.stringify([{ Id: two }]));
    const firstList = await list();
    expect(firstList.json.Items).toEqual([{ ResourceType: 'UserStory', Id: two }]);
    expect((await list()).text).toBe(firstList.text);
  });

  it('tells requests apart by all of their query text', async () => {
    const send = (query: string) =>
      app.post(
        `/api/v1/UserStories?format=json&${query}`,
        { Name: 'asked', Project: { Id: project } },
        {
          headers: { 'idempotency-key': 'key-query' },
        },
      );
    expect((await send('x=1?2&include=[Id]')).status).toBe(201);
    expect((await send('x=1?2&include=[Name]')).status).toBe(409);
  });

  it('answers 409 to another request with the same key, and keeps the keys of callers apart', async () => {
    await create('key-2', 'first body');
    const other = await create('key-2', 'second body');
    expect([other.status, await named('second body')]).toEqual([409, 0]);
    const path = await app.post(
      '/api/v1/Bugs?format=json',
      { Name: 'first body', Project: { Id: project } },
      { headers: { 'idempotency-key': 'key-2' } },
    );
    expect(path.status).toBe(409);
    expect((await create('key-2', 'somebody else', 'grace')).status).toBe(201);
  });

  it('tells requests apart by all of the query text, but for credentials', async () => {
    const [{ Id: user }] = await app.items("/api/v1/Users?where=Login eq 'grace'");
    const { Token } = await app.json('/api/v1/Authentication', { as: 'grace' });
    const send = (query: string, as = 'grace') =>
      app.post(
        `/api/v1/UserStories?format=json&${query}`,
        { Name: 'by its query', Project: { Id: project } },
        { as, headers: { 'idempotency-key': 'key-query' } },
      );
    const first = await send('_=a?b');
    expect([first.status, first.json.Owner.Id]).toEqual([201, user]);
    for (const other of ['_=a', '_=a?', '_=a?c', '_=a?b?', '_=a%3Fb', '_=a&b'])
      expect([other, (await send(other)).status]).toEqual([other, 409]);
    const token = encodeURIComponent(Token);
    for (const same of [
      '_=a?b',
      `_=a?b&token=${token}`,
      `_=a?b&TOKEN=${token}`,
      `_=a?b&%74oken=${token}`,
      `token=${token}&_=a?b`,
    ])
      expect([same, (await send(same, same.includes(token) ? 'nobody' : 'grace')).text]).toEqual([same, first.text]);
    expect(await named('by its query')).toBe(1);
  });

  it('tells requests apart by their preconditions', async () => {
    const { id, tag } = await story();
    const rename = (headers: Record<string, string>) =>
      app.post(
        `/api/v1/UserStories/${id}?format=json`,
        { Name: 'renamed' },
        { headers: { 'idempotency-key': 'key-tag', ...headers } },
      );
    const first = await rename({ 'if-match': tag });
    expect([first.status, (await rename({ 'if-match': tag })).text]).toEqual([200, first.text]);
    for (const others of [{}, { 'if-match': '"0-x"' }, { 'if-match': tag, 'if-none-match': '"0-x"' }])
      expect((await rename(others as Record<string, string>)).status).toBe(409);
  });

  it.each([
    [
      'JSON',
      (login: string, password: string) => ({ Login: login, Email: `${login}@example.com`, Password: password }),
    ],
    [
      'XML',
      (login: string, password: string) =>
        `<User Login="${login}" Email="${login}@example.com"><password>${password}</password></User>`,
    ],
  ])('keeps no quick digest of a body in %s that holds a password', async (format, body) => {
    const login = `keyed.${format.toLowerCase()}`;
    const send = (password: string) =>
      app.post('/api/v1/Users?format=json', body(login, password), { headers: { 'idempotency-key': login } });
    const first = await send(chosenPassword);
    expect([first.status, first.text]).toEqual([201, expect.any(String)]);
    const again = await send(chosenPassword);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await send(`${chosenPassword}x`)).status).toBe(409);
    const [{ fingerprint }] = await app.rows('select fingerprint from idempotency_key where key = $1', [login]);
    expect(fingerprint).toMatch(/^\$argon2id\$/);
  });

  it('tells kind and id alone to who has lost rights since, and all to who has them again', async () => {
    const as = 'passing';
    const person = { FirstName: 'P', LastName: 'P', Login: as, Email: 'p@example.com', Password: chosenPassword };
    const { Id: User } = await app.write('Users', person);
    const join = () => app.write('ProjectMembers', { Project: { Id: project }, User: { Id: User } });
    const { Id: member } = await join();
    const body = { Name: 'passing', Project: { Id: project } };
    const sent: [path: string, body: unknown][] = [
      ['UserStories?format=json', body],
      ['UserStories?format=xml', body],
      ['UserStories/bulk?format=json', [body, body]],
      ['UserStories/bulk?format=xml', [body]],
    ];
    const ask = () =>
      Promise.all(
        sent.map(([path, body], at) =>
          app.post(`/api/v1/${path}`, body, { as, headers: { 'idempotency-key': `passing-${at}` } }),
        ),
      );
    const first = await ask();
    expect(first.map(({ status }) => status)).toEqual([201, 201, 200, 200]);
    await app.ask(`/api/v1/ProjectMembers/${member}`, { method: 'DELETE' });
    const [json, xml, jsons, xmls] = await ask();
    const { Id } = first[0]!.json;
    expect((await app.ask(`/api/v1/UserStories/${Id}`, { as })).status).toBe(404);
    expect([json!.status, json!.json]).toEqual([201, { ResourceType: 'UserStory', Id }]);
    expect([json!.headers.get('etag'), json!.headers.get('warning')]).toEqual([null, expect.stringMatching(/^199 /)]);
    expect(xml!.text).toMatch(/^<UserStory ResourceType="UserStory" Id="\d+" \/>$/);
    expect(jsons!.json.Items).toEqual(
      first[2]!.json.Items.map((one: { Id: number }) => ({ ResourceType: 'UserStory', Id: one.Id })),
    );
    expect(xmls!.text).toMatch(/^<UserStories>\s*<UserStory ResourceType="UserStory" Id="\d+" \/>\s*<\/UserStories>$/);
    await join();
    expect((await ask()).map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    expect(await named('passing')).toBe(5);
  });

  it('makes one row of parallel duplicates', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('key-3', 'in parallel')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await named('in parallel')).toBe(1);
  });

  it('remembers nothing of what was refused', async () => {
    expect((await create('key-4', '')).status).toBe(400);
    expect((await create('key-4', 'now with a name')).status).toBe(201);
  });

  it('forgets after 24 hours', async () => {
    await create('key-5', 'yesterday');
    await app.rows("update idempotency_key set create_date = now() - interval '25 hours' where key = 'key-5'");
    expect((await create('key-5', 'today')).status).toBe(201);
  });

  it.each(['', 'with space', 'x'.repeat(256)])('refuses %j as a key', async (key) => {
    const answer = await app.post(
      '/api/v1/Tags?format=json',
      { Name: `k${key.length}` },
      { headers: { 'idempotency-key': key } },
    );
    expect(answer.status).toBe(400);
  });
});

it('an answer of another type has another entity tag, of the same version', async () => {
  const path = `/api/v1/Bugs/${(await app.items('/api/v1/Bugs?take=1'))[0].Id}`;
  const of = (accept: string, tag = '') => app.ask(path, { headers: { accept, 'if-none-match': tag } });
  const [xml, text] = [await of('application/xml'), await of('text/xml')];
  const [tag, other] = [xml, text].map(({ headers }) => headers.get('etag')!);
  expect(xml.text).toBe(text.text);
  expect(tag!.split('-')[0]).toBe(other!.split('-')[0]);
  expect([(await of('text/xml', tag)).status, (await of('text/xml', other)).status]).toEqual([200, 304]);
});
