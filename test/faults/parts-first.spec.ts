/** Parts come before their owner in the order of locks, also where they follow it. */
import type { PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';
import { lockWaiters } from '../support/connections.js';

const process = { Process: { Id: 3 } };

let app: TestApp;
let other: PoolClient;
let project: number;
let elsewhere: number;
let release: number;
let story: number;
let task: number;

beforeAll(async () => {
  app = await TestApp.start();
  project = (await app.write('Projects', { Name: 'first', ...process })).Id;
  elsewhere = (await app.write('Projects', { Name: 'second', ...process })).Id;
  release = (await app.write('Releases', { Name: 'to come', Project: { Id: project } })).Id;
  await app.write('Users', { Login: 'stranger', Email: 'stranger@example.com', Password: chosenPassword });
}, 60_000);
afterAll(() => app.stop());

beforeEach(async () => {
  story = (await app.write('UserStories', { Name: 'owner', Project: { Id: project } })).Id;
  task = (await app.write('Tasks', { Name: 'part', UserStory: { Id: story } })).Id;
  other = await app.database.connect();
  await other.query('begin');
  await other.query(locking, [task]);
});
afterEach(async () => {
  await other.query('rollback');
  other.release();
});

const locking = 'select 1 from general where id = $1 for no key update';

const planning = () => ({ Release: { Id: release } });
const moving = () => ({ Project: { Id: elsewhere } });

describe.each([
  ['planned', planning],
  ['moved', moving],
])('a story that is %s while somebody writes its task', (_, body) => {
  it.each([
    ['alone', () => app.post(`/api/v1/UserStories/${story}`, body())],
    ['as a General', () => app.post(`/api/v1/Assignables/${story}`, body())],
    ['in bulk', () => app.post('/api/v1/UserStories/bulk', [{ Id: story, ...body() }])],
    [
      'beside a link',
      () => app.post(`/api/v1/UserStories/${story}`, { ...body(), Comments: [{ Description: 'why' }] }),
    ],
  ])('waits, and holds nothing that the other comes to: %s', async (_name, write) => {
    const writing = write();
    await lockWaiters(other);
    await other.query(locking.replace('update', 'update nowait'), [story]);
    await other.query('commit');
    const { status, text } = await writing;
    expect(status, text).toBe(200);
  });

  it('waits for nobody where it is hidden', async () => {
    const { status } = await app.post(`/api/v1/UserStories/${story}`, body(), { as: 'stranger' });
    expect(status).toBe(404);
  });
});

it('a plan that is planned waits for no run, which does not follow', async () => {
  const plan = (await app.write('TestPlans', { Name: 'plan', Project: { Id: project } })).Id;
  const run = (await app.write('TestPlanRuns', { TestPlan: { Id: plan } })).Id;
  await other.query(locking, [run]);
  expect((await app.post(`/api/v1/TestPlans/${plan}`, planning())).status).toBe(200);
});

it('who adds to a feature holds up nobody who plans its stories', async () => {
  const feature = (await app.write('Features', { Name: 'above', Project: { Id: project } })).Id;
  const added = (await app.write('UserStories', { Name: 'added', Feature: { Id: feature }, Project: { Id: project } }))
    .Id;
  await other.query('select 1 from general where id = $1 for key share', [feature]);
  const body = { UserStories: [{ Id: added, ...planning() }] };
  expect((await app.post(`/api/v1/Features/${feature}`, body)).status).toBe(200);
});

it.each([
  [
    'UserStories',
    () => [
      { Id: story, ...planning() },
      { Id: task, Name: 'no story' },
    ],
  ],
  [
    'UserStories',
    () => [
      { Id: story, ...planning() },
      { Id: task, InitialEstimate: 5 },
    ],
  ],
])('a part is not what its owner is: %s', async (collection, body) => {
  await other.query('commit');
  const { status, text } = await app.post(`/api/v1/${collection}/bulk`, body());
  expect(status, text).toBe(404);
  expect((await app.json(`/api/v1/Tasks/${task}`)).Name).toBe('part');
});

it('a story of which something else is written waits for no task', async () => {
  expect((await app.post(`/api/v1/UserStories/${story}`, { Name: 'other name' })).status).toBe(200);
});
