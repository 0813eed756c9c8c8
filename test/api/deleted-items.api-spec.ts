/** Deleted projects and users: who sees them, how they are told, and how they come back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const list = '/api/deleteditems/v1';
const status = async (path: string, ask = {}): Promise<number> => (await app.ask(path, ask)).status;
const post = (path: string, ask = {}) => app.ask(path, { method: 'POST', ...ask });
const remove = (path: string) => app.ask(`/api/v1/${path}`, { method: 'DELETE' });

// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
async function made(path: string, body: unknown): Promise<any> {
  const answer = await app.post(`/api/v1/${path}?format=json`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

let number = 0;
const newUser = (more = {}) => {
  number += 1;
  const login = `person${number}`;
  return made('Users', {
    FirstName: 'Dele',
    LastName: `Ted${number}`,
    Email: `${login}@example.com`,
    Login: login,
    Password: chosenPassword,
    Role: { Id: 1 },
    ...more,
  });
};

/** What is marked as deleted, told from the database: the same before and after whatever was refused. */
const marks = () =>
  app.rows(`select md5(string_agg(concat_ws('|', id, delete_date, deleted_with_id, modify_date, entity_version), ',' order by id)) g,
    (select md5(string_agg(concat_ws('|', id, delete_date, modify_date), ',' order by id)) from general_user) u from general`);

