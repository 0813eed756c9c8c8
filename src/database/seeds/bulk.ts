/** Adds a large, even set of work for measuring: set-based, in Scrum projects, with assignments, efforts, times, comments and tags. */
import type { ClientBase } from 'pg';

export interface BulkOptions {
  /** How many Generals to add, about. */
  generals: number;
  onProgress?: (line: string) => void;
}

export async function seedBulk(client: ClientBase, { generals, onProgress }: BulkOptions): Promise<void> {
  const say = onProgress ?? (() => undefined);
  const started = performance.now();
  await client.query('begin');
  try {
    for (const [what, text] of steps(generals)) {
      const at = performance.now();
      const { rowCount } = await client.query(text);
      say(`${what}: ${rowCount} rows in ${((performance.now() - at) / 1000).toFixed(1)} s`);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  await client.query('analyze');
  say(`done in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

const projects = 100;

/** Of a hundred Generals 5 are features, 45 stories, 30 tasks and 20 bugs. Numbers count from the greatest id so far. */
function steps(generals: number): [what: string, text: string][] {
  const share = (percent: number): number => Math.max(1, Math.round((generals * percent) / 100));
  const [features, stories, tasks, bugs] = [share(5), share(45), share(30), share(20)];
  return [
    ['marks', `create temp table bulk on commit drop as select coalesce(max(id), 0) as base from general`],
    [
      'projects',
      insert('1', projects, 0, `'Bulk project ' || n`, {
        process_id: '3',
        entity_state_id: '76',
        is_active: 'true',
        abbreviation: `'B' || n`,
      }),
    ],
    [
      'features',
      insert('9', features, projects, `'Feature ' || n || ' of the bulk'`, { ...work(57, 3, 8), project_id: project }),
    ],
    [
      'stories',
      insert('4', stories, projects + features, `'Story ' || n || ' about ' || ${topic}`, {
        ...work(46, 4, 5),
        project_id: project,
        feature_id: `base + ${projects} + 1 + n % ${features}`,
        custom_values: `case when n % 3 = 0 then jsonb_build_object('Risk', (array['High','Medium','Low'])[1 + n % 3], 'Score', n % 100) else '{}' end`,
      }),
    ],
    [
      'tasks',
      insert('5', tasks, projects + features + stories, `'Task ' || n || ' for ' || ${topic}`, {
        ...work(50, 3, 11),
        project_id: `base + 1 + (n % ${stories}) % ${projects}`,
        user_story_id: `base + ${projects + features} + 1 + n % ${stories}`,
      }),
    ],
    [
      'bugs',
      insert('8', bugs, projects + features + stories + tasks, `'Bug ' || n || ' in ' || ${topic}`, {
        ...work(53, 4, 6),
        project_id: `base + 1 + (n % ${stories}) % ${projects}`,
        severity_id: '1 + n % 5',
        user_story_id: `base + ${projects + features} + 1 + n % ${stories}`,
      }),
    ],
    [
      'assignments',
      `insert into assignment (assignable_id, general_user_id, role_id) select g.id, (array(select id from general_user where kind = 'User'
       and delete_date is null))[1 + g.id % (select count(*)::int from general_user where kind = 'User' and delete_date is null)], 1 + 8 * (g.id % 2) from general g, bulk where g.id > base and g.entity_type_id in (4, 5, 8)`,
    ],
    [
      'role efforts',
      `insert into role_effort (assignable_id, role_id, effort, effort_to_do) select id, 1, effort, effort_to_do from general, bulk where id > base and entity_type_id in (4, 5, 8)`,
    ],
    [
      'comments',
      `insert into comment (description, create_date, general_id, owner_id) select 'Comment on ' || id, create_date, id, owner_id from general, bulk where id > base and id % 5 = 0 and entity_type_id <> 1`,
    ],
    [
      'times',
      `insert into time (description, spent, date, create_date, project_id, user_id, assignable_id, role_id) select 'work', 1 + id % 8, create_date, create_date, project_id, owner_id, id, 1 from general, bulk where id > base and id % 4 = 0 and entity_type_id in (4, 5, 8)`,
    ],
    [
      'tags',
      `insert into general_tag (general_id, tag_id) select g.id, t.id from general g, bulk, lateral (select id from tag order by id offset g.id % 20 limit 1) t where g.id > base and g.id % 10 = 0`,
    ],
    ['sequence', `select setval(pg_get_serial_sequence('general', 'id'), (select max(id) from general))`],
  ];
}

const project = `base + 1 + n % ${projects}`;
const topic = `(array['payment','search','delivery','returns','stock','prices','reports','sign-in'])[1 + n % 8]`;

/** State and priority of a kind: `states` states from `first` on. */
const work = (first: number, states: number, priority: number): Record<string, string> => ({
  entity_state_id: `${first} + (n / 7) % ${states}`,
  priority_id: String(priority),
  effort: 'n % 13',
  effort_to_do: 'n % 13',
  description: `'<div>Text of number ' || n || repeat(' and so on', 10 + n % 10) || '</div>'`,
});

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
