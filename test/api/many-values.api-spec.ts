/** Definitions of custom fields change however many entities have a value, and however many options there are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let first: number;
let last: number;
let project: number;
const stories = 4500;
const options = Array.from({ length: 10_000 }, (_, n) => `Customer ${n}`);

const send = async (path: string, body: object): Promise<number> => {
  const { status, json, text } = await app.post(`/api/v1/${path}?format=json`, body);
  expect([status < 300, status < 300 ? '' : text]).toEqual([true, '']);
  return json.Id;
};
const define = (Name: string, FieldType: string, Value?: string) =>
  send('CustomFields', { Name, FieldType, EntityType: { Id: 4 }, Process: { Id: 3 }, ...(Value && { Value }) });

/** Copies without triggers of a story that the service has made. */
async function fill(customer: string): Promise<void> {
  const story = await send('UserStories', { Name: 'one of many', Project: { Id: project } });
  const columns = await app.rows(
    `select string_agg(quote_ident(attname), ', ') as names from pg_attribute where attrelid = 'general'::regclass
     and attnum > 0 and not attisdropped and attname not in ('id', 'custom_values')`,
  );
  const { names } = columns[0];
  await app.rows(`do $$ begin set local session_replication_role = replica;
    insert into general (id, custom_values, ${names})
    select ${story} + n, '{"Purchaser": "${customer}"}', ${names}
    from general, generate_series(1, ${stories}) n where general.id = ${story}; end $$`);
  await app.rows(`select setval(pg_get_serial_sequence('general', 'id'), ${story + stories})`);
  [first, last] = [story + 1, story + stories];
}

const storedOf = async (id: number) =>
  (await app.rows('select custom_values as value from general where id = $1', [id]))[0].value;

beforeAll(async () => {
  app = await TestApp.start({ STATEMENT_TIMEOUT: '10' });
  project = await send('Projects', { Name: 'many', Process: { Id: 3 } });
});
afterAll(() => app.stop());

describe('with many values', () => {
  let list: number;
  let rare: number;

  beforeAll(async () => {
    list = await define('Purchaser', 'DropDown', options.join('\n'));
    rare = await define('Rare', 'Number');
    await fill('Customer 7');
  });

  it('an option is added, and values of all that have it otherwise follow', async () => {
    for (const id of [first, last])
      await app.rows(`update general set custom_values = '{"Purchaser": "another ONE", "Rare": 1}' where id = $1`, [
        id,
      ]);
    await send(`CustomFields/${list}`, { Value: [...options, 'Another one'].join('\n') });
    const followed = { Purchaser: 'Another one', Rare: 1 };
    expect([await storedOf(first), await storedOf(last)]).toEqual([followed, followed]);
    expect(await storedOf(last - 1)).toEqual({ Purchaser: 'Customer 7' });
  });

  it('a definition is renamed and deleted that the first and the last have a value of', async () => {
    await send(`CustomFields/${rare}`, { Name: 'Seldom' });
    const renamed = { Purchaser: 'Another one', Seldom: 1 };
    expect([await storedOf(first), await storedOf(last)]).toEqual([renamed, renamed]);
    expect((await app.ask(`/api/v1/CustomFields/${rare}`, { method: 'DELETE' })).status).toBe(200);
    expect([await storedOf(first), await storedOf(last)]).toEqual([
      { Purchaser: 'Another one' },
      { Purchaser: 'Another one' },
    ]);
  });
});

it('a project with many times gets another process', async () => {
  const other = await send('Processes', { Name: 'Other' });
  for (const [Id, type] of [
    [3, 'Text'],
    [other, 'Number'],
  ] as const)
    for (const [Name, FieldType] of [
      ['Same', 'Number'],
      ['Unlike', type],
    ] as const)
      await send('CustomFields', { Name, FieldType, EntityType: { Id: 7 }, Process: { Id } });
  const Project = { Id: await send('Projects', { Name: 'times', Process: { Id: 3 } }) };
  const CustomFields = [
    { Name: 'Same', Value: 1 },
    { Name: 'Unlike', Value: 'words' },
  ];
  const one = await send('Times', { Project, Spent: 1, Description: 'x', CustomFields });
  await app.rows(`do $$ begin set local session_replication_role = replica;
    insert into time (id, create_date, date, spent, user_id, role_id, project_id, custom_values)
    select ${one} + n, create_date, date, spent, user_id, role_id, project_id, custom_values
    from time, generate_series(1, 2100) n where time.id = ${one}; end $$`);
  await send(`Projects/${Project.Id}`, { Process: { Id: other } });
  const values = await app.rows('select distinct custom_values as value from time where project_id = $1', [Project.Id]);
  expect(values).toEqual([{ value: { Same: 1 } }]);
});
