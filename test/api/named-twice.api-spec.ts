/** One entity in several places of a body: what is said of it must be the same, and its Id alone says nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

let made = 0;
async function make(collection: string, more: object = {}): Promise<number> {
  made += 1;
  return (await app.write(collection, { Name: `item ${made}`, Project: { Id: project }, ...more })).Id;
}

const bulk = (collection: string, body: unknown) => app.post(`/api/v1/${collection}/bulk?format=json`, body);

const refusal = (at: string, what: string, id: number) => [400, `${at}.Id: ${what} ${id} is in the body twice.`];

const days = { StartDate: '2041-01-01', EndDate: '2041-01-02' };
const daysOf = (month: number) => ({ StartDate: `2041-0${month}-01`, EndDate: `2041-0${month}-02` });
const laterDays = { StartDate: '2041-02-01', EndDate: '2041-02-02' };

/** Owners, the collection of them whose items refer to their owner, and the kind of the items. */
const owned: [owners: string, collection: string, kind: string, first: object, second: object][] = [
  ['Features', 'UserStories', 'UserStory', {}, {}],
  ['UserStories', 'Tasks', 'Task', {}, {}],
  ['Epics', 'Features', 'Feature', {}, {}],
  ['Iterations', 'UserStories', 'UserStory', days, laterDays],
];

describe.each(owned)('%s with %s', (owners, collection, kind, first, second) => {
  const itemOf = async (): Promise<number> =>
    kind === 'Task'
      ? make('Tasks', { UserStory: { Id: await make('UserStories') } })
      : make(collection === 'Features' ? 'Features' : 'UserStories');
  const ownersOf = (id: number) => app.items(`/api/v1/${owners}?where=(${collection}.Id eq ${id})&include=[Id]`);

  it('do not take one item by its Id under two of them', async () => {
    const [one, other] = [await make(owners, first), await make(owners, second)];
    const item = await itemOf();
    const before = await ownersOf(item);
    const answer = await bulk(owners, [
      { Id: one, [collection]: [{ Id: item }] },
      { Id: other, [collection]: [{ Id: item }] },
    ]);
    expect([answer.status, answer.json.Message]).toEqual(refusal(`[1].${collection}[0]`, kind, item));
    expect(await ownersOf(item)).toEqual(before);
    await app.ask(`/api/v1/${owners}/${one}`, { method: 'DELETE' });
    await app.ask(`/api/v1/${owners}/${other}`, { method: 'DELETE' });
  });
});

describe('an item that refers to its owner', () => {
  const story = () => make('UserStories');
  const featureOf = async (id: number) => (await app.json(`/api/v1/UserStories/${id}?include=[Feature]`)).Feature?.Id;

  it('is not put into two new entities', async () => {
    const id = await story();
    const answer = await bulk('Features', [
      { Name: 'a', Project: { Id: project }, UserStories: [{ Id: id }] },
      { Name: 'b', Project: { Id: project }, UserStories: [{ Id: id }] },
    ]);
    expect([answer.status, answer.json.Message]).toEqual(refusal('[1].UserStories[0]', 'UserStory', id));
  });

  it('is not referred elsewhere by its own reference', async () => {
    const [one, other, id] = [await make('Features'), await make('Features'), await story()];
    await app.post(`/api/v1/UserStories/${id}`, { Feature: { Id: await make('Features') } });
    for (const Feature of [{ Id: other }, null]) {
      const answer = await app.post('/api/v1/Builds?format=json', {
        Name: 'b',
        Project: { Id: project },
        Features: [{ Id: one, UserStories: [{ Id: id }] }],
        UserStories: [{ Id: id, Feature }],
      });
      expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('is in the body twice')]);
    }
    const same = await app.post('/api/v1/Builds?format=json', {
      Name: 'b',
      Project: { Id: project },
      Features: [{ Id: one, UserStories: [{ Id: id }] }],
      UserStories: [{ Id: id, Feature: { Id: one } }],
    });
    expect([same.status, await featureOf(id)]).toEqual([201, one]);
  });

  it.each(['in order', 'in reverse'])('is moved, with what is said of it in both places (%s)', async (order) => {
    const [one, other] = [await make('Features'), await make('Features')];
    const id = await make('UserStories', { Feature: { Id: one } });
    const features = [
      { Id: one, UserStories: [{ Id: id, Description: 'where it lay' }] },
      { Id: other, UserStories: [{ Id: id, Name: 'moved' }] },
    ];
    const answer = await bulk('Features', order === 'in order' ? features : features.reverse());
    expect(answer.status, answer.text).toBe(200);
    expect(await app.json(`/api/v1/UserStories/${id}?include=[Name,Description,Feature]`)).toMatchObject({
      Name: 'moved',
      Description: 'where it lay',
      Feature: { Id: other },
    });
  });

  it.each(['the items of its own', 'another owner'])('is not moved where %s would be lost', async (what) => {
    const [one, other, third] = [await make('Features'), await make('Features'), await make('Features')];
    const id = await make('UserStories', { Feature: { Id: one } });
    const task = await make('Tasks', { UserStory: { Id: id } });
    const more = what === 'another owner' ? { Feature: { Id: third } } : { Tasks: [{ Id: task, Name: 'x' }] };
    const features = [
      { Id: one, UserStories: [{ Id: id, ...more }] },
      { Id: other, UserStories: [{ Id: id }] },
    ];
    for (const body of [features, features.toReversed()]) {
      const answer = await bulk('Features', body);
      expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('is in the body twice.')]);
      expect(await featureOf(id)).toBe(one);
    }
  });

  it('is not moved by each of two places that it leaves', async () => {
    const [one, other] = [await make('Features'), await make('Features')];
    const [here, there] = [await make('Iterations', daysOf(3)), await make('Iterations', daysOf(4))];
    const id = await make('UserStories', { Feature: { Id: one }, Iteration: { Id: here } });
    const answer = await app.post('/api/v1/Builds?format=json', {
      Name: 'b',
      Project: { Id: project },
      Features: [{ Id: one, UserStories: [{ Id: id, Iteration: { Id: there } }] }],
      Iterations: [{ Id: here, UserStories: [{ Id: id, Feature: { Id: other } }] }],
    });
    expect([answer.status, await featureOf(id)]).toEqual([400, one]);
  });

  it('is put twice into the same one', async () => {
    const [feature, id] = [await make('Features'), await story()];
    const answer = await app.post(`/api/v1/Features/${feature}?format=json`, {
      UserStories: [{ Id: id }, { Id: id }],
    });
    expect([answer.status, await featureOf(id)]).toEqual([200, feature]);
  });

  it('lies in two owners of different kinds', async () => {
    const [feature, id] = [await make('Features'), await story()];
    const answer = await app.post('/api/v1/Builds?format=json', {
      Name: 'b',
      Project: { Id: project },
      Features: [{ Id: feature, UserStories: [{ Id: id }] }],
      UserStories: [{ Id: id }],
    });
    expect([answer.status, await featureOf(id)]).toEqual([201, feature]);
  });
});

