/** Writes that nobody may make, writes that disagree with themselves, and writes that meet at the same moment. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Ask, TestApp } from '../support/app.js';
import { lockWaiters } from '../support/connections.js';
import { messageOf } from '../support/refusal.js';
import { until } from '../support/service.js';

let app: TestApp;
/** Where alice is a member; where she is none and nothing is assigned to a team of hers. */
let mine: Place;
let hidden: Place;
/** Status of every answer of this file. */
const statuses: number[] = [];

interface Place {
  project: number;
  story: number;
  bug: number;
  feature: number;
  release: number;
}

beforeAll(async () => {
  app = await TestApp.start();
  const rows = await app.rows(
    `select p.id as project, p.process_id, (select min(id) from general where ${lying} and entity_type_id = 4) as story,
       (select min(id) from general where ${lying} and entity_type_id = 8) as bug,
       (select min(id) from general where ${lying} and entity_type_id = 9) as feature,
       (select min(id) from general where ${lying} and entity_type_id = 2) as release,
       exists (${reached}) as "isMine"
     from general p where p.entity_type_id = 1 and p.delete_date is null order by p.process_id desc, p.id`,
  );
  mine = rows.find(({ isMine, process_id }) => isMine && process_id === 3);
  hidden = rows.find(({ isMine }) => !isMine);
});
afterAll(() => app.stop());

const lying = `project_id = p.id and delete_date is null
  and id not in (select assignable_id from team_assignment where team_id in (select team_id from team_member where user_id = 3))`;
const reached = `select from project_member where project_id = p.id and user_id = 3 union all
  select from team_project t join team_member m on m.team_id = t.team_id where t.project_id = p.id and m.user_id = 3`;

/** Everything a write could leave behind, in one statement. */
const tables = [
  ...['general', 'general_user', 'comment', 'time', 'tag', 'general_tag', 'assignment', 'team_assignment'],
  ...['role_effort', 'relation', 'project_member', 'full_history', 'simple_history', 'idempotency_key'],
  ...['team_member', 'team_project', 'request_requester', 'general_follower'],
];
const counted = `select ${tables.map((table) => `(select count(*)::int from "${table}") as "${table}"`).join(', ')},
  (select sum(entity_version)::text from general) as versions,
  (select string_agg(concat_ws('|', id, is_active, is_administrator, is_observer, kind, role_id, password_hash), ',' order by id)
   from general_user) as users`;
const counts = async () => (await app.rows(counted))[0];

/** Names of tables, columns and libraries, statements, places in the source: nothing of it may be told. */
const internals =
  /general_user|\w_id\b|\b(select|insert into) |typeorm|node_modules|\.ts:|\.js:|syntax error at|\bpg_|fastify|nestjs|deadlock|duplicate key|constraint|RangeError|TypeError|call stack|\[object /i;

const send = async (path: string, body: unknown, ask: Ask = {}): Promise<Answer> => {
  const answer = await app.post(`/api/v1/${path}`, body, ask);
  statuses.push(answer.status);
  return answer;
};

interface Refusal {
  status?: number;
  says?: RegExp;
  as?: string;
  headers?: Record<string, string>;
}

/**
 * Sends it in JSON, checks that it is refused in one shape and in the client's words, and that nothing at all was
 * written.
 */
async function refused(
  path: string,
  body: unknown,
  { status = 400, says = /./, as, headers }: Refusal = {},
): Promise<string> {
  const before = await counts();
  const answer = await send(path, body, { as, headers });
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)]);
  const message = await messageOf(answer, 'json');
  expect(message).toMatch(says);
  expect(message).not.toMatch(internals);
  expect(await counts()).toEqual(before);
  return message;
}

/** The same refusal for the same entity in XML. */
async function refusedInXml(path: string, body: string, { status = 400, says = /./, as }: Refusal = {}): Promise<void> {
  const before = await counts();
  const answer = await send(path, body, { as });
  expect(answer.status).toBe(status);
  expect(await messageOf(answer, 'xml')).toMatch(says);
  expect(await counts()).toEqual(before);
}

const story = (members: Record<string, unknown> = {}) => ({ Name: 'x', Project: { Id: mine.project }, ...members });

/** One that nobody else in this file writes to. */
const ownStory = async (members: Record<string, unknown> = {}): Promise<number> => {
  const made = await send('UserStories', story(members));
  expect(made.status).toBe(201);
  return made.json.Id;
};

const deletedStory = async (): Promise<number> => {
  const id = await ownStory();
  expect((await app.ask(`/api/v1/UserStories/${id}`, { method: 'DELETE' })).status).toBe(200);
  return id;
};

describe('C9: what clients cannot set', () => {
  const long = '/Date(86400000)/';
  const readOnly: Record<string, unknown> = {
    ResourceType: 'Bug',
    CreateDate: long,
    ModifyDate: long,
    DeleteDate: long,
    LastCommentDate: long,
    LastStateChangeDate: long,
    EntityVersion: 9_999,
    EntityType: { Id: 8 },
    LastEditor: { Id: 9 },
    LastCommentedUser: { Id: 9 },
    EffortCompleted: 99,
    EffortToDo: 99,
    Progress: 1,
    TimeSpent: 99,
    TimeRemain: 99,
    Units: 'h',
    IsNow: true,
    IsNext: true,
    LeadTime: 5,
    CycleTime: 5,
    ForecastEndDate: long,
    ResponsibleTeam: { Id: 1 },
  };
  const fields = Object.keys(readOnly).filter((name) => name !== 'ModifyDate' && name !== 'EntityVersion');
  const columns = `create_date, delete_date, last_comment_date, last_state_change_date, entity_type_id, last_editor_id,
    last_commented_user_id, effort, effort_completed, effort_to_do, progress, time_spent, time_remain, units`;
  const stored = async (id: number) => (await app.rows(`select ${columns} from general where id = $1`, [id]))[0];

  it.each(['alice', 'admin'])('is ignored, in create and update, from %s', async (as) => {
    const plain = (await send('UserStories', story(), { as })).json;
    const made = await send('UserStories', story(readOnly), { as });
    expect([made.status, made.json.ResourceType, made.json.EntityVersion]).toEqual([
      201,
      'UserStory',
      plain.EntityVersion,
    ]);
    const today = Math.abs(Date.now() - Number(/\d+/.exec(made.json.ModifyDate)?.[0]));
    expect(today).toBeLessThan(24 * 3600 * 1000);
    for (const name of fields.filter((field) => !/Date$/.test(field)))
      expect([name, made.json[name]]).toEqual([name, plain[name]]);
    const before = await stored(made.json.Id);
    const updated = await send(`UserStories/${made.json.Id}`, { Name: 'y', ...readOnly }, { as });
    expect([updated.status, updated.json.Name]).toEqual([200, 'y']);
    expect(await stored(made.json.Id)).toEqual(before);
  });

  it('is ignored one by one', async () => {
    const id = await ownStory();
    const before = await stored(id);
    for (const [name, value] of Object.entries(readOnly)) {
      expect([name, (await send(`UserStories/${id}`, { [name]: value })).status]).toEqual([name, 200]);
    }
    expect(await stored(id)).toEqual(before);
    expect((await app.json(`/api/v1/UserStories/${id}`)).Id).toBe(id);
  });

  it.each([
    ['GlobalId', 'x'],
    ['LastLoginDate', long],
    ['IsAdministrator', true],
    ['IsActive', false],
    ['Login', 'x'],
    ['Bogus-Count', 5],
  ])('%s is no field of a story: it is named', async (name, value) => {
    await refused('UserStories', story({ [name]: value }), { as: 'alice', says: new RegExp(`^${name}: `, 'i') });
  });
});

