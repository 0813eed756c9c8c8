/** Tasks lie in the release and the iterations of their story, also once it is planned anew or they get another one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
let story: number;
let task: number;
const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'follow', ids };
const spans = ['Release', 'Iteration', 'TeamIteration'] as const;
type Spans = Partial<Record<(typeof spans)[number], number>>;
/** Two of each. */
let first: Spans;
let second: Spans;

beforeAll(async () => {
  app = await TestApp.start();
  ids.Project = await make(app, 'Project', place);
  ids.Team = await make(app, 'Team', place);
  const [alice] = await app.rows("select id from general_user where login = 'alice'");
  ids.User = alice.id;
  await make(app, 'ProjectMember', place);
  const both: Spans[] = [{}, {}];
  for (const one of both) for (const span of spans) one[span] = await make(app, span, place);
  [first, second] = both as [Spans, Spans];
});
afterAll(() => app.stop());
beforeEach(async () => {
  story = await make(app, 'UserStory', place);
  ids.UserStory = story;
  task = await make(app, 'Task', place);
});

const references = (places: Spans | Record<string, number | null>): object =>
  Object.fromEntries(Object.entries(places).map(([name, id]) => [name, id === null ? null : { Id: id }]));
async function plan(id: number, places: Spans | Record<string, number | null>, as = 'admin'): Promise<void> {
  const kind = 'UserStory' in places ? 'Tasks' : 'Assignables';
  const answer = await app.post(`/api/v1/${kind}/${id}`, references(places), { as });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}
async function placesOf(id: number): Promise<Record<string, number | null>> {
  const item = await app.json(`/api/v1/Assignables/${id}?include=[${spans}]`);
  return Object.fromEntries(spans.map((span) => [span, item[span]?.Id ?? null]));
}
const nowhere = { Release: null, Iteration: null, TeamIteration: null };

describe('a story that is planned', () => {
  it('takes its tasks along, there, on and away', async () => {
    for (const places of [first, second, nowhere]) {
      await plan(story, places as Record<string, number | null>);
      expect([await placesOf(story), await placesOf(task)]).toEqual([places, places]);
    }
  });

  it('takes them along in each of the three by itself, and leaves those that lie elsewhere', async () => {
    await plan(story, first);
    await plan(task, { Iteration: second.Iteration! });
    await plan(story, { Release: second.Release!, Iteration: null });
    expect(await placesOf(task)).toEqual({ ...first, Release: second.Release, Iteration: second.Iteration });
  });

  it('takes them along by the collection of the iteration, in a list, and with their project', async () => {
    await app.write(`Iterations/${first.Iteration}/UserStories`, { Id: story });
    expect((await placesOf(task)).Iteration).toBe(first.Iteration);
    const there = await make(app, 'Project', place);
    const list = [{ Id: story, Project: { Id: there }, ...references({ Iteration: null, Release: first.Release! }) }];
    expect((await app.post('/api/v1/UserStories/bulk', list)).status).toBe(200);
    const { Project } = await app.json(`/api/v1/Tasks/${task}?include=[Project]`);
    expect([Project.Id, await placesOf(task)]).toEqual([there, { ...nowhere, Release: first.Release }]);
    const records = await app.rows(
      `select changes from change_record where entity_id = $1 and resource = 'Task' and kind = 'update' order by id desc`,
      [task],
    );
    expect(Object.keys(records[0].changes).sort()).toEqual(
      expect.arrayContaining(['iteration_id', 'project_id', 'release_id']),
    );
  });

  it('leaves a task where its own body or that of the story puts it', async () => {
    const Tasks = [{ Id: task, ...references({ Iteration: second.Iteration! }) }];
    await plan(story, first);
    expect((await app.post(`/api/v1/UserStories/${story}`, { ...references(second), Tasks })).status).toBe(200);
    expect(await placesOf(task)).toEqual(second);
    const list = [
      { Id: task, ...references({ Iteration: first.Iteration! }) },
      { Id: story, ...references({ Iteration: null, Release: null }) },
    ];
    expect((await app.post('/api/v1/Assignables/bulk', list)).status).toBe(200);
    expect(await placesOf(task)).toEqual({ ...second, Release: null, Iteration: first.Iteration });
  });

  it('changes tasks in one record, by whoever planned it, without a right to edit tasks', async () => {
    const [role] = await app.rows('select role_id as id from project_member where project_id = $1 and user_id = $2', [
      ids.Project,
      ids.User,
    ]);
    const right = 'update role_entity_type set is_edit_enabled = $1 where role_id = $2 and entity_type_id = 5';
    await app.rows(right, [false, role.id]);
    try {
      await plan(story, first, 'alice');
    } finally {
      await app.rows(right, [true, role.id]);
    }
    const { LastEditor } = await app.json(`/api/v1/Tasks/${task}?include=[LastEditor]`);
    expect([LastEditor.Id, await placesOf(task)]).toEqual([ids.User, first]);
    const records = await app.rows(
      `select changes, author_id as author from change_record where entity_id = $1 and kind = 'update' and resource = 'Task'`,
      [task],
    );
    expect(records).toEqual([
      { changes: expect.objectContaining({ release_id: [null, first.Release] }), author: ids.User },
    ]);
  });

  it('takes no account of what its writer does not see: it is nothing to him', async () => {
    const other = { ...ids, Project: await make(app, 'Project', place) };
    const hidden = await Promise.all([0, 1].map(() => make(app, 'Release', { mark: 'hidden', ids: other })));
    const tasks = await Promise.all([0, 1].map(() => make(app, 'Task', place)));
    for (const [at, id] of tasks.entries()) await plan(id, { Release: hidden[at]! });
    await plan(story, { Release: hidden[0]! });
    for (const [at, id] of tasks.entries()) await plan(id, { Release: hidden[at]! });
    await plan(story, { Release: first.Release! }, 'alice');
    for (const id of [...tasks, task]) expect((await placesOf(id)).Release).toBe(first.Release);
  });
});

describe('a task that gets another story', () => {
  it('goes where that one lies, but for what is sent with it', async () => {
    const other = await make(app, 'UserStory', place, references(second));
    await plan(story, first);
    await plan(task, { UserStory: other });
    expect(await placesOf(task)).toEqual(second);
    await plan(task, { UserStory: story, Iteration: second.Iteration! });
    expect(await placesOf(task)).toEqual({ ...first, Iteration: second.Iteration });
    await plan(task, { UserStory: await make(app, 'UserStory', place) });
    expect(await placesOf(task)).toEqual(nowhere);
    await app.write(`UserStories/${other}/Tasks`, { Id: task });
    expect(await placesOf(task)).toEqual(second);
  });
});
