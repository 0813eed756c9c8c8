/** Bulk writes: many entities in one request and one transaction, all of them or none. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { itemOf, parseXml } from '../support/xml.js';

const itemsOf = (root: Awaited<ReturnType<typeof parseXml>>) => root.children.map(itemOf);

let app: TestApp;
let project: number;
let other: number;
beforeAll(async () => {
  app = await TestApp.start({ BULK_LIMIT: '300' });
  [project, other] = await scrumProjects(app);
});
afterAll(() => app.stop());

const tables = [
  'general',
  'comment',
  'assignment',
  'role_effort',
  'team_assignment',
  'tag',
  'general_tag',
  'full_history',
  'time',
];

async function counts(): Promise<Record<string, number>> {
  const [row] = await app.rows(
    `select ${tables.map((table) => `(select count(*)::int from "${table}") as "${table}"`).join(', ')}`,
  );
  return row;
}

const stories = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ Name: `bulk ${at}`, Project: { Id: project } }));

describe('POST /{Entities}/bulk', () => {
  it('creates and updates mixed, and answers 200 with the entities in the order of the request', async () => {
    const [old] = await app.items('/api/v1/UserStories?take=1&include=[Id]');
    const answer = await app.post('/api/v1/UserStories/bulk?format=json', [
      { Name: 'first', Project: { Id: project } },
      { Id: old.Id, Name: 'second, renamed' },
      { Name: 'third', Project: { Id: other } },
    ]);
    expect(answer.status).toBe(200);
    const { Items } = answer.json;
    expect(Items.map(({ Name }: { Name: string }) => Name)).toEqual(['first', 'second, renamed', 'third']);
    expect(Items[1].Id).toBe(old.Id);
    // As a GET shows them.
    expect(Items[2]).toEqual(await app.json(`/api/v1/UserStories/${Items[2].Id}`));
    expect(Items[2]).toMatchObject({ Project: { Id: other }, EntityState: { Name: 'Open' }, Owner: { Id: 1 } });
  });

  it('takes {Items: […]}, the singular, and shapes the answer', async () => {
    const answer = await app.post('/api/v1/UserStory/bulk?format=json&resultInclude=[Name]', { Items: stories(2) });
    expect(answer.json.Items).toEqual([
      { ResourceType: 'UserStory', Id: expect.any(Number), Name: 'bulk 0' },
      { ResourceType: 'UserStory', Id: expect.any(Number), Name: 'bulk 1' },
    ]);
  });

  it('takes the XML of a collection and answers with one', async () => {
    const body = `<Bugs><Bug Name="one"><Project Id="${project}"/></Bug><Bug Name="two"><Project Id="${project}"/><Tags>x, y</Tags></Bug></Bugs>`;
    const answer = await app.post('/api/v1/Bugs/bulk', body);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    const items = itemsOf(await parseXml(answer.text)) as { Id: string; Name: string; Tags: string }[];
    expect(items.map(({ Name, Tags }) => [Name, Tags])).toEqual([
      ['one', ''],
      ['two', 'x, y'],
    ]);
    expect(await app.json(`/api/v1/Bugs/${items[1]!.Id}?include=[Name,Tags]`)).toMatchObject({
      Name: 'two',
      Tags: 'x, y',
    });
    // A list of one is a list as well.
    const single = await app.post(
      '/api/v1/Bugs/bulk',
      `<Bugs><Bug Name="alone"><Project Id="${project}"/></Bug></Bugs>`,
    );
    expect(itemsOf(await parseXml(single.text))).toHaveLength(1);
  });

  it.each([
    'Generals',
    'Assignables',
  ])('takes the kinds of %s by their names in XML, to change and to delete', async (base) => {
    const made = ['UserStories', 'Bugs'].map((kind) =>
      app.write(kind, { Name: 'of a kind', Project: { Id: project } }),
    );
    const [story, bug] = (await Promise.all(made)).map(({ Id }) => Id);
    const named = (more: string) => `<${base}><UserStory Id="${story}"${more}/><Bug Id="${bug}"${more}/></${base}>`;
    const answer = await app.post(`/api/v1/${base}/bulk?include=[Name]`, named(' Name="named"'));
    expect(answer.status, answer.text).toBe(200);
    expect(itemsOf(await parseXml(answer.text))).toMatchObject([{ Name: 'named' }, { Name: 'named' }]);
    const one = await app.post(`/api/v1/${base}/${story}?include=[Name]`, '<UserStory Name="alone"/>');
    expect([one.status, one.text]).toEqual([200, expect.stringContaining('Name="alone"')]);
    const xml = { headers: { 'content-type': 'application/xml' } };
    const removed = await app.ask(`/api/v1/${base}/bulk`, { method: 'DELETE', body: named(''), ...xml });
    expect(removed.status, removed.text).toBe(200);
  });

  it('creates what lies in the entities along with them', async () => {
    const answer = await app.post(
      '/api/v1/UserStories/bulk?format=json&include=[Name,Tasks[Name,Project],RoleEfforts[Role,Effort],Effort]',
      [
        {
          Name: 'with parts',
          Project: { Id: project },
          Tasks: [{ Name: 'a' }, { Name: 'b' }],
          RoleEfforts: [{ Role: { Id: 1 }, Effort: 2 }],
        },
        { Name: 'without', Project: { Id: other } },
      ],
    );
    expect(answer.status).toBe(200);
    const [first, second] = answer.json.Items;
    expect(
      first.Tasks.Items.map((task: { Name: string; Project: { Id: number } }) => [task.Name, task.Project.Id]),
    ).toEqual([
      ['a', project],
      ['b', project],
    ]);
    expect(
      first.RoleEfforts.Items.map((row: { Role: { Id: number }; Effort: number }) => [row.Role.Id, row.Effort]),
    ).toEqual([
      [1, 2],
      [9, 0],
    ]);
    expect([first.Effort, second.Tasks.Items, second.Effort]).toEqual([2, [], 0]);
  });

  it('changes kinds mixed through their base types', async () => {
    const ids = (
      await app.rows(
        'select min(id) id from general where entity_type_id in (4, 5, 8, 9) and delete_date is null group by entity_type_id order by entity_type_id',
      )
    ).map(({ id }) => id);
    for (const base of ['Assignables', 'Generals']) {
      const answer = await app.post(
        `/api/v1/${base}/bulk?format=json&include=[Name,EntityType]`,
        ids.map((Id, at) => ({ Id, Name: `${base} ${at}` })),
      );
      expect(answer.status).toBe(200);
      expect(
        answer.json.Items.map((item: { Name: string; EntityType: { Name: string } }) => [
          item.Name,
          item.EntityType.Name,
        ]),
      ).toEqual(['UserStory', 'Task', 'Bug', 'Feature'].map((kind, at) => [`${base} ${at}`, kind]));
    }
    const created = await app.post('/api/v1/Assignables/bulk?format=json', [
      { Name: 'of what kind?', Project: { Id: project } },
    ]);
    expect(created.status).toBe(400);
  });

  it('deactivates users, adds project members and creates releases, as the samples do', async () => {
    const users = await app.post(
      '/api/v1/Users/bulk?format=json',
      ['kim', 'lee'].map((name) => ({
        FirstName: name,
        LastName: 'Bulk',
        Login: `bulk-${name}`,
        Email: `${name}@example.com`,
        Password: 'secret word',
      })),
    );
    expect(users.status).toBe(200);
    const ids: number[] = users.json.Items.map(({ Id }: { Id: number }) => Id);
    const members = await app.post(
      '/api/v1/ProjectMembers/bulk?format=json',
      ids.map((Id) => ({ User: { Id }, Project: { Id: project }, Role: { Id: 1 } })),
    );
    expect(
      members.json.Items.map((item: { User: { Id: number }; Role: { Id: number } }) => [item.User.Id, item.Role.Id]),
    ).toEqual(ids.map((id) => [id, 1]));
    const idle = await app.post(
      '/api/v1/Users/bulk?format=json',
      ids.map((Id) => ({ Id, IsActive: false })),
    );
    expect(idle.json.Items.map(({ IsActive }: { IsActive: boolean }) => IsActive)).toEqual([false, false]);
    const releases = await app.post('/api/v1/Releases/bulk?format=json', [
      { Name: 'R1', Project: { Id: project }, StartDate: '2031-01-01', EndDate: '2031-03-31' },
      { Name: 'R2', Project: { Id: project }, StartDate: '2031-04-01', EndDate: '2031-06-30' },
    ]);
    expect(releases.json.Items.map(({ Name, EndDate }: Record<string, string>) => [Name, EndDate])).toEqual([
      ['R1', '/Date(1932681600000+0000)/'],
      ['R2', '/Date(1940544000000+0000)/'],
    ]);
  });
});

describe('all or nothing', () => {
  const refused: [string, (list: Record<string, unknown>[]) => unknown, number, RegExp][] = [
    ['an unknown member', (list) => Object.assign(list[117]!, { Nmae: 'x' }), 400, /^\[117\]\.Nmae: /],
    ['a wrong type', (list) => Object.assign(list[117]!, { NumericPriority: 'x' }), 400, /^\[117\]\.NumericPriority: /],
    [
      'an unknown reference',
      (list) => Object.assign(list[117]!, { Feature: { Id: 999_999 } }),
      400,
      /^\[117\]\.Feature\.Id: /,
    ],
    ['a missing member', (list) => delete list[117]!.Name, 400, /^\[117\]\.Name: /],
    ['an unknown entity', (list) => Object.assign(list[117]!, { Id: 999_999 }), 404, /^\[117\]\.Id: /],
    [
      'a part of an item',
      (list) => Object.assign(list[117]!, { Tasks: [{ Name: 'ok' }, { Name: '' }] }),
      400,
      /^\[117\]\.Tasks\[1\]\.Name: /,
    ],
    [
      'a state of another workflow',
      (list) => Object.assign(list[117]!, { EntityState: { Id: 53 } }),
      400,
      /^\[117\]\.EntityState: /,
    ],
    [
      'an assignment',
      (list) => Object.assign(list[117]!, { Assignments: [{ GeneralUser: { Id: 24 } }] }),
      400,
      /^\[117\]\.Assignments\[0\]\.GeneralUser/,
    ],
    [
      'a negative effort',
      (list) => Object.assign(list[117]!, { RoleEfforts: [{ Role: { Id: 1 }, Effort: -1 }] }),
      400,
      /^\[117\]\.RoleEfforts\[0\]\.Effort: /,
    ],
    [
      'an unknown custom field',
      (list) => Object.assign(list[117]!, { CustomFields: [{ Name: 'No such field', Value: 1 }] }),
      400,
      /^\[117\]\.CustomFields\[0\]/,
    ],
    [
      'a name that is too long',
      (list) => Object.assign(list[117]!, { Name: 'x'.repeat(256) }),
      400,
      /^\[117\]\.Name: /,
    ],
  ];

  it.each(refused)('%s in one of 200 leaves nothing behind and tells which', async (_, spoil, status, message) => {
    const before = await counts();
    const list: Record<string, unknown>[] = stories(200);
    list[3]!.Tags = `never-${_}`;
    spoil(list);
    const answer = await app.post('/api/v1/UserStories/bulk?format=json', list);
    expect([answer.status, answer.json.Message]).toEqual([status, expect.stringMatching(message)]);
    expect(await counts()).toEqual(before);
  });

  it.each([
    ['an empty list', '[]', 400],
    ['no items', '{"Items":[]}', 400],
    ['one entity', '{"Name":"x"}', 400],
    ['something that is no entity', '[null]', 400],
    ['lists in a list', '[[{"Name":"x"}]]', 400],
    ['an empty collection', '<UserStories/>', 400],
    ['nothing', '', 400],
  ])('refuses %s', async (_, body, status) => {
    const before = await counts();
    expect((await app.post('/api/v1/UserStories/bulk?format=json', body)).status).toBe(status);
    expect(await counts()).toEqual(before);
  });

  it('refuses more than the limit, and one entity twice', async () => {
    const many = await app.post('/api/v1/UserStories/bulk?format=json', stories(301));
    expect([many.status, many.json.Message]).toEqual([
      400,
      'The body lists 301 entities; at most 300 are allowed in one request.',
    ]);
    const [old] = await app.items('/api/v1/UserStories?take=1&include=[Id]');
    const twice = await app.post('/api/v1/UserStories/bulk?format=json', [
      { Id: old.Id, Name: 'a' },
      { Id: old.Id, Name: 'b' },
    ]);
    expect([twice.status, twice.json.Message]).toEqual([400, `[1].Id: UserStory ${old.Id} is in the body twice.`]);
  });

  it.each(['CustomRules', 'GlobalSettings'])('refuses to create %s, which are only changed', async (collection) => {
    const { status, json } = await app.post(`/api/v1/${collection}/bulk?format=json`, [{}]);
    expect([status, json.Message]).toEqual([
      400,
      `[0]: ${collection} cannot be created; give the Id of one that exists.`,
    ]);
  });

  it('is a list of many only there', async () => {
    const answer = await app.post('/api/v1/UserStories?format=json', stories(2));
    expect([answer.status, answer.json.Message]).toEqual([
      400,
      expect.stringContaining('Lists go to /UserStories/bulk'),
    ]);
  });

  it('keeps members to what they may write', async () => {
    const before = await counts();
    const [hidden] = await app.rows(
      'select id from general where entity_type_id = 1 and delete_date is null and id not in (select project_id from project_member where user_id = 3) and id not in (select project_id from team_project tp join team_member m on m.team_id = tp.team_id where m.user_id = 3) limit 1',
    );
    const list = [...stories(2), { Name: 'where I am no member', Project: { Id: hidden.id } }];
    const answer = await app.post('/api/v1/UserStories/bulk?format=json', list, { as: 'alice' });
    expect([answer.status, answer.json.Message]).toEqual([
      400,
      expect.stringMatching(/^\[2\]\.Project\.Id: there is no Project/),
    ]);
    expect(await counts()).toEqual(before);
  });
});

describe('at once', () => {
  it('lets bulks that touch the same entities in different order wait for each other', async () => {
    const ids = (
      await app.rows('select id from general where entity_type_id = 4 and delete_date is null order by id limit 60')
    ).map(({ id }) => id as number);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const turned = [...ids.slice(n * 7), ...ids.slice(0, n * 7)];
        const order = n % 2 ? turned.reverse() : turned;
        return app.post(
          '/api/v1/UserStories/bulk?format=json&include=[Id,Name]',
          order.map((Id) => ({ Id, Name: `by ${n}` })),
        );
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const names = await app.rows('select distinct name from general where id = any($1)', [ids]);
    expect(names).toHaveLength(1);
  });
});

describe('DELETE /{Entities}/bulk', () => {
  it('deletes the listed entities, all or none', async () => {
    const made = (await app.post('/api/v1/UserStories/bulk?format=json', stories(3))).json.Items.map(
      ({ Id }: { Id: number }) => Id,
    );
    const remove = (body: unknown, path = '/api/v1/UserStories/bulk?format=json') =>
      app.ask(path, { method: 'DELETE', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const wrong = await remove([{ Id: made[0] }, { Id: 999_999 }]);
    expect([wrong.status, wrong.json.Message]).toEqual([
      404,
      expect.stringMatching(/^\[1\]\.Id: UserStory with Id 999999 not found/),
    ]);
    expect((await app.ask(`/api/v1/UserStories/${made[0]}`)).status).toBe(200);
    const done = await remove(made.map((Id: number) => ({ Id })));
    expect([done.status, done.json]).toEqual([
      200,
      { Items: made.map((Id: number) => ({ ResourceType: 'UserStory', Id })) },
    ]);
    for (const id of made) expect((await app.ask(`/api/v1/UserStories/${id}`)).status).toBe(404);
    expect((await remove([])).status).toBe(400);
    expect((await remove([{ Name: 'x' }])).status).toBe(400);
    const xml = (await app.post('/api/v1/Bugs/bulk?format=json', stories(2))).json.Items.map(
      ({ Id }: { Id: number }) => Id,
    );
    const empty = await app.ask('/api/v1/Bugs/bulk', {
      method: 'DELETE',
      headers: { 'content-type': 'application/xml' },
      body: `<Bugs><Bug Id="${xml[0]}"/><Bug Id="${xml[1]}"/></Bugs>`,
    });
    expect([empty.status, empty.text]).toEqual([200, '']);
  });
});

describe('elements named after a kind', () => {
  const made = async (): Promise<number> => (await app.write('UserStories', stories(1)[0])).Id;
  const name = async (id: number) => (await app.json(`/api/v1/UserStories/${id}?include=[Name]`)).Name;
  const one = (element: string, id: number): string => `<${element} Id="${id}" Name="renamed"/>`;
  const body = (path: string, element: string, id: number): string =>
    path.endsWith('/bulk') ? `<Assignables>${one(element, id)}</Assignables>` : one(element, id);

  it.each([
    ['Assignables/bulk', 'UserStory', 200],
    ['Assignables/bulk', 'userstory', 200],
    ['Assignables/bulk', 'Assignable', 200],
    ['Assignables/bulk', 'General', 200],
    ['Assignables/bulk', 'Bug', 400],
    ['Assignables', 'UserStory', 200],
    ['Assignables', 'Bug', 400],
    ['Generals', 'Release', 400],
  ])('to %s, <%s> for a story: %i', async (path, element, status) => {
    const id = await made();
    const answer = await app.post(`/api/v1/${path}?format=json`, body(path, element, id));
    expect([answer.status, await name(id)]).toEqual([status, status === 200 ? 'renamed' : 'bulk 0']);
    if (status === 400) expect(answer.json.Message).toContain(`Id: ${id} is no ${element}.`);
  });

  it('tell nothing in JSON, where ResourceType is ignored', async () => {
    const id = await made();
    const answer = await app.post('/api/v1/Assignables/bulk?format=json', [
      { ResourceType: 'Bug', Id: id, Name: 'renamed' },
    ]);
    expect([answer.status, await name(id)]).toEqual([200, 'renamed']);
  });
});
