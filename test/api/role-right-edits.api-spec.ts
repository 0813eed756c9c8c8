/**
 * Which writes are an edit of what: every way in which a member changes a user story is refused where the role may not
 * edit stories.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { type Ids, make, model } from '../support/builder.js';

let app: TestApp;
const ids: Ids = { Process: 3, Role: 1, RelationType: 1 };
const as = 'editing.member';

beforeAll(async () => {
  app = await TestApp.start();
  const place = { mark: 'edit', ids };
  ids.Project = await make(app, 'Project', place);
  ids.User = await make(app, 'User', place, { Login: as, Role: { Id: 1 } });
  await make(app, 'ProjectMember', { mark: '', ids });
  ids.other = await make(app, 'Project', place);
  await make(app, 'ProjectMember', { mark: '', ids: { ...ids, Project: ids.other, Role: 2 } });
  ids.Team = await make(app, 'Team', place);
  await make(app, 'TeamProject', place);
  for (const kind of [
    'Release',
    'Feature',
    'UserStory',
    'Task',
    'Bug',
    'TestCase',
    'TestPlan',
    'TeamAssignment',
    'Assignment',
  ])
    ids[kind] = await make(app, kind, place);
  ids.Relation = await make(app, 'Relation', place, { Master: { Id: await make(app, 'UserStory', place) } });
  await app.post(`/api/v1/UserStories/${ids.UserStory}`, { Feature: { Id: ids.Feature }, Tags: 'first' });
  const [effort] = await app.rows('select id from role_effort where assignable_id = $1 order by id', [ids.UserStory]);
  ids.RoleEffort = effort.id;
  const [state] = await app.rows(
    `select s.id from entity_state s join general g on g.id = $1
     where s.process_id = 3 and s.entity_type_id = 4 and s.id <> g.entity_state_id order by s.id limit 1`,
    [ids.UserStory],
  );
  ids.EntityState = state.id;
  const [tag] = await app.rows(`insert into tag (name) values ('there already') returning id`);
  ids.Tag = tag.id;
  const [first] = await app.rows('select tag_id as id from general_tag where general_id = $1', [ids.UserStory]);
  ids.own = first.id;
  const field = { Name: 'Reason', FieldType: 'Text', Process: { Id: 3 }, EntityType: { Id: 4 } };
  expect((await app.post('/api/v1/CustomFields', field)).status).toBe(201);
});
afterAll(() => app.stop());

const setRight = async (kind: number, role: number, right: Record<string, boolean>): Promise<void> => {
  const where = `where=(Role.Id eq ${role}) and (EntityType.Id eq ${kind})`;
  const [row] = await app.items(`/api/v1/RoleEntityTypes?${where}`);
  expect((await app.post(`/api/v1/RoleEntityTypes/${row.Id}`, right)).status).toBe(200);
};

/** What there is of the story, in whatever table. */
const stored = (): Promise<unknown[]> =>
  app.rows(
    `select g.*, (select array_agg(t.tag_id order by 1) from general_tag t where t.general_id = g.id) as tags,
       (select array_agg(a.* order by a.id) from assignment a where a.assignable_id = g.id)::text as assignments,
       (select array_agg(a.* order by a.id) from team_assignment a where a.assignable_id = g.id)::text as teams,
       (select array_agg(a.* order by a.id) from role_effort a where a.assignable_id = g.id)::text as efforts,
       (select count(*) from relation r where g.id in (r.master_id, r.slave_id)) as relations
     from general g where g.id = $1`,
    [ids.UserStory],
  );

type Way = [what: string, method: 'POST' | 'DELETE', path: string, body?: unknown];

const substituted = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/"?:(\w+)"?/g, (placeholder, name: string) =>
    ids[name] === undefined ? placeholder : String(ids[name]),
  );

const ask = ([, method, path, body]: Way): Promise<Answer> =>
  app.ask(`/api/v1/${substituted(path)}`, {
    as,
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : substituted(body).replaceAll(/:(?=\d)/g, ':'),
  });

const id = (name: string): object => ({ Id: `:${name}` });

