/**
 * One entity in two places of a body: what is taken is what its changes would be one after the other, and what is
 * refused changes nothing.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make, twoOfEverything } from '../support/builder.js';

vi.setConfig({ testTimeout: 120_000 });

let app: TestApp;
let ids: Ids;
let others: Ids;
/** Owners: the first one has the item. */
const first: Ids = {};
const second: Ids = {};
beforeAll(async () => {
  app = await TestApp.start();
  ({ ids, others } = await twoOfEverything(app, 'places'));
  for (const kind of ['Feature', 'UserStory', 'Iteration', 'TestPlan', 'Release'])
    for (const [mark, of] of [
      ['first', first],
      ['second', second],
    ] as const)
      of[kind] = await make(app, kind, { mark, ids });
});
afterAll(() => app.stop());

// biome-ignore lint/suspicious/noExplicitAny: an item as it is sent and read
type Item = Record<string, any>;
type Place = Item | undefined;

interface Shape {
  name: string;
  kind: 'UserStory' | 'Task' | 'TestPlan';
  /** What the item has before. */
  start: () => object;
  /** A body with the item in one of the places, or in both. The first one is where it lies already. */
  body: (one: Place, other: Place) => [path: string, places: Item[], wrap?: (places: Item[]) => object];
}

const collection = { UserStory: 'UserStories', Task: 'Tasks', TestPlan: 'TestPlans' };

const those = (...places: Place[]): Item[] => places.filter((place) => place !== undefined);
const inOne = (places: Item[]): Item => Object.assign({}, ...places);

/** Owners in a list, each with its item. */
const list =
  (owners: string, items: string, one: () => number | undefined, other: () => number | undefined): Shape['body'] =>
  (a, b) => [`${owners}/bulk`, those(a && { Id: one(), [items]: [a] }, b && { Id: other(), [items]: [b] })];

const ofFeature = () => ({ Feature: { Id: first.Feature } });
const shapes: Shape[] = [
  {
    name: 'stories of features',
    kind: 'UserStory',
    start: ofFeature,
    body: list(
      'Features',
      'UserStories',
      () => first.Feature,
      () => second.Feature,
    ),
  },
  {
    name: 'stories of features of two projects',
    kind: 'UserStory',
    start: ofFeature,
    body: list(
      'Features',
      'UserStories',
      () => first.Feature,
      () => others.Feature,
    ),
  },
  {
    name: 'tasks of stories',
    kind: 'Task',
    start: () => ({ UserStory: { Id: first.UserStory } }),
    body: list(
      'UserStories',
      'Tasks',
      () => first.UserStory,
      () => second.UserStory,
    ),
  },
  {
    name: 'stories of features in one body',
    kind: 'UserStory',
    start: ofFeature,
    body: (a, b) => {
      const [, places] = shapes[0]!.body(a, b);
      return [`Epics/${ids.Epic}`, places, (Features) => ({ Features })];
    },
  },
  {
    name: 'stories of iterations',
    kind: 'UserStory',
    start: () => ({ Iteration: { Id: first.Iteration } }),
    body: list(
      'Iterations',
      'UserStories',
      () => first.Iteration,
      () => second.Iteration,
    ),
  },
  {
    name: 'a story of a feature and of a release',
    kind: 'UserStory',
    start: ofFeature,
    body: (a, b) => [
      `Releases/${second.Release}`,
      those(a && { Features: [{ Id: first.Feature, UserStories: [a] }] }, b && { UserStories: [b] }),
      inOne,
    ],
  },
  {
    name: 'a story of a feature and of a build',
    kind: 'UserStory',
    start: ofFeature,
    body: (a, b) => [
      `Builds/${ids.Build}`,
      those(a && { Features: [{ Id: first.Feature, UserStories: [a] }] }, b && { UserStories: [b] }),
      inOne,
    ],
  },
  {
    name: 'a story that comes to a feature and to a build',
    kind: 'UserStory',
    start: ofFeature,
    body: (a, b) => [
      `Builds/${ids.Build}`,
      those(a && { Features: [{ Id: second.Feature, UserStories: [a] }] }, b && { UserStories: [b] }),
      inOne,
    ],
  },
  {
    name: 'a story that comes to a release and to an iteration',
    kind: 'UserStory',
    start: ofFeature,
    body: (a, b) => [
      `Releases/${second.Release}`,
      those(a && { UserStories: [a] }, b && { Iterations: [{ Id: first.Iteration, UserStories: [b] }] }),
      inOne,
    ],
  },
  {
    name: 'a test plan below another one and on top',
    kind: 'TestPlan',
    start: () => ({ ParentTestPlans: [{ Id: first.TestPlan }] }),
    body: (a, b) => ['TestPlans/bulk', those(a && { Id: first.TestPlan, ChildTestPlans: [a] }, b)],
  },
];

