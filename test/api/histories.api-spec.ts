/** Histories tell of every effort that an item had, also where it moved because a part came or went. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { diceOf, pick } from '../support/dice.js';

let app: TestApp;
let project: number;
let other: number;
beforeAll(async () => {
  app = await TestApp.start();
  project = await make('Projects', { Name: 'of the items' });
  other = await make('Projects', { Name: 'another one' });
});
afterAll(() => app.stop());

const write = async (path: string, body: unknown) => {
  const answer = await app.post(`/api/v1/${path}?format=json`, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const make = async (path: string, body: unknown): Promise<number> => (await write(path, body)).Id;
const remove = async (path: string) =>
  expect((await app.ask(`/api/v1/${path}?format=json`, { method: 'DELETE' })).status).toBe(200);

/** The efforts of its records, the eldest first. */
async function efforts(collection: string, id: number): Promise<number[]> {
  const records = await app.items(`/api/v1/${collection}/${id}/History?include=[Effort]&orderBy=Date,Id`);
  return records.map(({ Effort }) => Effort);
}

const five = { RoleEfforts: [{ Role: { Id: 1 }, Effort: 5 }] };

describe('a part in the project of the item', () => {
  let from: number;
  let to: number;
  let feature: number;
  let task: number;
  beforeAll(async () => {
    feature = await make('Features', { Name: 'feature', Project: { Id: project } });
    const story = { Name: 'story', Project: { Id: project }, Feature: { Id: feature } };
    from = await make('UserStories', story);
    to = await make('UserStories', story);
    task = await make('Tasks', { Name: 'task', UserStory: { Id: from }, ...five });
  });

  it.each<[string, () => Promise<unknown>, number[], number[], number[]]>([
    ['is made', async () => {}, [0, 5], [0], [0, 5]],
    ['moves to another one', () => write(`Tasks/${task}`, { UserStory: { Id: to } }), [0, 5, 0], [0, 5], [0, 5]],
    ['is deleted', () => remove(`Tasks/${task}`), [0, 5, 0], [0, 5, 0], [0, 5, 0]],
    ['is restored', () => write('undelete', { EntityType: 'Task', Id: task }), [0, 5, 0], [0, 5, 0, 5], [0, 5, 0, 5]],
    [
      'goes with the story that it lies in',
      () => write(`UserStories/${to}`, { Feature: null }),
      [0, 5, 0],
      [0, 5, 0, 5],
      [0, 5, 0, 5, 0],
    ],
  ])('%s', async (_, act, ofFrom, ofTo, ofFeature) => {
    await act();
    expect([await efforts('UserStories', from), await efforts('UserStories', to)]).toEqual([ofFrom, ofTo]);
    expect(await efforts('Features', feature)).toEqual(ofFeature);
    const [record] = await app.items(
      `/api/v1/FeatureHistories?where=CurrentFeature.Id eq ${feature}&include=[Effort,IsChangedEffort]&orderByDesc=Date,Id&take=1`,
    );
    expect(record.Effort).toBe(ofFeature.at(-1));
  });
});

it('a part in another project comes and goes without a record', async () => {
  const feature = await make('Features', { Name: 'feature', Project: { Id: project } });
  const story = { Name: 'story', Project: { Id: other }, Feature: { Id: feature }, ...five };
  const [gone, moved] = [await make('UserStories', story), await make('UserStories', story)];
  await remove(`UserStories/${gone}`);
  await write(`UserStories/${moved}`, { Feature: null });
  await write('undelete', { EntityType: 'UserStory', Id: gone });
  expect(await efforts('Features', feature)).toEqual([0]);
  expect((await app.json(`/api/v1/Features/${feature}`)).Effort).toBe(5);
});

