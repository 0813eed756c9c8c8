/** Undelete: what comes back, with what, in which order, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { chosenPassword, TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { until } from '../support/service.js';

let app: TestApp;
/** Of the process Scrum, with work in it. */
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

const remove = async (path: string) => {
  const answer = await app.ask(`/api/v1/${path}`, { method: 'DELETE' });
  expect(answer.status, answer.text).toBe(200);
};
const undelete = (EntityType: unknown, Id: unknown, query = '?format=json') =>
  app.post(`/api/v1/undelete${query}`, { EntityType, Id });
const undeleteAll = (body: unknown, query = '?format=json') => app.post(`/api/v1/undelete/bulk${query}`, body);
const restored = async (EntityType: string, Id: number) => {
  const answer = await undelete(EntityType, Id);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const status = async (path: string): Promise<number> => (await app.ask(`/api/v1/${path}`)).status;

const write = (path: string, body: unknown) => app.write(path, body);

const newProject = (Name: string) => write('Projects', { Name, Process: { Id: 3 } });

/** Everything that a deletion and its restoration must leave as they found it. */
async function everything() {
  // What spans have gained is stored with them by one write of many: by now, so that rows can be compared.
  await app.rows('select fold_spans(array(select distinct span_id from span_delta))');
  return {
    generals: await app.rows(
      `select to_jsonb(g) - '{modify_date,last_editor_id,entity_version}'::text[] as g from general g order by id`,
    ),
    efforts: await app.rows('select * from role_effort order by assignable_id, role_id'),
    shares: await app.rows('select * from assigned_effort order by id'),
    times: await app.rows('select * from time order by id'),
    links:
      await app.rows(`select (select count(*) from assignment) + (select count(*) from team_assignment) + (select count(*) from general_tag)
    + (select count(*) from relation) + (select count(*) from comment) + (select count(*) from project_member) as n`),
  };
}

const totals = 'Effort,EffortCompleted,EffortToDo,Progress,TimeSpent,TimeRemain';
/** The same as the API tells it. */
const state = async () => ({
  assignables: await app.items(`/api/v1/Assignables?include=[${totals}]&take=1000`),
  projects: await app.items('/api/v1/Projects?include=[Effort,EffortCompleted,EffortToDo,Progress]&take=1000'),
  releases: await app.items('/api/v1/Releases?include=[Effort,EffortCompleted,EffortToDo,Progress]&take=1000'),
  iterations: await app.items('/api/v1/Iterations?include=[Effort,EffortCompleted,EffortToDo,Progress]&take=1000'),
  cases: await app.items('/api/v1/TestCases?include=[LastRunStatus,LastRunDate,LastFailureComment]&take=1000'),
  runs: await app.items(
    '/api/v1/TestPlanRuns?include=[NotRunCount,PassedCount,FailedCount,OnHoldCount,BlockedCount]&take=1000',
  ),
});

describe('the answer', () => {
  it('is the entity as a save answers it, in the format and with the fields that are asked for', async () => {
    const bug = await write('Bugs', { Name: 'back', Project: { Id: project }, Tags: 'kept' });
    await remove(`Bugs/${bug.Id}`);
    const full = await undelete('Bug', bug.Id);
    expect([full.status, full.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(full.text).toBe((await app.ask(`/api/v1/Bugs/${bug.Id}?format=json`)).text);
    expect(full.headers.get('etag')).toBe((await app.ask(`/api/v1/Bugs/${bug.Id}?format=json`)).headers.get('etag'));
    await remove(`Bugs/${bug.Id}`);
    const part = await undelete('Bug', bug.Id, '?include=[Name,Tags]&format=json');
    expect(part.json).toEqual({ ResourceType: 'Bug', Id: bug.Id, Name: 'back', Tags: 'kept' });
    await remove(`Bugs/${bug.Id}`);
    const xml = await app.post(
      '/API/v1/Undelete/?include=[Name]',
      `<Undelete><EntityType>bug</EntityType><Id>${bug.Id}</Id></Undelete>`,
    );
    expect([xml.status, xml.headers.get('content-type'), xml.text]).toEqual([
      200,
      'application/xml; charset=utf-8',
      (await app.ask(`/api/v1/Bugs/${bug.Id}?include=[Name]`)).text,
    ]);
    await remove(`Bugs/${bug.Id}`);
    const attributes = await app.post('/api/v1/undelete', `<Undelete EntityType="Bug" Id="${bug.Id}" />`, {
      headers: { accept: 'application/json' },
    });
    expect([attributes.status, attributes.json.Id]).toEqual([200, bug.Id]);
  });

  it('of a bulk restore lists the entities in the order of the request', async () => {
    const bugs = [];
    for (const Name of ['a', 'b', 'c']) bugs.push(await write('Bugs', { Name, Project: { Id: project } }));
    const story = await write('UserStories', { Name: 's', Project: { Id: project } });
    const [a, b, c] = bugs.map(({ Id }) => Id);
    for (const id of [a, b, c]) await remove(`Bugs/${id}`);
    await remove(`UserStories/${story.Id}`);
    const answer = await undeleteAll(
      [
        { EntityType: 'Bug', Id: c },
        { EntityType: 'UserStory', Id: story.Id },
        { EntityType: 'Bug', Id: String(a) },
      ],
      '?include=[Name]&format=json',
    );
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        Items: [
          { ResourceType: 'Bug', Id: c, Name: 'c' },
          { ResourceType: 'UserStory', Id: story.Id, Name: 's' },
          { ResourceType: 'Bug', Id: a, Name: 'a' },
        ],
      },
    ]);
    const xml = await app.post(
      '/api/v1/undelete/bulk?include=[Name]',
      `<Undeletes><Undelete EntityType="Bug" Id="${b}"/></Undeletes>`,
    );
    expect([xml.status, xml.text]).toEqual([200, `<Bugs>\n  <Bug ResourceType="Bug" Id="${b}" Name="b" />\n</Bugs>`]);
    // Of different kinds: by what they have in common.
    const user = await write('Users', {
      FirstName: 'x',
      LastName: 'y',
      Email: 'x@y.z',
      Login: 'mixed',
      Password: chosenPassword,
    });
    const task = await write('Tasks', { Name: 't', UserStory: { Id: story.Id } });
    for (const path of [`Bugs/${b}`, `Bugs/${a}`, `Tasks/${task.Id}`, `Users/${user.Id}`]) await remove(path);
    const roots = [];
    for (const body of [
      [
        { EntityType: 'Bug', Id: b },
        { EntityType: 'Task', Id: task.Id },
      ],
      {
        Items: [
          { EntityType: 'Bug', Id: a },
          { EntityType: 'User', Id: user.Id },
        ],
      },
    ])
      roots.push(/^<(\w+)>/.exec((await undeleteAll(body, '?format=xml&include=[Id]')).text)?.[1]);
    expect(roots).toEqual(['Assignables', 'Entities']);
  });

  it('is kept for a request that is sent again with its key', async () => {
    const bug = await write('Bugs', { Name: 'once', Project: { Id: project } });
    await remove(`Bugs/${bug.Id}`);
    const headers = { 'idempotency-key': 'restore-once' };
    const answers = [];
    for (let at = 0; at < 2; at += 1)
      answers.push(await app.post('/api/v1/undelete?format=json', { EntityType: 'Bug', Id: bug.Id }, { headers }));
    expect(answers.map((answer) => [answer.status, answer.text])).toEqual([
      [200, answers[0]!.text],
      [200, answers[0]!.text],
    ]);
  });
});

