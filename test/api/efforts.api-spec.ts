/** Efforts of items and of their roles: how they are written together, and which there are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
let story: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
  story = await make('UserStories');
});
afterAll(() => app.stop());

const make = async (collection: string, more: object = {}): Promise<number> =>
  (await app.write(collection, { Name: 'estimated', Project: { Id: project }, ...more })).Id;

/** Its workflow has one role with effort; that of a story has two. */
const task = (more: object = {}): Promise<number> => make('Tasks', { UserStory: { Id: story }, ...more });

const post = (path: string, body: unknown) => app.post(`/api/v1/${path}?format=json`, body);

interface Efforts {
  Effort: number;
  RoleEfforts: { Items: { Id: number; Role: { Id: number }; Effort: number }[] };
}
const effortsOf = (path: string): Promise<Efforts> => app.json(`/api/v1/${path}?include=[Effort,RoleEfforts]`);

const refused = ({ status, json }: Answer, message: string) =>
  expect([status, json.Message]).toEqual([400, expect.stringContaining(message)]);

const sumOfRoles = 'Effort: is the sum of several roles here; write RoleEfforts';
const notTheSum = 'Effort: is not the sum of the RoleEfforts that are sent with it.';

describe('Effort beside RoleEfforts without items', () => {
  it.each([
    ['{"Items": []}', { Items: [] }],
    ['[]', []],
    ['null', null],
  ])('%s is written', async (_, RoleEfforts) => {
    const id = await task({ Effort: 5, RoleEfforts });
    expect((await effortsOf(`Tasks/${id}`)).Effort).toBe(5);
    const answer = await post(`Tasks/${id}`, { Effort: 7, RoleEfforts });
    expect([answer.status, answer.json.Effort]).toEqual([200, 7]);
    const path = `UserStories/${await make('UserStories')}`;
    refused(await post(path, { Effort: 7, RoleEfforts }), sumOfRoles);
    refused(await post('UserStories', { Name: 'x', Project: { Id: project }, Effort: 7, RoleEfforts }), sumOfRoles);
    expect((await effortsOf(path)).Effort).toBe(0);
  });

  it('<RoleEfforts /> is written', async () => {
    const id = await task();
    const answer = await post(`Tasks/${id}`, '<Task Effort="5"><RoleEfforts /></Task>');
    expect([answer.status, answer.json.Effort]).toEqual([200, 5]);
  });
});

describe('Effort beside RoleEfforts that were read', () => {
  it('is written where it changes and they do not', async () => {
    const path = `Tasks/${await task({ Effort: 5 })}`;
    const read = await effortsOf(path);
    const answer = await post(path, { ...read, Effort: 7 });
    expect([answer.status, answer.json.Effort]).toEqual([200, 7]);
    const after = await effortsOf(path);
    expect([after.Effort, after.RoleEfforts.Items.map(({ Effort }) => Effort)]).toEqual([7, [7]]);
    expect(after.RoleEfforts.Items.map(({ Id }) => Id)).toEqual(read.RoleEfforts.Items.map(({ Id }) => Id));
  });

  it('is written in XML', async () => {
    const path = `Tasks/${await task({ Effort: 5 })}`;
    const read = await app.xml(`/api/v1/${path}?format=xml&include=[Effort,RoleEfforts]`);
    const answer = await post(path, read.replace('<Effort>5.0000</Effort>', '<Effort>7.0000</Effort>'));
    expect([answer.status, (await effortsOf(path)).Effort]).toEqual([200, 7]);
  });

  it('is refused where it is the sum of several', async () => {
    const path = `UserStories/${await make('UserStories', { RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 }] })}`;
    const read = await effortsOf(path);
    refused(await post(path, { ...read, Effort: 7 }), sumOfRoles);
    expect(await effortsOf(path)).toEqual(read);
  });

  it('gives way where it was only read and they change', async () => {
    const path = `UserStories/${await make('UserStories', { RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 }] })}`;
    const { Effort, RoleEfforts } = await effortsOf(path);
    const Items = RoleEfforts.Items.map((item) => ({ ...item, Effort: item.Effort + 2 }));
    const answer = await post(path, { Effort, RoleEfforts: { Items } });
    expect([answer.status, answer.json.Effort]).toEqual([200, 7]);
  });
});

it('Effort is refused where no state of the workflow has a role with effort', async () => {
  const Process = await app.write('Processes', { Name: 'Without roles' });
  await app.rows('update entity_state set role_id = null where process_id = $1', [Process.Id]);
  const Project = await app.write('Projects', { Name: 'Without roles', Process: { Id: Process.Id } });
  const answer = await app.post('/api/v1/UserStories?format=json', {
    Name: 'x',
    Project: { Id: Project.Id },
    Effort: 7,
  });
  expect([answer.status, answer.json.Message]).toEqual([
    400,
    'Effort: no state of the workflow has a role with effort here; give one a Role first.',
  ]);
});

