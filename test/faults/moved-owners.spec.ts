/** What is added to an item while that moves to another project lies where the item lies in the end. */
import type { PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { lockWaiters } from '../support/connections.js';

let app: TestApp;
let other: PoolClient;
let from: Ids;
let target: number;

beforeAll(async () => {
  app = await TestApp.start();
  from = { Process: 3, Role: 1 };
  const place = { mark: 'moves', ids: from };
  from.Project = await make(app, 'Project', place, { Process: { Id: 3 } });
  target = await make(app, 'Project', place, { Process: { Id: 3 } });
}, 60_000);
afterAll(() => app.stop());

beforeEach(async () => {
  from.UserStory = await made('UserStories', {});
  from.TestPlan = await made('TestPlans', {});
  other = await app.database.connect();
  await other.query('begin');
});
afterEach(() => other.release(true));

const post = (path: string, body: unknown): Promise<Answer> =>
  app.post(`/api/v1/${path}?format=json&include=[Id,Project[Id]]`, body);

async function made(path: string, body: object): Promise<number> {
  const { status, json } = await post(path, { Name: path, Project: { Id: from.Project }, ...body });
  expect(status).toBe(201);
  return json.Id;
}

const toTarget = { Project: { Id: 0 } };
beforeEach(() => {
  toTarget.Project.Id = target;
});

/** The project that a row lies in. */
async function projectOf(id: number, table = 'general'): Promise<number> {
  return (await app.rows(`select project_id from "${table}" where id = $1`, [id]))[0].project_id;
}

const add = `insert into general (entity_type_id, name, project_id, user_story_id, test_plan_id, entity_state_id,
    create_date, modify_date)
  select $1::int, 'added', $2, case $1::int when 5 then $3::bigint end, case $1::int when 14 then $3::bigint end,
    (select s.id from entity_state s where s.process_id = 3 and s.entity_type_id = $1 and s.is_initial
     order by s.id limit 1), now(), now()
  returning id`;

/** Added by somebody with a statement of his own, who commits once the owner is about to move. */
async function addedWhileMoving(kind: number, owner: number, path: string): Promise<number> {
  const { rows } = await other.query(add, [kind, from.Project, owner]);
  const moving = post(`${path}/${owner}`, toTarget);
  await lockWaiters(other);
  await other.query('commit');
  expect((await moving).status).toBe(200);
  return rows[0].id;
}

/** The owner is moved by somebody with a statement of his own, who commits once the service waits for him. */
async function answerWhileMoving(owner: number, path: string, body: unknown): Promise<Answer> {
  await other.query('update general set project_id = $2 where id = $1', [owner, target]);
  const adding = post(path, body);
  await lockWaiters(other);
  await other.query('commit');
  return adding;
}

it('a task that was being added goes along with its story', async () => {
  expect(await projectOf(await addedWhileMoving(5, from.UserStory!, 'UserStories'))).toBe(target);
});

it('a run that was being started goes along with its plan', async () => {
  expect(await projectOf(await addedWhileMoving(14, from.TestPlan!, 'TestPlans'))).toBe(target);
});

it('a task is added where its story has moved', async () => {
  const { status, json } = await answerWhileMoving(from.UserStory!, 'Tasks', {
    Name: 'task',
    UserStory: { Id: from.UserStory },
  });
  expect([status, json.Project.Id]).toEqual([201, target]);
});

it('a run is started where its plan has moved', async () => {
  const { status, json } = await answerWhileMoving(from.TestPlan!, 'TestPlanRuns', { TestPlan: { Id: from.TestPlan } });
  expect([status, json.Project.Id]).toEqual([201, target]);
});

it('a task is put where its new story has moved', async () => {
  const task = await made('Tasks', { UserStory: { Id: await made('UserStories', {}) } });
  const { status } = await answerWhileMoving(from.UserStory!, `Tasks/${task}`, { UserStory: { Id: from.UserStory } });
  expect([status, await projectOf(task)]).toEqual([200, target]);
});

it('time is spent on the project that its item has moved to', async () => {
  const spent = { Assignable: { Id: from.UserStory }, Spent: 1, Description: 'worked' };
  const time = (await post('Times', spent)).json.Id;
  const { status, json } = await answerWhileMoving(from.UserStory!, 'Times/bulk', [
    { Id: time, Description: 'worked on' },
    { Assignable: { Id: from.UserStory }, Spent: 2, Description: 'more' },
  ]);
  expect([status, await projectOf(json.Items[1].Id, 'time')]).toEqual([200, target]);
});

it('a task that lies elsewhere than its story is brought there by its project', async () => {
  const task = await made('Tasks', { UserStory: { Id: from.UserStory } });
  await other.query('update general set project_id = $2 where id = $1', [from.UserStory, target]);
  await other.query('commit');
  const answer = await post(`Tasks/${task}`, { Project: { Id: from.Project } });
  expect([answer.status, await projectOf(task)]).toEqual([200, from.Project]);
  expect((await post(`Tasks/${task}`, toTarget)).status).toBe(200);
  expect(await projectOf(task)).toBe(target);
  const back = await post(`Tasks/${task}`, { Project: { Id: from.Project } });
  expect([back.status, back.text]).toEqual([400, expect.stringContaining('lies in the project of its story')]);
});

it('a run that lies elsewhere than its plan is brought there by its project, and nowhere else', async () => {
  const run = await made('TestPlanRuns', { TestPlan: { Id: from.TestPlan } });
  expect((await post(`TestPlanRuns/${run}`, toTarget)).status).toBe(200);
  expect(await projectOf(run)).toBe(from.Project);
  await other.query('update general set project_id = $2 where id = $1', [from.TestPlan, target]);
  await other.query('commit');
  expect((await post(`TestPlanRuns/${run}`, toTarget)).status).toBe(200);
  expect(await projectOf(run)).toBe(target);
});

it('what lies elsewhere than its owner can be written, field by field', async () => {
  const task = await made('Tasks', { UserStory: { Id: from.UserStory } });
  const run = await made('TestPlanRuns', { TestPlan: { Id: from.TestPlan } });
  await other.query('update general set project_id = $2 where id = any($1)', [[from.UserStory, from.TestPlan], target]);
  await other.query('commit');
  const fields = { Name: 'x', Description: 'x', EntityState: { Name: 'Done' }, Effort: 1, Tags: 'x' };
  for (const path of [`Tasks/${task}`, `TestPlanRuns/${run}`])
    for (const field of Object.entries(fields))
      expect([path, field, (await post(path, Object.fromEntries([field]))).status]).toEqual([path, field, 200]);
});

it('nothing is left behind by a story that is moved while much is added to it', { timeout: 120_000 }, async () => {
  await other.query('rollback');
  const second = await app.replica();
  for (let round = 0; round < 6; round += 1) {
    const story = await made('UserStories', {});
    const add = (service: TestApp, at: number): Promise<Answer> =>
      at % 3 === 0
        ? service.post('/api/v1/Times', { Assignable: { Id: story }, Spent: 1, Description: 'worked' })
        : service.post('/api/v1/Tasks', { Name: 'task', UserStory: { Id: story }, Effort: at % 2 });
    const answers = await Promise.all([
      ...Array.from({ length: 12 }, (_, at) => add([app, second][at % 2]!, at)),
      second.post(`/api/v1/UserStories/${story}`, toTarget),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...Array(12).fill(201), 200]);
    const places = `select distinct project_id from general where user_story_id = $1 or id = $1
      union select distinct project_id from "time" where assignable_id = $1`;
    expect(await app.rows(places, [story])).toEqual([{ project_id: target }]);
  }
  await second.stop();
});
