/**
 * The totals of effort, time and progress that the database keeps, checked against the same rules told once more in
 * TypeScript.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
// Whoever waits for a lock in a circle is told so soon.
const connect = (): pg.Client => new pg.Client({ connectionString: database.url, options: '-c deadlock_timeout=5ms' });
let client: pg.Client;

// biome-ignore lint/suspicious/noExplicitAny: rows have the shape of their statement
const rows = async (text: string, values: unknown[] = [], on = client): Promise<any[]> =>
  (await on.query(text, values)).rows;

beforeAll(async () => {
  database = await ScratchDatabase.create();
  client = connect();
  await client.connect();
  for (const { kind, id, is_final } of await rows(
    'select entity_type_id as kind, id, is_final from entity_state where process_id = 3 and (is_initial or is_final)',
  )) {
    (is_final ? finals : initials).set(kind, id);
  }
  for (const { kind, id } of await rows(
    'select entity_type_id as kind, max(id) as id from entity_state where process_id = 3 and not is_initial and not is_final group by 1',
  ))
    changing.set(kind, id);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

const kinds = {
  project: 1,
  release: 2,
  iteration: 3,
  story: 4,
  task: 5,
  bug: 8,
  feature: 9,
  plan: 13,
  run: 14,
  request: 17,
} as const;
const more = { teamIteration: 24, epic: 27, portfolioEpic: 31, team: 23 } as const;
const kindOf = { ...kinds, ...more };
type Kind = keyof typeof kindOf;
const initials = new Map<number, number>();
const finals = new Map<number, number>();
/** States between, which are final now and then. */
const changing = new Map<number, number>();
const [developer, tester] = [1, 9];

/** A row of `general` with what its kind cannot be without; returns its id. */
async function add(kind: Kind, values: Record<string, unknown> = {}, on = client): Promise<number> {
  const number = kindOf[kind];
  const isSpan = ['iteration', 'teamIteration'].includes(kind);
  const row: Record<string, unknown> = {
    entity_type_id: number,
    name: kind,
    create_date: 'now',
    modify_date: 'now',
    entity_state_id: initials.get(number) ?? null,
    ...(kind === 'project' ? { process_id: 3 } : {}),
    ...(isSpan ? { start_date: 'now', end_date: 'now' } : {}),
    ...values,
  };
  const columns = Object.keys(row);
  const places = columns.map((_, at) => `$${at + 1}`);
  const text = `insert into general (${columns}) values (${places}) returning id`;
  return (await rows(text, Object.values(row), on))[0].id;
}

const setRow = (id: number, values: Record<string, unknown>, on = client) =>
  rows(
    `update general set ${Object.keys(values).map((column, at) => `${column} = $${at + 2}`)} where id = $1`,
    [id, ...Object.values(values)],
    on,
  );

/** Written as somebody writes it: the rest is for the database to find out. */
const effort = (item: number, role: number, own: number, on = client) =>
  rows(
    `insert into role_effort (assignable_id, role_id, own_effort) values ($1, $2, $3)
     on conflict (assignable_id, role_id) do update set own_effort = excluded.own_effort`,
    [item, role, own],
    on,
  );

const time = (
  item: number,
  spent: number,
  remain: number,
  role: number | null = developer,
  date: string | null = '2024-01-01',
  on = client,
) =>
  rows(
    `insert into time (assignable_id, spent, remain, role_id, date, create_date) values ($1, $2, $3, $4, $5, now()) returning id`,
    [item, spent, remain, role, date],
    on,
  );

const columns = ['effort', 'effort_completed', 'effort_to_do', 'time_spent', 'time_remain'];
const numbers = (row: Record<string, string>, names: string[]): Record<string, number> =>
  Object.fromEntries(names.map((column) => [column, Number(row[column])]));

/** Generals as they read: spans with what they have gained since their own numbers were stored. */
const generals = `(select (jsonb_populate_record(s, case when d.changes > 0 and s.delete_date is null then jsonb_build_object(
    'effort', d.effort, 'effort_completed', d.completed, 'effort_to_do', d.effort - d.completed,
    'progress', case when s.entity_type_id = 1 and s.entity_state_id in (select id from entity_state where is_final) then 1
      when d.effort > 0 then round(least(d.completed / d.effort, 1), 4) else 0 end,
    'entity_version', s.entity_version + d.changes) else '{}' end)).*
  from general s cross join lateral (select count(*) as changes, s.effort + sum(effort) as effort,
    s.effort_completed + sum(effort_completed) as completed from span_delta where span_id = s.id) d)`;

const totals = async (id: number) =>
  numbers((await rows(`select * from ${generals} g where id = $1`, [id]))[0], [...columns, 'progress']);
const roleTotals = async (id: number, role: number) => {
  const [row] = await rows('select * from role_effort where assignable_id = $1 and role_id = $2', [id, role]);
  return row && numbers(row, columns);
};

const remove = (...ids: number[]) => rows('update general set delete_date = now() where id = any($1)', [ids]);
const restore = (...ids: number[]) => rows('update general set delete_date = null where id = any($1)', [ids]);