describe('a task comes, goes or comes back around a move of its story', () => {
  const story = (Project: number) => make('UserStories', { Name: 'story', Project: { Id: Project } });
  const task = (Story: number, Effort: number) =>
    make('Tasks', { Name: 'task', UserStory: { Id: Story }, RoleEfforts: [{ Role: { Id: 1 }, Effort }] });
  let [moved, kept, coming, staying]: number[] = [];
  beforeEach(async () => {
    [moved, kept] = [await story(project), await story(project)];
    [coming, staying] = [await task(moved!, 3), await task(kept!, 5)];
  });
  const list = (...items: object[]) => write('Assignables/bulk', items);
  const elsewhere = () => ({ Id: moved, Project: { Id: other } });

  it.each<[string, () => Promise<unknown>, number[], number[]]>([
    ['comes with the move', () => list(elsewhere(), { Id: staying, UserStory: { Id: moved } }), [0, 3, 8], [0, 5, 0]],
    ['goes with the move', () => list(elsewhere(), { Id: coming, UserStory: { Id: kept } }), [0, 3, 0], [0, 5, 8]],
    [
      'goes from one that moves to another one that moves',
      () => list(elsewhere(), { Id: kept, Project: { Id: other } }, { Id: coming, UserStory: { Id: kept } }),
      [0, 3, 0],
      [0, 5, 8],
    ],
    [
      'is restored after the move',
      async () => {
        await remove(`Tasks/${coming}`);
        await write(`UserStories/${moved}`, elsewhere());
        await write('undelete', { EntityType: 'Task', Id: coming });
      },
      [0, 3, 0, 3],
      [0, 5],
    ],
  ])('%s', async (_, act, ofMoved, ofKept) => {
    await act();
    expect(await efforts('UserStories', moved!)).toEqual(ofMoved);
    expect(await efforts('UserStories', kept!)).toEqual(ofKept);
  });
});

it('the records of all kinds are read together by the feature that an item was in', async () => {
  const feature = await make('Features', { Name: 'feature', Project: { Id: project } });
  const story = await make('UserStories', { Name: 'in it', Project: { Id: project }, Feature: { Id: feature } });
  const bug = await make('Bugs', { Name: 'in it, too', Project: { Id: project }, Feature: { Id: feature } });
  const records = await app.items(
    `/api/v1/FullHistories?where=Feature.Id eq ${feature}&include=[General[Id],Feature[Id]]&orderBy=General.Id`,
  );
  expect(records.map(({ General, Feature }) => [General.Id, Feature.Id])).toEqual([
    [story, feature],
    [bug, feature],
  ]);
});

it('records follow one another as their changes did, whoever began first', async () => {
  const story = await make('UserStories', { Name: 'story', Project: { Id: project } });
  const states = await app.items(
    `/api/v1/EntityStates?where=(EntityType.Name eq 'UserStory')and(Process.IsDefault eq 'true')&include=[Id,Name]`,
  );
  const [started, tested] = ['In Progress', 'In Testing'].map((name) => states.find(({ Name }) => Name === name)!.Id);
  const client = await app.database.connect();
  try {
    await client.query('begin');
    await client.query('select now()');
    await write(`UserStories/${story}`, { EntityState: { Id: started } });
    await client.query('update general set entity_state_id = $1 where id = $2', [tested, story]);
    await client.query('commit');
  } finally {
    client.release();
  }
  const simple = await app.items(`/api/v1/UserStories/${story}/History?include=[EntityState]`);
  const full = await app.items(
    `/api/v1/UserStoryHistories?where=CurrentUserStory.Id eq ${story}&include=[EntityState]`,
  );
  for (const records of [simple, full])
    expect(records.map(({ EntityState }) => EntityState.Name)).toEqual(['In Testing', 'In Progress', 'Open']);
});

it('a record has the date of the change that it tells of, to the millisecond', async () => {
  const [started] = await app.items(
    `/api/v1/EntityStates?where=(EntityType.Name eq 'UserStory')and(Process.IsDefault eq 'true')and(Name eq 'In Progress')&include=[Id]`,
  );
  for (let count = 0; count < 20; count += 1) {
    const story = await make('UserStories', { Name: 'story', Project: { Id: project } });
    await write(`UserStories/${story}`, { EntityState: { Id: started.Id } });
    const [item] = await app.items(`/api/v1/UserStories?where=Id eq ${story}&include=[CreateDate,LastStateChangeDate]`);
    const simple = await app.items(`/api/v1/UserStories/${story}/History?include=[Date]&orderBy=Id`);
    const full = await app.items(
      `/api/v1/UserStoryHistories?where=CurrentUserStory.Id eq ${story}&include=[Date]&orderBy=Id`,
    );
    for (const records of [simple, full])
      expect(records.map((record) => record.Date)).toEqual([item.CreateDate, item.LastStateChangeDate]);
  }
});