describe('C10: rights', () => {
  it.each([
    ['Users/3', { IsAdministrator: true }],
    ['Users/3', { Role: { Id: 9 } }],
    ['Users/3', { Kind: 'SystemUser' }],
    ['Users/3', { IsObserver: false, FirstName: 'x' }],
    ['Users/1', { Password: 'now mine' }],
    ['Users/1', { IsActive: false }],
    ['GeneralUsers/3', { IsAdministrator: true }],
    ['GeneralUsers/2', { Password: 'system' }],
    ['Users', { Id: 3, IsAdministrator: true }],
    ['Users', { FirstName: 'a', LastName: 'b', Login: 'evil', Email: 'a@example.com', Password: 'secret word' }],
    ['Requesters', { FirstName: 'a', Email: 'a@example.com' }],
    ['Roles/1', { CanChangeOwner: true }],
    ['EntityStates/46', { IsFinal: true }],
    ['Priorities', { Name: 'Mine', EntityType: { Id: 4 } }],
    ['Processes/3', { IsDefault: true }],
  ])('a member may not write %s %j', async (path, body) => {
    await refused(path, body, { as: 'alice', status: 403, says: /administrators/i });
    if (!path.includes('/'))
      await refused(`${path}/bulk`, [body], { as: 'alice', status: 403, says: /administrators/i });
  });

  it('nor reach users through the collections of what he may write', async () => {
    await refused('Requests', story({ Requesters: [{ Id: 3, IsAdministrator: true }] }), { as: 'alice', status: 403 });
    const before = (await counts()).users;
    const others = [
      send('UserStories', story({ Owner: { Id: 3, IsAdministrator: true } }), { as: 'alice' }),
      send('UserStories', story({ AssignedUser: [{ Id: 3, IsAdministrator: true }] }), { as: 'alice' }),
      send(
        'Assignments',
        { Assignable: { Id: mine.story }, GeneralUser: { Id: 3, IsAdministrator: true } },
        { as: 'alice' },
      ),
    ];
    for (const answer of await Promise.all(others)) expect(answer.status).toBeLessThan(500);
    expect((await counts()).users).toBe(before);
  });

  it('nor let himself into projects: through teams, memberships or a project of a team', async () => {
    const [{ team }] = await app.rows(
      'select min(team_id) as team from team_project where project_id = $1 and team_id not in (select team_id from team_member where user_id = 3)',
      [hidden.project],
    );
    const me = { User: { Id: 3 }, Role: { Id: 1 } };
    await refused(
      'ProjectMembers',
      { ...me, Project: { Id: hidden.project } },
      { as: 'alice', says: /^Project\.Id: / },
    );
    await refused('TeamMembers', { ...me, Team: { Id: team } }, { as: 'alice', status: 403 });
    await refused(`Teams/${team}`, { TeamMembers: [me] }, { as: 'alice', status: 403 });
    await refused(`Teams/${team}/TeamMembers`, me, { as: 'alice', status: 403 });
    const [own] = await app.rows('select id from team_member where user_id = 3 order by id limit 1');
    await refused(`TeamMembers/${own.id}`, { Team: { Id: team } }, { as: 'alice', status: 403 });
    expect((await app.ask(`/api/v1/UserStories/${hidden.story}`, { as: 'alice' })).status).toBe(404);
  });

  it('an observer writes comments and nothing else', async () => {
    for (const [path, body] of [
      ['UserStories', story()],
      [`UserStories/${mine.story}`, { Name: 'y' }],
      ['Tags', { Name: 'observed' }],
      ['Times', { Assignable: { Id: mine.story }, Spent: 1 }],
      ['Assignments', { Assignable: { Id: mine.story }, GeneralUser: { Id: 3 } }],
      ['Relations', { Master: { Id: mine.story }, Slave: { Id: mine.bug }, RelationType: { Id: 4 } }],
    ] as const) {
      const before = await counts();
      const answer = await send(path, body, { as: 'uma' });
      expect([path, answer.status]).toEqual([
        path,
        expect.toSatisfy((status: number) => [400, 403, 404].includes(status)),
      ]);
      expect(await counts()).toEqual(before);
    }
  });

  it('without credentials nothing is told and nothing written', async () => {
    for (const body of [story(), { Nope: 1 }, '{', []])
      await refused('UserStories', body, { as: 'nobody', status: 401 });
    await refused('Nopes', story(), { as: 'nobody', status: 401 });
  });
});

