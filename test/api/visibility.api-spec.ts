/**
 * What a member sees, through every way of asking: lists, ids, nested items, counts, filters, sort orders and
 * references.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let member: { id: number; login: string };
let mine: number[];
let teams: number[];
let foreign: { id: number; name: string; bug: number; story: number };

beforeAll(async () => {
  app = await TestApp.start();
  [member] =
    (await app.rows(`select u.id, u.login from general_user u where kind = 'User' and is_active and delete_date is null and not is_administrator
    and not coalesce(is_observer, false) and (select count(distinct project_id) from project_member m where m.user_id = u.id) between 1 and 3
    order by u.id limit 1`)) as [typeof member];
  mine = (
    await app.rows(
      `select p.id from general p where p.entity_type_id = 1 and p.delete_date is null and (p.id in (select project_id from project_member where user_id = $1)
    or p.id in (select project_id from team_project where team_id in (select team_id from team_member where user_id = $1))) order by id`,
      [member.id],
    )
  ).map((row) => row.id);
  teams = (await app.rows('select team_id id from team_member where user_id = $1', [member.id])).map((row) => row.id);
  [foreign] = (await app.rows(
    `select p.id, p.name,
      (select min(b.id) from general b where b.project_id = p.id and b.entity_type_id = 8 and b.delete_date is null and not exists (select 1 from team_assignment a where a.assignable_id = b.id and a.team_id = any($2))) bug,
      (select min(s.id) from general s where s.project_id = p.id and s.entity_type_id = 4 and s.delete_date is null and not exists (select 1 from team_assignment a where a.assignable_id = s.id and a.team_id = any($2))) story
    from general p where p.entity_type_id = 1 and p.delete_date is null and p.id <> all($1) order by p.id limit 1`,
    [mine, teams],
  )) as [typeof foreign];
});
afterAll(() => app.stop());

const as = () => ({ as: member.login });

/** Ids of one kind that lie in the member's projects or are assigned to the member's teams. */
const visible = async (kind: number): Promise<number[]> =>
  (
    await app.rows(
      `select id from general g where entity_type_id = $1 and delete_date is null and (project_id = any($2)
    or exists (select 1 from team_assignment a where a.assignable_id = g.id and a.team_id = any($3))) order by id`,
      [kind, mine, teams],
    )
  ).map((row) => row.id);
const listed = async (path: string): Promise<number[]> =>
  (await app.items(path, as())).map((item) => item.Id).sort((a, b) => a - b);

it('has a member with some projects and a project that is none of them', () => {
  expect(mine.length).toBeGreaterThan(0);
  expect(foreign.story).toEqual(expect.any(Number));
  expect(foreign.bug).toEqual(expect.any(Number));
});

describe('lists', () => {
  it.each([
    ['UserStories', 4],
    ['Bugs', 8],
    ['Features', 9],
    ['Requests', 17],
  ])('%s', async (collection, kind) => {
    expect(await listed(`/api/v1/${collection}?take=1000&include=[Id]`)).toEqual((await visible(kind)).slice(0, 1000));
  });

  it('projects are those of the member', async () => expect(await listed('/api/v1/Projects?take=1000')).toEqual(mine));

  it('generals hold nothing of a foreign project', async () => {
    const items = await app.items('/api/v1/Generals?take=1000&include=[Project,EntityType]', as());
    for (const item of items) {
      if (item.Project) expect(mine).toContain(item.Project.Id);
      if (item.EntityType.Id === 1) expect(mine).toContain(item.Id);
    }
  });

  it.each([
    'Comments',
    'Times',
    'Assignments',
    'TeamAssignments',
    'RoleEfforts',
    'Relations',
    'Attachments',
    'ProjectMembers',
    'TestSteps',
    'UserStorySimpleHistories',
  ])('%s are those of visible entities', async (collection) => {
    const everything = (
      await app.items(
        `/api/v1/${collection}?take=1000&include=[Id]&orderByDesc=Id&where=Id gt ${collection === 'RoleEfforts' ? 800 : 0}`,
      )
    ).length;
    const seen = (
      await app.items(
        `/api/v1/${collection}?take=1000&include=[Id]&orderByDesc=Id&where=Id gt ${collection === 'RoleEfforts' ? 800 : 0}`,
        as(),
      )
    ).length;
    expect(seen).toBeLessThan(everything);
  });

  it.each([
    'Users',
    'Teams',
    'Roles',
    'Processes',
    'EntityStates',
    'Priorities',
    'Severities',
    'EntityTypes',
    'CustomFields',
    'Terms',
  ])('%s are readable by every caller', async (collection) => {
    const ids = async (login: string) =>
      (await app.items(`/api/v1/${collection}?take=1000&include=[Id]&orderBy=Id`, { as: login })).map(
        (item) => item.Id,
      );
    expect(await ids(member.login)).toEqual(await ids('admin'));
  });
});