describe('the type', () => {
  it.each([
    'Bug',
    'bug',
    'BUGS',
    'Bugs',
    ' Bug ',
    8,
    '8',
    { Name: 'Bug' },
    { Id: 8 },
    { id: '8', name: 'bug' },
    { ResourceType: 'EntityType', Id: 8, Name: 'Bug' },
    'Assignable',
    'General',
  ])('is said as %j', async (type) => {
    const bug = await write('Bugs', { Name: 'typed', Project: { Id: project } });
    await remove(`Bugs/${bug.Id}`);
    const answer = await undelete(type, bug.Id);
    expect([answer.status, answer.json.Id]).toEqual([200, bug.Id]);
  });

  it('is any of those that are only marked, Milestones and Programs among them', async () => {
    const release = await write('Releases', {
      Name: 'r',
      Project: { Id: project },
      StartDate: '2031-01-01',
      EndDate: '2031-02-01',
    });
    const team = await write('Teams', { Name: 'undeleted' });
    const portfolio = await write('PortfolioEpics', { Name: 'p' });
    const plan = await write('TestPlans', { Name: 'p', Project: { Id: project } });
    const story = await write('UserStories', { Name: 's', Project: { Id: project } });
    const bodies: [string, string, object][] = [
      ['Project', 'Projects', { Name: 'x', Process: { Id: 3 } }],
      ['Program', 'Programs', { Name: 'x' }],
      ['Release', 'Releases', { Name: 'x', Project: { Id: project }, StartDate: '2031-01-01', EndDate: '2031-02-01' }],
      [
        'Iteration',
        'Iterations',
        {
          Name: 'x',
          Project: { Id: project },
          Release: { Id: release.Id },
          StartDate: '2031-01-01',
          EndDate: '2031-01-05',
        },
      ],
      [
        'TeamIteration',
        'TeamIterations',
        { Name: 'x', Team: { Id: team.Id }, StartDate: '2031-01-01', EndDate: '2031-01-05' },
      ],
      ['UserStory', 'UserStories', { Name: 'x', Project: { Id: project } }],
      ['Task', 'Tasks', { Name: 'x', UserStory: { Id: story.Id } }],
      ['Feature', 'Features', { Name: 'x', Project: { Id: project } }],
      ['Epic', 'Epics', { Name: 'x', Project: { Id: project } }],
      ['PortfolioEpic', 'PortfolioEpics', { Name: 'x' }],
      ['Request', 'Requests', { Name: 'x', Project: { Id: project } }],
      ['Impediment', 'Impediments', { Name: 'x', Project: { Id: project } }],
      ['Build', 'Builds', { Name: 'x', Project: { Id: project } }],
      ['TestCase', 'TestCases', { Name: 'x', Project: { Id: project } }],
      ['TestPlan', 'TestPlans', { Name: 'x', Project: { Id: project } }],
      ['TestPlanRun', 'TestPlanRuns', { TestPlan: { Id: plan.Id } }],
      ['Team', 'Teams', { Name: 'x' }],
      ['Milestone', 'Milestones', { Name: 'x', Date: '2031-01-01', CssClass: 'red' }],
      [
        'User',
        'Users',
        { FirstName: 'a', LastName: 'b', Email: 'a@b.c', Login: 'kind-user', Password: chosenPassword },
      ],
      ['Requester', 'Requesters', { FirstName: 'a', LastName: 'b', Email: 'a@b.c' }],
    ];
    expect(portfolio.Id).toBeGreaterThan(0);
    for (const [type, collection, body] of bodies) {
      const made = await write(collection, body);
      await remove(`${collection}/${made.Id}`);
      expect([type, await status(`${collection}/${made.Id}`)]).toEqual([type, 404]);
      expect((await restored(type, made.Id)).ResourceType).toBe(type);
      expect([type, await status(`${collection}/${made.Id}`)]).toEqual([type, 200]);
    }
  });
});