it('a change does not belong to a record of later, as the clock of the database leaves behind that went back', async () => {
  const story = await make('UserStories', { Name: 'story', Project: { Id: project } });
  await app.rows(`update full_history set date = date + interval '1 hour' where general_id = $1`, [story]);
  for (const Name of ['second', 'third']) await write(`UserStories/${story}`, { Name });
  const records = await app.items(
    `/api/v1/UserStoryHistories?where=CurrentUserStory.Id eq ${story}&include=[Name]&orderBy=Id`,
  );
  expect(records.map(({ Name }) => Name)).toEqual(['story', 'second', 'third']);
});

it.each([
  ['in one project', false],
  ['where stories move between projects', true],
])(
  'the latest record tells the effort that an item has, whatever its parts did: %s',
  async (_, isMoving) => {
    const seed = Number(process.env.SEED ?? 1);
    const dice = diceOf(seed);
    const place = { Name: 'item', Project: { Id: project } };
    const many = (path: string, body: () => object) => Promise.all([1, 2, 3].map(() => make(path, body())));
    const epics = isMoving ? [] : await many('Epics', () => place);
    const features = isMoving ? [] : await many('Features', () => ({ ...place, Epic: { Id: pick(dice, epics) } }));
    const stories = await many('UserStories', () => ({
      ...place,
      Feature: isMoving ? null : { Id: pick(dice, features) },
    }));
    const tasks = await many('Tasks', () => ({ Name: 'item', UserStory: { Id: pick(dice, stories) }, ...five }));
    const kinds = [
      { path: 'Epics', type: 'Epic', ids: epics },
      { path: 'Features', type: 'Feature', ids: features, owner: 'Epic', owners: epics },
      { path: 'UserStories', type: 'UserStory', ids: stories, owner: 'Feature', owners: features },
      { path: 'Tasks', type: 'Task', ids: tasks, owner: 'UserStory', owners: stories },
    ].filter(({ ids }) => ids.length > 0);
    const done: string[] = [];
    const ask = async (path: string, body?: object) => {
      const address = `/api/v1/${path}?format=json`;
      const { status } = await (body ? app.post(address, body) : app.ask(address, { method: 'DELETE' }));
      done.push(`${path} ${JSON.stringify(body) ?? 'deleted'}: ${status}`);
    };
    const moved = () => ({ Id: pick(dice, stories), Project: { Id: pick(dice, [project, other]) } });
    const given = () => ({ Id: pick(dice, tasks), UserStory: { Id: pick(dice, stories) } });
    const moves = [
      () => ask('Assignables/bulk', [moved()]),
      () => ask('Assignables/bulk', [moved(), given()]),
      () => ask('Assignables/bulk', [given(), moved()]),
    ];
    for (let step = 0; step < Number(process.env.CASES ?? 40); step++) {
      const { path, type, ids, owner, owners = [] } = pick(dice, kinds);
      const id = pick(dice, ids);
      const acts = [
        () => ask(`${path}/${id}`),
        () => ask('undelete', { EntityType: type, Id: id }),
        () => ask('undelete', { EntityType: type, Id: id }),
        () => ask('RoleEfforts', { Assignable: { Id: id }, Role: { Id: 1 + 8 * dice(2) }, Effort: dice(9) }),
        ...(owners.length > 0
          ? Array(3).fill(() => ask(`${path}/${id}`, { [owner!]: { Id: pick(dice, owners) } }))
          : []),
        ...(isMoving ? moves : []),
      ];
      await pick(dice, acts)();
      for (const { path, ids } of kinds) {
        const items = await app.items(
          `/api/v1/${path}?where=Id in (${ids})&include=[Effort,History[Effort]]&innerTake=1`,
        );
        const latest = items.map(({ Id, History }) => ({ Id, Effort: History.Items[0].Effort }));
        expect(latest, `seed ${seed}: ${path} after\n${done.join('\n')}`).toEqual(
          items.map(({ Id, Effort }) => ({ Id, Effort })),
        );
      }
    }
  },
  120_000,
);