/** The last ones take away what the others need. */
const ways: Way[] = [
  ['a value', 'POST', 'UserStories/:UserStory', { Name: 'changed' }],
  ['a value by a base type', 'POST', 'Generals/:UserStory', { Name: 'changed again' }],
  ['a value in bulk', 'POST', 'UserStories/bulk', [{ ...id('UserStory'), Name: 'in bulk' }]],
  [
    'a value by the body of the owner',
    'POST',
    'Features/:Feature',
    { UserStories: [{ ...id('UserStory'), Name: 'x' }] },
  ],
  ['a state', 'POST', 'UserStories/:UserStory', { EntityState: id('EntityState') }],
  ['the state of a team', 'POST', 'TeamAssignments/:TeamAssignment', { EntityState: { Name: 'Done' } }],
  ['tags', 'POST', 'UserStories/:UserStory', { Tags: 'first,second' }],
  ['new tags as objects', 'POST', 'UserStories/:UserStory', { TagObjects: [{ Name: 'third' }] }],
  ['a new tag of the collection', 'POST', 'UserStories/:UserStory/TagObjects', { Name: 'fourth' }],
  ['a tag of the collection', 'POST', 'UserStories/:UserStory/TagObjects', id('Tag')],
  ['a tag taken away', 'DELETE', 'UserStories/:UserStory/TagObjects/:Tag'],
  ['the items of a new tag', 'POST', 'UserStories/:UserStory', { TagObjects: [{ Name: 'fifth' }] }],
  ['a custom field', 'POST', 'UserStories/:UserStory', { CustomFields: [{ Name: 'Reason', Value: 'none' }] }],
  ['the effort of the item', 'POST', 'UserStories/:UserStory', { RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 }] }],
  ['an effort', 'POST', 'RoleEfforts/:RoleEffort', { Effort: 5 }],
  ['an assignment', 'POST', 'Assignments', { Assignable: id('UserStory'), GeneralUser: id('User'), Role: { Id: 2 } }],
  [
    'an assignment of the collection',
    'POST',
    'UserStories/:UserStory/Assignments',
    { GeneralUser: id('User'), Role: { Id: 3 } },
  ],
  ['an assignment changed', 'POST', 'Assignments/:Assignment', { Role: { Id: 5 } }],
  ['assigned users', 'POST', 'UserStories/:UserStory', { AssignedUser: [{ Id: 1 }] }],
  ['a relation', 'POST', 'Relations', { Master: id('UserStory'), Slave: id('related'), RelationType: { Id: 1 } }],
  ['a relation taken away', 'DELETE', 'Relations/:Relation'],
  ['out of the collection of its feature', 'DELETE', 'Features/:Feature/UserStories/:UserStory'],
  ['into the collection of a feature', 'POST', 'Features/:otherFeature/UserStories', id('UserStory')],
  ['an assignment taken away', 'DELETE', 'Assignments/:Assignment'],
  ['a team taken away', 'DELETE', 'UserStories/:UserStory/AssignedTeams/:TeamAssignment'],
  ['a team', 'POST', 'UserStories/:UserStory', { Team: id('otherTeam') }],
  ['to another project', 'POST', 'UserStories/:UserStory', { Project: id('other') }],
];

describe('an edit of a story', () => {
  beforeAll(async () => {
    for (const kind of ['Feature', 'Team']) ids[`other${kind}`] = await make(app, kind, { mark: 'edit', ids });
    ids.related = await make(app, 'UserStory', { mark: 'edit', ids });
  });

  it.each(ways)('is refused: %s', async (...way) => {
    const before = await stored();
    await setRight(4, 1, { IsEditEnabled: false });
    try {
      const answer = await ask(way);
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('allow you to edit UserStories')]);
      expect(await stored()).toEqual(before);
    } finally {
      await setRight(4, 1, { IsEditEnabled: true });
    }
  });

  it('is not what has rights of its own, and not what changes nothing', async () => {
    await setRight(4, 1, { IsEditEnabled: false });
    try {
      const whole = await app.json(
        `/api/v1/UserStories/${ids.UserStory}?include=[Id,Name,Tags,Feature,EntityState,Effort,CustomFields,Assignments,RoleEfforts,AssignedTeams,TagObjects]`,
        { as },
      );
      const { TagObjects, ...rest } = whole;
      const { Tags: _, ...objects } = { ...rest, TagObjects };
      for (const body of [rest, objects]) {
        const back = await app.post(`/api/v1/UserStories/${ids.UserStory}`, body, { as });
        expect(back.status, back.text).toBe(200);
      }
      const [held] = whole.Assignments.Items;
      const again = {
        Assignable: { Id: ids.UserStory },
        GeneralUser: { Id: held.GeneralUser.Id },
        Role: { Id: held.Role.Id },
      };
      expect((await app.post('/api/v1/Assignments', again, { as })).status).toBe(200);
      const General = { Id: ids.UserStory };
      for (const [path, body] of [
        ['Comments', { General, Description: 'said' }],
        ['Tasks', { Name: 'new', UserStory: General }],
        ['Bugs', { Name: 'new', UserStory: General, Project: { Id: ids.Project } }],
        ['GeneralFollowers', { General, User: { Id: ids.User } }],
        ['Revisions', { SourceControlId: '1', Project: { Id: ids.Project }, Assignables: [General] }],
      ] as const) {
        const answer = await app.post(`/api/v1/${path}`, body, { as });
        expect(answer.status, answer.text).toBe(201);
      }
      const made = {
        Name: 'new',
        Project: { Id: ids.Project },
        Tags: 'a',
        AssignedUser: [{ Id: ids.User }],
        Team: { Id: ids.Team },
      };
      const story = await app.post('/api/v1/UserStories', made, { as });
      expect(story.status, story.text).toBe(201);
    } finally {
      await setRight(4, 1, { IsEditEnabled: true });
    }
  });

  it.each(ways)('is made where it is allowed: %s', async (...way) => {
    const before = await stored();
    const answer = await ask(way);
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(await stored()).not.toEqual(before);
  });
});