describe('the list of deleted projects', () => {
  it('is a JSON array of what is told of each, in order, null where nothing is', async () => {
    const project = await made('Projects', { Name: 'Gone "1" <&>', Process: { Id: 3 } });
    await remove(`Projects/${project.Id}`);
    const answer = await app.ask(`${list}/projects`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const [row] = await app.rows(
      'select (extract(epoch from delete_date) * 1000)::bigint as at from general where id = $1',
      [project.Id],
    );
    expect(answer.text.slice(0, answer.text.indexOf('}}') + 2)).toBe(
      `[{"resourceType":"Project","id":${project.Id},"name":"Gone \\"1\\" <&>","deleteDate":"\\/Date(${row.at}+0000)\\/",` +
        `"color":null,"process":{"resourceType":"Process","id":3,"name":"${project.Process.Name}"},` +
        `"lastEditor":{"resourceType":"GeneralUser","id":1,"firstName":"Ada","lastName":"Administrator","email":${JSON.stringify(await emailOf(1))}}}`,
    );
    expect(answer.json.map(({ id }: { id: number }) => id)).toEqual(
      (
        await app.rows(
          'select id from general where entity_type_id = 1 and delete_date is not null order by delete_date desc, id desc',
        )
      ).map(({ id }) => id),
    );
    const [, other] = answer.json;
    await app.rows('update general set last_editor_id = null where id = $1', [other.id]);
    expect((await app.json(`${list}/projects`))[1]).toStrictEqual({ ...other, lastEditor: null });
  });

  const emailOf = async (id: number) => (await app.rows('select email from general_user where id = $1', [id]))[0].email;

  it.each([
    '/api/deleteditems/v1/projects',
    '/api/DeletedItems/v1/Projects',
    '/API/DELETEDITEMS/V1/PROJECTS/',
    '/api/deletedItems//v1/projects/?format=xml',
    '/api/deleteditems/v1/projects?format=json&dateformat=ms&cachebuster=7',
  ])('is there as %s', async (path) => {
    const answer = await app.ask(path, { headers: { accept: 'application/xml' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(Array.isArray(answer.json)).toBe(true);
    expect((await app.ask(path, { method: 'HEAD' })).status).toBe(200);
  });

  it('has a form for older clients', async () => {
    const program = await made('Programs', { Name: 'umbrella' });
    const project = await made('Projects', {
      Name: 'Old Form',
      Process: { Id: 3 },
      Program: { Id: program.Id },
      Abbreviation: 'OF',
    });
    await remove(`Projects/${project.Id}`);
    const answer = await app.ask('/api/DeletedProjects/v1/');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.stringify(answer.json[0])).toMatch(
      new RegExp(
        `^\\{"id":${project.Id},"name":"Old Form","abbreviation":"OF","program":\\{"id":${program.Id},"name":"umbrella"\\},` +
          `"deleteDate":"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d","lastEditor":\\{"id":1,"fullName":"Ada Administrator"\\}\\}$`,
      ),
    );
    expect(answer.json.map(({ id }: { id: number }) => id)).toEqual(
      (await app.json(`${list}/projects`)).map(({ id }: { id: number }) => id),
    );
    expect(answer.json.some(({ program: none }: { program: unknown }) => none === null)).toBe(true);
  });
});

describe('a service in another zone', () => {
  it('tells dates with the offset they had there', async () => {
    const east = await TestApp.start({ TIME_ZONE: 'Asia/Kolkata' });
    try {
      const at = '2024-03-05T20:15:30.250Z';
      await east.rows('update general set delete_date = $1 where entity_type_id = 1 and delete_date is not null', [at]);
      const [project] = await east.json(`${list}/projects`);
      expect(project.deleteDate).toBe(`/Date(${Date.parse(at)}+0530)/`);
      expect((await east.json(`${list}/projects?dateformat=iso`))[0].deleteDate).toBe('2024-03-06T01:45:30.25+05:30');
      expect((await east.json('/api/deletedprojects/v1'))[0].deleteDate).toBe('2024-03-06T01:45:30');
    } finally {
      await east.stop();
    }
  });
});

describe('the list of deleted users', () => {
  it('is a JSON array of what is told of each, in order', async () => {
    const user = await newUser();
    await app.rows("update general_user set avatar_uri = '/avatar.ashx?UserID=1&v=2' where id = $1", [user.Id]);
    const without = await newUser({ FirstName: null, Role: null });
    await app.rows('update general_user set role_id = null where id = $1', [without.Id]);
    await remove(`Users/${user.Id}`);
    await remove(`Users/${without.Id}`);
    const answer = await app.ask(`${list}/users?format=xml`);
    const [row] = await app.rows(
      'select (extract(epoch from delete_date) * 1000)::bigint as at, (extract(epoch from modify_date) * 1000)::bigint as modified from general_user where id = $1',
      [user.Id],
    );
    const {
      rows: [role],
    } = { rows: await app.rows('select name from role where id = 1') };
    const dates = `"deleteDate":"\\/Date(${row.at}+0000)\\/","modifyDate":"\\/Date(${row.modified}+0000)\\/"`;
    expect(answer.text).toContain(
      `{"resourceType":"User","kind":"User","id":${user.Id},"firstName":"Dele","lastName":"${user.LastName}","email":"${user.Email}",${dates},` +
        `"avatarUri":null,"role":{"resourceType":"Role","id":1,"name":"${role.name}"}}`,
    );
    expect(answer.json[0]).toMatchObject({ id: without.Id, firstName: null, role: null });
    const ids = answer.json.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(
      (
        await app.rows(
          "select id from general_user where kind = 'User' and delete_date is not null order by delete_date desc, id desc",
        )
      ).map(({ id }) => id),
    );
    // The same ones as the legacy filter tells of.
    const legacy = await app.items('/api/v1/users?where=(DeleteDate is not null)&take=1000');
    expect(legacy.map(({ Id }) => Id).sort()).toEqual([...ids].sort());
    expect(await app.xml('/api/v1/users?where=(DeleteDate is not null)&take=1000')).toContain(`Id="${user.Id}"`);
  });
});

describe('a part of a list', () => {
  const matching = async (query: string) =>
    (await app.json(`${list}/users?${query}`)).map(({ lastName }: { lastName: string }) => lastName);

  beforeAll(async () => {
    for (const [LastName, Login] of [
      ['Straße%', 'percent%'],
      ['Under_score', 'under_score'],
      ['ÄRGER', 'aerger'],
    ]) {
      const user = await newUser({ LastName, Login, Email: `${LastName!.length}${number}-x@parts.example.com` });
      await remove(`Users/${user.Id}`);
    }
  });

  it('is found by part of a name, login, address or id, whatever the letter case, signs as they are', async () => {
    expect(await matching('search=%25')).toEqual(['Straße%']);
    expect(await matching('search=r_s')).toEqual(['Under_score']);
    expect(await matching('search=ärg')).toEqual(['ÄRGER']);
    expect(await matching('search=AERGER')).toEqual(['ÄRGER']);
    expect(await matching('search=@PARTS.example')).toEqual(['ÄRGER', 'Under_score', 'Straße%']);
    expect(await matching('search=dele%20ärger')).toEqual(['ÄRGER']);
    expect(await matching("search=';drop table general;--")).toEqual([]);
    expect(await matching('search=%5C')).toEqual([]);
    const [{ id }] = await app.json(`${list}/users?take=1`);
    expect((await app.json(`${list}/users?search=${id}`)).map((one: { id: number }) => one.id)).toContain(id);
    expect((await app.json(`${list}/users?search=`)).length).toBe((await app.json(`${list}/users`)).length);
    const [project] = await app.json(`${list}/projects?take=1`);
    expect(await app.json(`${list}/projects?search=${encodeURIComponent(project.name.toUpperCase())}`)).toContainEqual(
      project,
    );
  });

  it('is cut by take and skip', async () => {
    const all = await app.json(`${list}/users`);
    expect(await app.json(`${list}/users?take=2`)).toEqual(all.slice(0, 2));
    expect(await app.json(`${list}/users?take=2&skip=1`)).toEqual(all.slice(1, 3));
    expect(await app.json(`${list}/users?skip=1`)).toEqual(all.slice(1));
    expect(await app.json(`${list}/users?take=0`)).toEqual([]);
    expect(await app.json(`${list}/users?skip=100000`)).toEqual([]);
  });

  it.each([
    'take=-1',
    'take=x',
    'skip=1.5',
    'take=1&take=2',
    'Take=1&take=2',
    'search[]=a',
    'serach=a',
    'tak=1',
    'where=(Id eq 1)',
    'include=[Id]',
    'orderBy=Id',
    'format=yaml',
    'search=%00',
    'search=%ff',
  ])('is not asked for by %s', async (query) => {
    for (const path of [`${list}/users`, `${list}/projects`, '/api/deletedprojects/v1']) {
      expect(await status(`${path}?${query}`), path).toBe(400);
    }
  });
});

describe('C28: restoring a project', () => {
  it('takes no payload, tells type, id and name, and can be done once', async () => {
    const project = await made('Projects', {
      Name: 'Back "again"',
      Process: { Id: 3 },
      ProjectMembers: [{ User: { Id: 3 } }],
    });
    const story = await made('UserStories', { Name: 's', Project: { Id: project.Id } });
    await remove(`Projects/${project.Id}`);
    expect(await status(`/api/v1/UserStories/${story.Id}`, { as: 'alice' })).toBe(404);
    const answer = await post(`/api/DeletedItems/v1/Projects/${project.Id}/Restore`);
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      200,
      'application/json; charset=utf-8',
      `{"resourceType":"Project","id":${project.Id},"name":"Back \\"again\\""}`,
    ]);
    // At once for its members, too.
    expect(await status(`/api/v1/UserStories/${story.Id}`, { as: 'alice' })).toBe(200);
    const again = await post(`/api/deleteditems/v1/projects/${project.Id}/restore`);
    expect([again.status, again.json.Message]).toEqual([404, `There is no deleted Project with Id ${project.Id}.`]);
    expect((await app.json(`${list}/projects`)).map(({ id }: { id: number }) => id)).not.toContain(project.Id);
  });

  it.each([
    ['nothing', {}],
    ['an empty JSON body', { headers: { 'content-type': 'application/json' }, body: '' }],
    ['a JSON body', { headers: { 'content-type': 'application/json' }, body: '{"Id":1,"Name":"x"}' }],
    ['broken JSON', { headers: { 'content-type': 'application/json' }, body: '{' }],
    ['XML', { headers: { 'content-type': 'text/xml' }, body: '<x/>' }],
    ['an empty form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' }],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' }],
    ['text', { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(100_000) }],
    [
      'something compressed',
      { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: 'zzz' },
    ],
    ['what has no type', { headers: { 'content-type': '' }, body: Buffer.from('zzz') }],
  ])('minds no body: %s', async (_, ask) => {
    const project = await made('Projects', { Name: 'With body', Process: { Id: 3 } });
    await remove(`Projects/${project.Id}`);
    const answer = await post(`/api/deletedItems/v1/projects/${project.Id}/restore/?format=xml`, ask);
    expect([answer.status, answer.json.id]).toEqual([200, project.Id]);
    // The connection goes on to be of use.
    expect(await status('/api/v1/Projects?take=1')).toBe(200);
  });

  it.each([
    ['what is not deleted', 'projects', async () => (await app.items('/api/v1/Projects?take=1'))[0].Id, 404],
    ['what never was', 'projects', async () => 999_999_999, 404],
    ['a huge id', 'projects', async () => '99999999999999999999', 404],
    ['an id of nothing', 'projects', async () => 0, 404],
    ['a deleted user as a project', 'projects', async () => (await app.json(`${list}/users?take=1`))[0].id, 404],
    ['a deleted project as a user', 'users', async () => (await app.json(`${list}/projects?take=1`))[0].id, 404],
    ['a user who is not deleted', 'users', async () => 3, 404],
    ['a negative id', 'users', async () => -1, 400],
    ['no id', 'users', async () => 'x', 400],
    [
      'the System user',
      'users',
      async () => (await app.rows("select id from general_user where kind = 'SystemUser'"))[0].id,
      404,
    ],
  ])('refuses %s', async (_, kind, id, expected) => {
    const before = await marks();
    const answer = await post(`${list}/${kind}/${await id()}/restore`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([expected, 'application/json; charset=utf-8']);
    expect(await marks()).toEqual(before);
  });

  it('is done with POST alone', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of [`${list}/projects/1/restore`, '/api/v1/undelete', '/api/v1/undelete/bulk']) {
        const answer = await app.ask(path, { method });
        expect([path, method, answer.status, answer.headers.get('allow')]).toEqual([path, method, 405, 'POST']);
      }
    }
    for (const path of [`${list}/projects`, `${list}/users`, '/api/deletedprojects/v1']) {
      const answer = await post(path);
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
    expect(await status(`${list}/teams`)).toBe(404);
  });
});

