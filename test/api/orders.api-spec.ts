/**
 * What a body lists comes in some order, which says nothing: an owner that moves, parts that go along or elsewhere, and
 * what is written of these. Each order is stored and ends alike, or is refused; nobody else is about, so nothing waits
 * to be tried again.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { activity } from '../../src/runtime/activity.js';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

/** Of one try: two stories, the first one with a task, and a plan with a run. */
interface Parts {
  story: number;
  other: number;
  task: number;
  plan: number;
  run: number;
}

let app: TestApp;
/** Projects: where all begins, another one of the same process, one of another process. */
let home: number;
let near: number;
let far: number;
let iteration: number;

beforeAll(async () => {
  app = await TestApp.start();
  const ids: Ids = { Process: 3, Role: 1, EntityType: 5 };
  const place = { mark: 'order', ids };
  const process = await make(app, 'Process', place);
  near = await make(app, 'Project', place, { Process: { Id: 3 } });
  far = await make(app, 'Project', place, { Process: { Id: process } });
  home = await make(app, 'Project', place, { Process: { Id: 3 } });
  for (const [Name, Id] of [
    ['Here', 3],
    ['There', process],
  ])
    await make(app, 'CustomField', place, { Name, EntityType: { Id: 5 }, Process: { Id } });
  iteration = await make(app, 'Iteration', {
    mark: 'order',
    ids: {
      ...ids,
      Project: home,
      Release: await make(app, 'Release', { mark: 'order', ids: { ...ids, Project: home } }),
    },
  });
  activity.retries.transaction = 0;
});
afterAll(() => app.stop());

/** For so many tries. */
async function begin(count: number): Promise<Parts[]> {
  const Project = { Id: home };
  const story = { Name: 'story', Project, Tasks: [{ Name: 'task', CustomFields: [{ Name: 'Here', Value: 'v' }] }] };
  const twice = Array.from({ length: count }, () => [story, { Name: 'other', Project }]);
  const stories = (await app.write('UserStories/bulk?include=[Id,Tasks]', twice.flat())).Items;
  const plan = { Name: 'plan', Project, TestPlanRuns: [{}] };
  const plans = (await app.write('TestPlans/bulk?include=[Id,TestPlanRuns]', Array(count).fill(plan))).Items;
  return Array.from({ length: count }, (_, at) => ({
    ...{ story: stories[2 * at].Id, task: stories[2 * at].Tasks.Items[0].Id, other: stories[2 * at + 1].Id },
    ...{ plan: plans[at].Id, run: plans[at].TestPlanRuns.Items[0].Id },
  }));
}

/** How it ended, by the parts. */
const ended = ({ story, other, task, plan, run }: Parts): Promise<unknown[]> =>
  app.rows(
    `select case g.id when $1 then 'story' when $2 then 'other' when $3 then 'task' when $4 then 'plan' when $5 then 'run'
        else 'new' end as part,
       g.name, g.project_id, s.name as state, s.process_id, g.custom_values, g.user_story_id = $1 as is_of_story
     from general g left join entity_state s on s.id = g.entity_state_id
     where g.id in ($1, $2, $3, $4, $5) or g.user_story_id in ($1, $2) or g.test_plan_id = $4
     order by g.name, 3, 1, is_of_story`,
    [story, other, task, plan, run],
  );

const misplaced = `select g.id from general g left join general p on p.id = g.project_id
    left join general o on o.id = case g.entity_type_id when 5 then g.user_story_id when 14 then g.test_plan_id end
    left join entity_state s on s.id = g.entity_state_id
  where g.delete_date is null and (o.project_id <> g.project_id or s.process_id <> p.process_id)`;

type Entry = (parts: Parts) => object;

const to = (project: () => number): object => ({
  get Project() {
    return { Id: project() };
  },
});
const of =
  (part: keyof Parts, more: object): Entry =>
  (parts) => ({ Id: parts[part], ...more });

const done = { EntityState: { Name: 'Done' } };
const moves = [to(() => near), to(() => far)];
const away = moves.slice(1);
const written = [done, { Name: 'written' }, { CustomFields: [{ Name: 'Here', Value: 'w' }] }];

/** Of each entity one is chosen, or none. */
const assignables: Entry[][] = [
  away.map((move) => of('story', move)),
  moves.slice(0, 1).map((move) => of('other', move)),
  [of('task', done)],
  away.map((move) => of('plan', move)),
  [of('run', done)],
];