describe('C13: what cannot be seen', () => {
  const references: [string, string, (id: number) => Record<string, unknown>, (place: Place) => number][] = [
    ['UserStories', 'Project.Id', (Id) => ({ Name: 'x', Project: { Id } }), ({ project }) => project],
    ['UserStories', 'Feature.Id', (Id) => story({ Feature: { Id } }), ({ feature }) => feature],
    ['UserStories', 'Release.Id', (Id) => story({ Release: { Id } }), ({ release }) => release],
    ['Tasks', 'UserStory.Id', (Id) => ({ Name: 'x', UserStory: { Id } }), (place) => place.story],
    ['Comments', 'General.Id', (Id) => ({ Description: 'x', General: { Id } }), (place) => place.story],
    ['Times', 'Assignable.Id', (Id) => ({ Spent: 1, Assignable: { Id } }), ({ bug }) => bug],
    ['Times', 'Project.Id', (Id) => ({ Spent: 1, Project: { Id } }), ({ project }) => project],
    ['Assignments', 'Assignable.Id', (Id) => ({ GeneralUser: { Id: 3 }, Assignable: { Id } }), (place) => place.story],
    ['RoleEfforts', 'Assignable.Id', (Id) => ({ Role: { Id: 1 }, Assignable: { Id } }), (place) => place.story],
    [
      'Relations',
      'Slave.Id',
      (Id) => ({ Master: { Id: mine.story }, Slave: { Id }, RelationType: { Id: 2 } }),
      ({ bug }) => bug,
    ],
    ['Bugs', 'UserStory.Id', (Id) => story({ UserStory: { Id } }), (place) => place.story],
  ];

  it.each(references)('in a reference of %s, %s, is refused as what does not exist', async (path, name, body, idOf) => {
    const missing = await refused(path, body(999_999), { as: 'alice' });
    expect(missing.startsWith(`${name}: `)).toBe(true);
    const id = idOf(hidden);
    if (id === null) return;
    expect((await refused(path, body(id), { as: 'alice' })).replaceAll(String(id), '999999')).toBe(missing);
    await refused(`${path}/bulk`, [body(idOf(mine)), body(id)], { as: 'alice', says: /^\[1\]\./ });
  });

  it('and what is deleted, for administrators too', async () => {
    const id = await deletedStory();
    await refused('Tasks', { Name: 'x', UserStory: { Id: id } }, { says: /^UserStory\.Id: there is no UserStory/ });
    await refused('Comments', { Description: 'x', General: { Id: id } }, { says: /^General\.Id: / });
    await refused('Times', { Spent: 1, Assignable: { Id: id } }, { says: /^Assignable\.Id: / });
    const [project] = await app.rows(
      'select id from general where entity_type_id = 1 and delete_date is not null limit 1',
    );
    await refused(
      'UserStories',
      { Name: 'x', Project: { Id: project.id } },
      { says: /^Project\.Id: there is no Project/ },
    );
  });

  it('C14: in the address or as Id is not found, in the same words', async () => {
    const asMissing = async (as: string, id: number) => {
      const at = await refused(`UserStories/${id}`, { Name: 'y' }, { as, status: 404 });
      const within = await refused('UserStories', { Id: id, Name: 'y' }, { as, status: 404 });
      const listed = await refused('UserStories/bulk', [{ Id: id, Name: 'y' }], {
        as,
        status: 404,
        says: /^\[0\]\.Id: /,
      });
      return [at, within, listed].join('\n').replaceAll(String(id), '#');
    };
    const never = await asMissing('alice', 999_999);
    expect(await asMissing('alice', hidden.story)).toBe(never);
    expect(await asMissing('alice', mine.bug)).toBe(never);
    expect(await asMissing('admin', await deletedStory())).toBe(never);
    await refusedInXml('UserStories', '<UserStory Id="999999" Name="y"/>', { status: 404, says: /999999/ });
  });
});

describe('C14: ids', () => {
  it('that disagree are refused, in JSON and XML', async () => {
    await refused(`UserStories/${mine.story}`, { Id: mine.story + 1, Name: 'y' }, { says: /^Id: the body says/ });
    await refusedInXml(`UserStories/${mine.story}`, `<UserStory Id="${mine.story + 1}"/>`, {
      says: /^Id: the body says/,
    });
    expect((await send(`UserStories/${mine.story}`, { Id: String(mine.story) })).status).toBe(200);
  });

  it.each([
    ['x'],
    [-1],
    [1.5],
    ['1 or 1=1'],
    [true],
    [{}],
    [[1]],
    ['99999999999999999999'],
    [2 ** 53],
  ])('that are none: %j', async (Id) =>
    void (await refused('UserStories', { Id, Name: 'y' }, { says: /^Id: an Id is a whole number/ })));

  it.each([
    '0',
    '-1',
    'abc',
    '1e1',
    '1.0',
    '%00',
    '9'.repeat(300),
    '9007199254740992',
    "1'--",
    '1;2',
  ])('in the address: %s', async (id) => {
    const before = await counts();
    const answer = await send(`UserStories/${id}`, { Name: 'y' });
    expect([400, 404]).toContain(answer.status);
    expect(answer.text).not.toMatch(internals);
    expect(await counts()).toEqual(before);
  });
});

