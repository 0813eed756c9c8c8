/**
 * Adds a large, even set of work for measuring: set-based, in Scrum projects, with people, efforts, times, comments and
 * tags.
 */
import type { ClientBase } from 'pg';
import { untimedTransaction } from '../session.js';

export interface BulkOptions {
  /** How many Generals to add, about. */
  generals: number;
  onProgress?: (line: string) => void;
  /** For what may not be in a transaction, where the client puts all into one. */
  readonly outside?: ClientBase;
}

export async function seedBulk(
  client: ClientBase,
  { generals, onProgress, outside = client }: BulkOptions,
): Promise<void> {
  const say = onProgress ?? (() => undefined);
  const started = performance.now();
  await client.query('begin isolation level read committed');
  try {
    await client.query(`select ${untimedTransaction}`);
    // A million records of "added just now" would tell nothing.
    await client.query(
      "select set_config(name, 'off', true) from unnest('{worktrack.history,worktrack.totals,worktrack.versions}'::text[]) name",
    );
    for (const [what, text] of steps(generals)) {
      const at = performance.now();
      const { rowCount } = await client.query(text);
      say(rateOf(what, rowCount ?? 0, performance.now() - at));
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  await inOrder(client);
  await outside.query('vacuum (analyze)');
  say(`done in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/**
 * Totals are written into every item at once, and words of tags and teams into every text, and so behind all of them,
 * as work itself never does: rows stay about where they came.
 */
async function inOrder(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; key: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as key from pg_constraint
     where conrelid in ('general'::regclass, 'search_text'::regclass) and contype = 'p'`,
  );
  for (const { table, key } of rows) await client.query(`cluster ${table} using ${key}`);
}

const rateOf = (what: string, rows: number, ms: number): string =>
  `${what}: ${rows} rows in ${(ms / 1000).toFixed(1)} s (${Math.round((rows * 1000) / Math.max(ms, 1))} a second)`;

const projects = 100;

/**
 * Of a hundred Generals 1 is an epic, 5 are features, 45 stories, 30 tasks and 19 bugs. Numbers count from the greatest
 * id so far.
 */
function steps(generals: number): [what: string, text: string][] {
  const share = (percent: number): number => Math.max(1, Math.round((generals * percent) / 100));
  const [epics, features, stories, tasks, bugs] = [share(1), share(5), share(45), share(30), share(19)];
  const beforeStories = projects + epics + features;
  // All go round the projects in turn, so that what is a multiple of a hundred on is in the same project.
  const above = (count: number, before: number): string =>
    count < projects ? 'null::bigint' : `base + ${before} + 1 + (n - 1) % ${count - (count % projects)}`;
  // Every third story has tasks and bugs, some of each, so that a page of any age holds nested items.
  const story = `1 + n * 3 % ${stories}`;
  return [
    ['marks', 'create temp table bulk on commit drop as select coalesce(max(id), 0) as base from general'],
    [
      'people',
      `create temp table bulk_people on commit drop as select id, (row_number() over (order by id) - 1)::int as at, count(*) over ()::int as of
         from general_user where kind = 'User' and is_active and delete_date is null and not coalesce(is_observer, false)`,
    ],
    [
      'fields',
      `insert into custom_field (name, field_type, value, entity_field_name, numeric_priority, entity_type_id, process_id)
         select f.name, f.type, f.value, 'CustomField' || f.at, f.at, 4, 3
         from (values ('Risk', 'DropDown', E'High\\r\\nMedium\\r\\nLow', 1), ('Score', 'Number', null, 2)) f(name, type, value, at)
         where not exists (select from custom_field c
           where lower(c.name) = lower(f.name) and c.entity_type_id = 4 and (c.process_id is null or c.process_id = 3))`,
    ],
    [
      'projects',
      insert('1', projects, 0, `'Bulk project ' || n`, {
        process_id: '3',
        entity_state_id: stateOf('Project', 'false'),
        is_active: 'true',
        abbreviation: `'B' || n`,
      }),
    ],
    [
      'epics',
      insert('27', epics, projects, `'Epic ' || n || ' about ' || ${topic}`, {
        ...work(67, 3, 13),
        project_id: projectOf('n'),
      }),
    ],
    [
      'features',
      insert('9', features, projects + epics, `'Feature ' || n || ' about ' || ${topic}`, {
        ...work(57, 3, 8),
        project_id: projectOf('n'),
        epic_id: above(epics, projects),
      }),
    ],
    [
      'stories',
      insert('4', stories, beforeStories, `'Story ' || n || ' about ' || ${topic}`, {
        ...work(46, 4, 1, 5),
        project_id: projectOf('n'),
        feature_id: above(features, projects + epics),
        custom_values: `case when n % 3 = 0 then jsonb_build_object('Risk', (array['High','Medium','Low'])[1 + n / 3 % 3], 'Score', n % 100) else '{}' end`,
      }),
    ],
    [
      'tasks',
      insert('5', tasks, beforeStories + stories, `'Task ' || n || ' for ' || ${topic}`, {
        ...work(50, 3, 11),
        project_id: projectOf(`(${story})`),
        user_story_id: `base + ${beforeStories} + ${story}`,
      }),
    ],
    [
      'bugs',
      insert('8', bugs, beforeStories + stories + tasks, `'Bug ' || n || ' in ' || ${topic}`, {
        ...work(53, 4, 6, 2),
        project_id: projectOf(`(${story})`),
        severity_id: '1 + n % 5',
        user_story_id: `base + ${beforeStories} + ${story}`,
      }),
    ],
    ['sequence', `select setval(pg_get_serial_sequence('general', 'id'), (select max(id) from general))`],
    ...satellites,
  ];
}

const isWork = `g.id > base and g.entity_type_id in (4, 5, 8)`;

/** One of the eight members of the item's project. */
const someone = '(g.project_id + g.id % 8 * 3) % p.of';

/** Every project has eight members, who are the ones assigned, writing and working there. */
const satellites: [what: string, text: string][] = [
  [
    'members',
    `insert into project_member (project_id, user_id, role_id, allocation) select distinct on (g.id, p.id) g.id, p.id, 1, 50
       from general g, bulk, bulk_people p, generate_series(0, 7) m
       where g.id > base and g.entity_type_id = 1 and p.at = (g.id + m * 3) % p.of`,
  ],
  [
    'assignments',
    `insert into assignment (assignable_id, general_user_id, role_id) select g.id, p.id, 1 + 8 * (g.id % 2)
       from general g, bulk, bulk_people p where ${isWork} and p.at = ${someone}`,
  ],
  [
    'role efforts',
    `insert into role_effort (assignable_id, role_id, initial_estimate, own_effort, effort, effort_completed, effort_to_do)
       select g.id, 1, g.effort, g.effort, g.effort, g.effort_completed, g.effort_to_do from general g, bulk where ${isWork}`,
  ],
  [
    'comments',
    `insert into comment (description, create_date, general_id, owner_id) select 'Comment on ' || g.id, g.last_comment_date, g.id, 1
       from general g, bulk where g.id > base and g.last_comment_date is not null`,
  ],
  [
    'times',
    `insert into time (description, spent, date, create_date, project_id, user_id, assignable_id, role_id)
       select 'work on ' || g.id, g.time_spent, date_trunc('day', g.create_date), g.create_date, g.project_id, p.id, g.id, 1
       from general g, bulk, bulk_people p where ${isWork} and g.time_spent > 0 and p.at = ${someone}`,
  ],
  ['new tags', `insert into tag (name) select 'bulk ' || n from generate_series(1, 20) n on conflict do nothing`],
  [
    'tags',
    `insert into general_tag (general_id, tag_id) select g.id, t.id from general g, bulk, tag t
       where g.id > base and g.id % 10 = 0 and t.name = 'bulk ' || 1 + g.id / 10 % 20`,
  ],
  ['totals', 'select recompute_totals()'],
];

const projectOf = (n: string): string => `base + 1 + (${n} - 1) % ${projects}`;
const topic = `(array['payment','search','delivery','returns','stock','prices','reports','sign-in'])[1 + n % 8]`;
const stateOf = (kind: string, isInitial: string): string =>
  `(select min(s.id) from entity_state s join entity_type t on t.id = s.entity_type_id
     where t.name = '${kind}' and s.process_id = 3 and s.is_initial = ${isInitial} and not s.is_final)`;

/** State, dates and effort that go together: `states` states from `first` on, priorities from `priority` on. */
function work(first: number, states: number, priority: number, priorities = 1): Record<string, string> {
  const step = `n / 7 % ${states}`;
  const isDone = `${step} = ${states - 1}`;
  const created = `now() - n * interval '1 minute'`;
  return {
    entity_state_id: `${first} + ${step}`,
    priority_id: `${priority} + n % ${priorities}`,
    effort: 'n % 13',
    effort_completed: `case when ${isDone} then n % 13 else 0 end`,
    effort_to_do: `case when ${isDone} then 0 else n % 13 end`,
    progress: `case when ${isDone} then 1 else 0 end`,
    start_date: `case when ${step} > 0 then ${created} + n * interval '10 seconds' end`,
    end_date: `case when ${isDone} then ${created} + n * interval '20 seconds' end`,
    last_state_change_date: `${created} + n * interval '10 seconds' * least(${step}, 1) * case when ${isDone} then 2 else 1 end`,
    last_comment_date: `case when n % 5 = 0 then ${created} + n * interval '5 seconds' end`,
    last_commented_user_id: 'case when n % 5 = 0 then 1 end',
    time_spent: 'case when n % 4 = 0 then 1 + n % 8 else 0 end',
    description: `'<div>Text of number ' || n || repeat(' and so on', 10 + n % 10) || '</div>'`,
  };
}

/** Rows of one kind with ids behind `offset`; expressions may use `n` (from 1) and `base`. */
function insert(kind: string, count: number, offset: number, name: string, more: Record<string, string>): string {
  const columns: Record<string, string> = {
    entity_type_id: kind,
    name,
    create_date: `now() - n * interval '1 minute'`,
    modify_date: `now() - n * interval '30 seconds'`,
    numeric_priority: 'n',
    owner_id: '1',
    last_editor_id: '1',
    ...more,
  };
  return `insert into general (id, ${Object.keys(columns).join(', ')}) select base + ${offset} + n, ${Object.values(columns).join(', ')}
    from bulk, generate_series(1, ${count}) n`;
}
