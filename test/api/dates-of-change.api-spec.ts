/** What moves the ModifyDate and the EntityVersion of an item, and what does not. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;
let team: number;
beforeAll(async () => {
  app = await TestApp.start();
  [{ id: project, team }] = (await app.rows(
    `select p.id, (select min(team_id) from team_project where project_id = p.id) as team from general p
     where entity_type_id = 1 and process_id = 3 and delete_date is null order by id limit 1`,
  )) as [{ id: number; team: number }];
});
afterAll(() => app.stop());

const write = (path: string, body: unknown) => app.write(path, body);

async function remove(path: string): Promise<void> {
  const answer = await app.ask(`/api/v1/${path}`, { method: 'DELETE' });
  expect(answer.status, answer.text).toBe(200);
}

interface Story {
  id: number;
  task: number;
  comment: number;
  time: number;
  effort: number;
  assignment: number;
}

/** A story with one of each, changed an hour ago. */
async function story(): Promise<Story> {
  const made = await write('UserStories?include=[Tasks,Comments,Times,RoleEfforts,Assignments]', {
    Name: 'story',
    Project: { Id: project },
    Tasks: [{ Name: 'task' }],
    Comments: [{ Description: 'said' }],
    Assignments: [{ GeneralUser: { Id: 3 } }],
  });
  const time = await write('Times', { Assignable: { Id: made.Id }, Spent: 1, Description: 'work' });
  await app.rows(`update general set modify_date = modify_date - interval '1 hour' where id = $1`, [made.Id]);
  const [Tasks, Comments, RoleEfforts, Assignments] = ['Tasks', 'Comments', 'RoleEfforts', 'Assignments'].map(
    (name) => made[name].Items[0].Id,
  );
  return { id: made.Id, task: Tasks, comment: Comments, effort: RoleEfforts, assignment: Assignments, time: time.Id };
}

it.each<[string, (made: Story) => Promise<unknown>, [modified: boolean, version: boolean]]>([
  ['a value', ({ id }) => write(`UserStories/${id}`, { Name: 'other' }), [true, true]],
  ['its state', ({ id }) => write(`UserStories/${id}`, { EntityState: { Id: 47 } }), [true, true]],
  ['its tags', ({ id }) => write(`UserStories/${id}`, { Tags: 'one' }), [true, true]],
  ['a task taken out of its collection', ({ id, task }) => remove(`UserStories/${id}/Tasks/${task}`), [false, false]],
  [
    'an assignment taken out of its collection',
    ({ id, assignment }) => remove(`UserStories/${id}/Assignments/${assignment}`),
    [false, false],
  ],
  ['what was there', ({ id }) => write(`UserStories/${id}`, { Name: 'story' }), [false, false]],
  [
    'an assignment',
    ({ id }) => write('Assignments', { Assignable: { Id: id }, GeneralUser: { Id: 7 } }),
    [false, false],
  ],
  [
    'an assignment sent with it',
    ({ id }) => write(`UserStories/${id}`, { Assignments: [{ GeneralUser: { Id: 7 } }] }),
    [false, false],
  ],
  ['an assignment that ends', ({ assignment }) => remove(`Assignments/${assignment}`), [false, false]],
  ['a team', ({ id }) => write('TeamAssignments', { Assignable: { Id: id }, Team: { Id: team } }), [false, true]],
  ['an effort', ({ effort }) => write(`RoleEfforts/${effort}`, { Effort: 3 }), [false, true]],
  [
    'an initial estimate of a role',
    ({ effort }) => write(`RoleEfforts/${effort}`, { InitialEstimate: 3 }),
    [false, false],
  ],
  ['a time', ({ id }) => write('Times', { Assignable: { Id: id }, Spent: 1 }), [false, true]],
  ['the text of a time', ({ time }) => write(`Times/${time}`, { Description: 'other' }), [false, false]],
  ['a time that goes', ({ time }) => remove(`Times/${time}`), [false, true]],
  ['a comment', ({ id }) => write('Comments', { General: { Id: id }, Description: 'more' }), [false, true]],
  ['the text of a comment', ({ comment }) => write(`Comments/${comment}`, { Description: 'other' }), [false, false]],
  ['a comment that goes', ({ comment }) => remove(`Comments/${comment}`), [false, true]],
  ['a task', ({ id }) => write('Tasks', { Name: 'more', UserStory: { Id: id } }), [false, false]],
  ['the effort of a task', ({ task }) => write(`Tasks/${task}`, { Effort: 2 }), [false, true]],
  [
    'a relation',
    ({ id, task }) => write('Relations', { Master: { Id: id }, Slave: { Id: task }, RelationType: { Id: 1 } }),
    [false, false],
  ],
])('%s', async (_, act, expected) => {
  const made = await story();
  const dates = () => app.json(`/api/v1/UserStories/${made.id}?include=[ModifyDate,EntityVersion]`);
  const before = await dates();
  await act(made);
  const after = await dates();
  expect([after.ModifyDate !== before.ModifyDate, after.EntityVersion !== before.EntityVersion]).toEqual(expected);
});