describe('C28: bodies that are refused', () => {
  const deletedBug = async () => {
    const bug = await write('Bugs', { Name: 'hostile', Project: { Id: project } });
    await remove(`Bugs/${bug.Id}`);
    return bug.Id as number;
  };
  const marks = () =>
    app.rows(
      'select count(*) filter (where delete_date is not null) as n, sum(entity_version) as v, max(modify_date) as m from general',
    );

  const single: [string, (bug: number) => unknown, number, string | RegExp][] = [
    ['a list', (bug) => [{ EntityType: 'Bug', Id: bug }], 400, /list/],
    ['nothing', () => ({}), 400, 'EntityType: the type'],
    ['no type', (bug) => ({ Id: bug }), 400, 'EntityType: the type'],
    ['no id', () => ({ EntityType: 'Bug' }), 400, 'Id: the Id'],
    ['null', () => ({ EntityType: null, Id: null }), 400, 'EntityType'],
    ['an unknown type', (bug) => ({ EntityType: 'Bgu', Id: bug }), 400, "Did you mean 'Bug'?"],
    ['a type of nothing', (bug) => ({ EntityType: 'Widget', Id: bug }), 400, "there is no entity type 'Widget'"],
    ['an unknown number', (bug) => ({ EntityType: 4711, Id: bug }), 400, "there is no entity type '4711'"],
    ['__proto__', (bug) => `{"EntityType":"__proto__","Id":${bug}}`, 400, "there is no entity type '__proto__'"],
    ['constructor', (bug) => ({ EntityType: { Name: 'constructor' }, Id: bug }), 400, 'EntityType.Name'],
    ['a type that is no type', (bug) => ({ EntityType: [1], Id: bug }), 400, 'EntityType'],
    ['a type that is true', (bug) => ({ EntityType: true, Id: bug }), 400, 'EntityType'],
    ['two types', (bug) => ({ EntityType: { Id: 8, Name: 'Task' }, Id: bug }), 400, 'different types'],
    ['an empty type', (bug) => ({ EntityType: {}, Id: bug }), 400, 'EntityType'],
    ['what is deleted for good', () => ({ EntityType: 'Comment', Id: 1 }), 400, 'Comments are deleted for good'],
    ['an assignment', () => ({ EntityType: 'Assignments', Id: 1 }), 400, 'Assignments are deleted for good'],
    ['a negative id', () => ({ EntityType: 'Bug', Id: -1 }), 400, 'Id: the Id'],
    ['zero', () => ({ EntityType: 'Bug', Id: 0 }), 400, 'Id: the Id'],
    ['a fraction', (bug) => ({ EntityType: 'Bug', Id: bug + 0.5 }), 400, 'Id: the Id'],
    ['a fraction with an exponent', () => '{"EntityType":"Bug","Id":1.5e0}', 400, 'Id: the Id'],
    ['a huge id', () => ({ EntityType: 'Bug', Id: '99999999999999999999' }), 400, 'Id: the Id'],
    ['the first id too many', () => ({ EntityType: 'Bug', Id: 2 ** 53 }), 400, 'Id: the Id'],
    ['an id in an object', (bug) => ({ EntityType: 'Bug', Id: { Id: bug } }), 400, 'Id: the Id'],
    ['SQL', () => ({ EntityType: "Bug'; drop table general; --", Id: "1' or '1'='1" }), 400, 'EntityType'],
    [
      'members it has not',
      (bug) => ({ EntityType: 'Bug', Id: bug, DeleteDate: null }),
      400,
      'DeleteDate: an undelete has no such member',
    ],
    ['a member twice', (bug) => `{"EntityType":"Bug","Id":${bug},"id":${bug}}`, 400, 'given twice'],
    ['broken JSON', () => '{"EntityType":"Bug",', 400, 'not well-formed JSON'],
    ['another root', (bug) => `<Bug><EntityType>Bug</EntityType><Id>${bug}</Id></Bug>`, 400, "'Undelete' is expected"],
    ['an entity of its own', () => '<!DOCTYPE x [<!ENTITY a "b">]><Undelete EntityType="Bug" Id="1"/>', 400, ''],
    ['what is not deleted', () => ({ EntityType: 'Project', Id: project }), 404, 'There is no deleted Project'],
    ['what never was', () => ({ EntityType: 'Bug', Id: 9007199254740991 }), 404, 'There is no deleted Bug'],
    ['another kind', (bug) => ({ EntityType: 'Task', Id: bug }), 404, 'There is no deleted Task'],
    ['an unknown field in the answer', (bug) => ({ EntityType: 'Bug', Id: bug }), 400, 'Invalid include'],
  ];

  it.each(single)('%s', async (what, body, expected, message) => {
    const bug = await deletedBug();
    const before = await marks();
    const query = what.includes('answer') ? '?include=[Nope]&format=json' : '?format=json';
    const answer = await app.post(`/api/v1/undelete${query}`, body(bug));
    expect([answer.status, answer.text]).toEqual([
      expected,
      expect.stringMatching(typeof message === 'string' ? escaped(message) : message),
    ]);
    expect(await marks()).toEqual(before);
  });

  const escaped = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

  const several: [string, (bug: number) => unknown, number, string][] = [
    ['one alone', (bug) => ({ EntityType: 'Bug', Id: bug }), 400, 'no list'],
    ['none', () => [], 400, 'lists no entity'],
    ['no items', () => ({ Items: [] }), 400, 'lists no entity'],
    [
      'one twice',
      (bug) => [
        { EntityType: 'Bug', Id: bug },
        { EntityType: 'Bug', Id: bug },
      ],
      400,
      `[1].Id:`,
    ],
    [
      'one twice by other names',
      (bug) => [
        { EntityType: 'Bug', Id: bug },
        { EntityType: 'General', Id: bug },
      ],
      400,
      `[1].Id:`,
    ],
    ['numbers', (bug) => [bug], 400, '[0]'],
    [
      'an unknown one at the end',
      (bug) => [
        { EntityType: 'Bug', Id: bug },
        { EntityType: 'Bug', Id: 9007199254740991 },
      ],
      404,
      '[1].Id: There is no deleted Bug',
    ],
    [
      'an unknown type at the end',
      (bug) => [
        { EntityType: 'Bug', Id: bug },
        { EntityType: 'Bugg', Id: 1 },
      ],
      400,
      '[1].EntityType:',
    ],
    [
      'what is deleted for good',
      (bug) => [
        { EntityType: 'Bug', Id: bug },
        { EntityType: 'Comment', Id: 1 },
      ],
      400,
      '[1].EntityType: Comments',
    ],
    [
      'a user who is not deleted',
      (bug) => [
        { EntityType: 'Bug', Id: bug },
        { EntityType: 'User', Id: 3 },
      ],
      404,
      '[1].Id: There is no deleted User',
    ],
    ['too many', (bug) => Array.from({ length: 1001 }, () => ({ EntityType: 'Bug', Id: bug })), 400, 'at most 1000'],
  ];

  it.each(several)('in bulk, all or nothing: %s', async (_, body, expected, message) => {
    const bug = await deletedBug();
    const before = await marks();
    const answer = await undeleteAll(body(bug));
    expect([answer.status, answer.text]).toEqual([expected, expect.stringContaining(message)]);
    expect(await marks()).toEqual(before);
  });

  it('an empty body and a body of another type', async () => {
    for (const [body, type, expected] of [
      ['', 'application/json', 400],
      ['a=b', 'application/x-www-form-urlencoded', 415],
    ] as const) {
      const answer = await app.ask('/api/v1/undelete', { method: 'POST', body, headers: { 'content-type': type } });
      expect(answer.status).toBe(expected);
    }
    expect((await app.ask('/api/v1/undelete', { method: 'POST' })).status).toBe(400);
  });

  it('a version that is not that of the deleted entity', async () => {
    const bug = await deletedBug();
    const answer = await app.post(
      '/api/v1/undelete',
      { EntityType: 'Bug', Id: bug },
      { headers: { 'if-match': '"1-x"' } },
    );
    expect(answer.status).toBe(412);
    expect(await status(`Bugs/${bug}`)).toBe(404);
  });
});

