/** What comes to another process keeps the values that are defined there, whatever brings it there. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { bodyOf, type Ids, make, model } from '../support/builder.js';

let app: TestApp;
let other: number;
let project: number;
let ids: Ids;
/** Kinds that lie in a project and have no state, and the project itself. */
const kinds = ['Project', 'Release', 'Iteration', 'Build', 'TestCase', 'Time'];

const send = async (path: string, body: object) => {
  const { status, json, text } = await app.post(`/api/v1/${path}?format=json`, body);
  expect([status < 300, status < 300 ? '' : text]).toEqual([true, '']);
  return json;
};

beforeAll(async () => {
  app = await TestApp.start();
  other = (await send('Processes', { Name: 'Other' })).Id;
  for (const kind of [...kinds, 'UserStory', 'Task'].map((name) => model.resource(name).settings.entityTypeId)) {
    const define = (Id: number, Name: string, FieldType = 'Number', Value?: string) =>
      send('CustomFields', { Name, FieldType, EntityType: { Id: kind }, Process: { Id }, ...(Value && { Value }) });
    for (const name of ['Gone', 'Same', 'Spelled', 'Beside']) await define(3, name);
    for (const name of ['Same', 'spelled', 'Added']) await define(other, name);
    // Of other types there.
    await define(3, 'Typed', 'Money');
    await define(3, 'Turned', 'Text');
    await define(3, 'Raw', 'Text');
    await define(other, 'Raw');
    await define(other, 'Typed');
    await define(other, 'turned');
    await define(3, 'Level', 'DropDown', 'high\nlow');
    await define(other, 'LEVEL', 'DropDown', 'HIGH\nLow');
    for (const [at, [one, another]] of others.entries()) {
      await define(3, `Other${at}`, one);
      await define(other, `Other${at}`, another);
    }
  }
});
afterAll(() => app.stop());

/** Types of fields of one name, with values of the first one. */
const others: [string, string, unknown][] = [
  ['Number', 'Text', 7],
  ['Text', 'Number', '7'],
  ['MultipleEntities', 'Text', '1 user'],
  ['Entity', 'RichText', { Id: 1, Kind: 'User' }],
  ['Text', 'MultipleEntities', '1 user'],
];
const CustomFields = [
  ...['Gone', 'Same', 'Spelled', 'Beside', 'Typed'].map((Name, at) => ({ Name, Value: at + 1 })),
  { Name: 'Turned', Value: '6' },
  { Name: 'Raw', Value: 'raw' },
  { Name: 'Level', Value: 'low' },
  ...others.map(([, , Value], at) => ({ Name: `Other${at}`, Value })),
];
const kept = { Same: 2, spelled: 3, LEVEL: 'Low' };

beforeEach(async () => {
  project = (await send('Projects', { Name: 'p', Process: { Id: 3 }, CustomFields })).Id;
  ids = { Process: 3, Role: 1, Project: project };
  ids.Release = await make(app, 'Release', { mark: 'v', ids });
});

const valuesOf = async (table: string, id: number) =>
  (await app.rows(`select custom_values as value from "${table}" where id = $1`, [id]))[0].value;

/** No value is without a definition of the process and kind that its entity is of. */
const strays = () =>
  app.rows(
    `select v.id, v.kind, e.key from (
       select id, entity_type_id as kind, case entity_type_id when 1 then process_id else
         (select p.process_id from general p where p.id = g.project_id) end as process, custom_values from general g
       union all select t.id, 7, (select p.process_id from general p where p.id = t.project_id), custom_values from time t
     ) v cross join lateral jsonb_each(v.custom_values) e where not exists (select from custom_field f
       where f.entity_type_id = v.kind and f.name = e.key and (f.process_id is null or f.process_id = v.process))`,
  );

