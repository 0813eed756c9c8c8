/** The record of changes: once for each change, with who made it, by which request, and from what to what. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import { prepareDatabase } from '../../src/database/prepare.js';
import { tableRecords } from '../../src/http/table-records.js';
import { buildModel } from '../../src/model/build-model.js';
import { recordedTables } from '../../src/model/recorded-tables.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [{ id: project }] = await app.rows(
    'select id from general where entity_type_id = 1 and process_id = 3 and delete_date is null order by id limit 1',
  );
});
afterAll(() => app.stop());

interface Recorded {
  id: number;
  kind: string;
  resource: string;
  entity: number;
  project: number | null;
  author: number | null;
  request: string | null;
  xid: string;
  changes: Record<string, [unknown, unknown]>;
}

const last = async (): Promise<number> =>
  (await app.rows('select coalesce(max(id), 0)::int as last from change_record'))[0].last;

const since = (id: number): Promise<Recorded[]> =>
  app.rows(
    `select id::int, kind, resource, entity_id::int as entity, project_id::int as project, author_id::int as author, request_id as request,
       xid::text, changes from change_record where id > $1 order by id`,
    [id],
  );

/** What is recorded while something is done. */
async function recording(act: () => Promise<unknown>): Promise<Recorded[]> {
  const before = await last();
  await act();
  return since(before);
}

const write = (path: string, body: unknown) => app.write(path, body);
const remove = (path: string) => app.ask(`/api/v1/${path}?format=json`, { method: 'DELETE' });
const brief = ({ kind, resource, changes }: Recorded) => [kind, resource, changes];
const story = async (more: object = {}): Promise<number> =>
  (await write('UserStories', { Name: 'recorded', Project: { Id: project }, ...more })).Id;