describe('what comes along', () => {
  it('are the tasks that went with their story, and not those that went before', async () => {
    const story = await write('UserStories?include=[Tasks]', {
      Name: 's',
      Project: { Id: project },
      Tasks: [{ Name: 'a' }, { Name: 'b' }],
    });
    const [before, along] = story.Tasks.Items.map(({ Id }: { Id: number }) => Id);
    await remove(`Tasks/${before}`);
    await remove(`UserStories/${story.Id}`);
    for (const [type, id] of [
      ['Task', before],
      ['Task', along],
    ] as const) {
      const refused = await undelete(type, id);
      expect([refused.status, refused.json.Message]).toEqual([
        409,
        `Task ${id} cannot be restored while UserStory ${story.Id} 's' is deleted. Restore that first.`,
      ]);
    }
    await restored('UserStory', story.Id);
    expect([await status(`Tasks/${before}`), await status(`Tasks/${along}`)]).toEqual([404, 200]);
    await restored('Task', before);
    expect(
      await app.rows('select distinct deleted_with_id, delete_date from general where id = any($1)', [
        [before, along, story.Id],
      ]),
    ).toEqual([{ deleted_with_id: null, delete_date: null }]);
  });

  it('is all a project held when it was deleted, and not what had been deleted in it', async () => {
    const made = await newProject('comes back');
    const [story, gone] = [
      await write('UserStories', { Name: 's', Project: { Id: made.Id }, Tasks: [{ Name: 't' }] }),
      await write('Bugs', { Name: 'g', Project: { Id: made.Id } }),
    ];
    await remove(`Bugs/${gone.Id}`);
    await remove(`Projects/${made.Id}`);
    for (const [type, id] of [
      ['UserStory', story.Id],
      ['Bug', gone.Id],
    ] as const) {
      const refused = await undelete(type, id);
      expect([refused.status, refused.json.Message]).toEqual([
        409,
        `${type} ${id} cannot be restored while Project ${made.Id} 'comes back' is deleted. Restore that first.`,
      ]);
    }
    await restored('Project', made.Id);
    expect([await status(`UserStories/${story.Id}`), await status(`Bugs/${gone.Id}`)]).toEqual([200, 404]);
    expect((await app.items(`/api/v1/UserStories/${story.Id}/Tasks`)).length).toBe(1);
    await restored('Bug', gone.Id);
  });

  it('waits for the topmost of several that are deleted', async () => {
    const made = await newProject('two above');
    const story = await write('UserStories?include=[Tasks]', {
      Name: 's',
      Project: { Id: made.Id },
      Tasks: [{ Name: 't' }],
    });
    await remove(`UserStories/${story.Id}`);
    await remove(`Projects/${made.Id}`);
    const task = story.Tasks.Items[0].Id;
    expect((await undelete('Task', task)).json.Message).toContain(`Project ${made.Id}`);
    await restored('Project', made.Id);
    expect((await undelete('Task', task)).json.Message).toContain(`UserStory ${story.Id}`);
    // All at once, whatever the order.
    await remove(`Projects/${made.Id}`);
    const answer = await undeleteAll([
      { EntityType: 'Task', Id: task },
      { EntityType: 'UserStory', Id: story.Id },
      { EntityType: 'Project', Id: made.Id },
    ]);
    expect([answer.status, answer.json.Items.map(({ Id }: { Id: number }) => Id)]).toEqual([
      200,
      [task, story.Id, made.Id],
    ]);
  });

  it('are the runs of a plan, which count again in those above them and in their test cases', async () => {
    const below = await write('TestPlans', { Name: 'below', Project: { Id: project } });
    const plan = await write('TestPlans', {
      Name: 'plan',
      Project: { Id: project },
      ChildTestPlans: [{ Id: below.Id }],
    });
    const testCase = await write('TestCases', { Name: 'c', Project: { Id: project }, TestPlans: [{ Id: below.Id }] });
    const run = await write('TestPlanRuns', { TestPlan: { Id: plan.Id } });
    const [caseRun] = await app.items(`/api/v1/TestCaseRuns?where=(TestCase.Id eq ${testCase.Id})`);
    await write(`TestCaseRuns/${caseRun.Id}`, { Status: 'Failed', Comment: 'why' });
    const before = await state();
    expect(before.runs.find(({ Id }) => Id === run.Id)).toMatchObject({ FailedCount: 1 });
    await remove(`TestPlans/${below.Id}`);
    const without = await state();
    expect(without.runs.find(({ Id }) => Id === run.Id)).toMatchObject({ FailedCount: 0 });
    expect(without.cases.find(({ Id }) => Id === testCase.Id)).toMatchObject({ LastRunStatus: null });
    await restored('TestPlan', below.Id);
    expect(await state()).toEqual(before);
    // Taken along by two: it comes back when neither is missing.
    await remove(`TestPlans/${plan.Id}`);
    await remove(`TestPlans/${below.Id}`);
    await restored('TestPlan', plan.Id);
    expect((await state()).runs.find(({ Id }) => Id === run.Id)).toMatchObject({ FailedCount: 0 });
    await restored('TestPlan', below.Id);
    expect(await state()).toEqual(before);
  });

  it('is what a project held of runs below those of another one', async () => {
    const [upper, lower] = [await newProject('upper'), await newProject('lower')];
    const below = await write('TestPlans', { Name: 'below', Project: { Id: lower.Id } });
    const plan = await write('TestPlans', {
      Name: 'plan',
      Project: { Id: upper.Id },
      ChildTestPlans: [{ Id: below.Id }],
    });
    await write('TestCases', { Name: 'c', Project: { Id: lower.Id }, TestPlans: [{ Id: below.Id }] });
    const run = await write('TestPlanRuns', { TestPlan: { Id: plan.Id } });
    const [inner] = await app.rows('select id from general where parent_test_plan_run_id = $1', [run.Id]);
    const before = await state();
    const counted = async () => (await app.json(`/api/v1/TestPlanRuns/${run.Id}`)).NotRunCount;
    await remove(`Projects/${lower.Id}`);
    expect(await counted()).toBe(0);
    await restored('Project', lower.Id);
    expect(await counted()).toBe(1);
    await remove(`TestPlans/${plan.Id}`);
    await remove(`Projects/${lower.Id}`);
    await restored('TestPlan', plan.Id);
    expect([await status(`TestPlanRuns/${run.Id}`), await status(`TestPlanRuns/${inner.id}`)]).toEqual([200, 404]);
    await restored('Project', lower.Id);
    expect(await status(`TestPlanRuns/${inner.id}`)).toBe(200);
    expect(sorted(await state())).toEqual(sorted(before));
  });

  const sorted = (all: Awaited<ReturnType<typeof state>>) =>
    Object.fromEntries(Object.entries(all).map(([name, items]) => [name, [...items].sort((a, b) => a.Id - b.Id)]));
});