describe('a project that gets another process', () => {
  it.each(kinds)('%s', async (kind) => {
    const time = { Project: { Id: project }, Spent: 1, Description: 'x' };
    const body = kind === 'Time' ? time : bodyOf(kind, { mark: 'v', ids });
    const id = kind === 'Project' ? project : (await send(`${kind}s`, { ...body, CustomFields })).Id;
    await send(`Projects/${project}`, { Process: { Id: other } });
    expect(await valuesOf(kind === 'Time' ? 'time' : 'general', id)).toEqual(kept);
    expect(await app.items(`/api/v1/${kind}s?where=(Id eq ${id})and('CustomFields.Gone' eq 1)`)).toEqual([]);
    expect(await app.items(`/api/v1/${kind}s?where=(Id eq ${id})and('CustomFields.Spelled' eq 3)`)).toHaveLength(1);
    expect(await strays()).toEqual([]);
  });

  it('keeps no more where it is sent to the collection of the process', async () => {
    await send(`Processes/${other}/Projects`, { Id: project });
    expect(await valuesOf('general', project)).toEqual(kept);
    expect(await strays()).toEqual([]);
  });

  it('leaves alone what lies in others, and keeps values that are sent along', async () => {
    const { Id } = await send('Projects', { Name: 'q', Process: { Id: 3 }, CustomFields });
    const added = { Process: { Id: other }, CustomFields: [{ Name: 'Added', Value: 9 }] };
    await send(`Projects/${project}`, added);
    expect(await valuesOf('general', project)).toEqual({ ...kept, Added: 9 });
    expect(Object.keys(await valuesOf('general', Id))).toHaveLength(CustomFields.length);
  });

  it.each([
    ['another value', 9],
    ['the same', 5],
  ])('keeps %s that is sent along for the field of another type', async (_, Value) => {
    const sent = [
      { Name: 'typed', Value },
      { Name: 'Turned', Value: 7 },
    ];
    await send(`Projects/${project}`, { Process: { Id: other }, CustomFields: sent });
    expect(await valuesOf('general', project)).toEqual({ ...kept, Typed: Value, turned: 7 });
  });

  it.each(['Turned', 'turned'])('takes what is sent along as the field there does, by the name %s', async (Name) => {
    const move = (Value: unknown) => ({ Process: { Id: other }, CustomFields: [{ Name, Value }] });
    await send(`Projects/${project}`, { CustomFields: [{ Name: 'Turned', Value: 'six' }] });
    const refused = await app.post(`/api/v1/Projects/${project}?format=json`, move('seven'));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('a number is needed')]);
    await send(`Projects/${project}`, move('6'));
    expect(await valuesOf('general', project)).toEqual({ ...kept, turned: 6 });
  });
});