/** With tasks that stay, come from the other story, or are new. */
const stories: Entry[][] = [
  [...moves.map((move) => of('story', move)), ...sentWithTask('story')],
  [...moves.map((move) => of('other', move)), ...sentWithTask('other')],
];

function sentWithTask(owner: 'story' | 'other'): Entry[] {
  const tasks = [done, { CustomFields: [{ Name: 'There', Value: 'w' }] }];
  return [{}, ...away].flatMap((move) => [
    ...tasks.map((more) => (parts: Parts) => ({ Id: parts[owner], ...move, Tasks: [{ Id: parts.task, ...more }] })),
    (parts) => ({ Id: parts[owner], ...move, Tasks: [{ Name: 'new' }] }),
  ]);
}

const plans: Entry[][] = [
  [{}, ...moves].flatMap((move) =>
    [{ Name: 'written' }, done].map((more) => (parts: Parts) => ({
      Id: parts.plan,
      ...move,
      TestPlanRuns: [{ Id: parts.run, ...more }],
    })),
  ),
];

/** Collections of an iteration, as entries of [name, items]. */
const collections: Entry[][] = [
  moves.map((move) => (parts) => ['UserStories', [{ Id: parts.story, ...move }]]),
  [
    ...written.map((more) => (parts: Parts) => ['Tasks', [{ Id: parts.task, ...more }]]),
    (parts) => ['Tasks', [{ Id: parts.task, UserStory: { Id: parts.other } }]],
    (parts) => ['Tasks', [{ Name: 'new', UserStory: { Id: parts.story } }]],
  ],
];

/** Choices of up to `most` entries, each of another entity. */
function chosen(entries: Entry[][], most: number): Entry[][] {
  if (entries.length === 0 || most === 0) return [[]];
  const [first, ...others] = entries;
  const with_ = first!.flatMap((entry) => chosen(others, most - 1).map((rest) => [entry, ...rest]));
  return [...chosen(others, most), ...with_];
}

function orders<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((one, at) => orders(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}

type Sending = (entries: object[]) => [path: string, body: unknown];

const listed =
  (path: string): Sending =>
  (entries) => [`${path}/bulk`, entries];
const inIteration: Sending = (entries) => [
  `Iterations/${iteration}`,
  Object.fromEntries(entries as [string, unknown][]),
];

it('what a body says of a task of a story that moves is checked where the story goes', async () => {
  const [{ story, task }] = (await begin(1)) as [Parts];
  const there = [{ Name: 'There', Value: 'w' }];
  const send = (CustomFields: object[]) =>
    app.post('/api/v1/UserStories', { Id: story, Project: { Id: far }, Tasks: [{ Id: task, ...done, CustomFields }] });
  const refused = await send([{ Name: 'Here', Value: 'w' }]);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('has no custom field')]);
  expect((await send(there)).status).toBe(200);
  const { EntityState, Project, CustomFields } = await app.json(`/api/v1/Tasks/${task}`);
  expect([EntityState.Name, Project.Id, CustomFields]).toEqual(['Done', far, [expect.objectContaining(there[0]!)]]);
});

it.each<[what: string, Entry[][], most: number, Sending]>([
  ['items of all kinds', assignables, 3, listed('Assignables')],
  ['stories with tasks', stories, 2, listed('UserStories')],
  ['plans with runs', plans, 1, listed('TestPlans')],
  ['collections of one owner', collections, 2, inIteration],
])('%s are stored alike in any order, or refused', async (_, entries, most, send) => {
  const choices = chosen(entries, most).filter(({ length }) => length > 0);
  const tries = choices.flatMap((choice) => orders(choice).map((order) => ({ choice, order })));
  const all = await begin(tries.length);
  const ends = new Map<Entry[], unknown>();
  for (const [at, { choice, order }] of tries.entries()) {
    const parts = all[at]!;
    const [path, body] = send(order.map((entry) => entry(parts)));
    const { status, text } = await app.post(`/api/v1/${path}?format=json&include=[Id]`, body);
    const what = JSON.stringify([path, body, text.slice(0, 200), parts]);
    expect([200, 400], what).toContain(status);
    if (status !== 200) continue;
    const end = await ended(parts);
    expect(end, what).toEqual(ends.get(choice) ?? end);
    ends.set(choice, end);
  }
  expect(ends.size).toBeGreaterThan(0);
  expect(await app.rows(misplaced)).toEqual([]);
  expect(activity.retries.transaction).toBe(0);
});
