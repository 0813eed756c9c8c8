/** What follows a write of a work item: states and dates, efforts and time, people and teams. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;
let team: number;
let otherTeam: number;
beforeAll(async () => {
  app = await TestApp.start({ TIME_ZONE: 'Europe/Berlin' });
  const [row] = await app.rows(
    `select p.id, (select min(team_id) from team_project where project_id = p.id) as team from general p
     where entity_type_id = 1 and process_id = 3 and delete_date is null order by id limit 1`,
  );
  project = row.id;
  team = row.team;
  const [other] = await app.rows(
    'select id from general where entity_type_id = 23 and delete_date is null and id <> $1 limit 1',
    [team],
  );
  otherTeam = other.id;
});
afterAll(() => app.stop());

const write = (path: string, body: unknown, ask = {}) => app.write(path, body, ask);

async function refused(path: string, body: unknown, message: string | RegExp, status = 400): Promise<void> {
  const answer = await app.post(`/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`, body);
  expect([answer.status, answer.json.Message]).toEqual([
    status,
    typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
  ]);
}

const story = (more: object = {}) => write('UserStories', { Name: 'item', Project: { Id: project }, ...more });

const ms = (date: string): number => Number(/\((\d+)/.exec(date)![1]);
const time = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('states and dates', () => {
  it('follow the moves from the initial state to the final one and back', async () => {
    const start = await story();
    expect([start.EntityState.Name, start.StartDate, start.EndDate, start.LastStateChangeDate]).toEqual([
      'Open',
      null,
      null,
      start.CreateDate,
    ]);
    const doing = await write(`UserStories/${start.Id}`, { EntityState: { Id: 47 } });
    expect(ms(doing.StartDate)).toBeGreaterThanOrEqual(ms(start.CreateDate));
    expect([doing.EndDate, doing.LastStateChangeDate]).toEqual([null, doing.StartDate]);
    const done = await write(`UserStories/${start.Id}`, { EntityState: { Name: 'done' } });
    expect([done.StartDate, done.EndDate, done.Progress]).toEqual([doing.StartDate, done.LastStateChangeDate, 1]);
    const again = await write(`UserStories/${start.Id}`, { EntityState: { Id: 48 } });
    expect([again.StartDate, again.EndDate, again.Progress]).toEqual([doing.StartDate, null, 0]);
  });

  it('a state that does not change is no move', async () => {
    const made = await story({ EntityState: { Id: 47 } });
    const same = await write(`UserStories/${made.Id}`, { EntityState: { Id: 47 }, Name: 'renamed' });
    expect(same.LastStateChangeDate).toBe(made.LastStateChangeDate);
  });

  it('drops an end that is sent for work which is not done, and keeps the start', async () => {
    const open = await story({ StartDate: '2026-01-01', EndDate: '2026-02-01' });
    expect([open.StartDate, open.EndDate]).toEqual(['/Date(1767222000000+0100)/', null]);
    const done = await story({ EntityState: { Id: 49 }, StartDate: '2026-01-01', EndDate: '2026-02-01' });
    expect(done.EndDate).toBe('/Date(1769900400000+0100)/');
  });

  it('start with leaving the initial state alone, and not where a start is taken away', async () => {
    const { Id, ...read } = await story();
    const started = await write(`UserStories/${Id}`, { ...read, EntityState: { Id: 47 } });
    expect(started.StartDate).toBe(started.LastStateChangeDate);
    const cleared = await write(`UserStories/${Id}`, { StartDate: null });
    for (const sent of [{}, { ...cleared }, { StartDate: null }])
      for (const state of [48, 47, 49])
        expect((await write(`UserStories/${Id}`, { ...sent, EntityState: { Id: state } })).StartDate).toBeNull();
    const planned = await story({ StartDate: '2026-01-01' });
    const left = await write(`UserStories/${planned.Id}`, { EntityState: { Id: 47 }, StartDate: null });
    expect(left.StartDate).toBeNull();
  });

  it('lets an item be in any state of its workflow and in no other', async () => {
    const { Id } = await story();
    await write(`UserStories/${Id}`, { EntityState: { Id: 49 } });
    await write(`UserStories/${Id}`, { EntityState: { Id: 46 } });
    await refused(
      `UserStories/${Id}`,
      { EntityState: { Id: 53 } },
      'EntityState: the state 53 is not one of the workflow of this item: ',
    );
    await refused(`UserStories/${Id}`, { EntityState: { Id: 101 } }, 'EntityState: the state 101 is not one');
    await refused(
      `UserStories/${Id}`,
      { EntityState: { Name: 'nowhere' } },
      "EntityState: the state 'nowhere' is not one",
    );
    await refused(`UserStories/${Id}`, { EntityState: null }, 'EntityState: a value is required.');
    // Through a base type the kind is that of the item.
    await refused(`Assignables/${Id}`, { EntityState: { Id: 53 } }, 'EntityState: the state 53 is not one');
    expect((await write(`Assignables/${Id}`, { EntityState: { Id: 48 } })).EntityState.Name).toBe('In Testing');
  });

  it('gives an item that moves to a project of another process the state of the same name', async () => {
    const { Id } = await story({ EntityState: { Id: 47 } });
    const [kanban] = await app.rows(
      'select id from general where entity_type_id = 1 and process_id = 2 and delete_date is null limit 1',
    );
    const moved = await write(`UserStories/${Id}`, { Project: { Id: kanban.id } });
    expect([moved.Project.Id, moved.EntityState.Name]).toEqual([kanban.id, 'In Progress']);
    expect(moved.EntityState.Id).not.toBe(47);
  });

  it('reads a planned day as the whole of it, and refuses an end before the start', async () => {
    const made = await story({ PlannedStartDate: '2030-07-01', PlannedEndDate: '2030-07-31' });
    expect([made.PlannedStartDate, made.PlannedEndDate]).toEqual([
      '/Date(1909087200000+0200)/',
      '/Date(1911765599000+0200)/',
    ]);
    await refused(
      `UserStories/${made.Id}`,
      { PlannedEndDate: '2030-06-01' },
      'PlannedEndDate: the end is before the start.',
    );
    const backwards = {
      Name: 'backwards',
      Project: { Id: project },
      StartDate: '2030-02-01',
      EndDate: '2030-01-01',
    };
    for (const kind of ['Releases', 'TestPlans', 'TestCases', 'Builds'])
      await refused(kind, backwards, 'EndDate: the end is before the start.');
    const plan = await write('TestPlans', { ...backwards, EndDate: '2030-03-01' });
    await refused(`TestPlans/${plan.Id}`, { StartDate: '2030-04-01' }, 'EndDate: the end is before the start.');
    // Work items end when they are done, whatever start was meant for them.
    const done = await story({ StartDate: '2030-02-01', EntityState: { Name: 'Done' }, EndDate: '2030-01-01' });
    expect(done.EndDate).toBe('/Date(1893452400000+0100)/');
  });

  it('takes dates that its clocks show in the years 1 to 9999', async () => {
    const last = await story({
      StartDate: '9999-12-31T23:59:59',
      CustomFields: [{ Name: 'Due', Value: '9999-12-31' }],
    });
    expect((await app.ask(`/api/v1/UserStories/${last.Id}?include=[StartDate]`)).text).toContain(
      '<StartDate>9999-12-31T23:59:59</StartDate>',
    );
    for (const late of ['9999-12-31T23:30:00Z', '/Date(253402300799999)/']) {
      await refused(`UserStories/${last.Id}`, { StartDate: late }, 'StartDate: a date such as');
      const due = { CustomFields: [{ Name: 'Due', Value: late }] };
      await refused(`UserStories/${last.Id}`, due, 'CustomFields[0].Value: a date in the years 1 to 9999');
    }
  });

  it('makes iterations last whole days, counts both ends, and refuses overlaps in one project', async () => {
    const [release] = await app.items('/api/v1/Releases?take=1&include=[Id,Project]');
    const first = await write('Iterations', {
      Name: 'Sprint A',
      Release: { Id: release.Id },
      StartDate: '2035-12-24T10:00:00',
      EndDate: '2035-12-25',
    });
    expect([first.Project.Id, first.StartDate, first.EndDate, first.Duration]).toEqual([
      release.Project.Id,
      '/Date(2082063600000+0100)/',
      '/Date(2082236399000+0100)/',
      2,
    ]);
    await refused(
      'Iterations',
      { Name: 'Sprint B', Project: { Id: release.Project.Id }, StartDate: '2035-12-25', EndDate: '2035-12-31' },
      /^StartDate: 'Sprint B' start\/end dates \(2035-12-25 – 2035-12-31\) are invalid\. The period overlaps 'Sprint A' \(2035-12-24 – 2035-12-25\)\.$/,
    );
    await write('Iterations', {
      Name: 'Sprint C',
      Project: { Id: release.Project.Id },
      StartDate: '2035-12-26',
      EndDate: '2035-12-31',
    });
    await refused(`Iterations/${first.Id}`, { EndDate: '2035-12-28' }, 'overlaps');
    const longer = await write(`Iterations/${first.Id}`, { StartDate: '2035-12-20' });
    expect(longer.Duration).toBe(6);
    // Of several the earliest is named, whatever the order of their rows.
    const Project = { Id: release.Project.Id };
    for (const day of ['14', '07', '21'])
      await write('Iterations', { Name: day, Project, StartDate: `2037-06-${day}`, EndDate: `2037-06-${day}` });
    await refused('Iterations', { Name: 'D', Project, StartDate: '2037-06-01', EndDate: '2037-06-30' }, "'07'");
    const june = (Name: string, first: string, last = first) => ({
      Name,
      Project,
      StartDate: `2037-06-${first}`,
      EndDate: `2037-06-${last}`,
    });
    await refused('Iterations/bulk', [june('E', '25'), june('F', '03'), june('G', '01', '30')], "'F'");
    const parallel = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        app.post('/api/v1/TeamIterations?format=json', {
          Name: `TI ${n}`,
          Team: { Id: team },
          StartDate: '2036-01-01',
          EndDate: '2036-01-14',
        }),
      ),
    );
    expect(parallel.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  });
});

describe('efforts', () => {
  it('are kept for each role of the workflow, and sum up', async () => {
    const made = await write(
      'UserStories?include=[Effort,EffortToDo,EffortCompleted,RoleEfforts[Role,Effort,EffortToDo]]',
      {
        Name: 'estimated',
        Project: { Id: project },
        RoleEfforts: {
          Items: [
            { Role: { Id: 1 }, Effort: 5 },
            { Role: { Id: 9 }, Effort: '2.5' },
          ],
        },
      },
    );
    expect(made).toMatchObject({ Effort: 7.5, EffortToDo: 7.5, EffortCompleted: 0 });
    expect(
      made.RoleEfforts.Items.map((row: { Role: { Id: number }; Effort: number; EffortToDo: number }) => [
        row.Role.Id,
        row.Effort,
        row.EffortToDo,
      ]),
    ).toEqual([
      [1, 5, 5],
      [9, 2.5, 2.5],
    ]);
    // The row of a role that is there is changed, not doubled.
    await write(`UserStories/${made.Id}`, { RoleEfforts: [{ Role: { Id: 1 }, Effort: 1 }] });
    const row = made.RoleEfforts.Items[1];
    await write(`RoleEfforts/${row.Id}?include=[Id]`, { Effort: 3 });
    expect(await app.json(`/api/v1/UserStories/${made.Id}?include=[Effort]&append=[RoleEfforts-Count]`)).toMatchObject({
      Effort: 4,
      'RoleEfforts-Count': 2,
    });
    await refused(
      `UserStories/${made.Id}`,
      { RoleEfforts: [{ Role: { Id: 1 }, Effort: -1 }] },
      'RoleEfforts[0].Effort: must not be negative.',
    );
    await refused(
      `UserStories/${made.Id}`,
      { RoleEfforts: [{ Role: { Id: 5 }, Effort: 1 }] },
      'RoleEfforts[0].Role: no effort is kept for this role.',
    );
  });

  it('can be written as Effort where there is one role only', async () => {
    const { Id } = await story();
    const task = await write('Tasks?include=[Effort,RoleEfforts[Role,Effort]]', {
      Name: 'one role',
      UserStory: { Id },
      Effort: 3,
    });
    expect([task.Effort, task.RoleEfforts.Items.map((row: { Effort: number }) => row.Effort)]).toEqual([3, [3]]);
    expect((await write(`Tasks/${task.Id}`, { Effort: 4 })).Effort).toBe(4);
    await refused(`UserStories/${Id}`, { Effort: 7 }, 'RoleEfforts');
    await refused('UserStories', { Name: 'x', Project: { Id: project }, Effort: 3 }, 'RoleEfforts');
    // What is read may be sent back.
    const { Effort } = await app.json(`/api/v1/UserStories/${Id}`);
    await write(`UserStories/${Id}`, { Effort });
  });

  it('is refused as Effort where another role has some that its workflow knows no longer', async () => {
    const { Id } = await story({ RoleEfforts: [{ Role: { Id: 1 }, Effort: 2 }] });
    await write('Roles/1', { HasEffort: false });
    try {
      await refused(`UserStories/${Id}`, { Effort: 3 }, 'RoleEfforts');
      const xml = await app.post(`/api/v1/UserStories/${Id}`, '<UserStory Effort="3"/>');
      expect([xml.status, xml.text]).toEqual([400, expect.stringContaining('is the sum of several roles here')]);
      expect((await app.json(`/api/v1/UserStories/${Id}?include=[Effort]`)).Effort).toBe(2);
      expect((await write(`UserStories/${(await story()).Id}`, { Effort: 3 })).Effort).toBe(3);
    } finally {
      await write('Roles/1', { HasEffort: true });
    }
  });

  it('of tasks take the place of the story’s own, role by role, and reach everything above', async () => {
    const feature = await write('Features', { Name: 'above', Project: { Id: project } });
    const before = await app.json(`/api/v1/Projects/${project}?include=[Effort]`);
    const made = await story({
      Feature: { Id: feature.Id },
      RoleEfforts: [
        { Role: { Id: 1 }, Effort: 5 },
        { Role: { Id: 9 }, Effort: 1 },
      ],
    });
    const task = await write('Tasks', { Name: 't', UserStory: { Id: made.Id }, Effort: 8 });
    const efforts = async (path: string): Promise<number> =>
      (await app.json(`/api/v1/${path}?include=[Effort]`)).Effort;
    expect(await efforts(`UserStories/${made.Id}`)).toBe(9);
    expect(await efforts(`Features/${feature.Id}`)).toBe(9);
    expect(await efforts(`Projects/${project}`)).toBe(before.Effort + 9);
    await app.ask(`/api/v1/Tasks/${task.Id}`, { method: 'DELETE' });
    expect(await efforts(`UserStories/${made.Id}`)).toBe(6);
    expect(await efforts(`Projects/${project}`)).toBe(before.Effort + 6);
    await app.ask(`/api/v1/UserStories/${made.Id}`, { method: 'DELETE' });
    expect(await efforts(`Features/${feature.Id}`)).toBe(0);
    expect(await efforts(`Projects/${project}`)).toBe(before.Effort);
  });
});

describe('time', () => {
  it('updates the item, its story and its feature in the same moment', async () => {
    const feature = await write('Features', { Name: 'timed', Project: { Id: project } });
    const made = await story({ Feature: { Id: feature.Id } });
    const task = await write('Tasks', { Name: 't', UserStory: { Id: made.Id }, Effort: 8 });
    const record = await write('Times', {
      Assignable: { Id: task.Id },
      User: { Id: 1 },
      Spent: 3,
      Remain: 1,
      Description: 'work',
    });
    expect(record).toMatchObject({ Spent: 3, Remain: 1, Project: { Id: project }, User: { Id: 1 }, Role: { Id: 1 } });
    const numbers = '[TimeSpent,TimeRemain,Progress,EffortCompleted,EffortToDo]';
    expect(await app.json(`/api/v1/Tasks/${task.Id}?include=${numbers}`)).toMatchObject({
      TimeSpent: 3,
      TimeRemain: 1,
      Progress: 0.75,
      EffortCompleted: 6,
      EffortToDo: 2,
    });
    for (const path of [`UserStories/${made.Id}`, `Features/${feature.Id}`]) {
      expect(await app.json(`/api/v1/${path}?include=${numbers}`)).toMatchObject({
        TimeSpent: 3,
        TimeRemain: 1,
        Progress: 0.75,
        EffortCompleted: 6,
        EffortToDo: 2,
      });
    }
    // What remains is what was said last.
    await write('Times', { Assignable: { Id: task.Id }, Spent: '1.5', Remain: 0.5, Date: time(1) });
    expect(await app.json(`/api/v1/UserStories/${made.Id}?include=${numbers}`)).toMatchObject({
      TimeSpent: 4.5,
      TimeRemain: 0.5,
      Progress: 0.9,
    });
    await write(`Times/${record.Id}`, { Spent: 2 });
    expect((await app.json(`/api/v1/UserStories/${made.Id}?include=${numbers}`)).TimeSpent).toBe(3.5);
    await app.ask(`/api/v1/Times/${record.Id}`, { method: 'DELETE' });
    expect((await app.json(`/api/v1/Features/${feature.Id}?include=${numbers}`)).TimeSpent).toBe(1.5);
  });

  it('is all there after many records at once', async () => {
    const made = await story();
    const tasks = (
      await write(
        'Tasks/bulk',
        Array.from({ length: 4 }, (_, n) => ({ Name: `t${n}`, UserStory: { Id: made.Id }, Effort: 2 })),
      )
    ).Items.map(({ Id }: { Id: number }) => Id);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        app.post('/api/v1/Times', { Assignable: { Id: tasks[n % 4] }, Spent: 0.25, Remain: 1 }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await app.json(`/api/v1/UserStories/${made.Id}?include=[TimeSpent,TimeRemain]`)).toMatchObject({
      TimeSpent: 10,
      TimeRemain: 4,
    });
  });

  it('can be spent on a project as a whole', async () => {
    expect(await write('Times', { Project: { Id: project }, Spent: 1 })).toMatchObject({
      Project: { Id: project },
      Assignable: null,
      Spent: 1,
    });
    await refused('Times', { Spent: 1 }, 'Assignable: an Assignable or a Project is required.');
  });

  it('is refused where the process has no use for it, below nothing, and for others', async () => {
    const [kanban] = await app.rows(
      'select g.id from general g join general p on p.id = g.project_id where p.process_id = 2 and g.entity_type_id = 4 and g.delete_date is null limit 1',
    );
    await refused('Times', { Assignable: { Id: kanban.id }, Spent: 1 }, 'Time is not available for current process.');
    const { Id } = await story();
    for (const [member, value] of [
      ['Spent', -1],
      ['Remain', -0.5],
      ['Spent', 1e9],
    ] as const) {
      await refused('Times', { Assignable: { Id }, [member]: value }, `${member}: from 0 to`);
    }
    const own = await app.rows(
      'select g.id from general g join project_member m on m.project_id = g.project_id where m.user_id = 3 and g.entity_type_id = 4 and g.delete_date is null limit 1',
    );
    const alice = (User: object) =>
      app.post('/api/v1/Times?format=json', { Assignable: { Id: own[0].id }, Spent: 1, ...User }, { as: 'alice' });
    const [row] = await app.rows(
      'select p.process_id from general g join general p on p.id = g.project_id where g.id = $1',
      [own[0].id],
    );
    if (row.process_id !== 2) expect((await alice({})).status).toBe(201);
    expect((await alice({ User: { Id: 7 } })).status).toBe(403);
  });
});

describe('people and teams', () => {
  it('append, as Items or as a bare array, and never double', async () => {
    const made = await story({ Assignments: { Items: [{ GeneralUser: { Id: 3 }, Role: { Id: 1 } }] } });
    await write(`UserStories/${made.Id}`, {
      assignments: [
        { generalUser: { id: '3' }, role: { id: 1 } },
        { generalUser: { id: 7 }, role: { Name: 'QA Engineer' } },
      ],
    });
    const read = await app.json(`/api/v1/UserStories/${made.Id}?include=[Assignments[GeneralUser,Role],AssignedUser]`);
    expect(
      read.Assignments.Items.map((row: { GeneralUser: { Id: number }; Role: { Id: number } }) => [
        row.GeneralUser.Id,
        row.Role.Id,
      ]),
    ).toEqual([
      [3, 1],
      [7, 9],
    ]);
    expect(read.AssignedUser.Items.map(({ Id }: { Id: number }) => Id).sort()).toEqual([3, 7]);
    const again = await app.post('/api/v1/Assignments?format=json', {
      Assignable: { Id: made.Id },
      GeneralUser: { Id: 7 },
      Role: { Id: 9 },
    });
    expect([again.status, again.json.Id]).toEqual([200, read.Assignments.Items[1].Id]);
    const filtered = await app.items(
      `/api/v1/UserStories?where=(AssignedUser.Id eq 7) and (Id eq ${made.Id})&include=[Id]`,
    );
    expect(filtered).toHaveLength(1);
  });

  it('take the role of the project, else the user’s own, and no one who is gone', async () => {
    const [member] = await app.rows('select user_id, role_id from project_member where project_id = $1 limit 1', [
      project,
    ]);
    const made = await story();
    const assigned = await write('Assignments', { Assignable: { Id: made.Id }, GeneralUser: { Id: member.user_id } });
    expect(assigned.Role.Id).toBe(member.role_id);
    await refused(
      'Assignments',
      { Assignable: { Id: made.Id }, GeneralUser: { Id: 24 } },
      'GeneralUser.Id: the user is not active',
    );
    await refused(
      'Assignments',
      { Assignable: { Id: made.Id }, GeneralUser: { Id: 25 } },
      'GeneralUser.Id: there is no User with Id 25',
    );
    await refused(
      'Assignments',
      { Assignable: { Id: made.Id }, GeneralUser: { Id: 3 }, Role: { Id: 999 } },
      'Role.Id: there is no Role',
    );
  });

  it('of a team make it responsible, and Team still means the only one', async () => {
    const made = await story({ assignedTeams: [{ team: { id: String(team) } }] });
    expect([made.Team.Id, made.ResponsibleTeam.Id]).toEqual([team, expect.any(Number)]);
    await write(`UserStories/${made.Id}`, { AssignedTeams: { Items: [{ Team: { Id: otherTeam } }] } });
    const both = await app.json(
      `/api/v1/UserStories/${made.Id}?include=[AssignedTeams[Team,EntityState],ResponsibleTeam,Team]`,
    );
    expect(
      both.AssignedTeams.Items.map((row: { Team: { Id: number }; EntityState: { Id: number } }) => [
        row.Team.Id,
        row.EntityState.Id,
      ]),
    ).toEqual([
      [team, 46],
      [otherTeam, 46],
    ]);
    expect([both.ResponsibleTeam.Id, both.Team.Id]).toEqual([made.ResponsibleTeam.Id, team]);
    const replaced = await write(`UserStories/${made.Id}?include=[AssignedTeams[Team],ResponsibleTeam,Team]`, {
      Team: { Id: otherTeam },
    });
    expect(replaced.AssignedTeams.Items.map((row: { Team: { Id: number } }) => row.Team.Id)).toEqual([otherTeam]);
    expect([replaced.Team.Id, replaced.ResponsibleTeam.Id]).toEqual([otherTeam, replaced.AssignedTeams.Items[0].Id]);
    expect(await app.items(`/api/v1/UserStories?where=(Team.Id eq ${otherTeam}) and (Id eq ${made.Id})`)).toHaveLength(
      1,
    );
    const none = await write(`UserStories/${made.Id}?include=[AssignedTeams,ResponsibleTeam,Team]`, { Team: null });
    expect([none.AssignedTeams.Items, none.ResponsibleTeam, none.Team]).toEqual([[], null, null]);
  });

  it('of a team that leaves pass the responsibility on', async () => {
    const made = await story({ AssignedTeams: [{ Team: { Id: team } }, { Team: { Id: otherTeam } }] });
    const path = `/api/v1/UserStories/${made.Id}/AssignedTeams/${made.ResponsibleTeam.Id}`;
    expect((await app.ask(path, { method: 'DELETE' })).status).toBe(200);
    expect(await app.json(`/api/v1/UserStories/${made.Id}?include=[Team,AssignedTeams[Team]]`)).toMatchObject({
      Team: { Id: otherTeam },
      AssignedTeams: { Items: [{ Team: { Id: otherTeam } }] },
    });
  });

  it('move with the item, and the item with them', async () => {
    const made = await story({ AssignedTeams: [{ Team: { Id: team } }] });
    await write(`UserStories/${made.Id}`, { EntityState: { Id: 47 } });
    const state = async () => (await app.json(`/api/v1/TeamAssignments/${made.ResponsibleTeam.Id}`)).EntityState.Id;
    expect(await state()).toBe(47);
    await write(`TeamAssignments/${made.ResponsibleTeam.Id}`, { EntityState: { Id: 49 } });
    const done = await app.json(`/api/v1/UserStories/${made.Id}`);
    expect([done.EntityState.Id, done.EndDate]).toEqual([49, expect.any(String)]);
    await refused(
      `TeamAssignments/${made.ResponsibleTeam.Id}`,
      { EntityState: { Id: 53 } },
      'EntityState: the state 53 is not one',
    );
  });

  it('take a state by its name, in JSON and XML', async () => {
    const made = await story({ AssignedTeams: [{ Team: { Id: team } }] });
    const path = `TeamAssignments/${made.ResponsibleTeam.Id}`;
    expect((await write(path, { EntityState: { Name: 'in progress' } })).EntityState.Id).toBe(47);
    const xml = await app.post(`/api/v1/${path}`, '<TeamAssignment><EntityState Name="Done"/></TeamAssignment>');
    expect([xml.status, xml.text]).toEqual([200, expect.stringContaining('Id="49" Name="Done"')]);
    expect((await app.json(`/api/v1/UserStories/${made.Id}`)).EntityState.Id).toBe(49);
    const nowhere = "EntityState: the state 'Nowhere' is not one of the workflow of this item: ";
    await refused(path, { EntityState: { Name: 'Nowhere' } }, nowhere);
  });
});
