/** Deleting: what goes, what goes along, what stays, and what is refused. */
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

const remove = (path: string, ask = {}) => app.ask(`/api/v1/${path}`, { method: 'DELETE', ...ask });
const status = async (path: string): Promise<number> => (await app.ask(`/api/v1/${path}`)).status;

const write = (path: string, body: unknown) => app.write(path, body);

describe('the answer', () => {
  it('is empty for XML, tells type and id in JSON, and 404 the second time', async () => {
    const first = await write('Bugs', { Name: 'a', Project: { Id: project } });
    const xml = await remove(`Bugs/${first.Id}/`);
    expect([xml.status, xml.text, xml.headers.get('content-length'), xml.headers.get('content-type')]).toEqual([
      200,
      '',
      '0',
      null,
    ]);
    const again = await remove(`bugs/${first.Id}?format=json`);
    expect([again.status, again.json.Message]).toEqual([
      404,
      `Bug with Id ${first.Id} not found or access is forbidden.`,
    ]);
    const second = await write('Bugs', { Name: 'b', Project: { Id: project } });
    const json = await remove(`Bug/${second.Id}`, { headers: { accept: 'application/json' } });
    expect([json.status, json.json]).toEqual([200, { ResourceType: 'Bug', Id: second.Id }]);
  });

  it('is 405 where nothing can be deleted, 404 where nothing is, and 400 where no id is said', async () => {
    const refused = await remove('EntityTypes/4?format=json');
    expect([refused.status, refused.json.Status]).toEqual([405, 'MethodNotAllowed']);
    expect([
      await (await remove('UserStories/999999')).status,
      (await remove('UserStories/x')).status,
      (await remove('Tasks/8')).status,
    ]).toEqual([404, 400, 404]);
    const put = await app.ask('/api/v1/UserStories/5?format=json', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, DELETE']);
  });
});

describe('what a deletion took along', () => {
  const asked = ['xml', 'json'] as const;
  const again = async (path: string, as?: string): Promise<number[]> =>
    Promise.all(asked.map(async (format) => (await remove(`${path}?format=${format}`, { as })).status));

  it('is deleted once more with 200 within a day, by whoever may know of it', async () => {
    const story = await write('UserStories?include=[Tasks,RoleEfforts]', {
      Name: 'goes',
      Project: { Id: project },
      Tasks: [{ Name: 'goes along' }],
      RoleEfforts: [{ Role: { Id: 1 }, Effort: 1 }],
    });
    const task = story.Tasks.Items[0].Id;
    const comment = await write('Comments', { Description: 'said', General: { Id: task } });
    const login = 'the.outsider';
    await write('Users', { Login: login, Email: `${login}@example.com`, Password: chosenPassword });
    const along = [`Tasks/${task}`, `Comments/${comment.Id}`, `RoleEfforts/${story.RoleEfforts.Items[0].Id}`];
    expect((await remove(`UserStories/${story.Id}`)).status).toBe(200);
    for (const path of along) {
      expect([path, await again(path), await again(path, 'alice')]).toEqual([path, [200, 200], [200, 200]]);
      expect([path, await again(path, login)]).toEqual([path, [404, 404]]);
      expect(await status(path)).toBe(404);
    }
    const answer = await remove(`Tasks/${task}?format=json`);
    expect(answer.json).toEqual({ ResourceType: 'Task', Id: task });
    for (const tag of ['"5-x"', '*'])
      expect((await remove(`Tasks/${task}`, { headers: { 'if-match': tag } })).status).toBe(200);
    expect(await again(`UserStories/${story.Id}`)).toEqual([404, 404]);
    const other = await write('Bugs', { Name: 'left', Project: { Id: project } });
    const bulk = await remove('Generals/bulk?format=json', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ Id: task }, { Id: other.Id }]),
    });
    expect([bulk.status, await status(`Bugs/${other.Id}`)]).toEqual([200, 404]);
    await app.rows(`update general set delete_date = now() - interval '25 hours' where id = any($1)`, [
      [story.Id, task],
    ]);
    for (const path of along) expect(await again(path)).toEqual([404, 404]);
  });
});

