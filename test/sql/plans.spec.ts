/**
 * How PostgreSQL runs the main shapes at 200,000 Generals: by indexes, with values known and unknown, at a bounded
 * cost.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActorShape } from '../../src/actor.js';
import { seedBulk } from '../../src/database/seeds/bulk.js';
import { sessionOptions } from '../../src/database/session.js';
import { compiledList, valuesOf } from '../support/compiled-list.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
let client: pg.Client;
let project: number;

beforeAll(async () => {
  database = await ScratchDatabase.create();
  const options = sessionOptions({ timeZone: 'UTC', statementTimeoutMs: 0 });
  client = new pg.Client({ connectionString: database.url, options });
  await client.connect();
  await seedBulk(client, { generals: 200_000 });
  // As the database does by itself sooner or later: what an index alone can tell depends on it.
  await client.query('vacuum (analyze) general');
  const { rows } = await client.query("select id from general where name = 'Bulk project 7'");
  project = Number(rows[0].id);
}, 180_000);

afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Total Cost': number;
  Alias?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

const reference =
  'include=[Id,Name,Effort,Project[Id,Name],EntityState[Id,Name],Tasks[Id,Name,Effort],Assignments[Role[Name],GeneralUser[FirstName,LastName]]]' +
  '&append=[Tasks-Count,Bugs-Count]&take=25';
const inProgress = () => `${reference}&where=(EntityState.Name eq 'In Progress') and (Project.Id eq ${project})`;

/** Costs are in units of the planner, under the settings of the service; a bound is about twice what is needed. */
const shapes: [what: string, resource: string, query: () => string, shape: ActorShape, cost: number][] = [
  ['the reference list', 'UserStory', inProgress, 'administrator', 400],
  ['the reference list of a member', 'UserStory', inProgress, 'member', 1000],
  ['the reference list of a member in a context', 'UserStory', inProgress, 'member in context', 1500],
  ['the default list of a member in a context', 'UserStory', () => 'take=25', 'member in context', 3000],
  [
    'the reference list behind an id',
    'UserStory',
    () => `${reference}&where=(EntityState.Name eq 'In Progress') and (Project.Id eq ${project}) and (Id gt 5000)`,
    'administrator',
    400,
  ],
  ['the default list', 'UserStory', () => 'take=25', 'administrator', 1000],
  ['the default list of a member', 'UserStory', () => 'take=25', 'member', 2500],
  ['a thousand stories', 'UserStory', () => 'take=1000', 'administrator', 12_000],
  ['a page far behind', 'UserStory', () => 'include=[Name]&take=25&skip=50000', 'administrator', 1500],
  ['a list by name', 'UserStory', () => 'include=[Name]&orderBy=Name', 'administrator', 60],
  ['a list by change', 'Bug', () => 'include=[Name]&orderByDesc=ModifyDate', 'administrator', 60],
  ['one name', 'UserStory', () => "include=[Name]&where=Name eq 'Story 5 about search'", 'administrator', 250],
  ['part of a name', 'UserStory', () => "include=[Name]&where=Name contains 'Story 4711'", 'administrator', 700],
  ['the comments of an item', 'Comment', () => 'include=[Description]&where=General.Id eq 5000', 'administrator', 60],
  ['what is assigned', 'UserStory', () => 'include=[Name]&where=AssignedUser.Id eq 5', 'administrator', 100],
  ['what has a tag', 'UserStory', () => "include=[Name]&where=Tags contains 'bulk 3'", 'administrator', 600],
  [
    'the items of a feature',
    'UserStory',
    () => "include=[Name]&where=Feature.Name eq 'Feature 7'",
    'administrator',
    200,
  ],
  [
    'the tasks of a project by way of their story',
    'Task',
    () => `include=[Name]&where=UserStory.Project.Id eq ${project}`,
    'administrator',
    2000,
  ],
  [
    'a filter on a custom field',
    'UserStory',
    () => 'include=[Id]&where=(CustomFields.Score eq 42)&orderBy=Id',
    'administrator',
    500,
  ],
  [
    'a filter through a reference and a custom field, ordered by another field',
    'UserStory',
    () =>
      "include=[Name]&where=(Project.Name eq 'Bulk project 7') and (CustomFields.Score eq 42)&orderByDesc=ModifyDate",
    'administrator',
    600,
  ],
];

const nodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)];

type Mode = 'force_custom_plan' | 'force_generic_plan';

/** What PostgreSQL says of a list that it runs as the service does, or would run. */
async function explained(
  mode: Mode,
  options: string,
  [resource, query, shape]: [string, string, ActorShape],
  late?: Parameters<typeof valuesOf>[1],
): Promise<Node> {
  const statement = compiledList(resource, query, shape);
  await client.query(`set plan_cache_mode = ${mode}`);
  const label = `p${randomBytes(4).toString('hex')}`;
  await client.query(`prepare ${label} as ${statement.text}`);
  const values = valuesOf(statement, late).map((value) =>
    client.escapeLiteral(Array.isArray(value) ? `{${value}}` : String(value)),
  );
  const { rows } = await client.query(
    `explain (${options}, format json) execute ${label}${values.length > 0 ? `(${values.join(', ')})` : ''}`,
  );
  return rows[0]['QUERY PLAN'][0].Plan;
}

describe.each(shapes)('%s', (_, resource, query, shape, cost) => {
  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])('reads general by index, %s', async (mode) => {
    const plan = await explained(mode, 'costs', [resource, query(), shape]);
    const scans = nodes(plan).filter(
      (node) =>
        node['Node Type'] === 'Seq Scan' && ['general', 'assignment', 'comment'].includes(node['Relation Name'] ?? ''),
    );
    expect(scans).toEqual([]);
    expect(plan['Total Cost']).toBeLessThan(cost);
  });
});