describe('the efforts of an item', () => {
  it('are the sum of its roles', async () => {
    const story = await add('story', { project_id: await add('project') });
    await effort(story, developer, 5);
    await effort(story, tester, 3);
    expect(await totals(story)).toMatchObject({ effort: 8, effort_completed: 0, effort_to_do: 8, progress: 0 });
    await rows('delete from role_effort where assignable_id = $1 and role_id = $2', [story, tester]);
    expect(await totals(story)).toMatchObject({ effort: 5, effort_to_do: 5 });
  });

  it('are those of its parts once they have any, role by role, and its own again without them', async () => {
    const project_id = await add('project');
    const story = await add('story', { project_id });
    await effort(story, developer, 5);
    await effort(story, tester, 3);
    const task = await add('task', { project_id, user_story_id: story });
    await effort(task, developer, 2);
    expect(await totals(story)).toMatchObject({ effort: 5, effort_to_do: 5 });
    await remove(task);
    expect(await totals(story)).toMatchObject({ effort: 8 });
    await restore(task);
    expect(await roleTotals(story, developer)).toMatchObject({ effort: 2 });
  });

  it('get a row for a role that only parts have, which stays', async () => {
    const project_id = await add('project');
    const feature = await add('feature', { project_id });
    const story = await add('story', { project_id, feature_id: feature });
    expect(await roleTotals(feature, tester)).toBeUndefined();
    await effort(story, tester, 4);
    expect(await roleTotals(feature, tester)).toMatchObject({ effort: 4, effort_to_do: 4 });
    await setRow(story, { feature_id: null });
    expect(await roleTotals(feature, tester)).toMatchObject({ effort: 0, effort_to_do: 0 });
  });

  it('are put right whatever was written there', async () => {
    const story = await add('story', { project_id: await add('project'), effort: 7, effort_to_do: 7, progress: 0.5 });
    expect(await totals(story)).toMatchObject({ effort: 0, effort_to_do: 0, progress: 0 });
    await effort(story, developer, 2);
    await setRow(story, { effort: 9, time_spent: 4 });
    await rows('update role_effort set effort = 8, time_spent = 1 where assignable_id = $1', [story]);
    expect(await totals(story)).toMatchObject({ effort: 2, time_spent: 0 });
    expect(await roleTotals(story, developer)).toMatchObject({ effort: 2, time_spent: 0 });
  });

  it('count as completed in a final state, and not out of it', async () => {
    const story = await add('story', { project_id: await add('project') });
    await effort(story, developer, 5);
    await setRow(story, { entity_state_id: finals.get(kindOf.story) });
    expect(await totals(story)).toMatchObject({ effort_completed: 5, effort_to_do: 0, progress: 1 });
    await setRow(story, { entity_state_id: initials.get(kindOf.story) });
    expect(await totals(story)).toMatchObject({ effort_completed: 0, effort_to_do: 5, progress: 0 });
  });

  it.each([
    ['what is there already', { effort: 5, effort_to_do: 5 }, { effort: 5, effort_to_do: 5 }],
    ['what is wrong in the item', { effort: 6, effort_to_do: 6 }, { effort: 5, effort_to_do: 5 }],
    ['what is wrong in the role', { effort: 5, effort_to_do: 5 }, { effort: 5, effort_to_do: 1 }],
  ])('of a new item show %s', async (_, item, role) => {
    await client.query('begin');
    const story = await add('story', { project_id: await add('project'), ...item });
    await rows(
      'insert into role_effort (assignable_id, role_id, own_effort, effort, effort_to_do) values ($1, $2, 5, $3, $4)',
      [story, developer, role.effort, role.effort_to_do],
    );
    await client.query('commit');
    expect(await totals(story)).toMatchObject({ effort: 5, effort_to_do: 5 });
    expect(await roleTotals(story, developer)).toMatchObject({ effort: 5, effort_to_do: 5 });
  });

  it('of a new item are all its roles, even if the first alone would fit', async () => {
    await client.query('begin');
    const story = await add('story', { project_id: await add('project'), effort: 5, effort_to_do: 5 });
    for (const role of [developer, tester])
      await rows(
        'insert into role_effort (assignable_id, role_id, own_effort, effort, effort_to_do) values ($1, $2, 5, 5, 5)',
        [story, role],
      );
    await client.query('commit');
    expect(await totals(story)).toMatchObject({ effort: 10, effort_to_do: 10 });
  });

  it('follow a state that becomes final', async () => {
    const story = await add('story', { project_id: await add('project') });
    await effort(story, developer, 5);
    const finality = 'update entity_state set is_final = $2 where id = $1';
    await rows(finality, [initials.get(kindOf.story), true]);
    expect(await totals(story)).toMatchObject({ effort_completed: 5, progress: 1 });
    await rows(finality, [initials.get(kindOf.story), false]);
    expect(await totals(story)).toMatchObject({ effort_completed: 0, progress: 0 });
  });

  it('never follow what was estimated first', async () => {
    const story = await add('story', { project_id: await add('project') });
    await effort(story, developer, 5);
    await rows('update role_effort set initial_estimate = 8 where assignable_id = $1', [story]);
    await rows('update role_effort set own_effort = 6 where assignable_id = $1', [story]);
    const [row] = await rows('select initial_estimate, effort from role_effort where assignable_id = $1', [story]);
    expect(numbers(row, ['initial_estimate', 'effort'])).toEqual({ initial_estimate: 8, effort: 6 });
  });
});

