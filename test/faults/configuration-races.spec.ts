/**
 * Configuration that changes, and places that are deleted, at the moment at which others write by them: what they wrote
 * is right afterwards, or refused.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

let app: TestApp;
let other: TestApp;
let project: number;
let process: number;
let state: number;
beforeAll(async () => {
  app = await TestApp.start();
  other = await app.replica();
  process = await make('Processes', { Name: 'that changes' });
  project = await make('Projects', { Name: 'of items', Process: { Id: process } });
  const [found] = await app.items(
    `/api/v1/EntityStates?where=(Process.Id eq ${process})and(EntityType.Name eq 'UserStory')and(Name eq 'In Progress')`,
  );
  state = found.Id;
}, 60_000);
afterAll(async () => {
  await other.stop();
  await app.stop();
});

const post = (path: string, body: unknown, service = app) => service.post(`/api/v1/${path}?format=json`, body);
const make = async (path: string, body: unknown): Promise<number> => {
  const answer = await post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json.Id;
};
const story = (more: object = {}) => make('UserStories', { Name: 'item', Project: { Id: project }, ...more });

/** Until a request is answered, or waits for somebody's lock as so many do by then. */
async function answeredOrHeldUp(asked: Promise<Answer>, together = 1): Promise<void> {
  let isAnswered = false;
  void asked.finally(() => {
    isAnswered = true;
  });
  await eventually(async () => {
    if (isAnswered) return;
    const [{ waiting }] = await app.rows(
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(waiting).toBeGreaterThanOrEqual(together);
  }, 30_000);
}

/** While a transaction that has done this is open, some ask, one behind the other; then it ends. */
async function beside(statement: string, values: unknown[], asks: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const client = await app.database.connect();
  try {
    await client.query('begin');
    await client.query(statement, values);
    const asked: Promise<Answer>[] = [];
    for (const ask of asks) {
      asked.push(ask());
      await answeredOrHeldUp(asked.at(-1)!, asked.length);
    }
    await client.query('commit');
    return await Promise.all(asked);
  } finally {
    client.release();
  }
}

describe('a state that becomes a final one', () => {
  let item: number;
  beforeEach(async () => {
    await app.rows('update entity_state set is_final = false where id = $1', [state]);
    item = await story({ RoleEfforts: [{ Role: { Id: 1 }, Effort: 5 }] });
  });

  const completed = async (): Promise<unknown[]> => {
    const [{ EffortCompleted, Progress }] = await app.items(
      `/api/v1/UserStories?where=Id eq ${item}&include=[EffortCompleted,Progress]`,
    );
    const [whole] = await app.items(`/api/v1/Projects?where=Id eq ${project}&include=[EffortCompleted,Effort]`);
    await app.rows('select recompute_totals()');
    const [again] = await app.items(`/api/v1/Projects?where=Id eq ${project}&include=[EffortCompleted,Effort]`);
    expect(whole).toEqual(again);
    return [EffortCompleted, Progress];
  };

  it('while an item is put into it', async () => {
    const moving = 'update general set entity_state_id = $1 where id = $2';
    const [answer] = await beside(moving, [state, item], [() => post(`EntityStates/${state}`, { IsFinal: true })]);
    expect(answer!.status, answer!.text).toBe(200);
    expect(await completed()).toEqual([5, 1]);
  });

  it('as an item is put into it', async () => {
    const ending = 'update entity_state set is_final = true where id = $1';
    const put = () => post(`UserStories/${item}`, { EntityState: { Id: state } });
    const [answer] = await beside(ending, [state], [put]);
    expect([answer!.status, answer!.json.EffortCompleted]).toEqual([200, 5]);
    expect(await completed()).toEqual([5, 1]);
  });
});

describe('a custom field', () => {
  let at = 0;
  let item: number;
  let field: number;
  let name: string;
  beforeEach(async () => {
    name = `Field ${at++}`;
    item = await story();
    field = await make('CustomFields', {
      Name: name,
      FieldType: 'Text',
      EntityType: { Id: 4 },
      Process: { Id: process },
    });
  });

  const writeBy = (service: TestApp) =>
    post(`UserStories/${item}`, { CustomFields: [{ Name: name, Value: 'x' }] }, service);
  const write = () => writeBy(app);
  const stored = async () =>
    (await app.rows('select custom_values as stored from general where id = $1', [item]))[0].stored;
  /** Who writes a value waits for the item, and the field changes meanwhile. */
  const meanwhile = (change: () => Promise<Answer>): Promise<Answer[]> =>
    beside('select 1 from general where id = $1 for update', [item], [write, change]);

  it('keeps its values where it is renamed while one is written', async () => {
    const answers = await meanwhile(() => post(`CustomFields/${field}`, { Name: `${name} now` }, other));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await stored()).toEqual({ [`${name} now`]: 'x' });
  });

  it('takes its values along where it is deleted while one is written', async () => {
    const answers = await meanwhile(() => other.ask(`/api/v1/CustomFields/${field}?format=json`, { method: 'DELETE' }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await stored()).toEqual({});
  });

  it('has no values of another type than its own', async () => {
    const [written, retyped] = await meanwhile(() => post(`CustomFields/${field}`, { FieldType: 'Number' }, other));
    expect([written!.status, retyped!.status]).toEqual([200, 400]);
    expect(await stored()).toEqual({ [name]: 'x' });
  });

  it('takes no value by a name that another process has taken away a moment ago', async () => {
    for (const now of ['a', 'b', 'c', 'd', 'e']) {
      expect((await writeBy(other)).status).toBe(200);
      await app.rows(`update general set custom_values = '{}' where id = $1`, [item]);
      await app.rows('update custom_field set name = $1 where id = $2', [now, field]);
      const answer = await writeBy(other);
      expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining(`no custom field '${name}'`)]);
      expect(await stored()).toEqual({});
      name = now;
    }
  });
});