describe('a range of Ids of one kind', () => {
  let last: number;

  beforeAll(async () => {
    const { rows } = await client.query('select max(id) as last from general where entity_type_id = 4');
    last = Number(rows[0].last);
  });

  const ranges: [query: () => string, shape: ActorShape][] = [
    [() => `include=[Name]&where=(Id gt ${last - 5})&orderBy=Id&take=250`, 'administrator'],
    [() => `include=[Name]&where=(Id gt ${last - 5})&orderBy=Id&take=250`, 'member'],
    [() => `include=[Name]&where=(Id gt ${last - 5})&orderByDesc=Id&take=25`, 'administrator'],
    [() => `include=[Name,Tasks]&where=(Id gte ${last - 5})`, 'administrator'],
    [() => `include=[Name]&where=(Id gt ${last - 5}) and (EntityState.Name eq 'Open')&orderBy=Id`, 'administrator'],
  ];

  it.each(ranges)('passes over no rows of other kinds (%#)', async (query, shape) => {
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
      const plan = await explained(mode, 'analyze, buffers, timing off', ['UserStory', query(), shape]);
      const walked = nodes(plan).find(({ Alias }) => Alias === 't')!;
      // A walk to the end of the table reads thousands.
      expect(walked['Shared Hit Blocks'] + walked['Shared Read Blocks']).toBeLessThan(50);
    }
  });
});

it('runs the reference list as one statement that finds its page', async () => {
  const statement = compiledList('UserStory', inProgress());
  const { rows } = await client.query({ text: statement.text, values: valuesOf(statement), rowMode: 'array' });
  expect(rows).toHaveLength(1);
  const [items, more] = rows[0]!;
  const parsed = JSON.parse(`[${items}]`);
  expect([parsed.length, more]).toEqual([25, true]);
  for (const item of parsed)
    expect(item).toMatchObject({ Project: { Id: project }, EntityState: { Name: 'In Progress' } });
});

describe('13,000 newest stories in another state, not vacuumed', () => {
  beforeAll(async () => {
    await client.query('alter table general set (autovacuum_enabled = false)');
    await client.query("begin; set local worktrack.totals = 'off'; set local worktrack.history = 'off'");
    await client.query(
      `insert into general (entity_type_id, name, project_id, entity_state_id, owner_id, numeric_priority, create_date, modify_date)
       select entity_type_id, 'New ' || n, project_id, entity_state_id, owner_id, n, now(), now() from generate_series(1, 13000) n,
         (select g.* from general g join entity_state s on s.id = g.entity_state_id
          where g.project_id = $1 and g.entity_type_id = 4 and s.name = 'Open' limit 1) g`,
      [project],
    );
    await client.query('commit');
  });

  const stateIds = "select id from entity_state where name = 'In Progress' and entity_type_id = 4";
  const states: [where: () => string | Promise<string>, shape: ActorShape][] = [
    [() => "EntityState.Name eq 'In Progress'", 'administrator'],
    [() => "EntityState.Name eq 'In Progress'", 'member'],
    [() => "EntityState.Name in ('In Progress', 'In Testing')", 'administrator'],
    [
      async () => `EntityState.Id eq ${(await client.query(`${stateIds} order by id limit 1`)).rows[0].id}`,
      'administrator',
    ],
    [
      async () => `EntityState.Id in (${(await client.query(stateIds)).rows.map((row) => row.id).join(',')})`,
      'administrator',
    ],
    // The state of the newest ones.
    [() => "EntityState.Name eq 'Open'", 'administrator'],
  ];

  it.each(states)('passes over none of them (%#)', async (where, shape) => {
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
      for (const page of ['', '&skip=25']) {
        const query = `${reference}&where=(${await where()}) and (Project.Id eq ${project})${page}`;
        const asked: [string, string, ActorShape] = ['UserStory', query, shape];
        const plan = await explained(mode, 'analyze, buffers, timing off', asked, { 'actor.projects': [project] });
        const walked = nodes(plan).find(({ Alias }) => Alias === 't')!;
        expect(walked['Index Name']).toBe('ix_general_project_state');
        // A walk over all of them reads more.
        expect(walked['Shared Hit Blocks'] + walked['Shared Read Blocks']).toBeLessThan(170);
      }
    }
  });

  /** Ids of a page. */
  async function listed(query: string, shape: ActorShape): Promise<number[]> {
    const statement = compiledList('UserStory', query, shape);
    const values = valuesOf(statement, { 'actor.projects': [project] });
    const { rows } = await client.query({ text: statement.text, values, rowMode: 'array' });
    const items = rows.map(([item]) => item).filter((item) => item !== null);
    return JSON.parse(`[${items}]`).map((item: { Id: number }) => item.Id);
  }

  it.each(states)('lists the same as a walk (%#)', async (where, shape) => {
    const asked = `include=[Id]&where=(${await where()}) and (Project.Id eq ${project})`;
    for (const order of ['', '&orderBy=Id']) {
      const walked = await listed(`${asked}${order}&take=1000`, shape);
      expect(walked.length).toBeGreaterThan(100);
      expect(await listed(`${asked}${order}&take=25`, shape)).toEqual(walked.slice(0, 25));
      expect(await listed(`${asked}${order}&take=50&skip=75`, shape)).toEqual(walked.slice(75, 125));
    }
  });
});