describe('the times of an item', () => {
  it('are all that was spent, and what remains by the last word of each role', async () => {
    const story = await add('story', { project_id: await add('project') });
    await effort(story, developer, 4);
    await time(story, 2, 9, developer, '2024-01-02');
    await time(story, 1, 7, developer, '2024-01-01');
    await time(story, 1, 5, tester);
    await time(story, 1, 3, null);
    await time(story, 1, 1, developer, null);
    expect(await totals(story)).toMatchObject({
      time_spent: 6,
      time_remain: 17,
      progress: 0.2609,
      // Of the developers alone.
      effort_completed: 1.2308,
    });
    expect(await roleTotals(story, developer)).toMatchObject({ time_spent: 4, time_remain: 9 });
    expect(await roleTotals(story, tester)).toBeUndefined();
  });

  it('are those of its parts besides', async () => {
    const project_id = await add('project');
    const story = await add('story', { project_id });
    const [one, two] = [
      await add('task', { project_id, user_story_id: story }),
      await add('task', { project_id, user_story_id: story }),
    ];
    await effort(one, developer, 1);
    await time(one, 1, 2);
    await time(two, 3, 4, null);
    await time(story, 5, 6);
    expect(await totals(story)).toMatchObject({ time_spent: 9, time_remain: 12 });
    expect(await roleTotals(story, developer)).toMatchObject({ time_spent: 6, time_remain: 8 });
  });

  it('move with the time, and go with it', async () => {
    const project_id = await add('project');
    const [one, two] = [await add('story', { project_id }), await add('story', { project_id })];
    const [{ id }] = await time(one, 3, 1);
    await rows('update time set assignable_id = $2 where id = $1', [id, two]);
    expect([await totals(one), await totals(two)]).toMatchObject([
      { time_spent: 0, time_remain: 0 },
      { time_spent: 3, time_remain: 1 },
    ]);
    await rows('delete from time where id = $1', [id]);
    expect(await totals(two)).toMatchObject({ time_spent: 0, time_remain: 0, progress: 0 });
  });

  it('remain as efforts in hours until somebody says otherwise, or it is done', async () => {
    const task = await add('bug', { project_id: await add('project'), units: 'h' });
    await effort(task, developer, 6);
    await effort(task, tester, 2);
    expect(await totals(task)).toMatchObject({ time_remain: 8, progress: 0 });
    await time(task, 2, 2);
    expect(await totals(task)).toMatchObject({
      time_spent: 2,
      time_remain: 4,
      progress: 0.3333,
      effort_completed: 3,
    });
    await setRow(task, { entity_state_id: finals.get(kindOf.bug) });
    expect(await totals(task)).toMatchObject({ time_remain: 2, progress: 1 });
    await setRow(task, { entity_state_id: initials.get(kindOf.bug), units: 'pt' });
    expect(await totals(task)).toMatchObject({ time_remain: 2 });
  });
});

describe('items with parts', () => {
  it('lie in one another up to the portfolio', async () => {
    const project_id = await add('project');
    const portfolio = await add('portfolioEpic');
    const epic = await add('epic', { project_id, portfolio_epic_id: portfolio });
    const feature = await add('feature', { project_id, epic_id: epic });
    const story = await add('story', { project_id, feature_id: feature });
    const task = await add('task', { project_id, user_story_id: story });
    await effort(task, developer, 8);
    await time(task, 1, 3);
    for (const id of [story, feature, epic, portfolio])
      expect(await totals(id)).toEqual({
        effort: 8,
        effort_completed: 2,
        effort_to_do: 6,
        time_spent: 1,
        time_remain: 3,
        progress: 0.25,
      });
  });

  it('follow the times and the end of a single task all the way up', async () => {
    const project_id = await add('project');
    const portfolioEpic = await add('portfolioEpic');
    const epic = await add('epic', { project_id, portfolio_epic_id: portfolioEpic });
    const feature = await add('feature', { project_id, epic_id: epic });
    const story = await add('story', { project_id, feature_id: feature });
    const [task, beside] = [
      await add('task', { project_id, user_story_id: story }),
      await add('task', { project_id, user_story_id: story }),
    ];
    await effort(task, developer, 8);
    await effort(beside, tester, 2);
    const above = [story, feature, epic, portfolioEpic];
    const each = async (expected: Record<string, number>) => {
      for (const id of above) expect([id, await totals(id)]).toEqual([id, expect.objectContaining(expected)]);
    };
    const [first] = await time(task, 2, 6);
    await each({ effort: 10, effort_completed: 2, effort_to_do: 8, time_spent: 2, time_remain: 6, progress: 0.25 });
    await time(beside, 1, 3, null);
    await each({ effort: 10, effort_completed: 2, time_spent: 3, time_remain: 9, progress: 0.25 });
    expect(await roleTotals(epic, developer)).toMatchObject({ effort_completed: 2, time_spent: 2, time_remain: 6 });
    expect(await roleTotals(epic, tester)).toMatchObject({ effort_completed: 0, time_spent: 0, time_remain: 0 });
    await rows('delete from time where id = $1', [first.id]);
    await setRow(task, { entity_state_id: finals.get(kindOf.task) });
    await each({ effort: 10, effort_completed: 8, effort_to_do: 2, time_spent: 1, time_remain: 3, progress: 0.25 });
    expect(await totals(project_id)).toMatchObject({ effort: 10, effort_completed: 8 });
    await setRow(task, { entity_state_id: initials.get(kindOf.task) });
    await each({ effort: 10, effort_completed: 0, effort_to_do: 10, time_spent: 1, time_remain: 3 });
  });

  it('complete an own effort by the times of parts that have none', async () => {
    const project_id = await add('project');
    const story = await add('story', { project_id, feature_id: await add('feature', { project_id }) });
    const task = await add('task', { project_id, user_story_id: story });
    await effort(story, developer, 8);
    await effort(task, developer, 0);
    await time(task, 1, 3);
    expect(await totals(story)).toMatchObject({ effort: 8, effort_completed: 2, time_spent: 1, time_remain: 3 });
    await effort(task, developer, 8);
    await setRow(task, { entity_state_id: finals.get(kindOf.task) });
    expect(await totals(story)).toMatchObject({ effort: 8, effort_completed: 8, progress: 0.25 });
    await time(task, 1, 1);
    expect(await totals(story)).toMatchObject({ effort: 8, effort_completed: 8, time_spent: 2, time_remain: 1 });
  });

  it('are as far as their completed parts while nobody has spent time', async () => {
    const project_id = await add('project');
    const feature = await add('feature', { project_id });
    const [one, two] = [
      await add('story', { project_id, feature_id: feature }),
      await add('bug', { project_id, feature_id: feature }),
    ];
    await effort(one, developer, 1);
    await effort(two, tester, 2);
    await setRow(one, { entity_state_id: finals.get(kindOf.story) });
    expect(await totals(feature)).toMatchObject({ effort: 3, effort_completed: 1, effort_to_do: 2, progress: 0.3333 });
  });

  it('do not count bugs into stories', async () => {
    const project_id = await add('project');
    const story = await add('story', { project_id });
    await effort(await add('bug', { project_id, user_story_id: story }), developer, 5);
    expect(await totals(story)).toMatchObject({ effort: 0 });
  });

  it('count a feature into the portfolio directly only when it has no epic', async () => {
    const project_id = await add('project');
    const [portfolio, other] = [await add('portfolioEpic'), await add('portfolioEpic')];
    const epic = await add('epic', { project_id, portfolio_epic_id: other });
    const feature = await add('feature', { project_id, portfolio_epic_id: portfolio });
    await effort(feature, developer, 3);
    expect([await totals(portfolio), await totals(other)]).toMatchObject([{ effort: 3 }, { effort: 0 }]);
    await setRow(feature, { epic_id: epic });
    expect([await totals(portfolio), await totals(other)]).toMatchObject([{ effort: 0 }, { effort: 3 }]);
  });

  it('keep their numbers while they are deleted, and are summed up when restored', async () => {
    const project_id = await add('project');
    const story = await add('story', { project_id });
    const task = await add('task', { project_id, user_story_id: story });
    await effort(task, developer, 5);
    await remove(story, task);
    await effort(task, developer, 6);
    expect([await totals(story), await totals(task)]).toMatchObject([{ effort: 5 }, { effort: 5 }]);
    await restore(story, task);
    expect([await totals(story), await totals(task)]).toMatchObject([{ effort: 6 }, { effort: 6 }]);
  });

  it('forget a part that is gone for good', async () => {
    const project_id = await add('project');
    const story = await add('story', { project_id });
    const task = await add('task', { project_id, user_story_id: story });
    await effort(task, developer, 5);
    await client.query('begin');
    await rows('delete from role_effort where assignable_id = $1', [task]);
    await rows('delete from simple_history where general_id = $1', [task]);
    await rows('delete from full_history where general_id = $1', [task]);
    await rows('delete from general where id = $1', [task]);
    await client.query('commit');
    expect(await totals(story)).toMatchObject({ effort: 0 });
  });
});