describe('a restore', () => {
  it('is a change like any other: date, editor, version, history', async () => {
    const bug = await write('Bugs', { Name: 'b', Project: { Id: project } });
    await app.ask(`/api/v1/Bugs/${bug.Id}`, { method: 'DELETE' });
    const [before] = await app.rows('select modify_date, entity_version::int as version from general where id = $1', [
      bug.Id,
    ]);
    const answer = await app.post(
      '/api/v1/undelete?format=json&include=[LastEditor,EntityVersion]',
      { EntityType: 'Bug', Id: bug.Id },
      { as: 'grace' },
    );
    expect(answer.json).toMatchObject({ LastEditor: { Id: 9 }, EntityVersion: before.version + 1 });
    const [after] = await app.rows('select modify_date from general where id = $1', [bug.Id]);
    expect(after.modify_date.getTime()).toBeGreaterThan(before.modify_date.getTime());
    const history = await app.rows(
      "select modification, modifier_id, date_to > '9000-01-01' as open from full_history where general_id = $1 order by date, id",
      [bug.Id],
    );
    expect(history.map(({ modification }) => modification)).toEqual(['Add', 'Delete', 'Update']);
    expect(history.map(({ open }) => open)).toEqual([false, false, true]);
    expect(history[2].modifier_id).toBe(9);
  });

  it.each([
    ['Task', 'Tasks'],
    ['UserStory', 'UserStories'],
    ['Bug', 'Bugs'],
    ['Request', 'Requests'],
    ['Feature', 'Features'],
    ['Epic', 'Epics'],
    ['PortfolioEpic', 'PortfolioEpics'],
    ['Release', 'Releases'],
    ['Iteration', 'Iterations'],
    ['TeamIteration', 'TeamIterations'],
    ['TestCase', 'TestCases'],
    ['TestPlan', 'TestPlans'],
    ['TestPlanRun', 'TestPlanRuns'],
    ['Build', 'Builds'],
    ['Impediment', 'Impediments'],
    ['Project', 'Projects'],
  ])('leaves everything as it was before the deletion: %s', async (type, collection) => {
    const kind = Number((await app.rows('select id from entity_type where name = $1', [type]))[0].id);
    // Of those that are there, the ones with most in them.
    const rows = await app.rows(
      `select g.id from general g where entity_type_id = $1 and delete_date is null
       order by effort desc nulls last, (select count(*) from general c where g.id in (c.user_story_id, c.feature_id, c.epic_id, c.release_id, c.project_id, c.test_plan_id)) desc limit 2`,
      [kind],
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { id } of rows) {
      const [before, answers] = [await everything(), await state()];
      await remove(`${collection}/${id}`);
      expect((await everything()).generals).not.toEqual(before.generals);
      await restored(type, id);
      const after = await everything();
      for (const part of Object.keys(before) as (keyof typeof before)[])
        expect(differing(before[part], after[part]), `${type} ${id} ${part}`).toEqual([]);
      expect(await state()).toEqual(answers);
    }
  });

  const differing = (before: object[], after: object[]) =>
    after.length === before.length
      ? after.filter((row, at) => JSON.stringify(row) !== JSON.stringify(before[at]))
      : [before.length, after.length];

  it('counts what happened meanwhile', async () => {
    const feature = await write('Features', { Name: 'f', Project: { Id: project } });
    const story = await write('UserStories', {
      Name: 's',
      Project: { Id: project },
      Feature: { Id: feature.Id },
      RoleEfforts: [{ Role: { Id: 1 }, Effort: 5 }],
    });
    await remove(`UserStories/${story.Id}`);
    await write('UserStories', {
      Name: 'other',
      Project: { Id: project },
      Feature: { Id: feature.Id },
      RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 }],
    });
    expect((await app.json(`/api/v1/Features/${feature.Id}`)).Effort).toBe(3);
    await restored('UserStory', story.Id);
    expect((await app.json(`/api/v1/Features/${feature.Id}`)).Effort).toBe(8);
    // Above what is deleted itself, nothing is counted.
    await remove(`UserStories/${story.Id}`);
    await remove(`Features/${feature.Id}`);
    await restored('UserStory', story.Id);
    expect((await app.json(`/api/v1/UserStories/${story.Id}`)).Feature).toBeNull();
    expect((await restored('Feature', feature.Id)).Effort).toBe(8);
    const totals = () => app.json(`/api/v1/Projects/${project}?include=[Effort,EffortToDo]`);
    const before = await totals();
    await app.rows('select recompute_totals()');
    expect(await totals()).toEqual(before);
  });

  it('of a task puts it where its story lies by now, in a state of the process there', async () => {
    const other = await write('Projects', { Name: 'other process', Process: { Id: 1 } });
    const story = await write('UserStories?include=[Tasks]', {
      Name: 's',
      Project: { Id: project },
      Tasks: [{ Name: 't' }],
    });
    const task = story.Tasks.Items[0].Id;
    const time = await write('Times', { Assignable: { Id: task }, Spent: 1, Remain: 2 });
    await remove(`Tasks/${task}`);
    await write(`UserStories/${story.Id}`, { Project: { Id: other.Id } });
    const answer = await restored('Task', task);
    expect(answer.Project.Id).toBe(other.Id);
    const [row] = await app.rows(
      'select s.process_id from general g join entity_state s on s.id = g.entity_state_id where g.id = $1',
      [task],
    );
    expect(row.process_id).toBe(1);
    expect((await app.json(`/api/v1/Times/${time.Id}`)).Project.Id).toBe(other.Id);
  });

  it('of a run puts it where its plan lies by now', async () => {
    const other = await write('Projects', { Name: 'another process', Process: { Id: 1 } });
    const plan = await write('TestPlans', { Name: 'p', Project: { Id: project } });
    const run = await write('TestPlanRuns', { TestPlan: { Id: plan.Id } });
    await remove(`TestPlanRuns/${run.Id}`);
    await write(`TestPlans/${plan.Id}`, { Project: { Id: other.Id } });
    expect((await restored('TestPlanRun', run.Id)).Project.Id).toBe(other.Id);
    const [row] = await app.rows(
      'select s.process_id from general g join entity_state s on s.id = g.entity_state_id where g.id = $1',
      [run.Id],
    );
    expect(row.process_id).toBe(1);
  });

  it('of an iteration is refused while another one has its days', async () => {
    const made = await newProject('iterations');
    const days = (Name: string) => ({ Name, Project: { Id: made.Id }, StartDate: '2031-03-01', EndDate: '2031-03-10' });
    const first = await write('Iterations', days('first'));
    await remove(`Iterations/${first.Id}`);
    const taken = await write('Iterations', days('second'));
    const refused = await undelete('Iteration', first.Id);
    expect([refused.status, refused.json.Message]).toEqual([
      409,
      expect.stringContaining(`overlap those of 'second' (${taken.Id})`),
    ]);
    await remove(`Iterations/${taken.Id}`);
    const on = (day: string) => ({ ...days(day), StartDate: `2031-03-${day}`, EndDate: `2031-03-${day}` });
    const [late, early] = [await write('Iterations', on('08')), await write('Iterations', on('02'))];
    expect((await undelete('Iteration', first.Id)).json.Message).toContain(`overlap those of '02' (${early.Id})`);
    for (const { Id } of [late, early]) await remove(`Iterations/${Id}`);
    const both = [first, taken].map(({ Id }) => ({ EntityType: 'Iteration', Id }));
    expect((await undeleteAll(both)).status).toBe(409);
    await restored('Iteration', first.Id);
  });

  it('of a team brings its members and projects back, whose items go on without it', async () => {
    const team = await write('Teams', {
      Name: 'comes back',
      TeamMembers: [{ User: { Id: 7 } }],
      TeamProjects: [{ Project: { Id: project } }],
    });
    const iteration = await write('TeamIterations', {
      Name: 'i',
      Team: { Id: team.Id },
      StartDate: '2031-01-01',
      EndDate: '2031-01-05',
    });
    const sees = async () => (await app.ask(`/api/v1/Teams/${team.Id}`, { as: 'elena' })).status;
    const works = async () => (await app.ask(`/api/v1/Projects/${project}`, { as: 'elena' })).status;
    const before = [await sees(), await works()];
    await remove(`TeamIterations/${iteration.Id}`);
    await remove(`Teams/${team.Id}`);
    expect(await sees()).toBe(404);
    const refused = await undelete('TeamIteration', iteration.Id);
    expect([refused.status, refused.json.Message]).toEqual([
      409,
      expect.stringContaining(`Team ${team.Id} 'comes back'`),
    ]);
    await restored('Team', team.Id);
    expect([await sees(), await works()]).toEqual(before);
    expect((await app.items(`/api/v1/Teams/${team.Id}/TeamMembers`)).length).toBe(1);
    expect((await app.items(`/api/v1/Teams/${team.Id}/TeamProjects`)).length).toBe(1);
    await restored('TeamIteration', iteration.Id);
  });
});