it('items that links join to their owners belong to many', async () => {
  const [one, other, testCase] = [await make('TestPlans'), await make('TestPlans'), await make('TestCases')];
  const answer = await bulk('TestPlans', [
    { Id: one, TestCases: [{ Id: testCase }] },
    { Id: other, TestCases: [{ Id: testCase }] },
  ]);
  expect(answer.status, answer.text).toBe(200);
  const plans = await app.items(`/api/v1/TestPlans?where=(TestCases.Id eq ${testCase})&include=[Id]&orderBy=Id`);
  expect(plans.map(({ Id }) => Id)).toEqual([one, other]);
});

describe('entities of a bulk body that name one another', () => {
  it.each(['in order', 'in reverse'])('by their Ids, %s', async (order) => {
    const states = [
      { Id: 46, NextStates: [{ Id: 47 }] },
      { Id: 47, NextStates: [{ Id: 48 }] },
    ];
    const answer = await bulk('EntityStates', order === 'in order' ? states : states.reverse());
    expect(answer.status, answer.text).toBe(200);
  });

  it.each(['ChildTestPlans', 'ParentTestPlans'])('by their Ids in %s, in either order', async (collection) => {
    for (const isReverse of [false, true]) {
      const ids = [await make('TestPlans'), await make('TestPlans'), await make('TestPlans')];
      const plans = [
        { Id: ids[0], [collection]: [{ Id: ids[1] }] },
        { Id: ids[1], [collection]: [{ Id: ids[2] }] },
      ];
      const answer = await bulk('TestPlans', isReverse ? plans.reverse() : plans);
      expect(answer.status, answer.text).toBe(200);
      const { Items } = await app.json(`/api/v1/TestPlans/${ids[1]}/${collection}?include=[Id]`);
      expect(Items.map(({ Id }: { Id: number }) => Id)).toEqual([ids[2]]);
    }
  });

  it('as they were read', async () => {
    const [{ workflow }] = await app.rows('select workflow_id as workflow from entity_state where id = 46');
    const states = `EntityStates?where=(Workflow.Id eq ${workflow})&include=[Id,NextStates]`;
    const read = await app.items(`/api/v1/${states}`);
    expect(read.length).toBeGreaterThan(2);
    const answer = await bulk('EntityStates', read);
    expect(answer.status, answer.text).toBe(200);
    expect(await app.items(`/api/v1/${states}`)).toEqual(read);
  });

  it('and say different things of one are refused', async () => {
    const [one, other] = [await make('TestPlans'), await make('TestPlans')];
    const answer = await bulk('TestPlans', [
      { Id: one, ChildTestPlans: [{ Id: other, Name: 'below' }] },
      { Id: other, Name: 'on top' },
    ]);
    const why = `[1].Name: TestPlan ${other} is in the body twice, with another value there.`;
    expect([answer.status, answer.json.Message]).toEqual([400, why]);
  });

  it('are taken with what was read of them beside what changes, in either order', async () => {
    for (const isReverse of [false, true]) {
      const [one, other] = [await make('TestPlans'), await make('TestPlans', { Description: 'before' })];
      await app.post(`/api/v1/TestPlans/${one}`, { ChildTestPlans: [{ Id: other }] });
      const where = `TestPlans?where=(Id in [${one},${other}])&include=[Id,Name,Description,ChildTestPlans]`;
      const read = await app.items(`/api/v1/${where}`);
      expect(read.find(({ Id }) => Id === one).ChildTestPlans.Items).toMatchObject([
        { Id: other, Name: expect.any(String) },
      ]);
      expect((await bulk('TestPlans', read)).status).toBe(200);
      const named = `another ${other}`;
      const sent = read.map((plan) => (plan.Id === other ? { ...plan, Name: named } : plan));
      const answer = await bulk('TestPlans', isReverse ? sent.reverse() : sent);
      expect(answer.status, answer.text).toBe(200);
      expect(await app.json(`/api/v1/TestPlans/${other}?include=[Name,Description]`)).toMatchObject({
        Name: named,
        Description: 'before',
      });
    }
  });

  it('may spell one number in two ways', async () => {
    const [one, other] = [await make('Features'), await make('Features')];
    const id = await make('UserStories', { Feature: { Id: one } });
    const answer = await bulk('Features', [
      { Id: one, UserStories: [{ Id: id, NumericPriority: 2 }] },
      { Id: other, UserStories: [{ Id: id, NumericPriority: '2.0' }] },
    ]);
    expect(answer.status, answer.text).toBe(200);
  });

  it('are changed once by what different places say of different members', async () => {
    const [one, other] = [await make('TestPlans'), await make('TestPlans')];
    const history = async () =>
      (await app.rows('select entity_version as version from general where id = $1', [other]))[0].version;
    const before = await history();
    const answer = await bulk('TestPlans', [
      { Id: one, ChildTestPlans: [{ Id: other, Description: 'below' }] },
      { Id: other, Name: 'on top' },
    ]);
    expect(answer.status, answer.text).toBe(200);
    expect(await app.json(`/api/v1/TestPlans/${other}?include=[Name,Description]`)).toMatchObject({
      Name: 'on top',
      Description: 'below',
    });
    expect(await history()).toBe(before + 1);
  });

  it('stand there once, also by their Ids alone', async () => {
    const id = await make('TestPlans');
    const answer = await bulk('TestPlans', [{ Id: id }, { Id: id }]);
    expect([answer.status, answer.json.Message]).toEqual(refusal('[1]', 'TestPlan', id));
  });
});