describe('spans', () => {
  it.each([
    'release',
    'iteration',
    'teamIteration',
    'project',
  ] as const)('sum up what is planned in a %s', async (span) => {
    const project_id = await add('project');
    const team_id = span === 'teamIteration' ? await add('team') : null;
    const [one, two] =
      span === 'project'
        ? [project_id, await add('project')]
        : [await add(span, { project_id, team_id }), await add(span, { project_id, team_id })];
    const column = {
      release: 'release_id',
      iteration: 'iteration_id',
      teamIteration: 'team_iteration_id',
      project: 'project_id',
    }[span];
    const at = { project_id, [column]: one };
    const [story, bug, request] = [await add('story', at), await add('bug', at), await add('request', at)];
    for (const id of [
      story,
      bug,
      request,
      await add('task', { ...at, user_story_id: story }),
      await add('feature', at),
    ])
      await effort(id, developer, 4);
    await setRow(bug, { entity_state_id: finals.get(kindOf.bug) });
    expect(await totals(one)).toMatchObject({
      effort: 12,
      effort_completed: 4,
      effort_to_do: 8,
      progress: 0.3333,
      time_spent: 0,
    });
    await setRow(story, { [column]: two });
    await remove(request);
    expect([await totals(one), await totals(two)]).toMatchObject([
      { effort: 4, progress: 1 },
      { effort: 4, progress: 0 },
    ]);
  });

  it('are done when a project is', async () => {
    const project = await add('project');
    await effort(await add('story', { project_id: project }), developer, 4);
    await setRow(project, { entity_state_id: finals.get(kindOf.project) });
    expect(await totals(project)).toMatchObject({ effort: 4, effort_completed: 0, effort_to_do: 4, progress: 1 });
  });

  it('keep their numbers while deleted with all they hold, and have them again when restored', async () => {
    const project = await add('project');
    const stories = [await add('story', { project_id: project }), await add('story', { project_id: project })];
    for (const story of stories) await effort(story, developer, 4);
    await client.query('begin');
    await remove(project);
    await remove(...stories);
    await client.query('commit');
    expect(await totals(project)).toMatchObject({ effort: 8 });
    await rows('select fold_spans($1)', [[project]]);
    expect(await totals(project)).toMatchObject({ effort: 8 });
    await client.query('begin');
    await restore(project);
    await restore(stories[0]!);
    await client.query('commit');
    expect(await totals(project)).toMatchObject({ effort: 4 });
  });
});