describe('relations, comments and times', () => {
  it('C23: a relation joins two entities, and each two once', async () => {
    const [a, b] = [await ownStory(), await ownStory()];
    const relation = (Master: number, Slave: number) => ({
      Master: { Id: Master },
      Slave: { Id: Slave },
      RelationType: { Id: 2 },
    });
    await refused('Relations', relation(a, a), { says: /^Slave\.Id: / });
    await refused('Relations', { Master: { Id: a }, Slave: { Id: b } }, { says: /^RelationType: / });
    await refused('Relations', { ...relation(a, b), RelationType: { Id: 99 } }, { says: /^RelationType\.Id: / });
    await refused('Relations', { ...relation(a, b), Inbound: { Id: b } }, { says: /^(Inbound|Master): / });
    await refused('Relations/bulk', [relation(a, b), relation(a, b)], {
      says: /^\[1\]\.Slave\.Id: Relation already exists/,
    });
    expect((await send('Relations', relation(a, b))).status).toBe(201);
    await refused('Relations', relation(a, b), { says: /already exists/ });
    await refused(`UserStories/${a}`, { SlaveRelations: [relation(a, b)] }, { says: /^SlaveRelations\[0\]\./ });
    // There and back is no contradiction: reading must only not go round in circles.
    expect((await send('Relations', relation(b, a))).status).toBe(201);
    expect((await app.items(`/api/v1/UserStories/${a}/MasterRelations`)).length).toBe(1);
  });

  it('duplicates made at one moment are one', async () => {
    const [a, b] = [await ownStory(), await ownStory()];
    const bodies: [string, Record<string, unknown>][] = [
      ['Relations', { Master: { Id: a }, Slave: { Id: b }, RelationType: { Id: 3 } }],
      ['Assignments', { Assignable: { Id: a }, GeneralUser: { Id: 3 }, Role: { Id: 1 } }],
      ['RoleEfforts', { Assignable: { Id: b }, Role: { Id: 1 }, Effort: 2 }],
      ['ProjectMembers', { Project: { Id: mine.project }, User: { Id: 27 }, Role: { Id: 1 } }],
    ];
    for (const [path, body] of bodies) {
      const answers = await Promise.all(Array.from({ length: 6 }, () => send(path, body)));
      for (const { status } of answers) expect([path, [200, 201, 400].includes(status)]).toEqual([path, true]);
    }
    const [row] = await app.rows(
      `select (select count(*)::int from relation where master_id = $1 and slave_id = $2 and relation_type_id = 3) as relations,
         (select count(*)::int from assignment where assignable_id = $1) as assignments,
         (select count(*)::int from role_effort where assignable_id = $2 and role_id = 1) as efforts,
         (select count(*)::int from project_member where project_id = $3 and user_id = 27) as members`,
      [a, b, mine.project],
    );
    expect(row).toEqual({ relations: 1, assignments: 1, efforts: 1, members: 1 });
  });

  it.each([
    [{ Description: 'x'.repeat(1024 * 1024 + 1) }, /^Description: /],
    [{ Description: 'x'.repeat(5 * 1024 * 1024) }, /^Description: /],
    [{ Description: 'a\u0001' }, /^Description: /],
    [{ Description: 'x', General: null }, /^General: /],
    [{ Description: 'x', General: {} }, /^General: /],
    [{ Description: 'x', ParentId: 999_999 }, /^ParentId: /],
    [{ Description: 'x', ParentId: 'x' }, /^ParentId: /],
    [{ Description: 'x', ParentId: 99_999_999_999 }, /^ParentId: /],
    [{ Description: 'x', ParentId: { Id: 1 } }, /^ParentId: /],
    [{ Description: 'x', Owner: { Id: 999_999 } }, /^Owner\.Id: /],
    [{ Description: 'x', IsPrivate: 'maybe' }, /^IsPrivate: /],
  ])('C26: a comment row %#', async (members, says) => {
    await refused('Comments', { General: { Id: mine.story }, ...members }, { says });
  });

  it('C26: a comment answers neither itself nor a comment of another entity', async () => {
    const first = (await send('Comments', { Description: 'a', General: { Id: mine.story } })).json.Id;
    await refused(`Comments/${first}`, { ParentId: first }, { says: /^ParentId: / });
    await refused(
      'Comments',
      { Description: 'b', General: { Id: mine.bug }, ParentId: first },
      { says: /^ParentId: / },
    );
    await refused(`Comments/${first}`, { Description: 'changed' }, { as: 'alice', status: 403 });
    const reply = await send('Comments', { Description: 'b', General: { Id: mine.story }, ParentId: first });
    expect(reply.status).toBe(201);
  });

  it.each([
    [{ Spent: -8 }, 400, /^Spent: /],
    [{ Spent: 1e9 }, 400, /^Spent: /],
    [{ Spent: '1e400' }, 400, /^Spent: /],
    [{ Spent: 'long' }, 400, /^Spent: /],
    [{ Spent: 1, Remain: -1 }, 400, /^Remain: /],
    [{ Spent: 1, Remain: 1e9 }, 400, /^Remain: /],
    [{ Spent: 1, Date: '/Date(1e99)/' }, 400, /^Date: /],
    [{ Spent: 1, User: { Id: 999_999 } }, 400, /^User\.Id: /],
    [{ Spent: 1, User: { Id: 25 } }, 400, /^User\.Id: /],
    [{ Spent: 1, Role: { Id: 999 } }, 400, /^Role\.Id: /],
    [{ Spent: 1, Assignable: null }, 400, /^(Assignable|Project): /],
    [{ Spent: 1, Description: 'a\u0001' }, 400, /^Description: /],
  ])('C27: a time row %#', async (members, status, says) => {
    await refused('Times', { Assignable: { Id: mine.story }, ...members }, { status, says });
    await refused(
      'Times/bulk',
      [
        { Assignable: { Id: mine.story }, Spent: 1 },
        { Assignable: { Id: mine.story }, ...members },
      ],
      { status, says: /^\[1\]\./ },
    );
  });

  it('C27: the time of others is written by administrators only', async () => {
    const other = { Spent: 1, Assignable: { Id: mine.story }, User: { Id: 4 } };
    await refused('Times', other, { as: 'alice', status: 403 });
    const own = await send('Times', { ...other, User: { Id: 3 } }, { as: 'alice' });
    expect(own.status).toBe(201);
    await refused(`Times/${own.json.Id}`, { User: { Id: 4 } }, { as: 'alice', status: 403 });
  });
});