describe('a link that is named by its Id and by what it joins', () => {
  const different = [400, expect.stringContaining('the same is sent twice with different values.')];

  it('is refused where both tell different things, in either order', async () => {
    const id = await make('UserStories');
    const [{ Id, Role }] = await app.items(`/api/v1/UserStories/${id}/RoleEfforts`);
    const sent = [
      { Id, Effort: 3 },
      { Role: { Id: Role.Id }, Effort: 4 },
    ];
    for (const RoleEfforts of [sent, sent.toReversed()]) {
      const answer = await app.post(`/api/v1/UserStories/${id}?format=json`, { RoleEfforts });
      expect([answer.status, answer.json.Message]).toEqual(different);
    }
    const listed = [
      { Id, Effort: 3 },
      { Assignable: { Id: id }, Role: { Id: Role.Id }, Effort: 9 },
    ];
    const answer = await bulk('RoleEfforts', listed);
    expect([answer.status, answer.json.Message]).toEqual(different);
    expect((await app.json(`/api/v1/RoleEfforts/${Id}`)).Effort).toBe(0);
  });

  it('is refused where its dates differ, or where it is to join something else', async () => {
    const Assignable = { Id: await make('UserStories') };
    const [one, other] = [await app.write('Teams', { Name: 'one' }), await app.write('Teams', { Name: 'other' })];
    const { Id } = await app.write('TeamAssignments', { Assignable, Team: { Id: one.Id } });
    const joined = { Assignable, Team: { Id: one.Id } };
    for (const listed of [
      [
        { Id, EndDate: '2041-12-31' },
        { ...joined, EndDate: '2042-12-31' },
      ],
      [{ Id, Team: { Id: other.Id } }, joined],
    ]) {
      const answer = await bulk('TeamAssignments', listed);
      expect([answer.status, answer.json.Message]).toEqual(different);
    }
  });

  it('is taken where both tell the same, or its Id tells nothing', async () => {
    const id = await make('UserStories');
    const [{ Id, Role }] = await app.items(`/api/v1/UserStories/${id}/RoleEfforts`);
    for (const [Effort, more] of [
      [3, { Effort: 3 }],
      [5, {}],
    ] as const) {
      const RoleEfforts = [
        { Id, ...more },
        { Role: { Id: Role.Id }, Effort },
      ];
      expect((await app.post(`/api/v1/UserStories/${id}`, { RoleEfforts })).status).toBe(200);
      expect((await app.json(`/api/v1/RoleEfforts/${Id}`)).Effort).toBe(Effort);
    }
  });
});