describe('an item that is made', () => {
  const removing = `with gone as (select id from general where id = $1 for update)
    update general set delete_date = now() where id in (select id from gone)`;

  it('is none in a team that is deleted at that moment', async () => {
    const team = await make('Teams', { Name: 'that goes' });
    const item = await story();
    const assign = () => post('TeamAssignments', { Team: { Id: team }, Assignable: { Id: item } });
    const [answer] = await beside(removing, [team], [assign]);
    expect([answer!.status, answer!.json.Message]).toEqual([400, expect.stringContaining(`Team with Id ${team}`)]);
    expect(await app.rows('select 1 from team_assignment where team_id = $1', [team])).toEqual([]);
  });

  it('goes from its team to none that is deleted at that moment', async () => {
    const [team, gone] = [await make('Teams', { Name: 'that stays' }), await make('Teams', { Name: 'that goes' })];
    const assignment = await make('TeamAssignments', { Team: { Id: team }, Assignable: { Id: await story() } });
    const move = () => post(`TeamAssignments/${assignment}`, { Team: { Id: gone } });
    const [answer] = await beside(removing, [gone], [move]);
    expect([answer!.status, answer!.json.Message]).toEqual([400, expect.stringContaining(`Team with Id ${gone}`)]);
    expect(await app.rows('select 1 from team_assignment where team_id = $1', [gone])).toEqual([]);
  });

  it('is no run of a plan that is deleted at that moment', async () => {
    const plan = await make('TestPlans', { Name: 'that goes', Project: { Id: project } });
    const [answer] = await beside(removing, [plan], [() => post('TestPlanRuns', { TestPlan: { Id: plan } })]);
    expect([answer!.status, answer!.json.Message]).toEqual([400, expect.stringContaining(`TestPlan with Id ${plan}`)]);
    expect(await app.rows('select 1 from general where test_plan_id = $1', [plan])).toEqual([]);
  });

  const moving = `with moved as (select id from general where id = $1 for update)
    update general set process_id = $2, entity_state_id = (select id from entity_state s
      where s.process_id = $2 and s.entity_type_id = 1 and s.is_initial) where id in (select id from moved)`;

  it('has a state of the process that its project has', async () => {
    const empty = await make('Projects', { Name: 'of no items', Process: { Id: 1 } });
    const [answer] = await beside(
      moving,
      [empty, 2],
      [() => post('UserStories', { Name: 's', Project: { Id: empty } })],
    );
    const [state] = await app.items(
      `/api/v1/EntityStates?where=Id eq ${answer!.json.EntityState.Id}&include=[Process]`,
    );
    expect([answer!.status, state.Process.Id]).toEqual([201, 2]);
  });

  it('has a state of the process that the project has to which it moves', async () => {
    const [from, to] = [
      await make('Projects', { Name: 'it is in', Process: { Id: 1 } }),
      await make('Projects', { Name: 'it moves to', Process: { Id: 1 } }),
    ];
    const item = await story({ Project: { Id: from } });
    const [answer] = await beside(moving, [to, 2], [() => post(`UserStories/${item}`, { Project: { Id: to } })]);
    expect(answer!.status, answer!.text).toBe(200);
    const [{ process }] = await app.rows(
      'select s.process_id as process from general g join entity_state s on s.id = g.entity_state_id where g.id = $1',
      [item],
    );
    expect(process).toBe(2);
  });

  it('keeps its project in the process', async () => {
    const empty = await make('Projects', { Name: 'of no items', Process: { Id: 1 } });
    const adding = `insert into general (entity_type_id, name, create_date, modify_date, project_id, entity_state_id)
      select 4, 'item', now(), now(), $1, id from entity_state where process_id = 1 and entity_type_id = 4 and is_initial`;
    const [answer] = await beside(adding, [empty], [() => post(`Projects/${empty}`, { Process: { Id: 2 } })]);
    expect([answer!.status, answer!.json.Message]).toEqual([400, expect.stringMatching(/^Process: the project holds/)]);
  });
});