describe('C30: users', () => {
  const person = (members: Record<string, unknown> = {}) => ({
    FirstName: 'New',
    LastName: 'Comer',
    Login: 'newcomer',
    Email: 'new@example.com',
    Password: 'secret word',
    ...members,
  });

  it.each([
    [{ Login: 'alice' }, 409, /^Login: /],
    [{ Login: 'ALICE' }, 409, /^Login: /],
    [{ Login: '  alice ' }, 409, /^Login: /],
    [{ Login: '\uff41lice' }, 409, /^Login: /],
    [{ Login: '\u0430lice' }, 409, /^Login: /],
    [{ Login: 'al\u200bice' }, 400, /^Login: /],
    [{ Login: 'ali:ce' }, 400, /^Login: /],
    [{ Login: '' }, 400, /^Login: /],
    [{ Login: '  ' }, 400, /^Login: /],
    [{ Login: null }, 400, /^Login: /],
    [{ Login: 'x'.repeat(256) }, 400, /^Login: /],
    [{ Login: '\ufdfa'.repeat(100_000) }, 400, /^Login: /],
    [{ Password: '' }, 400, /^Password: /],
    [{ Password: null }, 400, /^Password: /],
    [{ Password: 'x'.repeat(1_000_000) }, 400, /^Password: /],
    [{ Password: ['x'] }, 400, /^Password: /],
    [{ Email: 'nobody' }, 400, /^Email: /],
    [{ Email: null }, 400, /^Email: /],
    [{ Email: `${'a'.repeat(100_000)}@` }, 400, /^Email: /],
    [{ IsActive: 'maybe' }, 400, /^IsActive: /],
    [{ WeeklyAvailableHours: -1 }, 400, /^WeeklyAvailableHours: /],
    [{ Role: { Id: 999 } }, 400, /^Role\.Id: /],
    [{ PasswordHash: 'x' }, 400, /^PasswordHash: /],
    [{ TokenVersion: 5 }, 400, /^TokenVersion: /],
    [{ ProjectMembers: [{ Project: { Id: 999_999 } }] }, 400, /^ProjectMembers\[0\]\.Project\.Id: /],
  ])('row %#', async (members, status, says) => {
    await refused('Users', person(members), { status, says });
    const list = [person({ Login: 'first' }), person(members)];
    const message = await refused('Users/bulk', list, { status });
    expect(message.startsWith('[1].')).toBe(true);
  });

  it('what is sent for a password is told to nobody', async () => {
    const Password = 'never to be told';
    const made = await send('Users', person({ Password }));
    const refusal = await refused('Users', person({ Password, Nope: 1 }));
    const read = await app.xml(`/api/v1/Users/${made.json.Id}`);
    for (const text of [made.text, refusal, read]) expect(text).not.toMatch(/never to be told|argon2|password_/i);
  });

  it('one login taken twice at one moment is taken once', async () => {
    const twins = ['Twin', 'tWIN', 'twin', 'TWIN'].map((Login) => send('Users', person({ Login })));
    const answers = (await Promise.all(twins)).map(({ status }) => status);
    expect(answers.sort()).toEqual([201, 409, 409, 409]);
  });

  it('C11: an administrator remains, whoever demotes whom', async () => {
    const administrators = `select id, is_active, is_administrator from general_user where is_administrator and kind = 'User' order by id`;
    const before = await app.rows(administrators);
    await refused('Users/1', { IsActive: false }, { status: 403 });
    await refused(
      'Users/bulk',
      before.map(({ id }) => ({ Id: id, IsAdministrator: false })),
      { status: 409, says: /^\[\d\]\./ },
    );
    const answers = await Promise.all([
      send('Users/9', { IsAdministrator: false }, { as: 'admin' }),
      send('Users/1', { IsAdministrator: false }, { as: 'grace' }),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect([403, 409]).toContain(statuses.find((status) => status !== 200));
    const [left] = await app.rows(administrators);
    await refused(
      `Users/${left.id}`,
      { IsAdministrator: false },
      { as: left.id === 1 ? 'admin' : 'grace', status: 409 },
    );
    await app.rows(`update general_user set is_administrator = true where id in (1, 9)`);
    // Who a caller is may be known for a second.
    await until(async () => (await app.ask('/api/v1/Users/9?include=[Email]', { as: 'admin' })).text.includes('@'));
  });
});

describe('C20: TagObjects', () => {
  let tag: { Id: number; Name: string };
  beforeAll(async () => {
    tag = (await send('Tags', { Name: 'Known Tag' })).json;
  });

  it.each([
    ['a name that exists', () => [{ Name: 'Known Tag' }], 400, /^TagObjects\[0\]\.Name: /],
    ['in another letter case', () => [{ Name: 'kNOWN tAG' }], 400, /^TagObjects\[0\]\.Name: /],
    ['with spaces around', () => [{ Name: ' Known Tag ' }], 400, /^TagObjects\[0\]\.Name: /],
    [
      'a new name and one that exists',
      () => [{ Name: 'never-3' }, { Name: 'known tag' }],
      400,
      /^TagObjects\[1\]\.Name: /,
    ],
    ['a new name twice', () => [{ Name: 'never-4' }, { Name: 'NEVER-4' }], 400, /^TagObjects\[1\]\.Name: /],
    ['an Id that does not exist', () => [{ Id: 999_999 }], 404, /^TagObjects\[0\]\.Id: /],
    ['an Id that exists and one that does not', () => [{ Id: tag.Id }, { Id: 999_999 }], 404, /^TagObjects\[1\]\.Id: /],
    [
      'a new name and an Id that does not exist',
      () => [{ Name: 'never-5' }, { Id: 999_999 }],
      404,
      /^TagObjects\[1\]\.Id: /,
    ],
    ['no name', () => [{ Name: ' ' }], 400, /^TagObjects\[0\]\.Name: /],
    ['nothing', () => [{}], 400, /^TagObjects\[0\]/],
    ['null', () => [null], 400, /^TagObjects\[0\]/],
    ['a text', () => 'a,b', 400, /^TagObjects: /],
    ['no list', () => ({ Items: { Name: 'never-6' } }), 400, /^TagObjects: /],
    ['a name with a comma', () => [{ Name: 'never, ever' }], 400, /^TagObjects\[0\]\.Name: /],
    ['a long name', () => [{ Name: 'x'.repeat(256) }], 400, /^TagObjects\[0\]\.Name: /],
    [
      'renaming a tag to one that exists',
      () => [{ Id: tag.Id, Name: 'known tag' }, { Name: 'Known tag' }],
      400,
      /^TagObjects\[1\]/,
    ],
  ])('%s fails, and nothing is added', async (_, tags, status, says) => {
    await refused('UserStories', story({ TagObjects: tags() }), { status, says });
    await refused(`UserStories/${mine.story}`, { TagObjects: { Items: tags() } }, { status });
    await refused('Bugs/bulk', [story(), story({ TagObjects: tags() })], { status, says: /^\[1\]\.TagObjects/ });
  });

  it('one new name in two items of a bulk fails', async () => {
    const list = [story({ TagObjects: [{ Name: 'never-7' }] }), story({ TagObjects: [{ Name: 'Never-7' }] })];
    await refused('UserStories/bulk', list, { says: /^\[1\]\.TagObjects\[0\]\.Name: / });
  });

  it.each(['UserStories', 'Tags'])('of creates of one new name at one moment, in %s, one succeeds', async (path) => {
    for (let round = 0; round < 5; round += 1) {
      const before = await counts();
      const name = (at: number) => (at % 2 ? `Race ${path} ${round}` : `RACE ${path} ${round}`);
      const body = (at: number) => (path === 'Tags' ? { Name: name(at) } : story({ TagObjects: [{ Name: name(at) }] }));
      const answers = await Promise.all([0, 1].map((at) => send(path, body(at))));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
      const loser = answers.find(({ status }) => status === 400)!;
      expect(loser.json.Message).toMatch(/Name: the tag '.*' exists already/);
      const after = await counts();
      const isStory = path === 'UserStories' ? 1 : 0;
      expect([after.tag - before.tag, after.general_tag - before.general_tag, after.general - before.general]).toEqual([
        1,
        isStory,
        isStory,
      ]);
    }
  });

  it('while by Tags all of them succeed, with one tag', async () => {
    const before = await counts();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        send('UserStories', story({ Tags: at % 2 ? 'Shared, Other' : 'OTHER, shared' })),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const after = await counts();
    expect([after.tag - before.tag, after.general_tag - before.general_tag]).toEqual([2, 12]);
  });
});

describe('C24: bulk', () => {
  it.each([
    ['nothing', ''],
    ['an entity', '{"Name":"x"}'],
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    ['no items', '{"Items":[]}'],
    ['items that are no list', '{"Items":{"Name":"x"}}'],
    ['null', 'null'],
    ['a null item', '[{"Name":"x"},null]'],
    ['a number', '[5]'],
    ['lists in a list', '[[{"Name":"x"}]]'],
    ['more beside the items', '{"Items":[{"Name":"x"}],"More":1}'],
    ['an empty entity', '[{}]'],
  ])('%s is no list of entities', async (_, body) => void (await refused('UserStories/bulk', body)));

  it('more than 1000 are too many', async () => {
    const list = Array.from({ length: 1001 }, () => story());
    await refused('UserStories/bulk', list, { says: /1001 entities; at most 1000/ });
    await refused('UserStories/bulk', { Items: list }, { says: /1001 entities; at most 1000/ });
  });

  const spoiled: [string, (item: Record<string, unknown>) => unknown, number, RegExp][] = [
    ['no entity', () => null, 400, /^\[117\]: /],
    ['a list', () => [], 400, /^\[117\]: /],
    ['an unknown member', (item) => ({ ...item, Nmae: 1 }), 400, /^\[117\]\.Nmae: .*'Name'/],
    ['no name', (item) => ({ ...item, Name: undefined }), 400, /^\[117\]\.Name: /],
    ['a long name', (item) => ({ ...item, Name: 'x'.repeat(256) }), 400, /^\[117\]\.Name: /],
    ['a control character', (item) => ({ ...item, Name: 'a\u0001' }), 400, /^\[117\]\.Name: /],
    ['an unknown project', (item) => ({ ...item, Project: { Id: 999_999 } }), 400, /^\[117\]\.Project\.Id: /],
    ['an unknown id', (item) => ({ ...item, Id: 999_999 }), 404, /^\[117\]\.Id: /],
    ['a state of another workflow', (item) => ({ ...item, EntityState: { Id: 1 } }), 400, /^\[117\]\.EntityState/],
    ['an unknown state', (item) => ({ ...item, EntityState: { Name: 'Nowhere' } }), 400, /^\[117\]\.EntityState/],
    ['a date', (item) => ({ ...item, StartDate: 'soon' }), 400, /^\[117\]\.StartDate: /],
    ['a number', (item) => ({ ...item, Effort: -1 }), 400, /^\[117\]\.Effort: /],
    [
      'a number that only the database refuses',
      (item) => ({ ...item, InitialEstimate: '99999999999999.99999' }),
      400,
      /^\[117\]\.InitialEstimate/,
    ],
    [
      'an assignment',
      (item) => ({ ...item, Assignments: [{ GeneralUser: { Id: 25 } }] }),
      400,
      /^\[117\]\.Assignments\[0\]/,
    ],
    [
      'a role effort',
      (item) => ({ ...item, RoleEfforts: [{ Role: { Id: 1 }, Effort: -1 }] }),
      400,
      /^\[117\]\.RoleEfforts\[0\]\.Effort: /,
    ],
    ['a task', (item) => ({ ...item, Tasks: [{ Name: 'ok' }, { Name: ' ' }] }), 400, /^\[117\]\.Tasks\[1\]\.Name: /],
    [
      'a comment',
      (item) => ({ ...item, Comments: [{ Description: 'ok', ParentId: 999_999 }] }),
      400,
      /^\[117\]\.Comments\[0\]\.ParentId: /,
    ],
    [
      'a relation',
      (item) => ({ ...item, SlaveRelations: [{ Slave: { Id: 999_999 }, RelationType: { Id: 2 } }] }),
      400,
      /^\[117\]\.SlaveRelations\[0\]\.Slave\.Id: /,
    ],
    ['a tag', (item) => ({ ...item, Tags: 't'.repeat(300) }), 400, /^\[117\]\.Tags: /],
    [
      'a custom field',
      (item) => ({ ...item, CustomFields: [{ Name: 'Risk', Value: 'Extreme' }] }),
      400,
      /^\[117\]\.CustomFields\[0\]\.Value: /,
    ],
  ];

  it.each(spoiled)('%s in item 117 of 200 takes all of them back', async (name, spoil, status, says) => {
    const list: unknown[] = Array.from({ length: 200 }, (_, at) =>
      story({
        Name: `b${at}`,
        Tags: `never ${name}`,
        Assignments: [{ GeneralUser: { Id: 3 } }],
        Comments: [{ Description: 'c' }],
      }),
    );
    list[3] = { Id: mine.story, Name: 'changed in vain' };
    list[117] = spoil({ Name: 'bad', Project: { Id: mine.project } });
    await refused('UserStories/bulk', list, { status, says });
  });

  it('one entity is not changed twice, directly or through a collection', async () => {
    const id = await ownStory();
    const task = (await send('Tasks', { Name: 't', UserStory: { Id: id } })).json.Id;
    await refused(
      'UserStories/bulk',
      [
        { Id: id, Name: 'a' },
        { Id: String(id), Name: 'b' },
      ],
      { says: /^\[1\]\.Id: .*twice/ },
    );
    await refused(
      'UserStories/bulk',
      [
        {
          Id: id,
          Tasks: [
            { Id: task, Name: 'a' },
            { Id: task, Name: 'b' },
          ],
        },
      ],
      { says: /^\[0\]\.Tasks\[1\]\.Name: .*twice/ },
    );
    await refused(
      'Generals/bulk',
      [
        { Id: id, Name: 'a' },
        { Id: id, Name: 'b' },
      ],
      { says: /^\[1\]\.Id: / },
    );
  });

  it('kinds that cannot be made by their base are named', async () => {
    await refused('Generals/bulk', [{ Id: mine.story, Name: 'x' }, { Name: 'y' }], { says: /^\[1\]/ });
    await refused('Generals', { Name: 'y' }, { status: 405 });
  });
});

describe('C25: at one moment', () => {
  it('bulks that touch the same stories in different order all succeed', async () => {
    const made = await send(
      'UserStories/bulk?include=[Id]',
      Array.from({ length: 100 }, (_, at) => story({ Name: `s${at}` })),
    );
    const ids: number[] = made.json.Items.map(({ Id }: { Id: number }) => Id);
    const bulk = (n: number) => {
      const turned = [...ids.slice(n * 11), ...ids.slice(0, n * 11)];
      const items = (n % 2 ? turned.reverse() : turned).map((Id, at) => ({
        Id,
        Name: `by ${n}`,
        Tags: `tag ${at % 7}, shared ${(n + at) % 5}`,
        EntityState: { Name: n % 2 ? 'In Progress' : 'Open' },
        Assignments: [{ GeneralUser: { Id: 3 + (n % 3) } }],
        RoleEfforts: [{ Role: { Id: 1 }, Effort: n }],
        CustomFields: [{ Name: 'Notes', Value: `${n}` }],
      }));
      return send('UserStories/bulk?include=[Id,Name]', items);
    };
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => bulk(n)));
    expect(answers.map(({ status, text }) => [status, status === 200 ? '' : text])).toEqual(
      answers.map(() => [200, '']),
    );
    const [left] = await app.rows(
      `select count(distinct name)::int as names, count(distinct custom_values ->> 'Notes')::int as notes, count(distinct effort)::int as efforts,
         (select count(*)::int from assignment where assignable_id = any($1)) as assignments,
         (select count(*)::int from role_effort where assignable_id = any($1) and role_id = 1) as "roleEfforts"
       from general where id = any($1)`,
      [ids],
    );
    expect(left).toEqual({ names: 1, notes: 1, efforts: 1, assignments: 300, roleEfforts: 100 });
  }, 60_000);

  it('tasks, times and comments for the same stories from both ends all succeed, and the totals are right', async () => {
    const made = await send(
      'UserStories/bulk?include=[Id]',
      Array.from({ length: 20 }, (_, at) => story({ Name: `t${at}`, Feature: { Id: mine.feature } })),
    );
    const ids: number[] = made.json.Items.map(({ Id }: { Id: number }) => Id);
    const writes = Array.from({ length: 12 }, (_, n) => {
      const order = n % 2 ? [...ids].reverse() : ids;
      if (n % 3 === 0)
        return send(
          'Tasks/bulk?include=[Id]',
          order.map((Id) => ({ Name: `task ${n}`, UserStory: { Id }, RoleEfforts: [{ Role: { Id: 1 }, Effort: 1 }] })),
        );
      if (n % 3 === 1)
        return send(
          'Times/bulk?include=[Id]',
          order.map((Id) => ({ Assignable: { Id }, Spent: 1, Remain: 0, Role: { Id: 1 } })),
        );
      return send(
        'Comments/bulk?include=[Id]',
        order.map((Id) => ({ Description: 'c', General: { Id } })),
      );
    });
    const answers = await Promise.all(writes);
    expect(answers.map(({ status, text }) => [status, status === 200 ? '' : text])).toEqual(
      answers.map(() => [200, '']),
    );
    const [left] = await app.rows(
      `select array_agg(distinct effort::float8) as effort, array_agg(distinct time_spent::float8) as spent,
         (select count(*)::int from comment where general_id = any($1)) as comments,
         (select count(*)::int from general where user_story_id = any($1)) as tasks
       from general where id = any($1)`,
      [ids],
    );
    expect(left).toEqual({ effort: [4], spent: [4], comments: 80, tasks: 80 });
  }, 60_000);

  it('an update that waited for a deletion finds nothing to update', async () => {
    const id = await ownStory({ Tasks: [{ Name: 'a' }] });
    const holder = await app.database.connect();
    await holder.query('begin');
    await holder.query('select from general where id = $1 for update', [id]);
    const deletion = app.ask(`/api/v1/UserStories/${id}`, { method: 'DELETE' });
    await lockWaiters(holder);
    const update = send(`UserStories/${id}`, { Name: 'late', Tasks: [{ Name: 'late' }] });
    await lockWaiters(holder, 2);
    await holder.query('commit');
    holder.release();
    expect([(await deletion).status, (await update).status]).toEqual([200, 404]);
    expect(
      await app.rows("select from general where user_story_id = $1 and (delete_date is null or name = 'late')", [id]),
    ).toEqual([]);
  });

  it('updates and deletions of one story leave it changed or gone, never half', async () => {
    const id = await ownStory({ Tasks: [{ Name: 'a' }, { Name: 'b' }] });
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, (_, n) =>
        send(`UserStories/${id}`, { Name: `n${n}`, Tasks: [{ Name: `more ${n}` }] }),
      ),
      ...Array.from({ length: 3 }, () => app.ask(`/api/v1/UserStories/${id}`, { method: 'DELETE' })),
    ]);
    const deletions = answers.slice(4).map(({ status }) => status);
    expect(deletions.sort()).toEqual([200, 404, 404]);
    for (const { status } of answers.slice(0, 4)) expect([200, 400, 404]).toContain(status);
    const left = await app.rows(
      'select count(*)::int as n from general where user_story_id = $1 and delete_date is null',
      [id],
    );
    expect(left).toEqual([{ n: 0 }]);
  });
});

