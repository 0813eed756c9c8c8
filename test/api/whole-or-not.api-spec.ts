/**
 * A write happens whole or leaves nothing behind, whatever refuses it and whenever; and only where the caller may
 * write.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
/** Alice is a member of the first and not of the second. */
let own: number;
let foreign: number;
/** A team of hers. */
let team: number;
beforeAll(async () => {
  app = await TestApp.start();
  const members = `(select project_id from project_member where user_id = 3 union
    select tp.project_id from team_project tp join team_member m on m.team_id = tp.team_id where m.user_id = 3)`;
  const kind = 'entity_type_id = 1 and process_id = 3 and delete_date is null';
  own = (await app.rows(`select id from general where ${kind} and id in ${members} order by id limit 1`))[0].id;
  foreign = (await app.rows(`select id from general where ${kind} and id not in ${members} order by id limit 1`))[0].id;
  team = (await app.rows('select min(team_id) id from team_member where user_id = 3'))[0].id;
});
afterAll(() => app.stop());

const post = (path: string, body: unknown, ask = {}) =>
  app.post(`/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`, body, ask);

// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
async function write(path: string, body: unknown, ask = {}): Promise<any> {
  const answer = await post(path, body, ask);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
}

const rows = async (): Promise<unknown> =>
  app.rows(`select (select count(*)::int from general) generals, (select count(*)::int from tag) tags, (select count(*)::int from general_tag) tagged,
    (select count(*)::int from relation) relations, (select count(*)::int from comment) comments, (select count(*)::int from assignment) assignments,
    (select sum(entity_version)::int from general) versions`);

const story = (more: object = {}, Project = own) =>
  write('UserStories', { Name: 'item', Project: { Id: Project }, ...more });

describe('nothing is left behind', () => {
  it('when one of several collections is refused while others are under way', async () => {
    const target = await story();
    const made = await story();
    const before = await rows();
    for (let round = 0; round < 5; round += 1) {
      const answer = await post(`UserStories/${made.Id}`, {
        Assignments: [{ GeneralUser: { Id: 24 }, Role: { Id: 1 } }],
        OutboundRelations: [{ Slave: { Id: target.Id }, RelationType: { Id: 1 } }],
        Tasks: [{ Name: 'leak', Tags: `leak-${round}` }],
        Comments: [{ Description: 'leak' }],
      });
      expect(answer.status).toBe(400);
    }
    // Whatever was still on its way has arrived by the time of another write.
    await write('Tags', { Name: 'arrived' });
    await app.rows("delete from tag where name = 'arrived'");
    expect(await rows()).toEqual(before);
  });

  it.each([
    'include=[Nope]',
    'append=[Nope-Count]',
    'resultInclude=[Id,Tasks[Assignments]]',
    'include=[Id]&exclude=[Name]',
  ])('when the answer cannot be shaped as %s asks', async (query) => {
    const made = await story();
    const before = await rows();
    for (const [path, body] of [
      ['UserStories', { Name: 'unseen', Project: { Id: own } }],
      [`UserStories/${made.Id}`, { Name: 'unseen' }],
      ['UserStories/bulk', [{ Name: 'unseen', Project: { Id: own } }]],
      [`Projects/${own}/UserStories`, { Name: 'unseen' }],
    ] as const) {
      for (const as of ['admin', 'alice']) {
        const { status } = await post(`${path}?${query}`, body, { as });
        expect([400, 405]).toContain(status);
      }
    }
    expect(await rows()).toEqual(before);
  });

  it('when a member would write where only the rules would put it', async () => {
    const seen = await story({ AssignedTeams: [{ Team: { Id: team } }] }, foreign);
    expect((await app.ask(`/api/v1/UserStories/${seen.Id}`, { as: 'alice' })).status).toBe(200);
    const before = await rows();
    expect((await post('Tasks', { Name: 't', UserStory: { Id: seen.Id } }, { as: 'alice' })).status).toBe(403);
    expect(await rows()).toEqual(before);
  });
});

describe('one entity in several places of a body', () => {
  it('must not be said two things about', async () => {
    const made = await story();
    const feature = await write('Features', { Name: 'f', Project: { Id: own } });
    const twice = await post('Builds', {
      Name: 'b',
      Project: { Id: own },
      UserStories: [{ Id: made.Id, Name: 'first' }],
      Features: [{ Id: feature.Id, UserStories: [{ Id: made.Id, Name: 'second' }] }],
    });
    expect([twice.status, twice.json.Message]).toEqual([400, expect.stringContaining('is in the body twice')]);
    const efforts = await post(
      'RoleEfforts/bulk',
      [7, 9].map((Effort) => ({ Assignable: { Id: made.Id }, Role: { Id: 1 }, Effort })),
    );
    expect([efforts.status, efforts.json.Message]).toEqual([400, expect.stringContaining('sent twice')]);
    const both = await post('UserStories', {
      Name: 'x',
      Project: { Id: own },
      AssignedTeams: [{ Team: { Id: team } }],
      TeamStates: [{ Team: { Id: team } }],
    });
    expect(both.status).toBe(201);
  });
});