describe('at the same time', () => {
  it('one of several restores is done', async () => {
    const story = await write('UserStories', {
      Name: 's',
      Project: { Id: project },
      Tasks: [{ Name: 't' }],
      RoleEfforts: [{ Role: { Id: 1 }, Effort: 2 }],
    });
    const before = await everything();
    await remove(`UserStories/${story.Id}`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => undelete('UserStory', story.Id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
    expect(await everything()).toEqual(before);
  });

  it('a project and its parts are restored, deleted and written without anything left alive in what is deleted', async () => {
    const made = await newProject('raced');
    const stories = [];
    for (const Name of ['a', 'b', 'c'])
      stories.push(await write('UserStories', { Name, Project: { Id: made.Id }, Tasks: [{ Name: 't' }] }));
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        app.ask(`/api/v1/Projects/${made.Id}`, { method: 'DELETE' }),
        ...stories.map(({ Id }) => undelete('UserStory', Id)),
        ...stories.map(({ Id }) => app.ask(`/api/v1/UserStories/${Id}`, { method: 'DELETE' })),
        undelete('Project', made.Id),
        app.post('/api/v1/Bugs', { Name: 'b', Project: { Id: made.Id } }),
        undeleteAll(stories.map(({ Id }) => ({ EntityType: 'UserStory', Id }))),
      ]);
      for (const answer of answers) expect([200, 201, 400, 404, 409], answer.text).toContain(answer.status);
      expect(
        await app.rows(`select g.id from general g join general p on p.id = g.project_id or g.entity_type_id = 5 and p.id = g.user_story_id
          where g.delete_date is null and p.delete_date is not null`),
      ).toEqual([]);
    }
    await undelete('Project', made.Id);
    const totals = () => app.json(`/api/v1/Projects/${made.Id}?include=[Effort,EffortToDo,Progress]`);
    const before = await totals();
    await app.rows('select recompute_totals()');
    expect(await totals()).toEqual(before);
  });

  it('two replicas agree', async () => {
    const { connectionString } = (app.database as unknown as { options: { connectionString: string } }).options;
    const other = await createApp(loadConfig({ DATABASE_URL: connectionString, LOG_LEVEL: 'silent', DB_POOL: '3' }));
    await other.listen(0, '127.0.0.1');
    const { port } = other.getHttpServer().address() as { port: number };
    const there = (path: string, method: string, as: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { authorization: `Basic ${Buffer.from(as).toString('base64')}` },
      }).then((answer) => answer.status);
    try {
      const user = { FirstName: 'a', LastName: 'b', Email: 'r@p.l', Login: 'replicated', Password: chosenPassword };
      const { Id } = await write('Users', user);
      for (let round = 0; round < 10; round += 1) {
        await remove(`Users/${Id}`);
        const path = `/api/deleteditems/v1/users/${Id}/restore`;
        const answers = await Promise.all([
          there(path, 'POST', 'admin:admin'),
          app.ask(path, { method: 'POST' }).then((answer) => answer.status),
        ]);
        expect(answers.sort()).toEqual([200, 404]);
      }
      const signsIn = () => there('/api/v1/Users/LoggedUser', 'GET', `replicated:${chosenPassword}`);
      await remove(`Users/${Id}`);
      await until(async () => (await signsIn()) === 401);
      await restored('User', Id);
      await until(async () => (await signsIn()) === 200);
    } finally {
      await other.close();
    }
  });
});