/** A value before and after: of a reference, kinds of which two are made. */
const kept: Record<string, [before: unknown, after: unknown] | string> = {
  PlannedStartDate: ['2031-01-01T00:00:00', '2031-02-01T00:00:00'],
  PlannedEndDate: ['2031-03-01T00:00:00', '2031-04-01T00:00:00'],
  InitialEstimate: [3, 4.5],
  PortfolioEpic: 'PortfolioEpics',
  Epic: 'Epics',
  Feature: 'Features',
  UserStory: 'UserStories',
  Build: 'Builds',
  Severity: 'Severities',
};

it.each([
  ['UserStory', 'UserStories', ['PlannedStartDate', 'PlannedEndDate', 'InitialEstimate', 'Feature', 'Build']],
  ['Task', 'Tasks', ['PlannedStartDate', 'PlannedEndDate', 'UserStory']],
  ['Bug', 'Bugs', ['PlannedStartDate', 'PlannedEndDate', 'Severity', 'Feature', 'UserStory', 'Build']],
  ['Feature', 'Features', ['PlannedStartDate', 'PlannedEndDate', 'InitialEstimate', 'PortfolioEpic', 'Epic', 'Build']],
  ['Epic', 'Epics', ['PlannedStartDate', 'PlannedEndDate', 'InitialEstimate', 'PortfolioEpic', 'Build']],
  ['PortfolioEpic', 'PortfolioEpics', ['PlannedStartDate', 'PlannedEndDate', 'InitialEstimate']],
  ['Request', 'Requests', ['PlannedStartDate', 'PlannedEndDate', 'Build']],
  ['Impediment', 'Impediments', ['PlannedStartDate', 'PlannedEndDate']],
])('the full history of a %s keeps what only some kinds have, and tells when it changed', async (kind, path, names) => {
  const place = kind === 'PortfolioEpic' ? {} : { Project: { Id: project } };
  const [before, after]: Record<string, unknown>[] = [{}, {}];
  for (const name of names) {
    const values = kept[name]!;
    if (typeof values !== 'string') [before![name], after![name]] = values;
    else {
      const referred = { Name: name, ...(name === 'PortfolioEpic' ? {} : { Project: { Id: project } }) };
      const [one, two] =
        name === 'Severity'
          ? (await app.items('/api/v1/Severities?take=2&include=[Id]')).map(({ Id }) => Id)
          : [await make(values, referred), await make(values, referred)];
      [before![name], after![name]] = [{ Id: one }, { Id: two }];
    }
  }
  const id = await make(path, { Name: 'kept', ...place, ...before });
  await app.rows(`update full_history set date = date - interval '1 hour' where general_id = $1`, [id]);
  for (const name of names) {
    await write(`${path}/${id}`, { [name]: after![name] });
    const records = await app.items(`/api/v1/${kind}Histories?where=Current${kind}.Id eq ${id}&orderBy=Date,Id`);
    const item = await app.json(`/api/v1/${path}/${id}`);
    expect(records.map((record) => record[`IsChanged${name}`])).toEqual([false, true]);
    expect(records[1][name]).toEqual(item[name]);
    const value = before![name] as { Id: number } | number | string;
    const was =
      typeof value === 'object'
        ? `${name}.Id eq ${value.Id}`
        : `${name} gte '${value}' and ${name} lt '${after![name]}'`;
    const where = `Current${kind}.Id eq ${id} and ${was} and IsChanged${name} eq 'false'`;
    expect((await app.items(`/api/v1/${kind}Histories?where=${where}&include=[Id]`))[0]).toEqual({
      ResourceType: `${kind}History`,
      Id: records[0].Id,
    });
  }
});

it('whoever sees an item sees all of its past, but for references to what he does not see', async () => {
  const story = await make('UserStories', { Name: 'its first name', Project: { Id: 26 } });
  await app.rows(`update full_history set date = date - interval '1 hour' where general_id = $1`, [story]);
  await write(`UserStories/${story}`, { Name: 'another', Project: { Id: 8 } });
  const records = `/api/v1/UserStoryHistories?where=CurrentUserStory.Id eq ${story}&include=[Name,Project]&orderBy=Date,Id`;
  const [seen] = await app.items(records, { as: 'alice' });
  expect([seen.Name, seen.Project]).toEqual(['its first name', null]);
  expect((await app.ask('/api/v1/Projects/26', { as: 'alice' })).status).toBe(404);
});