describe('C32: Idempotency-Key', () => {
  const create = (key: string, body: unknown, as?: string, path = 'UserStories') =>
    send(path, body, { as, headers: { 'idempotency-key': key } });

  it('in parallel makes one row and one answer', async () => {
    const before = await counts();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('parallel', story({ Name: 'once' }))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const after = await counts();
    expect([after.general - before.general, after.idempotency_key - before.idempotency_key]).toEqual([1, 1]);
  });

  it('with another body, path or format is 409, whichever comes first', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => create('disputed', story({ Name: `n${n}` }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    await refused('UserStories', story({ Name: 'n5' }), {
      status: 409,
      headers: { 'idempotency-key': 'disputed' },
      says: /Idempotency-Key/,
    });
    await refused('Bugs', story({ Name: 'n1' }), { status: 409, headers: { 'idempotency-key': 'disputed' } });
  });

  it('of another caller is another key', async () => {
    const [mineOnce, theirs] = [await create('common', story()), await create('common', story(), 'alice')];
    expect([mineOnce.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.json.Id).not.toBe(mineOnce.json.Id);
  });

  it.each(['', 'with space', 'x'.repeat(256), '\u00e9', 'a\tb'])('%j is none', async (key) => {
    await refused('UserStories', story(), { headers: { 'idempotency-key': key }, says: /^Idempotency-Key/ });
  });

  it('is not used up by what was refused, however', async () => {
    for (const body of [
      {},
      '{',
      story({ Nope: 1 }),
      story({ Project: { Id: 999_999 } }),
      story({ InitialEstimate: '99999999999999.99999' }),
    ]) {
      await refused('UserStories', body, { headers: { 'idempotency-key': 'refused' } });
    }
    expect((await create('refused', story())).status).toBe(201);
  });
});

describe('C33: If-Match', () => {
  it('of updates with one stamp lets one through', async () => {
    const id = await ownStory();
    const tag = (await app.ask(`/api/v1/UserStories/${id}`)).headers.get('etag')!;
    const update = (n: number) => send(`UserStories/${id}`, { Name: `n${n}` }, { headers: { 'if-match': tag } });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => update(n)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    const won = answers.find(({ status }) => status === 200)!;
    expect((await app.json(`/api/v1/UserStories/${id}`)).Name).toBe(won.json.Name);
  });

  it.each(['"0"', '"999999-x"', '"0", "7"', '""', '"-"'])('%s is stale: 412, in JSON and XML', async (tag) => {
    const id = await ownStory();
    await send(`UserStories/${id}`, { Name: 'b' });
    const before = await counts();
    for (const body of [{ Name: 'c' }, '<UserStory Name="c"/>']) {
      const answer = await send(`UserStories/${id}`, body, { headers: { 'if-match': tag } });
      expect([answer.status, answer.text]).toEqual([412, expect.stringContaining('PreconditionFailed')]);
    }
    expect(await counts()).toEqual(before);
  });

  it.each(['x', "'1'", 'W/'])('%s is no stamp: 400', async (tag) => {
    await refused(`UserStories/${mine.story}`, { Name: 'c' }, { headers: { 'if-match': tag }, says: /^If-Match/ });
  });

  it('for an entity that is to be made never matches', async () => {
    const before = await counts();
    const answer = await send('UserStories', story(), { headers: { 'if-match': '"1-x"' } });
    expect([400, 412]).toContain(answer.status);
    expect(await counts()).toEqual(before);
  });
});

describe('C31: methods', () => {
  it.each([
    ['PUT', '/{id}'],
    ['PATCH', '/{id}'],
    ['TRACE', '/{id}'],
    ['OPTIONS', '/{id}'],
    ['PROPFIND', '/{id}'],
    ['PUT', '/bulk'],
    ['PATCH', '/bulk'],
    ['PUT', '/{id}/Tasks'],
    ['PUT', ''],
    ['DELETE', ''],
  ])('%s /UserStories%s is 405 and tells what is allowed', async (method, where) => {
    const path = `/api/v1/UserStories${where.replace('{id}', String(mine.story))}?format=json`;
    const before = await counts();
    for (const body of [undefined, ...(method === 'TRACE' ? [] : ['{"Name":"y"}'])]) {
      const { status, headers, text } = await raw(method, path, body);
      expect([status, JSON.parse(text).Status]).toEqual([405, 'MethodNotAllowed']);
      expect(headers.allow).toMatch(/POST/);
      expect(headers.allow).not.toContain(method);
    }
    expect(await counts()).toEqual(before);
  });

  it.each(['x-http-method-override', 'x-http-method', 'x-method-override'])('%s means nothing', async (header) => {
    const id = await ownStory();
    for (const path of [`UserStories/${id}`, `UserStories/${id}?_method=DELETE`]) {
      const answer = await send(path, { Name: 'still here' }, { headers: { [header]: 'DELETE' } });
      expect([answer.status, answer.json.Name]).toEqual([200, 'still here']);
    }
  });

  it('GET with a body writes nothing, and HEAD has none', async () => {
    const before = await counts();
    const got = await raw('GET', `/api/v1/UserStories/${mine.story}?format=json`, '{"Name":"y"}');
    expect([got.status, JSON.parse(got.text).Id]).toEqual([200, mine.story]);
    const head = await raw('HEAD', `/api/v1/UserStories/${mine.story}?format=json`);
    expect([head.status, head.text, head.headers['content-type']]).toEqual([
      200,
      '',
      'application/json; charset=utf-8',
    ]);
    expect(await counts()).toEqual(before);
  });

  interface Raw {
    status: number;
    headers: Record<string, string | string[] | undefined>;
    text: string;
  }

  /** Methods that fetch does not let through. */
  function raw(method: string, path: string, body?: string): Promise<Raw> {
    const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
    const sent = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    return new Promise((resolve, reject) => {
      const request = httpRequest(app.base + path, { method, headers: { authorization, ...sent } }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      });
      request.on('error', reject);
      request.end(body);
    });
  }
});

describe('after all this', () => {
  it('nothing was answered with a fault, and the service is alive', async () => {
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect((await app.ask('/health/live', { as: 'nobody' })).status).toBe(200);
    expect((await app.json('/api/v1/UserStories?take=1')).Items).toHaveLength(1);
  });
});