describe('an item that comes to another process', () => {
  let story: number;
  let there: number;
  const moved = async (values: object[]) => {
    const body = { Project: { Id: there }, CustomFields: values };
    const { status, json } = await app.post(`/api/v1/UserStories/${story}?format=json`, body);
    return [status, json.Message];
  };

  beforeEach(async () => {
    story = (await send('UserStories', { Name: 'moving', Project: { Id: project }, CustomFields })).Id;
    there = (await send('Projects', { Name: 'there', Process: { Id: other } })).Id;
  });

  it('may be sent with what was read of fields that are not there, or are of another type there', async () => {
    await app.post(`/api/v1/UserStories/${story}`, { CustomFields: [{ Name: 'Beside', Value: null }] });
    const read = (await app.json(`/api/v1/UserStories/${story}?include=[CustomFields]`)).CustomFields;
    expect(read).toContainEqual({ Name: 'Beside', Type: 'Number', Value: null });
    expect(await moved(read)).toEqual([200, undefined]);
    expect(await valuesOf('general', story)).toMatchObject(kept);
  });

  it('gets nothing of what was read of fields of another type there, though it fits', async () => {
    await send(`UserStories/${story}`, { CustomFields: [{ Name: 'Turned', Value: '6' }] });
    const read = (await app.json(`/api/v1/UserStories/${story}?include=[CustomFields]`)).CustomFields;
    expect(read).toContainEqual({ Name: 'Turned', Type: 'Text', Value: '6' });
    expect(await moved(read)).toEqual([200, undefined]);
    expect(await valuesOf('general', story)).toEqual(kept);
  });

  it('gets what was read of such a field and changed', async () => {
    const changed = { Name: 'Turned', Type: 'Text', Value: '7' };
    expect(await moved([changed])).toEqual([200, undefined]);
    expect(await valuesOf('general', story)).toEqual({ ...kept, turned: 7 });
  });

  it.each([
    ['another value', { Name: 'Gone', Value: 99 }],
    ['no value in place of one', { Name: 'Gone', Value: null }],
    ['a value in place of none', { Name: 'Beside', Value: 3 }],
    ['a field of neither', { Name: 'Neither', Value: null }],
  ])('is refused with %s of a field that is not there', async (_, value) => {
    await app.post(`/api/v1/UserStories/${story}`, { CustomFields: [{ Name: 'Beside', Value: null }] });
    expect(await moved([value])).toEqual([
      400,
      `CustomFields[0].Name: 'UserStory' has no custom field '${value.Name}' in this process.`,
    ]);
  });

  it('keeps values of the fields that are the same there, and may be sent back as it was read', async () => {
    await send(`UserStories/${story}`, { Project: { Id: there } });
    expect(await valuesOf('general', story)).toEqual(kept);
    const versions = 'select entity_version, modify_date from general where id = $1';
    const before = await app.rows(versions, [story]);
    const read = await app.json(`/api/v1/UserStories/${story}?include=[CustomFields]`);
    await send(`UserStories/${story}`, { CustomFields: read.CustomFields });
    expect(await app.rows(versions, [story])).toEqual(before);
    const where = "(CustomFields.Other0 is null)and(CustomFields.Other2 is null)and(CustomFields.Level eq 'low')";
    expect(await app.items(`/api/v1/UserStories?where=(Id eq ${story})and${where}`)).toHaveLength(1);
  });

  it('keeps no more where it is sent to the collection of what it comes to', async () => {
    await send(`Projects/${there}/UserStories`, { Id: story });
    expect(await valuesOf('general', story)).toEqual(kept);
  });

  it.each([
    ['to its address', (at: number, Id: number) => send(`UserStories/${at}/Tasks`, { Id })],
    ['in its body', (at: number, Id: number) => send(`UserStories/${at}`, { Tasks: [{ Id }] })],
  ])('nor where it is sent to a collection %s', async (_, act) => {
    const task = (await send('Tasks', { Name: 'moving', UserStory: { Id: story }, CustomFields })).Id;
    const at = (await send('UserStories', { Name: 'there', Project: { Id: there } })).Id;
    await act(at, task);
    expect(await valuesOf('general', task)).toEqual(kept);
  });

  it('takes values that are sent along as those of the fields there', async () => {
    const sent = [
      { Name: 'Other2', Value: '1 user' },
      { Name: 'Level', Value: 'high' },
    ];
    await send(`UserStories/${story}`, { Project: { Id: there }, CustomFields: sent });
    expect(await valuesOf('general', story)).toEqual({ ...kept, LEVEL: 'HIGH', Other2: '1 user' });
    const { CustomFields: shown } = await app.json(`/api/v1/UserStories/${story}?include=[CustomFields]`);
    expect(shown).toContainEqual({ Name: 'Other2', Type: 'Text', Value: '1 user' });
  });
});

it('the times of an item that moves go with it', async () => {
  const story = await make(app, 'UserStory', { mark: 'v', ids }, { CustomFields });
  const Task = await make(app, 'Task', { mark: 'v', ids: { ...ids, UserStory: story } });
  const spend = (Id: number) =>
    send('Times', { Assignable: { Id }, Spent: 1, Description: 'x', CustomFields }).then((made) => made.Id);
  const [ofStory, ofTask] = [await spend(story), await spend(Task)];
  const { Id } = await send('Projects', { Name: 'there', Process: { Id: other } });
  await send(`UserStories/${story}`, { Project: { Id }, Release: null });
  expect([await valuesOf('general', story), await valuesOf('time', ofStory), await valuesOf('time', ofTask)]).toEqual([
    kept,
    kept,
    kept,
  ]);
  expect(await strays()).toEqual([]);
});

describe('the workflows of a team in a project', () => {
  it.each([
    ['of another process by then', () => send(`Projects/${project}`, { Process: { Id: other } }), 0],
    ['of another project', (link: number, Id: number) => send(`TeamProjects/${link}`, { Project: { Id } }), 0],
    ['that is only renamed', () => send(`Projects/${project}`, { Name: 'renamed' }), 1],
  ] as const)('%s', async (_, act, left) => {
    const Team = await make(app, 'Team', { mark: 'v', ids });
    const [main] = await app.rows(
      'select id from workflow where process_id = 3 and entity_type_id = 4 and parent_workflow_id is null',
    );
    const part = await send('Workflows', { Name: 'part', ParentWorkflow: { Id: main.id } });
    const Workflows = [{ Id: part.Id }];
    const link = await send('TeamProjects', { Team: { Id: Team }, Project: { Id: project }, Workflows });
    const { Id } = await send('Projects', { Name: 'there', Process: { Id: other } });
    await act(link.Id, Id);
    expect(await app.items(`/api/v1/TeamProjects/${link.Id}/Workflows`)).toHaveLength(left);
  });
});