describe('what was deleted for good with something else', () => {
  const outsider = 'the.other.outsider';
  const asked = ['xml', 'json'] as const;
  const again = async (path: string, as = 'admin'): Promise<number[]> =>
    Promise.all(asked.map(async (format) => (await remove(`${path}?format=${format}`, { as })).status));
  beforeAll(async () => {
    await write('Users', { Login: outsider, Email: `${outsider}@example.com`, Password: chosenPassword });
  });

  const role = () => write('Roles?include=[RoleEntityTypes]', { Name: `goes ${Math.random()}` });
  const process = () => write('Processes?include=[Workflows,EntityStates]', { Name: `goes ${Math.random()}` });

  it.each([
    ['rights of a role', 'Roles', role, 'RoleEntityTypes', 403],
    ['workflows of a process', 'Processes', process, 'Workflows', 403],
    ['states of a process', 'Processes', process, 'EntityStates', 403],
    [
      'files of a revision',
      'Revisions',
      () =>
        write('Revisions?include=[RevisionFiles]', {
          SourceControlId: '1',
          Project: { Id: project },
          RevisionFiles: [{ FileName: 'a.txt', FileAction: 'Add' }],
        }),
      'RevisionFiles',
      200,
    ],
  ])('%s: 200 once more, as for one that is there to those who may not delete it', async (_, kind, make, parts, alice) => {
    const made = await make();
    const { Id } = made[parts].Items[0];
    expect((await remove(`${kind}/${made.Id}`)).status).toBe(200);
    expect(await again(`${parts}/${Id}`)).toEqual([200, 200]);
    expect(await again(`${parts}/${Id}`, 'alice')).toEqual([alice, alice]);
    expect(await again(`${parts}/${Id}`, outsider)).toEqual(alice === 200 ? [404, 404] : [403, 403]);
    expect((await remove(`${parts}/${Id}?format=json`)).json).toEqual({ ResourceType: expect.any(String), Id });
    await app.rows(`update taken_along set date = now() - interval '25 hours' where id = $1`, [Id]);
    expect(await again(`${parts}/${Id}`)).toEqual([404, 404]);
    expect(await again(`${parts}/${Id}`, 'alice')).toEqual([404, 404]);
  });

  it('team assignments of a team: 200 to those who see the item', async () => {
    const team = await write('Teams', { Name: 'goes' });
    const story = await write('UserStories?include=[AssignedTeams]', {
      Name: 's',
      Project: { Id: project },
      AssignedTeams: [{ Team: { Id: team.Id } }],
    });
    const path = `TeamAssignments/${story.AssignedTeams.Items[0].Id}`;
    expect((await remove(`Teams/${team.Id}`)).status).toBe(200);
    expect([await again(path), await again(path, 'alice'), await again(path, outsider)]).toEqual([
      [200, 200],
      [200, 200],
      [404, 404],
    ]);
    // The item itself went later.
    expect((await remove(`UserStories/${story.Id}`)).status).toBe(200);
    expect([await again(path, 'alice'), await again(path, outsider)]).toEqual([
      [200, 200],
      [404, 404],
    ]);
    await app.rows(`update general set delete_date = now() - interval '25 hours' where id = $1`, [story.Id]);
    expect(await again(path, 'alice')).toEqual([404, 404]);
  });

  it('what was deleted by itself is 404', async () => {
    const made = await role();
    const [first] = made.RoleEntityTypes.Items;
    expect((await remove(`RoleEntityTypes/${first.Id}`)).status).toBe(200);
    expect(await again(`RoleEntityTypes/${first.Id}`)).toEqual([404, 404]);
  });
});