describe('restoring a user', () => {
  const tokenOf = async (login: string) =>
    (await app.ask(`/api/v1/Authentication?login=${login}&format=json`)).json.Token;
  const signsIn = (login: string) => status('/api/v1/Users/LoggedUser', { as: login });

  it('tells who it is; he signs in again at once, with his old password and a new service token', async () => {
    const user = await newUser({ ProjectMembers: [{ Project: { Id: 8 } }] });
    const token = await tokenOf(user.Login);
    const withToken = () => status(`/api/v1/Users/LoggedUser?token=${encodeURIComponent(token)}`, { as: 'nobody' });
    expect([await signsIn(user.Login), await withToken()]).toEqual([200, 200]);
    await remove(`Users/${user.Id}`);
    expect([await signsIn(user.Login), await withToken()]).toEqual([401, 401]);
    const answer = await post(`/api/DeletedItems/v1/Users/${user.Id}/Restore`);
    expect([answer.status, answer.text]).toEqual([
      200,
      `{"resourceType":"User","kind":"User","id":${user.Id},"firstName":"Dele","lastName":"${user.LastName}","email":"${user.Email}"}`,
    ]);
    expect([await signsIn(user.Login), await withToken()]).toEqual([200, 401]);
    expect(await tokenOf(user.Login)).not.toBe(token);
    expect(await app.json(`/api/v1/Users/${user.Id}`)).toMatchObject({
      IsActive: true,
      DeleteDate: null,
      Role: { Id: 1 },
    });
    expect((await app.items(`/api/v1/Users/${user.Id}/ProjectMembers`)).length).toBe(1);
    expect((await post(`${list}/users/${user.Id}/restore`)).status).toBe(404);
  });

  it('leaves those inactive who were', async () => {
    const user = await newUser();
    const token = await tokenOf(user.Login);
    await app.post(`/api/v1/Users/${user.Id}`, { IsActive: false });
    await remove(`Users/${user.Id}`);
    expect((await post(`${list}/users/${user.Id}/restore`)).status).toBe(200);
    expect(await app.json(`/api/v1/Users/${user.Id}`)).toMatchObject({ IsActive: false, DeleteDate: null });
    expect([
      await signsIn(user.Login),
      await status(`/api/v1/Bugs?token=${encodeURIComponent(token)}`, { as: 'nobody' }),
    ]).toEqual([401, 401]);
    await app.post(`/api/v1/Users/${user.Id}`, { IsActive: true });
    expect(await signsIn(user.Login)).toBe(200);
  });

  it.each([
    ['taken', (login: string) => login],
    ['taken in capitals', (login: string) => login.toUpperCase()],
    ['looked like', (login: string) => login.replace('e', 'е')],
  ])('C29: is refused with 409 where his login is %s meanwhile', async (_, spelled) => {
    const user = await newUser();
    await remove(`Users/${user.Id}`);
    const other = await newUser({ Login: spelled(user.Login), Email: user.Email });
    const before = await marks();
    const answer = await post(`${list}/users/${user.Id}/restore`);
    expect([answer.status, answer.json.Status]).toEqual([409, 'Conflict']);
    expect(answer.json.Message).toContain(`'${user.Login}'`);
    expect(await marks()).toEqual(before);
    await app.post(`/api/v1/Users/${other.Id}`, { Login: `${user.Login}-other` });
    // Two may have one address.
    expect((await post(`${list}/users/${user.Id}/restore`)).status).toBe(200);
  });

  it('C28: lets one of several parallel restores through', async () => {
    const user = await newUser();
    await remove(`Users/${user.Id}`);
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(`${list}/users/${user.Id}/restore`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
  });

  it('lets one of two through who had the same login', async () => {
    const first = await newUser();
    await remove(`Users/${first.Id}`);
    const second = await newUser({ Login: first.Login });
    await remove(`Users/${second.Id}`);
    const both = [first, second].map(({ Id }) => ({ EntityType: 'User', Id }));
    expect((await app.post('/api/v1/undelete/bulk', both)).status).toBe(409);
    const answers = await Promise.all([first, second].map(({ Id }) => post(`${list}/users/${Id}/restore`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
  });
});

describe('who may', () => {
  const callers: [string, number][] = [
    ['nobody', 401],
    ['requester1', 401],
    ['viktor', 401],
    ['alice', 403],
    ['uma', 403],
    ['grace', 200],
    ['admin', 200],
    ['System', 200],
  ];
  let system = '';

  beforeAll(async () => {
    const [{ id }] = await app.rows("select id from general_user where kind = 'SystemUser'");
    const [{ password_hash: hash }] = await app.rows('select password_hash from general_user where id = 3');
    await app.rows('update general_user set password_hash = coalesce(password_hash, $2) where id = $1', [id, hash]);
    // Other replicas, and this one, know of it within a second; asking for the token knows it now.
    const answer = await app.ask('/api/v1/Authentication?login=System&format=json');
    system = encodeURIComponent(answer.json.Token);
  });

  /** One of each to restore, anew for each caller. */
  async function deleted() {
    const [project, user, bug] = [
      await made('Projects', { Name: 'rights', Process: { Id: 3 } }),
      await newUser(),
      await made('Bugs', { Name: 'rights', Project: { Id: 8 } }),
    ];
    for (const path of [`Projects/${project.Id}`, `Users/${user.Id}`, `Bugs/${bug.Id}`]) await remove(path);
    return { project: project.Id, user: user.Id, bug: bug.Id };
  }

  it.each(callers)('%s: %i everywhere', async (login, expected) => {
    const items = await deleted();
    const before = await marks();
    const isSystem = login === 'System';
    const ask = (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
      const as = isSystem ? 'nobody' : login;
      const address = isSystem ? `${path}?token=${system}` : path;
      return body === undefined || body === null ? app.ask(address, { as, method }) : app.post(address, body, { as });
    };
    const answers = [
      await ask(`${list}/projects`),
      await ask(`${list}/users`),
      await ask('/api/deletedprojects/v1'),
      await ask(`${list}/projects/${items.project}/restore`, null, 'POST'),
      await ask(`${list}/users/${items.user}/restore`, null, 'POST'),
      await ask('/api/v1/undelete', { EntityType: 'Bug', Id: items.bug }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => expected));
    if (expected === 200) {
      expect((await remove(`Bugs/${items.bug}`)).status).toBe(200);
      expect((await ask('/api/v1/undelete/bulk', [{ EntityType: 'Bug', Id: items.bug }])).status).toBe(200);
      const editor = isSystem ? 'SystemUser' : login;
      const [row] = await app.rows(
        'select coalesce(u.login, u.kind) as login, u.kind from general g join general_user u on u.id = g.last_editor_id where g.id = $1',
        [items.project],
      );
      expect([row.login, row.kind]).toContain(editor);
      return;
    }
    expect((await ask('/api/v1/undelete/bulk', [{ EntityType: 'Bug', Id: items.bug }])).status).toBe(expected);
    // Nobody learns what is deleted, or how a body would have to be.
    expect((await ask(`${list}/projects/999999/restore`, null, 'POST')).status).toBe(expected);
    expect((await ask('/api/v1/undelete', {})).status).toBe(expected);
    for (const answer of answers) expect(answer.text).not.toContain('rights');
    expect(await marks()).toEqual(before);
  });
});

describe('ten thousand deleted projects and users', () => {
  beforeAll(async () => {
    // What was learnt on few must not be held against many.
    for (const path of ['projects', 'users'])
      for (let at = 0; at < 6; at += 1) await Promise.all(Array.from({ length: 6 }, () => app.json(`${list}/${path}`)));
    await app.rows(`insert into general (entity_type_id, name, process_id, create_date, modify_date, delete_date, last_editor_id, owner_id, color)
      select 1, 'mass ' || n, 3, now(), now(), now() - n * interval '1 minute', 1, 1, null from generate_series(1, 10000) n`);
    await app.rows(`insert into general_user (kind, first_name, last_name, login, email, create_date, modify_date, delete_date, is_active, is_administrator, role_id)
      select 'User', 'mass', 'user ' || n, 'mass' || n, 'mass' || n || '@example.com', now(), now(), now() - n * interval '1 minute', true, false, 1 from generate_series(1, 10000) n`);
  });

  it.each(['projects', 'users'])('are told as one list and in parts: %s', async (kind) => {
    const all = await app.json(`${list}/${kind}`);
    expect(all.length).toBeGreaterThanOrEqual(10_000);
    const page = await app.json(`${list}/${kind}?search=MASS&take=25&skip=5000`);
    expect(page).toEqual(all.filter((one: object) => JSON.stringify(one).includes('mass')).slice(5000, 5025));
  });
});