describe('a transaction', () => {
  it('reads its totals when it asks for them, as often as it likes', async () => {
    await client.query('begin');
    const project = await add('project');
    const story = await add('story', { project_id: project });
    await effort(story, developer, 4);
    await client.query('set constraints all immediate');
    expect(await totals(project)).toMatchObject({ effort: 4 });
    await time(story, 1, 1);
    expect(await totals(project)).toMatchObject({ effort: 4, effort_completed: 2 });
    await client.query('set constraints all deferred');
    await effort(story, developer, 8);
    await client.query('commit');
    expect(await totals(project)).toMatchObject({ effort: 8, effort_completed: 4 });
  });

  it('forgets what it takes back', async () => {
    const project = await add('project');
    const story = await add('story', { project_id: project });
    await client.query('begin');
    await client.query('savepoint here');
    await effort(story, developer, 4);
    await client.query('set constraints all immediate');
    await client.query('rollback to here');
    await time(story, 1, 1);
    await client.query('commit');
    expect([await totals(project), await totals(story)]).toMatchObject([{ effort: 0 }, { effort: 0, time_spent: 1 }]);
  });

  it('leaves versions and editors as a plain update does', async () => {
    const [{ id: editor }] = await rows('select id from general_user limit 1');
    const story = await add('story', { project_id: await add('project'), last_editor_id: editor });
    await time(story, 1, 1);
    expect(await rows('select entity_version, last_editor_id from general where id = $1', [story])).toEqual([
      { entity_version: '2', last_editor_id: editor },
    ]);
  });

  it('may leave the sums to the end of a mass loading', async () => {
    const project = await add('project');
    const story = await add('story', { project_id: project });
    await client.query('begin');
    await client.query("select set_config('worktrack.totals', 'off', true)");
    await effort(story, developer, 4);
    await client.query('commit');
    expect(await totals(story)).toMatchObject({ effort: 0 });
    await client.query('select recompute_totals()');
    expect([await totals(story), await totals(project)]).toMatchObject([{ effort: 4 }, { effort: 4 }]);
    expect(await rows('select entity_version from general where id = $1', [story])).toEqual([{ entity_version: '2' }]);
  });
});

it('shows each assigned person a share of the efforts of their role', async () => {
  const story = await add('story', { project_id: await add('project') });
  const people = await rows('select id from general_user order by id limit 3');
  await effort(story, developer, 5);
  for (const [at, { id }] of people.entries())
    await rows('insert into assignment (assignable_id, general_user_id, role_id) values ($1, $2, $3)', [
      story,
      id,
      at < 2 ? developer : tester,
    ]);
  expect(
    await rows('select general_user_id, effort from assigned_effort where assignable_id = $1 order by 1', [story]),
  ).toEqual(people.slice(0, 2).map(({ id }) => ({ general_user_id: id, effort: '2.5000' })));
});

// --- the rules once more, in ten-thousandths -------------------------------------------------------------------------

interface Numbers {
  effort: bigint;
  effort_completed: bigint;
  effort_to_do: bigint;
  time_spent: bigint;
  time_remain: bigint;
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the database
type Row = any;

const one = 10_000n;
const exact = (value: string | null): bigint => BigInt((value ?? '0').replace('.', ''));
const ratio = (part: bigint, whole: bigint): bigint => (2n * part * one + whole) / (2n * whole);
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const sum = (values: Iterable<bigint>): bigint => [...values].reduce((all, value) => all + value, 0n);

interface Totals {
  item: Numbers;
  progress: bigint;
  roles: Map<number, Numbers>;
}

class Facts {
  private readonly computed = new Map<number, Totals>();

  private constructor(
    readonly generals: readonly Row[],
    readonly roleEfforts: readonly Row[],
    private readonly times: readonly Row[],
    private readonly final: ReadonlySet<number>,
  ) {}

  static async read(): Promise<Facts> {
    return new Facts(
      await rows(`select * from ${generals} g order by id`),
      await rows('select * from role_effort'),
      // The last word comes first.
      await rows('select * from time order by date desc nulls last, id desc'),
      new Set((await rows('select id from entity_state where is_final')).map(({ id }) => id)),
    );
  }

  isFinal = (row: Row): boolean => this.final.has(row.entity_state_id);

  private parts({ id, entity_type_id: kind }: Row): Row[] {
    const isPart: Record<number, (row: Row) => boolean> = {
      4: (row) => row.entity_type_id === 5 && row.user_story_id === id,
      9: (row) => [4, 8].includes(row.entity_type_id) && row.feature_id === id,
      27: (row) => row.entity_type_id === 9 && row.epic_id === id,
      31: (row) =>
        row.portfolio_epic_id === id &&
        (row.entity_type_id === 27 || (row.entity_type_id === 9 && row.epic_id === null)),
    };
    return this.generals.filter((row) => row.delete_date === null && (isPart[kind]?.(row) ?? false));
  }

  of(row: Row): Totals {
    const totals = this.computed.get(row.id) ?? this.compute(row);
    this.computed.set(row.id, totals);
    return totals;
  }