describe('what is deleted at the moment at which it is referred to', () => {
  const bug = (more: object = {}) => ({ Name: 'bug', Project: { Id: project }, ...more });

  it('is named in the refusal', async () => {
    const priority = await make('Priorities', { Name: 'that goes', EntityType: { Id: 8 } });
    const items = [bug(), bug({ Priority: { Id: priority } })];
    const [answer] = await beside('delete from priority where id = $1', [priority], [() => post('Bugs/bulk', items)]);
    expect([answer!.status, answer!.json.Message]).toEqual([400, expect.stringMatching(/^\[1\]\.Priority\.Id: /)]);
  });

  it('is made anew where it is a tag', async () => {
    const item = await make('Bugs', bug({ Tags: 'old' }));
    await make('Tags', { Name: 'raced' });
    const client = await app.database.connect();
    try {
      // The request has found the tag, and waits to take another one away, as the tag is deleted.
      await client.query('begin');
      await client.query('select 1 from general_tag where general_id = $1 for update', [item]);
      const tagging = post(`Bugs/${item}`, { Tags: 'raced' });
      await answeredOrHeldUp(tagging);
      await app.rows(`delete from tag where name = 'raced'`);
      await client.query('commit');
      const answer = await tagging;
      expect([answer.status, answer.json.Tags]).toEqual([200, 'raced']);
    } finally {
      client.release(true);
    }
  });
});

it('several that become the default at once become it one after the other', async () => {
  const severities = await app.items('/api/v1/Severities?include=[Id]&take=1000');
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    const answers = await Promise.all(
      severities.map(({ Id }, at) => post(`Severities/${Id}`, { IsDefault: true }, [app, other][at % 2])),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await app.rows('select id from severity where is_default')).toHaveLength(1);
  }
});