describe('a project of twenty thousand items', () => {
  it('comes back whole', async () => {
    const made = await newProject('large');
    const items = `insert into general (entity_type_id, name, project_id, user_story_id, create_date, modify_date, owner_id, entity_state_id)
      select $2, 'item', $1, story, now(), now(), 1, (select min(id) from entity_state where process_id = 3 and entity_type_id = $2 and is_initial)`;
    await app.rows(`${items} from (select null::bigint as story from generate_series(1, 10000)) s`, [made.Id, 4]);
    await app.rows(`${items} from (select id as story from general where project_id = $1 and entity_type_id = 4) s`, [
      made.Id,
      5,
    ]);
    const alive = async () =>
      Number(
        (
          await app.rows('select count(*) as n from general where project_id = $1 and delete_date is null', [made.Id])
        )[0].n,
      );
    await remove(`Projects/${made.Id}`);
    expect(await alive()).toBe(0);
    await restored('Project', made.Id);
    expect(await alive()).toBe(20_000);
  }, 120_000);
});

describe('a part whose owner has moved while it was deleted', () => {
  it.each([
    ['Task', 'Tasks', 'UserStories', 'UserStory'],
    ['TestPlanRun', 'TestPlanRuns', 'TestPlans', 'TestPlan'],
  ])('is restored where that lies: %s', async (kind, path, ownerPath, ownerName) => {
    const from = await newProject('that goes');
    const to = await newProject('that stays');
    const owner = await write(ownerPath, { Name: 'owner', Project: { Id: from.Id } });
    const part = await write(path, { Name: 'part', [ownerName]: { Id: owner.Id } });
    await remove(`${path}/${part.Id}`);
    await write(`${ownerPath}/${owner.Id}`, { Project: { Id: to.Id } });
    await remove(`Projects/${from.Id}`);
    await restored(kind, part.Id);
    const { Project } = await app.json(`/api/v1/${path}/${part.Id}?include=[Project[Id]]`);
    expect(Project.Id).toBe(to.Id);
  });

  it('waits for the project where that lies', async () => {
    const [from, to] = [await newProject('left'), await newProject('that goes')];
    const owner = await write('UserStories', { Name: 'owner', Project: { Id: from.Id } });
    const part = await write('Tasks', { Name: 'part', UserStory: { Id: owner.Id } });
    await remove(`Tasks/${part.Id}`);
    await write(`UserStories/${owner.Id}`, { Project: { Id: to.Id } });
    await remove(`Projects/${to.Id}`);
    const answer = await undelete('Task', part.Id);
    expect([answer.status, answer.json.Message]).toEqual([409, expect.stringContaining('that goes')]);
  });
});