describe('what is written', () => {
  it('is recorded once, with its parts, their author and one request', async () => {
    let id = 0;
    const records = await recording(async () => {
      id = await story({
        Assignments: [{ GeneralUser: { Id: 3 }, Role: { Id: 1 } }],
        RoleEfforts: [{ Role: { Id: 1 }, Effort: 5 }],
        Tags: 'recorded-tag',
      });
    });
    const byResource = (resource: string) => records.filter((one) => one.resource === resource);
    expect(byResource('UserStory')).toEqual([
      expect.objectContaining({
        kind: 'create',
        entity: id,
        project,
        author: 1,
        request: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    ]);
    expect(byResource('UserStory')[0]!.changes).toMatchObject({
      name: [null, 'recorded'],
      project_id: [null, project],
    });
    expect(byResource('UserStory')[0]!.changes).not.toHaveProperty('effort');
    expect(byResource('Assignment').map(brief)).toEqual([
      ['create', 'Assignment', { assignable_id: [null, id], general_user_id: [null, 3], role_id: [null, 1] }],
    ]);
    expect(byResource('RoleEffort').map(({ changes }) => changes.own_effort)).toContainEqual([null, 5]);
    expect(byResource('Tag').map(brief)).toEqual([['create', 'Tag', { name: [null, 'recorded-tag'] }]]);
    expect(byResource('GeneralTag').map(({ entity, kind }) => [entity, kind])).toEqual([[id, 'create']]);
    for (const field of ['request', 'xid', 'author'] as const)
      expect(new Set(records.map((one) => one[field])).size, field).toBe(1);
    expect(records.filter(({ resource }) => resource !== 'Tag').map((one) => one.project)).toEqual(
      records.filter(({ resource }) => resource !== 'Tag').map(() => project),
    );
  });

  const item = { id: 0, comment: 0, time: 0, effort: 0, other: 0 };
  beforeAll(async () => {
    item.id = await story();
    item.other = await story();
    item.comment = (await write('Comments', { General: { Id: item.id }, Description: 'first' })).Id;
    item.time = (
      await write('Times', { Assignable: { Id: item.id }, Spent: 1, Description: 'work', Role: { Id: 1 } })
    ).Id;
    item.effort = (
      await app.rows('select id from role_effort where assignable_id = $1 and role_id = 1', [item.id])
    )[0].id;
  });

  it.each<[string, () => Promise<unknown>, () => unknown[]]>([
    [
      'a name',
      () => write('UserStories', { Id: item.id, Name: 'renamed' }),
      () => [['update', 'UserStory', { name: ['recorded', 'renamed'] }]],
    ],
    [
      'a comment',
      () => write('Comments', { Id: item.comment, Description: 'second' }),
      () => [['update', 'Comment', { description: ['first', 'second'] }]],
    ],
    [
      'a time, without the totals that move with it',
      () => write('Times', { Id: item.time, Spent: 2 }),
      () => [['update', 'Time', { spent: [1, 2] }]],
    ],
    [
      'an effort, without the totals that move with it',
      () => write('RoleEfforts', { Id: item.effort, Effort: 8 }),
      () => [['update', 'RoleEffort', { own_effort: [0, 8] }]],
    ],
    [
      'a relation',
      () => write('Relations', { Master: { Id: item.id }, Slave: { Id: item.other }, RelationType: { Id: 1 } }),
      () => [
        [
          'create',
          'Relation',
          { master_id: [null, item.id], slave_id: [null, item.other], relation_type_id: [null, 1] },
        ],
      ],
    ],
    [
      'a tag',
      () => write('UserStories', { Id: item.id, Tags: 'recorded-tag' }),
      () => [['create', 'GeneralTag', expect.anything()]],
    ],
    [
      'a tag that goes',
      () => write('UserStories', { Id: item.id, Tags: '' }),
      () => [['delete', 'GeneralTag', expect.anything()]],
    ],
    [
      'a deletion',
      () => remove(`UserStories/${item.other}`),
      () => [['delete', 'UserStory', { delete_date: [null, expect.any(String)] }]],
    ],
    [
      'a restoration',
      () => write('undelete', { EntityType: 'UserStory', Id: item.other }),
      () => [['restore', 'UserStory', { delete_date: [expect.any(String), null] }]],
    ],
    [
      'a deletion for good',
      () => remove(`Comments/${item.comment}`),
      () => [['delete', 'Comment', expect.objectContaining({ description: ['second', null] })]],
    ],
    ['nothing', () => write('UserStories', { Id: item.id, Name: 'renamed' }), () => []],
  ])('%s', async (_, act, expected) => {
    expect((await recording(act)).map(brief)).toEqual(expected());
  });
});

it('records nothing of a write that is refused', async () => {
  const records = await recording(async () => {
    const bulk = [
      { Name: 'good', Project: { Id: project } },
      { Name: 'bad', Project: { Id: 2 ** 31 - 1 } },
    ];
    expect((await app.post('/api/v1/UserStories/bulk?format=json', bulk)).status).toBe(400);
  });
  expect(records).toEqual([]);
});

it('records what is written by other means, by its last editor', async () => {
  const id = await story();
  const records = await recording(() => app.rows(`update general set name = 'by hand' where id = $1`, [id]));
  expect(records.map((one) => [...brief(one), one.author, one.request])).toEqual([
    ['update', 'UserStory', { name: ['recorded', 'by hand'] }, 1, null],
  ]);
});

it('records many rows of one statement as it records few', async () => {
  const names = Array.from({ length: 50 }, (_, at) => `many ${at}`);
  const bulk = names.map((Name) => ({ Name, Project: { Id: project } }));
  const made = await app.post('/api/v1/UserStories/bulk?format=json&include=[Id]', bulk);
  const ids: number[] = made.json.Items.map(({ Id }: { Id: number }) => Id);
  const records = await recording(() =>
    app.rows(
      `update general set name = name || ' "changed"', description = 'text', end_date = now() where id = any($1)`,
      [ids],
    ),
  );
  expect(records.map((one) => [one.kind, one.resource, one.project, one.changes])).toEqual(
    names.map((name) => [
      'update',
      'UserStory',
      project,
      { name: [name, `${name} "changed"`], description: [null, 'text'], end_date: [null, expect.any(String)] },
    ]),
  );
  const one = await recording(() => app.rows('update general set end_date = end_date where id = any($1)', [ids]));
  expect(one).toEqual([]);
});

describe('a custom field', () => {
  const kinds = [
    { kind: 'UserStory', entityType: 4, more: () => ({ Name: 'valued', Project: { Id: project } }) },
    {
      kind: 'Time',
      entityType: 7,
      more: (story: number) => ({ Assignable: { Id: story }, Spent: 1, Role: { Id: 1 } }),
    },
    {
      kind: 'User',
      entityType: 6,
      more: () => ({
        FirstName: 'V',
        LastName: 'U',
        Login: 'valued',
        Email: 'valued@example.com',
        Password: 'a long password',
      }),
    },
  ];

  describe.each(kinds)('of a $kind', ({ kind, entityType, more }) => {
    const collection = { UserStory: 'UserStories' }[kind] ?? `${kind}s`;
    const field = { Id: 0 };
    let id = 0;
    beforeAll(async () => {
      const process = kind === 'User' ? undefined : { Process: { Id: 3 } };
      const define = (Name: string) =>
        write('CustomFields', { Name, FieldType: 'Text', EntityType: { Id: entityType }, ...process });
      field.Id = (await define('Going')).Id;
      await define('Staying');
      const CustomFields = ['Going', 'Staying'].map((Name) => ({ Name, Value: `${Name} value` }));
      id = (await write(collection, { ...more(await story()), CustomFields })).Id;
    });

    it('that is renamed is one record, of itself', async () => {
      const records = await recording(() => write('CustomFields', { Id: field.Id, Name: 'Gone' }));
      expect(records.map(brief)).toEqual([['update', 'CustomField', { name: ['Going', 'Gone'] }]]);
    });

    it('that is deleted records what each entity loses by it, in one transaction by one author', async () => {
      const records = await recording(() => remove(`CustomFields/${field.Id}`));
      const staying = { Staying: 'Staying value' };
      expect(records.map((one) => [one.entity, ...brief(one)])).toEqual([
        [field.Id, 'delete', 'CustomField', expect.objectContaining({ name: ['Gone', null] })],
        [id, 'update', kind, { custom_values: [{ Gone: 'Going value', ...staying }, staying] }],
      ]);
      const facts = (at: number) => [records[at]!.author, records[at]!.request, records[at]!.xid];
      expect(facts(1)).toEqual(facts(0));
      expect(facts(1)[0]).toBe(1);
      if (kind !== 'User') expect(records[1]!.project).toBe(project);
    });
  });
});

it('records no secret', async () => {
  const Password = 'a long secret of a person';
  const records = await recording(async () => {
    const { Id } = await write('Users', {
      FirstName: 'Re',
      LastName: 'Corded',
      Email: 're@example.com',
      Login: 're.corded',
      Password,
    });
    await write('Users', { Id, Password: `${Password}, another one` });
  });
  expect(records.map(({ resource, kind }) => [resource, kind])).toEqual([['User', 'create']]);
  expect(JSON.stringify(records)).not.toMatch(/secret|argon|hash|token/i);
});

it('lies in the partition of its month, and months are added once', async () => {
  await story();
  const month = `change_record_${new Date().toISOString().slice(0, 7).replace('-', '_')}`;
  expect((await app.rows(`select count(*)::int > 0 as are from ${month}`))[0].are).toBe(true);
  await app.rows('select add_change_partitions(2)');
  await app.rows('select add_change_partitions(5)');
  const [{ n }] = await app.rows(
    `select count(*)::int as n from pg_inherits where inhparent = 'change_record'::regclass`,
  );
  // This month, five more, and the one for the rest.
  expect(n).toBe(7);
});

it('has a partition for its month from the start on, after months without a service', async () => {
  const [{ partition }] = await app.rows(
    `select 'change_record_' || to_char(now() at time zone 'UTC' + interval '1 month', 'YYYY_MM') as partition`,
  );
  await app.rows(`drop table ${partition}`);
  await prepareDatabase(loadConfig({ DATABASE_URL: app.database.options.connectionString }));
  expect((await app.rows('select to_regclass($1) is not null as is', [partition]))[0].is).toBe(true);
});

/** Columns that are not recorded: the key, sums and dates that follow other changes, secrets, and files. */
const unrecorded: Record<string, string> = {
  general: `entity_version modify_date last_editor_id create_date last_comment_date last_commented_user_id effort effort_completed effort_to_do
    progress time_spent time_remain last_state_change_date deleted_with_id calculated_estimate not_run_count passed_count failed_count on_hold_count
    blocked_count`,
  general_user: `password_hash token_version create_date modify_date global_id last_login_date current_allocation current_available_hours
    available_future_allocation available_future_hours`,
  role_effort: 'effort effort_completed effort_to_do time_spent time_remain',
  comment: 'create_date description_modify_date',
  time: 'create_date',
  attachment: 'unique_file_name date content sha256',
  custom_activity: 'created',
  message: 'body create_date send_date',
  project_member: 'since',
  team_member: 'since',
  team_project: 'since',
  test_case_run: 'root_test_plan_run_id',
};

/** Tables that nobody's changes are recorded of. */
const apart =
  `access_token context entity_type full_history general_conversion idempotency_key login_attempt migration rate_limit_bucket session
  setting schema_compatibility search_text set_up_version simple_history span_delta taken_along`.split(/\s+/);

/** The service itself writes none of their rows. */
const ofTriggers = new Set(['team_project_allocation']);

/** The statements of the service record by `recorded`, all others by the triggers, each in the words of its own. */
const model = buildModel(resourceEntities);
const recorded = recordedTables(model);
const records = tableRecords(model);

it.each([...recorded.keys()])('%s is recorded by its triggers as by the service', async (table) => {
  const one = recorded.get(table)!;
  const words = (text: string): string => text.replace(/\s+/g, ' ');
  const triggers = await app.rows(`select proname as name, prosrc as text from pg_proc where proname ~ $1`, [
    `^record_${table}_(insert|update|delete)$`,
  ]);
  const isLink = one.id !== undefined;
  expect(triggers.map(({ name }) => name).sort()).toEqual(
    ['delete', 'insert', ...(isLink ? [] : ['update'])].map((event) => `record_${table}_${event}`),
  );
  for (const { name, text } of triggers) {
    const values = records.get(table)!;
    const of = /_insert$/.test(name) ? values.insert('n') : values.update('n', 'o');
    if (!/_delete$/.test(name)) expect(words(text)).toContain(words(`select ${of.join(', ')}, d.changes from`));
    const [, columns] = /unnest\('\{([^}]*)\}'::text\[\]\)/.exec(text)!;
    expect(columns!.split(',').sort()).toEqual([...one.columns].sort());
  }
});

it('knows every table and every column', async () => {
  const columns: { table: string; column: string }[] = await app.rows(
    `select c.table_name as table, c.column_name as column from information_schema.columns c join information_schema.tables t
       on t.table_name = c.table_name and t.table_schema = c.table_schema
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name !~ '^change_record'`,
  );
  const missing = columns.filter(({ table, column }) => {
    if (apart.includes(table) || ofTriggers.has(table)) return false;
    const shown = recorded.get(table)?.columns ?? [];
    return column !== 'id' && !shown.includes(column) && !unrecorded[table]?.split(/\s+/).includes(column);
  });
  expect(missing).toEqual([]);
  const twice = [...recorded].filter(([table, { columns }]) =>
    unrecorded[table]?.split(/\s+/).some((one) => columns.includes(one)),
  );
  expect(twice).toEqual([]);
});