describe('E9: a foreign entity', () => {
  it('is as missing as one that does not exist, on every route', async () => {
    for (const path of ['UserStories', 'Generals', 'Assignables']) {
      const invisible = await app.ask(`/api/v1/${path}/${foreign.story}?format=json`, as());
      const missing = await app.ask(`/api/v1/${path}/99999999?format=json`, as());
      expect([invisible.status, missing.status]).toEqual([404, 404]);
      expect(invisible.json.Message).toBe(missing.json.Message.replace('99999999', String(foreign.story)));
    }
    expect((await app.ask(`/api/v1/UserStories/${foreign.story}/Assignments`, as())).status).toBe(404);
    expect((await app.ask(`/api/v1/Projects/${foreign.id}/UserStories`, as())).status).toBe(404);
  });

  it('B3: is not found by a filter on what it belongs to', async () => {
    for (const where of [
      `Project.Id eq ${foreign.id}`,
      `Project.Name eq '${foreign.name.replaceAll("'", "''")}'`,
      `Project.Id in (${foreign.id})`,
    ]) {
      expect(await listed(`/api/v1/Bugs?take=1000&where=${encodeURIComponent(where)}`), where).toEqual([]);
    }
    expect(await listed(`/api/v1/Comments?take=1000&where=General.Id eq ${foreign.story}`)).toEqual([]);
    expect(await listed(`/api/v1/Times?take=1000&where=Assignable.Id eq ${foreign.story}`)).toEqual([]);
  });

  it('B4: is not counted, not nested and not referred to', async () => {
    const [host] = await app.rows(
      'select id from general where entity_type_id = 4 and delete_date is null and project_id = $1 limit 1',
      [mine[0]],
    );
    await app.rows('update general set user_story_id = $1 where id = $2', [host.id, foreign.bug]);
    const path = `/api/v1/UserStories/${host.id}?include=[Bugs]&append=[Bugs-Count]`;
    const before = await app.json(path, as());
    const everything = await app.json(path);
    expect(everything.Bugs.Items.map((bug: { Id: number }) => bug.Id)).toContain(foreign.bug);
    expect(before.Bugs.Items.map((bug: { Id: number }) => bug.Id)).not.toContain(foreign.bug);
    expect(everything['Bugs-Count'] - before['Bugs-Count']).toBe(
      everything.Bugs.Items.length - before.Bugs.Items.length,
    );
    const filtered = `/api/v1/UserStories?where=(Bugs.Id eq ${foreign.bug})`;
    expect((await app.items(filtered)).map((story) => story.Id)).toEqual([host.id]);
    expect(await listed(filtered)).toEqual([]);

    const [feature] = await app.rows('select id from general where entity_type_id = 9 and project_id = $1 limit 1', [
      foreign.id,
    ]);
    await app.rows('update general set feature_id = $1 where id = $2', [feature.id, host.id]);
    expect((await app.json(`/api/v1/UserStories/${host.id}?include=[Feature]`)).Feature.Id).toBe(feature.id);
    expect((await app.json(`/api/v1/UserStories/${host.id}?include=[Feature]`, as())).Feature).toBeNull();
    const nothing = `/api/v1/UserStories?take=1000&where=${encodeURIComponent(`(Feature is null) and (Id eq ${host.id})`)}`;
    expect(await listed(nothing)).toEqual([host.id]);
  });

  it('cannot be referred to by a write, in the same words as what does not exist', async () => {
    const invisible = await app.post('/api/v1/Bugs?format=json', { Name: 'x', Project: { Id: foreign.id } }, as());
    const missing = await app.post('/api/v1/Bugs?format=json', { Name: 'x', Project: { Id: 99999999 } }, as());
    expect([invisible.status, missing.status]).toEqual([400, 400]);
    expect(invisible.json.Message).toBe(missing.json.Message.replaceAll('99999999', String(foreign.id)));
  });
});