describe('Effort beside RoleEfforts that change', () => {
  it('is their sum, also with those that are not sent', async () => {
    const path = `UserStories/${await make('UserStories', {
      RoleEfforts: [
        { Role: { Id: 1 }, Effort: 3 },
        { Role: { Id: 9 }, Effort: 2 },
      ],
    })}`;
    const answer = await post(path, { Effort: 6.5, RoleEfforts: [{ Role: { Name: 'QA Engineer' }, Effort: '3.5' }] });
    expect([answer.status, answer.json.Effort]).toEqual([200, 6.5]);
    refused(await post(path, { Effort: 9, RoleEfforts: [{ Role: { Id: 9 }, Effort: 4 }] }), notTheSum);
    expect((await effortsOf(path)).Effort).toBe(6.5);
  });

  it('and says something else is refused for one role as well', async () => {
    const path = `Tasks/${await task({ Effort: 5 })}`;
    const { RoleEfforts } = await effortsOf(path);
    const Items = RoleEfforts.Items.map((item) => ({ ...item, Effort: 6 }));
    refused(await post(path, { Effort: 7, RoleEfforts: { Items } }), notTheSum);
    refused(await post('Tasks/bulk', [{ Id: Number(path.slice(6)), Effort: 7, RoleEfforts: { Items } }]), notTheSum);
    expect((await effortsOf(path)).Effort).toBe(5);
  });

  it.each([
    ['the sum', 5, 201],
    ['nothing', 0, 201],
    ['something else', 7, 400],
  ])('of a new item is %s: %i', async (_, Effort, status) => {
    const RoleEfforts = [
      { Role: { Id: 1 }, Effort: 3 },
      { Role: { Id: 9 }, Effort: 2 },
    ];
    const answer = await post('UserStories', { Name: 'new', Project: { Id: project }, Effort, RoleEfforts });
    expect(answer.status).toBe(status);
    if (status === 201) expect(answer.json.Effort).toBe(5);
    else refused(answer, notTheSum);
  });

  it('is that of the role that is named without one', async () => {
    const RoleEfforts = [{ Role: { Id: 1 } }];
    const id = await task({ Effort: 5, RoleEfforts });
    expect((await effortsOf(`Tasks/${id}`)).Effort).toBe(5);
    const answer = await post(`Tasks/${id}`, { Effort: 7, RoleEfforts });
    expect([answer.status, answer.json.Effort]).toEqual([200, 7]);
  });
});

describe('an item that moves to another process', () => {
  /** Of a process in whose workflows of stories and tasks a role works that those of the others do not have. */
  let elsewhere: number;
  const role = 2;
  beforeAll(async () => {
    elsewhere = (await app.write('Projects', { Name: 'kanban', Process: { Id: 2 } })).Id;
    const states = await app.rows(
      `select min(id) as id from entity_state where process_id = 2 and entity_type_id in (4, 5)
         and parent_entity_state_id is null group by entity_type_id`,
    );
    await app.write(
      'EntityStates/bulk',
      states.map(({ id }) => ({ Id: id, Role: { Id: role } })),
    );
  });

  const rolesOf = async (path: string): Promise<[role: number, effort: number][]> =>
    (await effortsOf(path)).RoleEfforts.Items.map((item): [number, number] => [item.Role.Id, item.Effort]).sort(
      ([one], [other]) => one - other,
    );
  const rolesOfNew = async (collection: string, more: object): Promise<number[]> =>
    (await rolesOf(`${collection}/${await make(collection, more)}`)).map(([id]) => id);

  it('has the efforts of the roles there, and keeps what was written', async () => {
    const there = await rolesOfNew('UserStories', { Project: { Id: elsewhere } });
    expect(there).toContain(role);
    const path = `UserStories/${await make('UserStories', { RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 }] })}`;
    const before = await rolesOf(path);
    expect(before.map(([id]) => id)).not.toContain(role);
    await app.write(path, { Project: { Id: elsewhere } });
    const after = await rolesOf(path);
    expect(after.map(([id]) => id)).toEqual(
      [...new Set([...before.map(([id]) => id), ...there])].sort((a, b) => a - b),
    );
    expect([after.find(([id]) => id === 1), after.find(([id]) => id === role)]).toEqual([
      [1, 3],
      [role, 0],
    ]);
    await app.write(path, { Project: { Id: project } });
    expect(await rolesOf(path)).toEqual(after);
  });

  it('takes its tasks along, which have them as well', async () => {
    const id = await make('UserStories', { Tasks: [{ Name: 'part', Effort: 2 }] });
    const [part] = await app.items(`/api/v1/UserStories/${id}/Tasks?include=[Id]`);
    await app.write(`UserStories/${id}`, { Project: { Id: elsewhere } });
    const there = await rolesOfNew('Tasks', { Project: undefined, UserStory: { Id: id } });
    expect(there).toContain(role);
    expect((await rolesOf(`Tasks/${part.Id}`)).map(([one]) => one)).toEqual(expect.arrayContaining(there));
    expect((await effortsOf(`UserStories/${id}`)).Effort).toBe(2);
  });

  it('has those that are sent with the move', async () => {
    const path = `UserStories/${await make('UserStories')}`;
    const RoleEfforts = [{ Role: { Id: role }, Effort: 4 }];
    const answer = await post(path, { Project: { Id: elsewhere }, RoleEfforts });
    expect([answer.status, answer.json.Effort]).toEqual([200, 4]);
    expect(await rolesOf(path)).toContainEqual([role, 4]);
  });
});