describe('what was in a deleted project', () => {
  it('is deleted once more with 200 by its former members, directly or through a team', async () => {
    const outsider = 'a.third.outsider';
    await write('Users', { Login: outsider, Email: `${outsider}@example.com`, Password: chosenPassword });
    const teammate = 'a.teammate';
    const member = await write('Users', {
      Login: teammate,
      Email: `${teammate}@example.com`,
      Password: chosenPassword,
    });
    const [{ id: alice }] = await app.rows(`select id from general_user where login = 'alice'`);
    const made = await write('Projects', {
      Name: 'goes',
      Process: { Id: 3 },
      ProjectMembers: [{ User: { Id: alice } }],
    });
    const team = await write('Teams', { Name: 'works on it', TeamMembers: [{ User: { Id: member.Id } }] });
    await write('TeamProjects', { Team: { Id: team.Id }, Project: { Id: made.Id } });
    const story = await write('UserStories', { Name: 's', Project: { Id: made.Id } });
    const comment = await write('Comments', { Description: 'said', General: { Id: story.Id } });
    const before = await write('Bugs', { Name: 'by itself', Project: { Id: made.Id } });
    await remove(`Bugs/${before.Id}`);
    expect((await remove(`Projects/${made.Id}`)).status).toBe(200);
    for (const path of [`UserStories/${story.Id}`, `Generals/${story.Id}`, `Comments/${comment.Id}`]) {
      const answers = await Promise.all(
        ['admin', 'alice', teammate, outsider].map(async (as) => (await remove(`${path}?format=json`, { as })).status),
      );
      expect([path, ...answers]).toEqual([path, 200, 200, 200, 404]);
    }
    const xml = await remove(`UserStories/${story.Id}`, { as: outsider });
    const never = await remove('UserStories/999999', { as: outsider });
    const plain = (text: string) => text.replace(/<ErrorId>.*?<.ErrorId>/, '').replaceAll(/\d+/g, 'N');
    expect([xml.status, plain(xml.text)]).toEqual([never.status, plain(never.text)]);
    for (const path of [`Projects/${made.Id}`, `Bugs/${before.Id}`])
      expect((await remove(path, { as: 'alice' })).status).toBe(404);
    await app.rows(`update general set delete_date = now() - interval '25 hours' where id = $1 or project_id = $1`, [
      made.Id,
    ]);
    expect((await remove(`UserStories/${story.Id}`, { as: 'alice' })).status).toBe(404);
  });

  it('is 404 to who lost the project with a team', async () => {
    const login = 'was.in.a.team';
    const user = await write('Users', { Login: login, Email: `${login}@example.com`, Password: chosenPassword });
    const made = await write('Projects', { Name: 'stays', Process: { Id: 3 } });
    const team = await write('Teams', { Name: 'goes', TeamMembers: [{ User: { Id: user.Id } }] });
    await write('TeamProjects', { Team: { Id: team.Id }, Project: { Id: made.Id } });
    await remove(`Teams/${team.Id}`);
    const story = await write('UserStories', { Name: 's', Project: { Id: made.Id } });
    const task = await write('Tasks', { Name: 't', UserStory: { Id: story.Id } });
    await remove(`UserStories/${story.Id}`);
    const answer = await remove(`Tasks/${task.Id}?format=json`, { as: login });
    const never = await remove('Tasks/999999?format=json', { as: login });
    expect([answer.status, never.status]).toEqual([404, 404]);
  });

  describe('who became a member after the deletion', () => {
    const newcomer = async (Login: string): Promise<{ Id: number }> =>
      write('Users', { Login, Email: `${Login}@example.com`, Password: chosenPassword });
    const member = (projectId: number, userId: number) =>
      write('ProjectMembers', { Project: { Id: projectId }, User: { Id: userId } });
    const answers = async (paths: string[], as: string): Promise<number[]> =>
      Promise.all(paths.map(async (path) => (await remove(`${path}?format=json`, { as })).status));

    /** What deletions took along: an item and what hangs on it, and what is gone for good. */
    async function takenAlong(Id: number): Promise<string[]> {
      const story = await write('UserStories?include=[Tasks]', { Name: 's', Project: { Id }, Tasks: [{ Name: 't' }] });
      const [task] = story.Tasks.Items;
      const comment = await write('Comments', { Description: 'said', General: { Id: task.Id } });
      const steps = [{ Description: 'step' }];
      const revision = await write('Revisions?include=[RevisionFiles]', {
        SourceControlId: '1',
        Project: { Id },
        RevisionFiles: [{ FileName: 'a.txt', FileAction: 'Add' }],
      });
      const testCase = await write('TestCases', { Name: 'c', Project: { Id }, TestSteps: steps });
      const plan = await write('TestPlans', { Name: 'p', Project: { Id }, TestCases: [{ Id: testCase.Id }] });
      const run = await write('TestPlanRuns', { TestPlan: { Id: plan.Id } });
      for (const gone of [`UserStories/${story.Id}`, `Revisions/${revision.Id}`, `TestPlans/${plan.Id}`])
        expect((await remove(gone)).status).toBe(200);
      const [file] = revision.RevisionFiles.Items;
      return [`Tasks/${task.Id}`, `Comments/${comment.Id}`, `RevisionFiles/${file.Id}`, `TestPlanRuns/${run.Id}`];
    }

    it('is answered as if it had never been there, directly or through a team', async () => {
      const { Id } = await write('Projects', { Name: 'joined later', Process: { Id: 3 } });
      const [before, after, late, moved] = await Promise.all(
        ['was.there', 'came.later', 'joined.a.team', 'with.a.team'].map(newcomer),
      );
      const [mine, theirs] = [await write('Teams', { Name: 'mine' }), await write('Teams', { Name: 'theirs' })];
      await write('TeamProjects', { Team: { Id: mine.Id }, Project: { Id } });
      await write('TeamMembers', { Team: { Id: theirs.Id }, User: { Id: moved!.Id } });
      await member(Id, before!.Id);
      const paths = await takenAlong(Id);
      await member(Id, after!.Id);
      await write('TeamMembers', { Team: { Id: mine.Id }, User: { Id: late!.Id } });
      await write('TeamProjects', { Team: { Id: theirs.Id }, Project: { Id } });
      for (const login of ['came.later', 'joined.a.team', 'with.a.team'])
        expect([login, ...(await answers(paths, login))]).toEqual([login, 404, 404, 404, 404]);
      expect(await answers(paths, 'was.there')).toEqual([200, 200, 200, 200]);
      expect(await answers(await takenAlong(Id), 'came.later')).toEqual([200, 200, 200, 200]);
    });

    it('also of what hung on an item that is still there, or went later', async () => {
      const { Id } = await write('Projects', { Name: 'still there', Process: { Id: 3 } });
      const [before, after] = await Promise.all(['saw.the.team', 'saw.no.team'].map(newcomer));
      await member(Id, before!.Id);
      const team = await write('Teams', { Name: 'goes' });
      const story = await write('UserStories?include=[AssignedTeams]', {
        Name: 's',
        Project: { Id },
        AssignedTeams: [{ Team: { Id: team.Id } }],
      });
      expect((await remove(`Teams/${team.Id}`)).status).toBe(200);
      await member(Id, after!.Id);
      const path = `TeamAssignments/${story.AssignedTeams.Items[0].Id}`;
      const both = async () => [await answers([path], 'saw.the.team'), await answers([path], 'saw.no.team')];
      expect(await both()).toEqual([[200], [404]]);
      expect((await remove(`UserStories/${story.Id}`)).status).toBe(200);
      expect(await both()).toEqual([[200], [404]]);
    });

    it('also where the membership was of another project before', async () => {
      const [first, second] = [
        await write('Projects', { Name: 'first', Process: { Id: 3 } }),
        await write('Projects', { Name: 'second', Process: { Id: 3 } }),
      ];
      const person = await newcomer('changed.over');
      const membership = await member(first.Id, person.Id);
      const paths = await takenAlong(second.Id);
      await app.rows('update project_member set project_id = $2 where id = $1', [membership.Id, second.Id]);
      expect(await answers(paths, 'changed.over')).toEqual([404, 404, 404, 404]);
    });
  });

  it('a message that lives on is refused as any message is', async () => {
    const story = await write('UserStories', { Name: 's', Project: { Id: project } });
    const message = await write('Messages', { Subject: 'mail', Generals: [{ Id: story.Id }] });
    const answers = async () =>
      Promise.all(
        (['json', 'xml'] as const).map(async (format) => {
          const { status: code, text } = await remove(`Messages/${message.Id}?format=${format}`, { as: 'alice' });
          return [code, text.replace(/"ErrorId":"[^"]*"|<ErrorId>.*?<.ErrorId>/, '')];
        }),
      );
    const there = await answers();
    expect(there.map(([code]) => code)).toEqual([403, 403]);
    expect((await remove(`UserStories/${story.Id}`)).status).toBe(200);
    expect(await answers()).toEqual(there);
    expect(await status(`Messages/${message.Id}`)).toBe(200);
  });
});

it('a link of a deleted release is not there, and stays for its return', async () => {
  const [first, second] = await scrumProjects(app);
  const release = await write('Releases', { Name: 'shared', Project: { Id: first } });
  await write('ReleaseProjects', { Release: { Id: release.Id }, Project: { Id: second } });
  const links = () => app.items(`/api/v1/ReleaseProjects?where=Release.Id eq ${release.Id}&include=[Id]&orderBy=Id`);
  const before = await links();
  expect(before).toHaveLength(2);
  await remove(`Releases/${release.Id}`);
  for (const { Id } of before) {
    expect(await status(`ReleaseProjects/${Id}`)).toBe(404);
    await remove(`ReleaseProjects/${Id}`);
  }
  await app.post('/api/v1/undelete', { EntityType: 'Release', Id: release.Id });
  expect(await links()).toEqual(before);
});

describe('soft deletion', () => {
  it('E10: hides an entity from every read, count, filter and reference at once', async () => {
    const feature = await write('Features', { Name: 'parent', Project: { Id: project } });
    const story = await write('UserStories', {
      Name: 'to go',
      Project: { Id: project },
      Feature: { Id: feature.Id },
      Tags: 'of-the-deleted',
    });
    const bug = await write('Bugs', { Name: 'stays', Project: { Id: project }, UserStory: { Id: story.Id } });
    await write('Comments', { Description: 'said', General: { Id: story.Id } });
    expect((await remove(`UserStories/${story.Id}`)).status).toBe(200);
    for (const path of [
      `UserStories/${story.Id}`,
      `Generals/${story.Id}`,
      `Assignables/${story.Id}`,
      `UserStories/${story.Id}/Tasks`,
      `UserStories/${story.Id}?include=[Name]`,
    ]) {
      expect(await status(path), path).toBe(404);
    }
    expect(await app.items(`/api/v1/UserStories?where=(Id eq ${story.Id})`)).toEqual([]);
    expect(await app.items(`/api/v1/Comments?where=(General.Id eq ${story.Id})`)).toEqual([]);
    expect(await app.items(`/api/v1/Generals?where=(TagObjects.Name eq 'of-the-deleted')`)).toEqual([]);
    expect(
      await app.json(`/api/v1/Features/${feature.Id}?include=[UserStories]&append=[UserStories-Count]`),
    ).toMatchObject({ 'UserStories-Count': 0, UserStories: { Items: [] } });
    expect((await app.json(`/api/v1/Bugs/${bug.Id}`)).UserStory).toBeNull();
    expect((await app.post(`/api/v1/UserStories/${story.Id}`, { Name: 'x' })).status).toBe(404);
    expect((await app.post('/api/v1/Comments', { Description: 'x', General: { Id: story.Id } })).status).toBe(400);
    // Nothing is lost: the row is there, with who deleted it and when.
    const [row] = await app.rows('select delete_date, last_editor_id from general where id = $1', [story.Id]);
    expect([row.delete_date, row.last_editor_id]).toEqual([expect.any(Date), 1]);
  });

  it('of a story takes its tasks along, marked so that they come back with it', async () => {
    const story = await write('UserStories?include=[Tasks]', {
      Name: 's',
      Project: { Id: project },
      Tasks: [{ Name: 'a' }, { Name: 'b' }],
    });
    const [first, second] = story.Tasks.Items;
    await remove(`Tasks/${first.Id}`);
    await remove(`UserStories/${story.Id}`);
    expect([await status(`Tasks/${first.Id}`), await status(`Tasks/${second.Id}`)]).toEqual([404, 404]);
    const rows = await app.rows('select id, deleted_with_id from general where id = any($1) order by id', [
      [first.Id, second.Id],
    ]);
    expect(rows).toEqual([
      { id: first.Id, deleted_with_id: null },
      { id: second.Id, deleted_with_id: story.Id },
    ]);
  });

  it('E10: of a project hides all it holds, with its times and members', async () => {
    const made = await write('Projects', {
      Name: 'short-lived',
      Process: { Id: 3 },
      ProjectMembers: [{ User: { Id: 3 } }],
    });
    const release = await write('Releases', {
      Name: 'r',
      Project: { Id: made.Id },
      StartDate: '2030-01-01',
      EndDate: '2030-02-01',
    });
    const story = await write('UserStories', {
      Name: 's',
      Project: { Id: made.Id },
      Release: { Id: release.Id },
      RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 }],
    });
    const time = await write('Times', { Assignable: { Id: story.Id }, Spent: 1, Remain: 0 });
    expect((await app.ask(`/api/v1/UserStories/${story.Id}`, { as: 'alice' })).status).toBe(200);
    expect((await remove(`Projects/${made.Id}`)).status).toBe(200);
    for (const path of [`Projects/${made.Id}`, `Releases/${release.Id}`, `UserStories/${story.Id}`, `Times/${time.Id}`])
      expect(await status(path), path).toBe(404);
    expect(await app.items(`/api/v1/ProjectMembers?where=(Project.Id eq ${made.Id})`)).toEqual([]);
    expect((await app.post('/api/v1/UserStories', { Name: 'x', Project: { Id: made.Id } })).status).toBe(400);
    const marks = await app.rows('select distinct deleted_with_id from general where project_id = $1', [made.Id]);
    expect(marks).toEqual([{ deleted_with_id: made.Id }]);
  });

  it('leaves nothing alive in a project that is deleted while others write into it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const made = await write('Projects', { Name: `raced ${round}`, Process: { Id: 3 } });
      const story = await write('UserStories', { Name: 'first', Project: { Id: made.Id } });
      const writes = Array.from({ length: 12 }, (_, at) =>
        at % 3 === 0
          ? app.post('/api/v1/Tasks', { Name: `task ${at}`, UserStory: { Id: story.Id } })
          : app.post('/api/v1/Bugs', { Name: `bug ${at}`, Project: { Id: made.Id } }),
      );
      const answers = await Promise.all([...writes.slice(0, 6), remove(`Projects/${made.Id}`), ...writes.slice(6)]);
      for (const answer of answers) expect([200, 201, 400]).toContain(answer.status);
      expect(await app.rows('select id from general where project_id = $1 and delete_date is null', [made.Id])).toEqual(
        [],
      );
    }
  });

  it('keeps the history', async () => {
    const bug = await write('Bugs', { Name: 'b', Project: { Id: project } });
    await remove(`Bugs/${bug.Id}`);
    const rows = await app.rows('select modification from full_history where general_id = $1 order by date, id', [
      bug.Id,
    ]);
    expect(rows.map(({ modification }) => modification)).toEqual(['Add', 'Delete']);
  });
});