describe('people', () => {
  const secretive = 'include=[Id,Email,Login,LastLoginDate]';

  it('E11: show e-mail, login and last login to administrators and themselves only', async () => {
    const users = await app.items(`/api/v1/Users?take=1000&${secretive}`, as());
    for (const user of users) {
      if (user.Id === member.id) expect(user.Login).toBe(member.login);
      else expect(user).toMatchObject({ Email: null, Login: null, LastLoginDate: null });
    }
    const [other] = await app.rows(
      "select id, login, email from general_user where kind = 'User' and id not in (1, $1) and delete_date is null and email is not null limit 1",
      [member.id],
    );
    expect(await app.json(`/api/v1/Users/${other.id}?${secretive}`)).toMatchObject({
      Login: other.login,
      Email: other.email,
    });
    // What is not shown cannot be found out letter by letter either.
    for (const where of [`Login eq '${other.login}'`, `Email contains '${other.email[0]}'`, `Login gt ''`]) {
      const users = await listed(`/api/v1/Users?take=1000&where=${encodeURIComponent(where)}`);
      expect(
        users.filter((id) => id !== member.id),
        where,
      ).toEqual([]);
    }
  });

  it('remain the authors of what they did after they are deleted', async () => {
    const [story] = await app.rows('select id from general where entity_type_id = 4 and delete_date is null limit 1');
    const [gone] = await app.rows(
      "select id, first_name from general_user where delete_date is not null and kind = 'User' limit 1",
    );
    await app.rows('update general set owner_id = $1 where id = $2', [gone.id, story.id]);
    expect((await app.json(`/api/v1/UserStories/${story.id}?include=[Owner]`)).Owner).toMatchObject({
      Id: gone.id,
      FirstName: gone.first_name,
    });
    expect((await app.ask(`/api/v1/Users/${gone.id}`)).status).toBe(404);
  });
});

describe('who is refused', () => {
  it('requesters, inactive and deleted users, unknown logins and wrong passwords, in the same words', async () => {
    const refused = await app.rows(
      "select login, kind, is_active, delete_date from general_user where login is not null and kind <> 'SystemUser' and (kind = 'Requester' or not is_active or delete_date is not null)",
    );
    expect(refused.length).toBeGreaterThan(2);
    const answers = await Promise.all(
      [...refused.map((row) => row.login), 'nobody-at-all', 'admin:wrong'].map((login) =>
        app.ask('/api/v1/Users?format=json', { as: login.includes(':') ? login : `${login}:demo` }),
      ),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect({ ...answer.json, ErrorId: '' }).toEqual({ ...answers[0]!.json, ErrorId: '' });
    }
  });

  it('observers read and comment, and write nothing else', async () => {
    const [observer] = await app.rows(
      'select login, id from general_user where is_observer and is_active and delete_date is null limit 1',
    );
    const [story] = await app.items('/api/v1/UserStories?take=1&include=[Id,Project]', { as: observer.login });
    expect(story).toBeDefined();
    const refused = await app.post(
      `/api/v1/UserStories/${story.Id}?format=json`,
      { Name: 'x' },
      { as: observer.login },
    );
    expect([refused.status, refused.json.Status]).toEqual([403, 'Forbidden']);
    const comment = await app.post(
      '/api/v1/Comments?format=json',
      { Description: 'seen', General: { Id: story.Id } },
      { as: observer.login },
    );
    expect(comment.json).toMatchObject({ Owner: { Id: observer.id } });
  });

  it('members change no configuration and no users', async () => {
    for (const [path, body] of [
      ['Roles', { Name: 'x' }],
      ['Processes', { Name: 'x' }],
      [`Users/${member.id}`, { IsAdministrator: true }],
      ['Projects', { Name: 'x' }],
    ] as const) {
      expect((await app.post(`/api/v1/${path}?format=json`, body, as())).status, path).toBe(403);
    }
    expect(
      (await app.rows('select is_administrator from general_user where id = $1', [member.id]))[0].is_administrator,
    ).toBe(false);
  });
});