  private compute(row: Row): Totals {
    const parts = this.parts(row).map((part) => this.of(part));
    const times = this.times.filter((time) => time.assignable_id === row.id);
    const isFinal = this.isFinal(row);
    const own = new Map<number, { effort: bigint; completed?: bigint }>();
    for (const part of parts)
      for (const [role, it] of part.roles)
        if (it.effort + it.time_spent + it.time_remain > 0n) own.set(role, { effort: 0n });
    for (const it of this.roleEfforts)
      if (it.assignable_id === row.id)
        own.set(it.role_id, {
          effort: exact(it.own_effort),
          ...(it.own_completed !== null && { completed: exact(it.own_completed) }),
        });
    const lastWord = (role: number | null) => exact(times.find((time) => time.role_id === role)?.remain ?? '0');
    const spokenFor = new Set<number | null>(times.map((time) => time.role_id));

    const roles = [...own].map(([role, written]) => {
      const below = parts.flatMap((part) => part.roles.get(role) ?? []);
      const fromParts = sum(below.map((it) => it.effort));
      const effort = fromParts > 0n ? fromParts : written.effort;
      const isDefault = !spokenFor.has(role) && row.units === 'h' && fromParts === 0n && !isFinal;
      const untold = isDefault ? effort : 0n;
      const spent =
        sum(times.filter((time) => time.role_id === role).map((time) => exact(time.spent))) +
        sum(below.map((it) => it.time_spent));
      const remain = (isDefault ? untold : lastWord(role)) + sum(below.map((it) => it.time_remain));
      return {
        role,
        effort,
        // By the parts, else as it was written.
        completed: fromParts > 0n ? sum(below.map((it) => it.effort_completed)) : written.completed,
        untold,
        spent,
        remain,
      };
    });
    const effort = sum(roles.map((it) => it.effort));
    const spent = sum(times.map((time) => exact(time.spent))) + sum(parts.map((part) => part.item.time_spent));
    const remain =
      sum([...spokenFor].map(lastWord)) +
      sum(roles.map((it) => it.untold)) +
      sum(parts.map((part) => part.item.time_remain));
    const done = sum(roles.map((it) => least(it.effort, it.completed ?? 0n)));
    const ofTimes = (it: (typeof roles)[number]) => (it.spent > 0n ? ratio(it.spent, it.spent + it.remain) : 0n);
    const begun = spent > 0n ? ratio(spent, spent + remain) : effort > 0n ? least(one, ratio(done, effort)) : 0n;
    const progress = isFinal ? one : begun;
    const completedOf = (it: (typeof roles)[number]) =>
      least(it.effort, isFinal ? it.effort : (it.completed ?? ratio(it.effort * ofTimes(it), one * one)));
    const byRole = new Map(
      roles.map((it) => {
        const completed = completedOf(it);
        return [
          it.role,
          {
            effort: it.effort,
            effort_completed: completed,
            effort_to_do: it.effort - completed,
            time_spent: it.spent,
            time_remain: it.remain,
          },
        ];
      }),
    );
    const completed = sum([...byRole.values()].map((it) => it.effort_completed));
    return {
      item: {
        effort,
        effort_completed: completed,
        effort_to_do: effort - completed,
        time_spent: spent,
        time_remain: remain,
      },
      progress,
      roles: byRole,
    };
  }

  span(row: Row) {
    const column = (
      { 1: 'project_id', 2: 'release_id', 3: 'iteration_id', 24: 'team_iteration_id' } as Record<number, string>
    )[row.entity_type_id]!;
    const items = this.generals
      .filter((it) => it[column] === row.id && it.delete_date === null && [4, 8, 17].includes(it.entity_type_id))
      .map((it) => this.of(it).item);
    const effort = sum(items.map((it) => it.effort));
    const effort_completed = sum(items.map((it) => it.effort_completed));
    const isDone = row.entity_type_id === 1 && this.isFinal(row);
    const progress = isDone ? one : effort > 0n ? ratio(effort_completed, effort) : 0n;
    return { effort, effort_completed, effort_to_do: effort - effort_completed, progress };
  }
}

const stored = (row: Row, names: string[]) => Object.fromEntries(names.map((column) => [column, exact(row[column])]));

/** Everything alive that is not what the rules say. */
async function wrong(): Promise<unknown[]> {
  const facts = await Facts.read();
  const differences: unknown[] = [];
  const compare = (what: string, row: Row, expected: Record<string, bigint>) => {
    const is = row && stored(row, Object.keys(expected));
    if (!row || Object.keys(expected).some((column) => is[column] !== expected[column]))
      differences.push({ what, is, expected });
  };
  for (const row of facts.generals) {
    const kind = row.entity_type_id;
    if (row.delete_date !== null) continue;
    if ([1, 2, 3, 24].includes(kind)) compare(`span ${kind}:${row.id}`, row, facts.span(row));
    if (![4, 5, 8, 9, 13, 14, 17, 27, 31].includes(kind)) continue;
    const { item, progress, roles } = facts.of(row);
    compare(`item ${kind}:${row.id}`, row, { ...item, progress });
    for (const [role, expected] of roles)
      compare(
        `role ${kind}:${row.id}:${role}`,
        facts.roleEfforts.find((it) => it.assignable_id === row.id && it.role_id === role),
        { ...expected },
      );
  }
  return differences;
}

it('are right in the demonstration data', async () => {
  expect(await wrong()).toEqual([]);
});

// --- many writers at once --------------------------------------------------------------------------------------------

const seed = 20_240_229;
const writers = 4;
const operations = 500;

/** Mulberry32. */
function randomFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

type World = Record<Kind, number[]>;

async function makeWorld(): Promise<World> {
  const world = Object.fromEntries(Object.keys(kindOf).map((kind) => [kind, [] as number[]])) as World;
  const put = async (kind: Kind, count: number, values: (at: number) => Record<string, unknown>) => {
    for (let at = 0; at < count; at += 1) world[kind].push(await add(kind, values(at)));
  };
  await put('team', 1, () => ({}));
  await put('project', 3, () => ({}));
  const at = (kind: Kind, index: number) => world[kind][index % world[kind].length]!;
  const project = (index: number) => ({ project_id: at('project', index) });
  await put('release', 3, project);
  await put('iteration', 3, project);
  await put('teamIteration', 2, () => ({ team_id: at('team', 0) }));
  await put('portfolioEpic', 2, () => ({}));
  await put('epic', 3, (n) => ({ ...project(n), portfolio_epic_id: at('portfolioEpic', n) }));
  await put('feature', 6, (n) => ({
    ...project(n),
    ...(n % 3 ? { epic_id: at('epic', n) } : { portfolio_epic_id: at('portfolioEpic', n) }),
  }));
  await put('story', 12, (n) => ({
    ...project(n),
    feature_id: at('feature', n),
    release_id: at('release', n),
    units: n % 4 ? 'pt' : 'h',
  }));
  await put('bug', 8, (n) => ({
    ...project(n),
    feature_id: at('feature', n),
    iteration_id: at('iteration', n),
    units: 'h',
  }));
  await put('request', 3, project);
  await put('task', 24, (n) => ({ ...project(n), user_story_id: at('story', n), units: n % 2 ? 'pt' : 'h' }));
  await put('plan', 1, project);
  return world;
}

const working: Kind[] = ['story', 'task', 'bug', 'feature', 'epic', 'portfolioEpic', 'request', 'plan'];
const parents: [Kind, string, Kind][] = [
  ['task', 'user_story_id', 'story'],
  ['story', 'feature_id', 'feature'],
  ['bug', 'feature_id', 'feature'],
  ['feature', 'epic_id', 'epic'],
  ['feature', 'portfolio_epic_id', 'portfolioEpic'],
  ['epic', 'portfolio_epic_id', 'portfolioEpic'],
];
const placesOf: [string, Kind][] = [
  ['project_id', 'project'],
  ['release_id', 'release'],
  ['iteration_id', 'iteration'],
  ['team_iteration_id', 'teamIteration'],
];

const level =
  'case entity_type_id when 5 then 0 when 9 then 2 when 27 then 3 when 31 then 4 when 3 then 5 when 24 then 5 when 2 then 6 else 1 end';

/** One writer: a connection and its own dice. */
class Writer {
  readonly on = connect();
  private readonly random: (below: number) => number;