describe('real deletion', () => {
  it.each([
    ['Assignments', async (story: number) => ({ Assignable: { Id: story }, GeneralUser: { Id: 3 } })],
    [
      'TeamAssignments',
      async (story: number) => ({
        Assignable: { Id: story },
        Team: { Id: (await app.items('/api/v1/Teams?take=1'))[0].Id },
      }),
    ],
    [
      'Relations',
      async (story: number) => ({ Master: { Id: story }, Slave: { Id: project }, RelationType: { Id: 1 } }),
    ],
    ['Times', async (story: number) => ({ Assignable: { Id: story }, Spent: 1, Remain: 0 })],
    ['Comments', async (story: number) => ({ Description: 'x', General: { Id: story } })],
    ['GeneralFollowers', async (story: number) => ({ General: { Id: story }, User: { Id: 3 } })],
    ['Tags', async (story: number) => ({ Name: `tag of ${story}` })],
    ['CustomActivities', async () => ({ Name: 'meeting', Project: { Id: project } })],
  ])('is that of %s', async (collection, body) => {
    const story = await write('UserStories', { Name: 'linked', Project: { Id: project } });
    const made = await write(collection, await body(story.Id));
    expect((await remove(`${collection}/${made.Id}`)).status).toBe(200);
    expect(await status(`${collection}/${made.Id}`)).toBe(404);
    expect(await status(`UserStories/${story.Id}`)).toBe(200);
  });

  it('of a role effort takes its share from the item', async () => {
    const story = await write('UserStories?include=[RoleEfforts]', {
      Name: 's',
      Project: { Id: project },
      RoleEfforts: [
        { Role: { Id: 1 }, Effort: 3 },
        { Role: { Id: 9 }, Effort: 1 },
      ],
    });
    await remove(`RoleEfforts/${story.RoleEfforts.Items[0].Id}`);
    expect((await app.json(`/api/v1/UserStories/${story.Id}`)).Effort).toBe(1);
  });

  it('of a tag takes it from what had it', async () => {
    const story = await write('UserStories', { Name: 's', Project: { Id: project }, Tags: 'stays, goes' });
    const [tag] = await app.items("/api/v1/Tags?where=(Name eq 'goes')");
    await remove(`Tags/${tag.Id}`);
    expect((await app.json(`/api/v1/UserStories/${story.Id}`)).Tags).toBe('stays');
  });
});