describe('what hangs together stays together', () => {
  it('tasks and times go where their story goes, and nowhere else', async () => {
    const made = await story({ Tasks: [{ Name: 'a' }, { Name: 'b' }] });
    const [task] = await app.items(`/api/v1/UserStories/${made.Id}/Tasks`);
    const time = await write('Times', { Assignable: { Id: task.Id }, Spent: 1, Remain: 0 });
    expect((await post(`Tasks/${task.Id}`, { Project: { Id: foreign } })).status).toBe(400);
    await write(`UserStories/${made.Id}`, { Project: { Id: foreign } });
    const tasks = await app.items(`/api/v1/UserStories/${made.Id}/Tasks?include=[Project]`);
    expect(tasks.map(({ Project }) => Project.Id)).toEqual([foreign, foreign]);
    expect((await app.json(`/api/v1/Times/${time.Id}`)).Project.Id).toBe(foreign);
    const other = await story();
    expect((await write(`Tasks/${task.Id}`, { UserStory: { Id: other.Id } })).Project.Id).toBe(own);
  });
});

describe('members', () => {
  it('write in their projects; what they see elsewhere they read, and comment on', async () => {
    const seen = await story(
      { AssignedTeams: [{ Team: { Id: team } }], Assignments: [{ GeneralUser: { Id: 7 } }] },
      foreign,
    );
    const [assignment] = await app.items(`/api/v1/UserStories/${seen.Id}/Assignments`);
    const before = await rows();
    const as = 'alice';
    for (const [path, body] of [
      [`UserStories/${seen.Id}`, { Name: 'taken' }],
      [`UserStories/${seen.Id}`, { Project: { Id: own } }],
      [`Assignables/${seen.Id}`, { Name: 'taken' }],
      [`Generals/${seen.Id}`, { Tags: 'taken' }],
      [`UserStories/${seen.Id}/TagObjects`, { Name: 'taken' }],
      ['Assignments', { Assignable: { Id: seen.Id }, GeneralUser: { Id: 3 } }],
      ['RoleEfforts', { Assignable: { Id: seen.Id }, Role: { Id: 1 }, Effort: 1 }],
      [`Projects/${own}`, { Name: 'taken' }],
      ['Programs/1', { Name: 'taken' }],
    ] as const) {
      const { status } = await post(path, body, { as });
      expect([path, [403, 404].includes(status)]).toEqual([path, true]);
    }
    for (const path of [
      `UserStories/${seen.Id}`,
      `Assignments/${assignment.Id}`,
      `UserStories/${seen.Id}/Assignments/${assignment.Id}`,
    ]) {
      expect([path, (await app.ask(`/api/v1/${path}`, { method: 'DELETE', as })).status]).toEqual([path, 403]);
    }
    expect(await rows()).toEqual(before);
    expect((await post('Comments', { Description: 'seen', General: { Id: seen.Id } }, { as })).status).toBe(201);
  });

  it('may send back what they have read', async () => {
    const [bug] = await app.items(`/api/v1/Bugs?where=(Project.Id eq ${own})&take=1&include=[Id]`);
    for (const path of [`Projects/${own}`, `Bugs/${bug.Id}`, 'Tags/1']) {
      const read = await app.ask(`/api/v1/${path}?format=json`, { as: 'alice' });
      expect([path, (await post(path, read.text, { as: 'alice' })).status]).toEqual([path, 200]);
    }
  });
});

describe('at once', () => {
  const deadlocks = async (): Promise<number> => {
    await app.rows('select pg_stat_clear_snapshot()');
    return Number(
      (await app.rows('select deadlocks from pg_stat_database where datname = current_database()'))[0].deadlocks,
    );
  };

  it('writers of an item and of what hangs on it wait for each other, none for ever', async () => {
    const made = await write('UserStories?include=[RoleEfforts,AssignedTeams,Tasks]', {
      Name: 's',
      Project: { Id: own },
      AssignedTeams: [{ Team: { Id: team } }],
      RoleEfforts: [{ Role: { Id: 1 }, Effort: 1 }],
      Tasks: [{ Name: 't' }],
    });
    const [effort] = made.RoleEfforts.Items;
    const [assigned] = made.AssignedTeams.Items;
    const [task] = made.Tasks.Items;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => [
        post(`RoleEfforts/${effort.Id}`, { Effort: at }),
        post(`UserStories/${made.Id}`, { Name: `n${at}`, RoleEfforts: [{ Id: effort.Id, Effort: at + 10 }] }),
        post(`TeamAssignments/${assigned.Id}`, { EntityState: { Id: 46 + (at % 4) } }),
        post(`UserStories/${made.Id}`, { EntityState: { Id: 49 - (at % 4) } }),
        post('Times', { Assignable: { Id: task.Id }, Spent: 1, Remain: 1 }),
        post('Comments', { Description: 'x', General: { Id: made.Id } }),
      ]).flat(),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect(await deadlocks()).toBe(0);
  });
});