  constructor(
    private readonly world: World,
    start: number,
  ) {
    this.random = randomFrom(start);
  }

  async run(): Promise<void> {
    await this.on.connect();
    for (let at = 0; at < operations; at += 1) await this.transaction(this.plan());
    await this.on.end();
  }

  private async transaction(steps: string[]): Promise<void> {
    for (;;) {
      try {
        const ids = await this.attempt(steps);
        for (const { kind, id } of ids) this.world[kind].push(id);
        return;
      } catch (error) {
        await this.on.query('rollback');
        const { code } = error as { code?: string };
        // What would lie in something deleted is refused, now and later.
        if (code === '40001') return;
        if (code !== '40P01' && code !== '23505') throw error;
      }
    }
  }

  private async attempt(steps: string[]): Promise<{ kind: Kind; id: number }[]> {
    const made: { kind: Kind; id: number }[] = [];
    await this.on.query('begin');
    for (const step of steps) {
      const { rows } = await this.on.query(step);
      if (step === 'rollback to here') made.length = 0;
      if (rows?.[0]?.made) made.push({ kind: rows[0].made, id: rows[0].id });
    }
    await this.on.query('commit');
    return made;
  }

  private pick = <T>(all: readonly T[]): T => all[this.random(all.length)]!;
  private some = (kind: Kind): number => this.pick(this.world[kind]);
  private item = (): number => this.some(this.pick(working));
  private role = (): number => this.pick([developer, tester]);

  /** The statements of one transaction. */
  private plan(): string[] {
    const steps = this.act();
    const dice = this.random(12);
    if (dice === 0) return [...steps, 'set constraints all immediate', 'set constraints all deferred', ...this.act()];
    if (dice === 1) return [...steps, 'set constraints all immediate', ...this.act()];
    if (dice === 2)
      return ['savepoint here', ...this.act(), 'set constraints all immediate', 'rollback to here', ...steps];
    if (dice === 3) return [...steps, ...this.act()];
    return steps;
  }

  private act = (): string[] =>
    this.pick([
      this.addTime,
      this.addTime,
      this.addTime,
      this.changeTime,
      this.dropTime,
      this.effort,
      this.effort,
      this.effort,
      this.changeEffort,
      this.dropEffort,
      this.state,
      this.state,
      this.finality,
      this.units,
      this.reparent,
      this.reparent,
      this.replace,
      this.replace,
      this.remove,
      this.restore,
      this.restore,
      this.restore,
      this.create,
      this.project,
      this.project,
      this.span,
      this.fold,
    ])();