describe('refusals', () => {
  it('403 where something is in use, or the caller may not', async () => {
    const before = await app.rows(
      'select (select count(*) from priority) + (select count(*) from role) + (select count(*) from entity_state) + (select count(*) from process) n',
    );
    for (const path of ['Processes/3', 'EntityStates/46', 'EntityStates/49', 'Priorities/5', 'Roles/1']) {
      const answer = await remove(`${path}?format=json`);
      expect([path, answer.status, answer.json.Status]).toEqual([path, 403, 'Forbidden']);
    }
    expect(
      await app.rows(
        'select (select count(*) from priority) + (select count(*) from role) + (select count(*) from entity_state) + (select count(*) from process) n',
      ),
    ).toEqual(before);
    expect((await remove('Priorities/5', { as: 'alice' })).status).toBe(403);
    expect((await remove(`Projects/${project}`, { as: 'alice' })).status).toBe(403);
    expect(
      (await remove(`Comments/${(await app.items('/api/v1/Comments?take=1'))[0].Id}`, { as: 'uma' })).status,
    ).toBeGreaterThanOrEqual(403);
  });

  it('404 for what the caller may not see, as for what is not there', async () => {
    const [hidden] = await app.rows(
      'select g.id from general g where entity_type_id = 4 and delete_date is null and project_id not in (select project_id from project_member where user_id = 3) and project_id not in (select project_id from team_project tp join team_member m on m.team_id = tp.team_id where m.user_id = 3) and id not in (select assignable_id from team_assignment a join team_member m on m.team_id = a.team_id where m.user_id = 3) limit 1',
    );
    const invisible = await remove(`UserStories/${hidden.id}?format=json`, { as: 'alice' });
    const missing = await remove('UserStories/999999?format=json', { as: 'alice' });
    expect([invisible.status, invisible.json.Message.replace(/\d+/, 'N')]).toEqual([
      missing.status,
      missing.json.Message.replace(/\d+/, 'N'),
    ]);
    expect(await status(`UserStories/${hidden.id}`)).toBe(200);
  });

  it('lets one of two parallel deletions through', async () => {
    const bug = await write('Bugs', { Name: 'once', Project: { Id: project } });
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(`Bugs/${bug.Id}`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404, 404, 404]);
  });
});
