/** A project is deleted while others write what lies in it: nobody waits for somebody who waits for him. */
import type { PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';
import { lockWaiters } from '../support/connections.js';

let app: TestApp;
let other: PoolClient;
let project: number;
let story: number;

beforeAll(async () => {
  app = await TestApp.start();
}, 60_000);
afterAll(() => app.stop());

beforeEach(async () => {
  project = (await app.write('Projects', { Name: 'that goes', Process: { Id: 3 } })).Id;
  story = (await app.write('UserStories', { Name: 'in it', Project: { Id: project } })).Id;
  other = await app.database.connect();
  await other.query('begin');
});
afterEach(() => other.release(true));

const addTime = `insert into time (assignable_id, project_id, spent, create_date) values ($1, $2, 1, now())`;
const addTask = `insert into general (entity_type_id, name, project_id, user_story_id, entity_state_id, create_date,
    modify_date)
  select 5, 'task', $2, $1, id, now(), now() from entity_state
  where process_id = 3 and entity_type_id = 5 and is_initial order by id limit 1 returning id`;
const lockStory = 'select 1 from general where id = $1 for no key update';

async function deadlocks(): Promise<number> {
  await other.query('select pg_stat_clear_snapshot()');
  const { rows } = await other.query('select deadlocks from pg_stat_database where datname = current_database()');
  return Number(rows[0].deadlocks);
}

/** Somebody does one thing, and the other once the deletion waits for him. */
async function deletedBetween(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> {
  await first();
  const deleting = app.ask(`/api/v1/Projects/${project}`, { method: 'DELETE' });
  await lockWaiters(other);
  await second();
  await other.query('commit');
  const { status, text } = await deleting;
  expect(status, text).toBe(200);
  expect(await app.rows('select 1 from general where project_id = $1 and delete_date is null', [project])).toEqual([]);
  expect(await deadlocks()).toBe(0);
}

it('who has locked an item comes to the project', () =>
  deletedBetween(
    () => other.query(lockStory, [story]),
    () => other.query(addTime, [story, project]),
  ));

it('who has come to the project locks an item', () =>
  deletedBetween(
    () => other.query(addTask, [story, project]),
    () => other.query(lockStory, [story]),
  ));

it.each([
  ['observer', true, 'Projects'],
  ['member', false, 'Projects'],
  ['member who calls it a General', false, 'Generals'],
])('an %s who may not delete it waits for nobody', async (Login, IsObserver, collection) => {
  const email = `${Login.replaceAll(' ', '.')}@example.com`;
  const user = await app.write('Users', { Login, Email: email, IsObserver, Password: chosenPassword });
  await app.write('ProjectMembers', { Project: { Id: project }, User: { Id: user.Id }, Role: { Id: 1 } });
  await other.query(lockStory, [story]);
  const { status, text } = await app.ask(`/api/v1/${collection}/${project}`, { method: 'DELETE', as: Login });
  expect(status, text).toBe(403);
});