  private addTime = (): string[] => {
    const date = this.random(5) ? `'2024-01-0${1 + this.random(9)}'` : 'null';
    const role = this.random(5) ? this.role() : 'null';
    return [
      `insert into time (assignable_id, spent, remain, role_id, date, create_date)
      values (${this.item()}, ${this.random(40)} / 8.0, ${this.random(40)} / 7.0, ${role}, ${date}, now())`,
    ];
  };
  private oneOf = (table: string): string =>
    `(select id from ${table} where assignable_id = ${this.item()} order by id offset ${this.random(2)} limit 1)`;
  private changeTime = (): string[] => [
    `update time set ${this.pick([`spent = ${this.random(9)}`, `remain = ${this.random(9)}`, `role_id = ${this.role()}`, `assignable_id = ${this.item()}`, `date = '2024-01-0${1 + this.random(9)}'`])}
     where id = ${this.oneOf('time')}`,
  ];
  private dropTime = (): string[] => [`delete from time where id = ${this.oneOf('time')}`];
  private effort = (): string[] => {
    const [own, item] = [this.random(64) / 4, this.item()];
    return [
      `insert into role_effort (assignable_id, role_id, own_effort, effort, effort_to_do)
       values (${item}, ${this.role()}, ${own}, ${own}, ${own})
       on conflict (assignable_id, role_id) do update set own_effort = excluded.own_effort`,
    ];
  };
  private changeEffort = (): string[] => [
    `update role_effort set own_effort = ${this.random(20)}, own_completed = nullif(${this.random(12)}, 0), effort = effort + ${this.random(2)} where assignable_id = ${this.item()}`,
  ];
  private dropEffort = (): string[] => [`delete from role_effort where id = ${this.oneOf('role_effort')}`];
  private stateOf = (kind: Kind): number | string =>
    this.pick([initials, finals, changing]).get(kindOf[kind]) ?? 'null';
  private state = (): string[] => {
    const kind = this.pick(working);
    return [`update general set entity_state_id = ${this.stateOf(kind)} where id = ${this.some(kind)}`];
  };
  private finality = (): string[] => [
    `update entity_state set is_final = not is_final where id = ${this.pick([...changing.values()])}`,
  ];
  private units = (): string[] => [`update general set units = '${this.pick(['pt', 'h'])}' where id = ${this.item()}`];
  private reparent = (): string[] => {
    const [kind, column, parent] = this.pick(parents);
    const to = kind !== 'task' && this.random(4) === 0 ? 'null' : this.some(parent);
    return [`update general set ${column} = ${to} where id in (${this.some(kind)}, ${this.some(kind)})`];
  };
  private replace = (): string[] => {
    const [column, kind] = this.pick(placesOf);
    const to = column !== 'project_id' && this.random(4) === 0 ? 'null' : this.some(kind);
    return [
      `update general set ${column} = ${to} where id in (${this.some('story')}, ${this.some('bug')}, ${this.some('request')})`,
    ];
  };
  private remove = (): string[] => {
    const id = this.item();
    return [
      `update general set delete_date = now() where (id = ${id} or user_story_id = ${id} and entity_type_id = 5) and delete_date is null`,
    ];
  };
  private restore = (): string[] => {
    const id = this.item();
    return [`update general set delete_date = null where id = ${id} or user_story_id = ${id} and entity_type_id = 5`];
  };
  /** The project first, all it holds in a second statement; locked from the bottom to the top before, mostly. */
  private project = (): string[] => {
    const id = this.some('project');
    if (this.random(3) === 0)
      return [`update general set entity_state_id = ${this.stateOf('project')} where id = ${id}`];
    const lock = `select 1 from general where project_id = ${id} order by ${level}, id for no key update`;
    const before = this.random(8) === 0 ? [] : [lock];
    // What is deleted is not checked: most of the time most is alive.
    if (this.random(8) === 0)
      return [
        ...before,
        `update general set delete_date = now() where id = ${id} and delete_date is null`,
        `update general set delete_date = now(), deleted_with_id = ${id} where project_id = ${id} and delete_date is null`,
      ];
    return [
      ...before,
      `update general set delete_date = null where id = ${id}`,
      `update general g set delete_date = null, deleted_with_id = null where deleted_with_id = ${id} and project_id = ${id}
         and not exists (select 1 from general s where s.id = g.user_story_id and s.delete_date is not null
           and s.deleted_with_id is distinct from ${id})`,
    ];
  };
  private span = (): string[] => [
    `update general set delete_date = ${this.pick(['now()', 'null', 'null'])} where id = ${this.some(this.pick(['release', 'iteration', 'teamIteration']))}`,
  ];
  private fold = (): string[] => [
    `select fold_spans(array[${[this.some('project'), this.some('release'), this.some('iteration')]}])`,
  ];
  /** New items with their numbers, which are right, or not. */
  private create = (): string[] => {
    const kind = this.pick(['story', 'task', 'bug'] as const);
    const [, column, parent] = parents.find(([of]) => of === kind)!;
    const [own, other] = [this.random(9), this.random(9)];
    const shown = this.random(3) ? own : other;
    const units = this.pick(['pt', 'h']);
    return [
      `with made as (insert into general (entity_type_id, name, create_date, modify_date, entity_state_id, units, project_id, release_id, ${column}, effort, effort_to_do, time_remain)
         values (${kindOf[kind]}, 'new', now(), now(), ${this.stateOf(kind)}, '${units}', ${this.some('project')}, ${this.some('release')}, ${this.some(parent)},
           ${shown}, ${shown}, ${units === 'h' ? shown : 0}) returning id)
       select id, '${kind}' as made from made`,
      `insert into role_effort (assignable_id, role_id, own_effort, effort, effort_to_do, time_remain)
         select id, ${this.role()}, ${own}, ${own}, ${own}, case units when 'h' then ${own} else 0 end from general where id = (select max(id) from general where name = 'new')
         on conflict do nothing`,
    ];
  };
}

const gains = async (): Promise<number> => (await rows('select count(*)::int as n from span_delta'))[0].n;

/** One transaction of many adds up what its spans have gained, and may leave nothing. */
async function leaveGains(): Promise<void> {
  const story = await add('story', { project_id: await add('project') });
  for (let own = 1; (await gains()) === 0; own += 1) await effort(story, developer, own);
}

it('are right after many writers at once', async () => {
  const world = await makeWorld();
  const all = Array.from({ length: writers }, (_, at) => new Writer(world, seed + at));
  await Promise.all(all.map((writer) => writer.run()));
  await leaveGains();
  expect(await wrong(), `seed ${seed}`).toEqual([]);
  const live = `select * from ${generals} g where delete_date is null order by id`;
  const before = await rows(live);
  expect(await gains()).toBeGreaterThan(0);
  await client.query('select recompute_totals()');
  expect(await rows(live), `seed ${seed}`).toEqual(before);
  expect(
    await rows('select 1 from span_delta d join general g on g.id = d.span_id where g.delete_date is null'),
  ).toEqual([]);
}, 60_000);