const members: Record<Shape['kind'], [string, unknown, unknown][]> = {
  UserStory: [
    ['Description', 'one', 'other'],
    ['Name', 'one', 'other'],
    ['EntityState', { Name: 'Done' }, { Name: 'In Progress' }],
    ['Tags', 'one', 'other'],
    ['Release', () => ({ Id: first.Release }), () => ({ Id: second.Release })],
  ],
  Task: [
    ['Effort', 3, 5],
    ['Description', 'one', 'other'],
    ['EntityState', { Name: 'Done' }, { Name: 'Open' }],
    ['Tags', 'one', 'other'],
    ['PlannedStartDate', '2041-01-01', '2041-01-02'],
  ],
  TestPlan: [
    ['Description', 'one', 'other'],
    ['Tags', 'one', 'other'],
    ['PlannedStartDate', '2041-01-01', '2041-01-02'],
  ],
};

/** What a place says: the Id alone, what was read, or that with a member changed. */
const contents = ['id', 'read', 'one member', 'another member', 'read and one member'] as const;
type Content = (typeof contents)[number];

const shown = {
  UserStory: ['Description', 'Effort', 'EntityState', 'Release', 'Priority', 'Owner'],
  Task: ['Description', 'Effort', 'EntityState', 'Release', 'PlannedStartDate', 'Owner'],
  TestPlan: ['Description', 'PlannedStartDate', 'Owner'],
};
const more = {
  UserStory: ['Tags', 'Feature', 'Project', 'EffortToDo', 'EffortCompleted', 'EndDate', 'Iteration', 'Team'],
  Task: ['Tags', 'UserStory', 'Project', 'EffortToDo', 'EffortCompleted', 'EndDate', 'Iteration', 'Team'],
  TestPlan: ['Tags', 'ParentTestPlans'],
};

let made = 0;
async function twoItems({ kind, start }: Shape): Promise<[number, number]> {
  made += 1;
  const make2 = { ...start(), Name: `item ${made}`, Project: { Id: ids.Project } };
  const { json } = await app.post(`/api/v1/${collection[kind]}/bulk?format=json`, [make2, make2]);
  return json.Items.map(({ Id }: { Id: number }) => Id);
}

const readOf = (kind: Shape['kind'], id: number, names: string[]): Promise<Item> =>
  app.json(`/api/v1/${collection[kind]}/${id}?include=[Name,${names}]&dateformat=iso`);

const write = (path: string, body: object) => app.post(`/api/v1/${path}?format=json`, body);

/** The members that a content changes. */
function changesOf(content: Content, kind: Shape['kind'], at: number, isSecond: boolean): Item {
  const all = members[kind];
  const [name, one, other] = all[(content === 'another member' ? at + 1 : at) % all.length]!;
  const value = isSecond && content === 'read and one member' ? other : one;
  return content === 'id' || content === 'read' ? {} : { [name]: typeof value === 'function' ? value() : value };
}

const stateOf = async ({ kind }: Shape, id: number): Promise<Item> => {
  const { Id, ...state } = await readOf(kind, id, [...shown[kind], ...more[kind]]);
  // When it was done.
  return { ...state, EndDate: typeof state.EndDate };
};

async function outcome(shape: Shape, [one, other]: [Content, Content], isReverse: boolean, at: number) {
  const { kind } = shape;
  const [together, apart] = await twoItems(shape);
  const changes = [changesOf(one, kind, at, false), changesOf(other, kind, at, true)] as const;
  const read = await readOf(kind, together, shown[kind]);
  const sent = (id: number, content: Content, change: Item): Item =>
    content.startsWith('read') ? { ...read, Id: id, ...change } : { Id: id, ...change };
  const [path, places, wrap] = shape.body(sent(together, one, changes[0]), sent(together, other, changes[1]));
  const ordered = isReverse ? places.toReversed() : places;
  const before = await stateOf(shape, together);
  const answer = await write(path, wrap?.(ordered) ?? ordered);
  const after = await stateOf(shape, together);
  if (answer.status !== 200) {
    const [name] = Object.keys(changes[0]);
    const isContradicted =
      name !== undefined && name in changes[1] && JSON.stringify(changes[0]) !== JSON.stringify(changes[1]);
    expect(after).toEqual(before);
    return isContradicted ? undefined : `${answer.status} ${answer.json.Message}`;
  }
  for (const [a, b] of [
    [{ Id: apart, ...changes[0] }, undefined],
    [undefined, { Id: apart, ...changes[1] }],
  ]) {
    const [path, places, wrap] = shape.body(a, b);
    const alone = await write(path, wrap?.(places) ?? places);
    if (alone.status !== 200) return `alone ${alone.status} ${alone.json.Message}`;
  }
  const expected = await stateOf(shape, apart);
  const wrong = Object.keys(expected).filter((name) => JSON.stringify(expected[name]) !== JSON.stringify(after[name]));
  return wrong.length === 0
    ? undefined
    : wrong.map((name) => `${name} ${JSON.stringify([after[name], expected[name]])}`).join(', ');
}

describe.each(shapes)('$name', (shape) => {
  const pairs = contents.flatMap((one) => contents.map((other): [Content, Content] => [one, other]));

  it.each(['in order', 'in reverse'])('%s', async (order) => {
    const wrong: string[] = [];
    for (const [at, pair] of pairs.entries()) {
      // Half of them each time.
      if ((at + shapes.indexOf(shape) + order.length) % 2 > 0) continue;
      const why = await outcome(shape, pair, order === 'in reverse', at);
      if (why !== undefined) wrong.push(`${pair.join(', ')} (${at}): ${why}`);
    }
    expect(wrong).toEqual([]);
  });
});