it('is the effort of an item that a rule writes for its only role', async () => {
  const UserStory = await make(app, 'UserStory', { mark: 'edit', ids });
  const task = await make(app, 'Task', { mark: 'edit', ids: { ...ids, UserStory } });
  await setRight(5, 1, { IsEditEnabled: false });
  const write = () => app.post(`/api/v1/Tasks/${task}`, { Effort: 7 }, { as });
  const refused = await write();
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('edit Tasks')]);
  await setRight(5, 1, { IsEditEnabled: true });
  expect((await write()).status).toBe(200);
});

describe('links', () => {
  const withoutEdits = async (kind: string, act: () => Promise<Answer>): Promise<Answer> => {
    const { entityTypeId } = model.resource(kind).settings;
    await setRight(entityTypeId!, 1, { IsEditEnabled: false });
    try {
      return await act();
    } finally {
      await setRight(entityTypeId!, 1, { IsEditEnabled: true });
    }
  };

  it.each([
    ['a test case of a plan', 'TestPlan', 'TestPlans/:TestPlan/TestCases', 'TestCase'],
    ['a plan of a test case, which is a case of the plan', 'TestPlan', 'TestCases/:TestCase/TestPlans', 'TestPlan'],
    ['a plan of a test case', 'TestCase', 'TestCases/:TestCase/TestPlans', 'TestPlan'],
  ])('%s: an edit of the %s', async (_, kind, path, item) => {
    const [cut, joined]: Way[] = [
      ['', 'DELETE', `${path}/:${item}`],
      ['', 'POST', path, id(item)],
    ];
    const refused = await withoutEdits(kind, () => ask(joined!));
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining(`edit ${model.resource(kind).collection}`),
    ]);
    expect((await ask(joined!)).status).toBe(200);
    expect((await withoutEdits(kind, () => ask(cut!))).status).toBe(403);
    expect((await ask(cut!)).status).toBe(200);
  });

  it('of a test case to a plan are none of the case where the plan is written', async () => {
    const answer = await withoutEdits('TestCase', () =>
      ask(['', 'POST', 'TestPlans/:TestPlan/TestCases', id('TestCase')]),
    );
    expect(answer.status, answer.text).toBe(200);
  });
});

/** Whoever adds a collection or a kind decides here whether it is a part of the story. */
it('every collection of a story that takes items is a part of it, or of kinds with rights of their own', () => {
  const { fields } = model.resource('UserStory');
  const collections = fields.filter((field) => field.kind === 'collection').filter(({ canAdd }) => canAdd);
  const typed = collections.filter(({ target }) => target.settings.entityTypeId !== undefined);
  expect(typed.map(({ name }) => name).toSorted()).toEqual(['Comments', 'Tasks', 'TestCases']);
  const parts = collections.filter((one) => !typed.includes(one));
  expect(parts.map(({ name }) => name).toSorted()).toEqual([
    'AssignedTeams',
    'Assignments',
    'EntityPermissions',
    'Followers',
    'InboundRelations',
    'MasterRelations',
    'OutboundRelations',
    'RoleEfforts',
    'SlaveRelations',
    'TagObjects',
    'TeamStates',
  ]);
});
