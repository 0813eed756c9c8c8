/**
 * Users, requesters and roles: what is needed, what is refused, and that somebody can always administer the service.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Actors } from '../../src/auth/actors.js';
import { chosenPassword, TestApp } from '../support/app.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

type Item = Record<string, unknown> & { Id: number };

let made = 0;
const draft = (members: Record<string, unknown> = {}) => {
  made += 1;
  return {
    FirstName: 'New',
    LastName: 'User',
    Email: `new${made}@example.com`,
    Login: `new${made}`,
    Password: chosenPassword,
    ...members,
  };
};

const create = async (members: Record<string, unknown> = {}): Promise<Item> => {
  const answer = await app.post('/api/v1/Users?format=json', draft(members));
  if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.json;
};

const users = async (): Promise<unknown> =>
  app.rows(
    'select id, login, email, first_name, is_active, is_administrator, role_id, delete_date, password_hash from general_user order by id',
  );

const refused = async (act: () => Promise<{ status: number; json: { Message: string } }>) => {
  const before = await users();
  const answer = await act();
  expect(await users()).toEqual(before);
  return [answer.status, answer.json.Message];
};

it('the first administrator is available since his creation, and has a global id, as others do', async () => {
  const json = await app.json('/api/v1/Users/1?include=[AvailableFrom,GlobalId]');
  expect(json).toMatchObject({
    AvailableFrom: expect.stringMatching(/^\/Date/),
    GlobalId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

describe('users', () => {
  it('are created with their projects, in JSON', async () => {
    const [project] = await app.rows(
      'select id from general where entity_type_id = 1 and delete_date is null order by id limit 1',
    );
    const user = await create({
      IsActive: true,
      ProjectMembers: { Items: [{ Project: { Id: project.id }, Role: { Id: 9 } }] },
    });
    expect(user).toMatchObject({ Kind: 'User', IsActive: true, IsAdministrator: false, IsObserver: false });
    expect(user.GlobalId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await app.items(`/api/v1/Users/${user.Id}/ProjectMembers`)).toMatchObject([
      { Project: { Id: project.id }, Role: { Id: 9 }, Allocation: 0, WeeklyAvailableHours: 0 },
    ]);
    expect(await app.items('/api/v1/Projects', { as: String(user.Login) })).toHaveLength(1);
  });

  it('are available from the day of their creation, unless it is sent', async () => {
    const read = async ({ Id }: Item) => app.json(`/api/v1/Users/${Id}?include=[AvailableFrom,CreateDate]&isodate=1`);
    const { AvailableFrom, CreateDate } = await read(await create());
    expect(AvailableFrom).toBe(`${CreateDate.slice(0, 10)}T00:00:00`);
    expect(await read(await create({ AvailableFrom: '2027-01-02' }))).toMatchObject({
      AvailableFrom: '2027-01-02T00:00:00',
    });
  });

  it('are created, changed and deleted in XML', async () => {
    const body = `<User Login=" xml-user " Email="x@example.com" Password="${chosenPassword}"><FirstName>X</FirstName></User>`;
    const created = await app.post('/api/v1/Users', body);
    expect(created.status).toBe(201);
    expect(created.text).not.toMatch(/password|chosen|argon2/i);
    const { Id, Login, LastName } = itemOf(await parseXml(created.text));
    expect([Login, LastName]).toEqual(['xml-user', null]);
    const changed = await app.post(`/api/v1/Users/${Id}`, '<User><Skills>SQL</Skills></User>');
    expect(itemOf(await parseXml(changed.text))).toMatchObject({ Skills: 'SQL', FirstName: 'X' });
    const gone = await app.ask(`/api/v1/Users/${Id}`, { method: 'DELETE' });
    expect([gone.status, gone.text]).toEqual([200, '']);
    expect((await app.ask(`/api/v1/Users/${Id}`)).status).toBe(404);
    expect((await app.ask('/api/v1/Users/LoggedUser', { as: 'xml-user' })).status).toBe(401);
  });

  it.each([
    ['no e-mail', { Email: undefined }, 400, 'Email: a value is required.'],
    ['nothing as e-mail', { Email: ' ' }, 400, 'Email: a value is required.'],
    ['an e-mail without @', { Email: 'nobody' }, 400, 'Email: an address such as name@example.com is needed.'],
    ['an e-mail without a name', { Email: '@example.com' }, 400, 'Email: an address'],
    ['an e-mail without a host', { Email: 'nobody@' }, 400, 'Email: an address'],
    ['no login', { Login: undefined }, 400, 'Login: a value is required.'],
    ['blanks as login', { Login: '  ' }, 400, 'Login: a value is required.'],
    ['a login that is too long', { Login: 'x'.repeat(256) }, 400, 'Login: at most 255 characters'],
    ['a colon in the login', { Login: 'a:b' }, 400, 'Login: colons and invisible characters are not allowed.'],
    ['an invisible letter in the login', { Login: 'ali\u200bce' }, 400, 'Login: colons and invisible'],
    ['no password', { Password: undefined }, 400, 'Password: a value is required.'],
    ['an empty password', { Password: '' }, 400, 'Password: must not be empty.'],
    ['a short password', { Password: '1234567' }, 400, 'Password: at least 8 characters are needed.'],
    [
      'seven characters of many bytes',
      { Password: '😀'.repeat(7) },
      400,
      'Password: at least 8 characters are needed.',
    ],
    ['a common password', { Password: 'PASSWORD123' }, 400, 'Password: is one of the most common passwords;'],
    ['the login as password', { Login: 'ann.marie', Password: 'Ann.Marie' }, 400, 'Password: must not be the login.'],
    ['a password too long to hash', { Password: 'é'.repeat(600) }, 400, 'Password: is longer than 1024 bytes.'],
    ['a login in another letter case', { Login: 'ALICE' }, 409, "Login: 'ALICE' belongs to somebody else"],
    ['a login with blanks around it', { Login: ' alice ' }, 409, "Login: 'alice' belongs to somebody else"],
    ['full-width letters', { Login: 'ａｌｉｃｅ' }, 409, "Login: 'alice' belongs to somebody else"],
    ['letters of another script that look the same', { Login: 'аliсе' }, 409, 'belongs to somebody else'],
    ['negative hours', { WeeklyAvailableHours: -1 }, 400, 'WeeklyAvailableHours: must not be negative.'],
    ['an unknown role', { Role: { Id: 999999 } }, 400, 'Role.Id: there is no Role'],
    [
      'an unknown project',
      { ProjectMembers: [{ Project: { Id: 999999 } }] },
      400,
      'there is no Project with Id 999999',
    ],
  ])('are refused with %s', async (_, members, status, message) => {
    const [code, text] = await refused(() => app.post('/api/v1/Users?format=json', draft(members)));
    expect(text).toContain(message);
    expect(code).toBe(status);
  });

  it('keep nothing that a client may not set', async () => {
    const user = await create({ Kind: 'SystemUser', GlobalId: 'mine', LastLoginDate: '2020-01-01', CreateDate: null });
    expect(user).toMatchObject({ Kind: 'User', LastLoginDate: null });
    expect(user.GlobalId).not.toBe('mine');
    await app.post(`/api/v1/Users/${user.Id}`, { GlobalId: 'mine', Kind: 'Requester' });
    expect(await app.json(`/api/v1/Users/${user.Id}`)).toMatchObject({ Kind: 'User', GlobalId: user.GlobalId });
  });

  it('cannot lose their login or e-mail, also by way of their base type', async () => {
    const user = await create();
    for (const path of ['Users', 'GeneralUsers']) {
      for (const member of ['Login', 'Email']) {
        const act = () => app.post(`/api/v1/${path}/${user.Id}?format=json`, { [member]: null });
        expect(await refused(act)).toEqual([400, `${member}: a value is required.`]);
      }
    }
    const same = await app.post(`/api/v1/Users/${user.Id}?format=json`, { Login: String(user.Login).toUpperCase() });
    expect([same.status, same.json.Login]).toEqual([200, String(user.Login).toUpperCase()]);
  });

  it('get one login once, whoever asks first', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        app.post('/api/v1/Users?format=json', draft({ Login: at % 2 ? 'Racer' : 'racer' })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(await app.rows("select 1 from general_user where lower(login) = 'racer'")).toHaveLength(1);
  });

  it('come in bulk, each with a password of his own', async () => {
    const list = Array.from({ length: 5 }, () => draft());
    const answer = await app.post('/api/v1/Users/bulk?format=json', list);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/password|argon2/i);
    for (const { Login } of list) {
      expect(await app.json('/api/v1/Users/LoggedUser', { as: Login })).toMatchObject({ Login });
    }
    const refusedOne = [draft(), draft({ Password: undefined })];
    const act = () => app.post('/api/v1/Users/bulk?format=json', refusedOne);
    expect(await refused(act)).toEqual([400, '[1].Password: a value is required.']);
  });

  it('in one body cannot share a login', async () => {
    const list = [draft({ Login: 'twin' }), draft({ Login: 'Twin' })];
    const answer = await refused(() => app.post('/api/v1/Users/bulk?format=json', list));
    expect(answer).toEqual([409, "[1].Login: 'Twin' belongs to somebody else, or looks like a login that does."]);
  });

  it('leave their login to others when they are deleted', async () => {
    const first = await create({ Login: 'heir' });
    expect((await app.ask(`/api/v1/Users/${first.Id}`, { method: 'DELETE' })).status).toBe(200);
    const second = await create({ Login: 'heir', Password: 'of the heir' });
    expect(await app.json('/api/v1/Users/LoggedUser', { as: 'heir:of the heir' })).toMatchObject({ Id: second.Id });
    const [row] = await app.rows('select delete_date, login from general_user where id = $1', [first.Id]);
    expect(row).toMatchObject({ login: 'heir', delete_date: expect.any(Date) });
  });

  it('are deactivated and active again at once, also in bulk', async () => {
    const list = [await create(), await create()];
    const me = (login: unknown) => app.ask('/api/v1/Users/LoggedUser', { as: String(login) });
    expect((await me(list[0]!.Login)).status).toBe(200);
    const idle = await app.post(
      '/api/v1/Users/bulk?format=json',
      list.map(({ Id }) => ({ Id, IsActive: false })),
    );
    expect(idle.json.Items.map(({ IsActive }: { IsActive: boolean }) => IsActive)).toEqual([false, false]);
    for (const { Login } of list) expect((await me(Login)).status).toBe(401);
    await app.post(`/api/v1/Users/${list[0]!.Id}`, { IsActive: true });
    expect((await me(list[0]!.Login)).status).toBe(200);
  });

  it('lose their service token with their password', async () => {
    const user = await create();
    const as = String(user.Login);
    const token = encodeURIComponent((await app.json('/api/v1/Authentication', { as })).Token);
    const withToken = () => app.ask(`/api/v1/Users/LoggedUser?token=${token}`, { as: 'nobody' });
    expect((await withToken()).status).toBe(200);
    const changed = await app.post(`/api/v1/Users/${user.Id}?format=json`, { Password: 'another word' });
    expect(changed.status).toBe(200);
    expect(changed.text).not.toMatch(/another word|argon2/i);
    expect((await withToken()).status).toBe(401);
    expect((await app.ask('/api/v1/Users/LoggedUser', { as })).status).toBe(401);
    expect((await app.ask('/api/v1/Users/LoggedUser', { as: `${as}:another word` })).status).toBe(200);
    expect((await app.post(`/api/v1/Users/${user.Id}`, { Password: null, Skills: 'x' })).status).toBe(200);
    expect((await app.ask('/api/v1/Users/LoggedUser', { as: `${as}:another word` })).status).toBe(200);
  });

  it('keep their password rather than get one that is easily guessed, whatever way it is sent', async () => {
    const [one, other] = [await create({ Login: 'guess.me' }), await create()];
    const short = 'Password: at least 8 characters are needed.';
    const own = 'Password: must not be the login.';
    const tries: [string, unknown, string][] = [
      [`Users/${one.Id}`, { Password: 'seven77' }, short],
      [`Users/${one.Id}`, '<User Password="seven77"/>', short],
      [`Users/${one.Id}`, '<User><Password>seven77</Password></User>', short],
      [
        `Users/${one.Id}`,
        { Password: 'Qwertyuiop' },
        'Password: is one of the most common passwords; choose another one.',
      ],
      [`Users/${one.Id}`, { Password: 'GUESS.me' }, own],
      [`Users/${one.Id}`, { Login: 'guess.me.too', Password: 'guess.me.too' }, own],
      [`GeneralUsers/${one.Id}`, { Password: 'seven77' }, short],
      ['Users', { Id: one.Id, Password: 'seven77' }, short],
      [
        'Users/bulk',
        [
          { Id: other.Id, Password: 'one that is good' },
          { Id: one.Id, Password: 'x' },
        ],
        `[1].${short}`,
      ],
      ['Users/bulk', [draft(), draft({ Password: 'seven77' })], `[1].${short}`],
    ];
    for (const [path, body, message] of tries)
      expect(await refused(() => app.post(`/api/v1/${path}?format=json`, body))).toEqual([400, message]);
    for (const { Login } of [one, other])
      expect((await app.ask('/api/v1/Users/LoggedUser', { as: String(Login) })).status).toBe(200);
  });

  it('may keep a password that nobody could choose, as those of the demonstration do', async () => {
    const { status } = await app.post('/api/v1/Users/3', { Skills: 'SQL', Password: null });
    expect([status, (await app.ask('/api/v1/Users/LoggedUser', { as: 'alice:demo' })).status]).toEqual([200, 200]);
  });

  it.each([['alice'], ['uma']])('are not for %s to write, herself included', async (as) => {
    const [self] = await app.rows('select id from general_user where login = $1', [as]);
    const [viktor] = await app.rows("select id from general_user where login = 'viktor'");
    const tries: [string, unknown][] = [
      [`Users/${self.id}`, { IsAdministrator: true }],
      [`Users/${self.id}`, { Role: { Id: 2 }, Kind: 'SystemUser' }],
      [`Users/${self.id}`, { Password: 'mine' }],
      ['Users/1', { Password: 'mine' }],
      [`GeneralUsers/${viktor.id}`, { IsActive: true }],
      ['Users', draft()],
      ['Users/bulk', [{ Id: 1, IsActive: false }]],
      ['Requesters', { Email: 'r@example.com' }],
      ['Roles', { Name: 'mine' }],
      ['Companies', { Name: 'mine' }],
    ];
    for (const [path, body] of tries) {
      const [status] = await refused(() => app.post(`/api/v1/${path}?format=json`, body, { as }));
      expect(`${path} ${status}`).toBe(`${path} 403`);
    }
    const [status] = await refused(() => app.ask('/api/v1/Users/1?format=json', { as, method: 'DELETE' }));
    expect(status).toBe(403);
  });

  it('do not delete or deactivate themselves', async () => {
    const gone = () => app.ask('/api/v1/Users/9?format=json', { as: 'grace', method: 'DELETE' });
    expect(await refused(gone)).toEqual([403, 'Users cannot delete themselves.']);
    const all = () =>
      app.ask('/api/v1/Users/bulk?format=json', {
        as: 'grace',
        method: 'DELETE',
        headers: { 'content-type': 'application/json' },
        body: '[{"Id":3},{"Id":9}]',
      });
    expect(await refused(all)).toEqual([403, '[1].Id: Users cannot delete themselves.']);
    const idle = () => app.post('/api/v1/Users/9?format=json', { IsActive: false }, { as: 'grace' });
    expect(await refused(idle)).toEqual([403, 'IsActive: Users cannot deactivate themselves.']);
  });

  it('of the service itself are not changed or deleted', async () => {
    const [system] = await app.rows("select id from general_user where kind = 'SystemUser'");
    const path = `/api/v1/GeneralUsers/${system.id}?format=json`;
    expect((await refused(() => app.post(path, { Password: 'x' })))[0]).toBe(403);
    expect((await refused(() => app.post(path, { IsActive: false })))[0]).toBe(403);
    expect((await refused(() => app.ask(path, { method: 'DELETE' })))[0]).toBe(403);
    expect((await app.post(`/api/v1/Users/${system.id}`, { FirstName: 'x' })).status).toBe(404);
  });
});

describe('the last administrator', () => {
  const restored = async (): Promise<void> => {
    await app.rows(
      "update general_user set is_administrator = login in ('admin', 'grace'), is_active = true, delete_date = null where login in ('admin', 'grace')",
    );
    // What is known of callers may be a second old.
    app.nest.get(Actors).forget();
  };
  beforeEach(restored);
  // Whoever lost the last race: what comes behind asks as the administrator.
  afterAll(restored);

  it('stays one: demoting, deactivating and deleting him are refused', async () => {
    const demoted = await app.post('/api/v1/Users/9?format=json', { IsAdministrator: false });
    expect([demoted.status, demoted.json.IsAdministrator]).toEqual([200, false]);
    const last = 'IsAdministrator: the last active administrator must remain one.';
    for (const body of [{ IsAdministrator: false }, { IsActive: false }]) {
      expect(await refused(() => app.post('/api/v1/Users/1?format=json', body))).toEqual([409, last]);
    }
    expect(await refused(() => app.post('/api/v1/Users/bulk?format=json', [{ Id: 1, IsActive: false }]))).toEqual([
      409,
      `[0].${last}`,
    ]);
  });

  it('may hand over to another in one request', async () => {
    await app.post('/api/v1/Users/9', { IsAdministrator: false });
    const body = [
      { Id: 1, IsAdministrator: false },
      { Id: 9, IsAdministrator: true },
    ];
    expect((await app.post('/api/v1/Users/bulk?format=json', body)).status).toBe(200);
    expect((await app.post('/api/v1/Users/9', { Skills: 'x' })).status).toBe(403);
    expect((await app.post('/api/v1/Users/1', { IsAdministrator: true }, { as: 'grace' })).status).toBe(200);
  });

  const ways = ['demote', 'deactivate', 'delete'];
  it.each([...ways, ...ways])('remains when two %s each other at once', async (way) => {
    const act = (as: string, id: number) => {
      const path = `/api/v1/Users/${id}?format=json`;
      if (way === 'delete') return app.ask(path, { method: 'DELETE', as });
      return app.post(path, way === 'demote' ? { IsAdministrator: false } : { IsActive: false }, { as });
    };
    const answers = await Promise.all([act('admin', 9), act('grace', 1)]);
    const codes = answers.map(({ status }) => status).sort();
    // Who comes second may be no administrator any more when he is looked up.
    expect(codes[0]).toBe(200);
    expect([401, 403, 409]).toContain(codes[1]);
    const left = await app.rows(
      "select id from general_user where kind = 'User' and is_administrator and is_active and delete_date is null",
    );
    expect(left).toHaveLength(1);
  });
});

describe('requesters', () => {
  it('need an e-mail address only, and cannot sign in', async () => {
    const created = await app.post('/api/v1/Requesters?format=json', {
      Email: 'outside@example.org',
      Login: 'outside',
      Password: chosenPassword,
      Phone: '1',
    });
    expect(created.json).toMatchObject({
      ResourceType: 'Requester',
      Kind: 'Requester',
      SourceType: 'None',
      Phone: '1',
    });
    expect((await app.ask('/api/v1/Users/LoggedUser', { as: 'outside' })).status).toBe(401);
    const [row] = await app.rows('select password_hash from general_user where id = $1', [created.json.Id]);
    expect(row.password_hash).toBeNull();
    const xml = await app.post(`/api/v1/Requesters/${created.json.Id}`, '<Requester><Notes>n</Notes></Requester>');
    expect(itemOf(await parseXml(xml.text))).toMatchObject({ Notes: 'n', Email: 'outside@example.org' });
    expect((await app.ask(`/api/v1/Requesters/${created.json.Id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await app.post('/api/v1/Requesters?format=json', { Email: 'a@b', Login: 'outside' })).status).toBe(201);
  });

  it.each([
    [{ Phone: '1' }, 'Email: a value is required.'],
    [{ Email: 'nobody' }, 'Email: an address'],
    [{ Email: 'a@b', IsAdministrator: true }, 'IsAdministrator: requesters have no access.'],
    [{ Email: 'a@b', SourceType: 'Pigeon' }, 'SourceType'],
  ])('are refused: row %#', async (body, message) => {
    const [status, text] = await refused(() => app.post('/api/v1/Requesters?format=json', body));
    expect(text).toContain(message);
    expect(status).toBe(400);
  });
});

describe('roles', () => {
  it('are created, changed and deleted, and named at once', async () => {
    const created = await app.post('/api/v1/Roles?format=json', { Name: 'Tester' });
    expect([created.status, created.json.HasEffort, created.json.CanChangeOwner]).toEqual([201, true, false]);
    const user = await create({ Role: { Name: 'tester' } });
    expect(user).toMatchObject({ Role: { Id: created.json.Id } });
    const used = await app.ask(`/api/v1/Roles/${created.json.Id}?format=json`, { method: 'DELETE' });
    expect([used.status, used.json.Message]).toEqual([403, 'Could not delete role which already associated with User']);
    await app.post(`/api/v1/Users/${user.Id}`, { Role: { Id: 1 } });
    const changed = await app.post(`/api/v1/Roles/${created.json.Id}`, '<Role><HasEffort>false</HasEffort></Role>');
    expect(itemOf(await parseXml(changed.text))).toMatchObject({ Name: 'Tester', HasEffort: 'false' });
    expect((await app.ask(`/api/v1/Roles/${created.json.Id}`, { method: 'DELETE' })).status).toBe(200);
  });

  it('are not deleted while states are theirs', async () => {
    const answer = await app.ask('/api/v1/Roles/1?format=json', { method: 'DELETE' });
    expect([answer.status, answer.json.Message]).toEqual([
      403,
      'Could not delete role which already associated with EntityState',
    ]);
    expect(await app.rows('select 1 from role where id = 1')).toHaveLength(1);
  });
});

it('of two logins that look alike and are made at the same moment one is there', async () => {
  const create = (Login: string) =>
    app.post('/api/v1/Users', { Login, Email: `${Math.random()}@example.com`, Password: 'a password of paul' });
  for (const [one, other] of [
    ['twin.paul', 'twin.p\u0430ul'],
    ['twin.rob', 'twin.r\u043eb'],
  ] as const) {
    const answers = await Promise.all([create(one), create(other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  }
});
