/** What published clients send and expect beyond the plain rules, in JSON and in XML. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { say } from '../support/socket.js';
import { asXmlTells, itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let project: number;

beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

/** One entity in JSON, which XML tells the same of. */
// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
async function one(path: string): Promise<any> {
  const json = await app.json(path);
  const xml = (await app.xml(path)).replace(fourPlaces, '>$1$2<');
  expect(itemOf(await parseXml(xml))).toEqual(asXmlTells(json));
  return json;
}

/** A decimal without the zeros that end it, as JavaScript tells it. */
const fourPlaces = />(-?\d+)(?:\.0000|(\.\d*[1-9])0*)</g;

const write = (path: string, body: unknown, ask = {}) => app.write(path, body, ask);

const story = (more: object = {}) => write('UserStories', { Name: 'item', Project: { Id: project }, ...more });

describe('short forms', () => {
  it('an included role effort shows Effort and Role', async () => {
    const { Id } = await story({ RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 }] });
    const { RoleEfforts } = await one(`/api/v1/UserStories/${Id}?include=[RoleEfforts]`);
    expect(RoleEfforts.Items[0]).toEqual({
      ResourceType: 'RoleEffort',
      Id: expect.any(Number),
      Effort: 3,
      Role: { ResourceType: 'Role', Id: 1, Name: 'Developer' },
    });
    const { Assignable } = await one(`/api/v1/RoleEfforts/${RoleEfforts.Items[0].Id}`);
    expect(Assignable).toEqual({ ResourceType: 'Assignable', Id, Name: 'item' });
  });

  it('the ends of a relation show their EntityType', async () => {
    const [master, slave] = [(await story()).Id, (await story({ Name: 'other' })).Id];
    const made = await write('Relations', { Master: { Id: master }, Slave: { Id: slave }, RelationType: { Id: 2 } });
    const end = (Id: number, Name: string) => ({
      ResourceType: 'General',
      Id,
      Name,
      EntityType: { ResourceType: 'EntityType', Id: 4, Name: 'UserStory' },
    });
    const ends = { Master: end(master, 'item'), Slave: end(slave, 'other') };
    expect(await one(`/api/v1/Relations/${made.Id}`)).toMatchObject(ends);
    const { MasterRelations } = await one(`/api/v1/UserStories/${slave}?include=[MasterRelations]`);
    expect(MasterRelations.Items).toMatchObject([ends]);
    expect(await one(`/api/v1/Relations/${made.Id}?include=[Master[Id,Name]]`)).toMatchObject({
      Master: { ResourceType: 'General', Id: master, Name: 'item' },
    });
  });
});

describe('EffortCompleted and EffortToDo of a role', () => {
  const parts = ({ Effort, EffortCompleted, EffortToDo }: Record<string, number>) => [
    Effort,
    EffortCompleted,
    EffortToDo,
  ];
  const fields = 'Effort,EffortCompleted,EffortToDo';

  /** A story whose developers have an effort of 8; the id of their row. */
  async function estimated(): Promise<{ item: number; row: number }> {
    const made = await write('UserStories?include=[RoleEfforts]', {
      Name: 'estimated',
      Project: { Id: project },
      RoleEfforts: [
        { Role: { Id: 1 }, Effort: 8 },
        { Role: { Id: 9 }, Effort: 2 },
      ],
    });
    return { item: made.Id, row: made.RoleEfforts.Items[0].Id };
  }

  it.each([
    ['the completed part', { EffortCompleted: 3 }, [8, 3, 5]],
    ['the rest', { EffortToDo: 6 }, [8, 2, 6]],
    ['both, which sum up to the effort', { EffortCompleted: 3, EffortToDo: 4 }, [7, 3, 4]],
    ['one with the effort', { Effort: 10, EffortToDo: 1 }, [10, 9, 1]],
    ['the rest as it is, with the effort', { Effort: 10, EffortToDo: 8 }, [10, 2, 8]],
    ['the completed part as it is, with the effort', { Effort: 10, EffortCompleted: 0 }, [10, 0, 10]],
    ['both, one as it is, which sum up to a new effort', { Effort: 10, EffortCompleted: 2, EffortToDo: 8 }, [10, 2, 8]],
    ['all that was read, with another effort', { Effort: 12, EffortCompleted: 0, EffortToDo: 8 }, [12, 0, 12]],
    ['all that was read, with one of them changed', { Effort: 8, EffortCompleted: 5, EffortToDo: 8 }, [8, 5, 3]],
  ])('are set by %s', async (_, body, expected) => {
    const { item, row } = await estimated();
    await write(`RoleEfforts/${row}`, body);
    expect(parts(await one(`/api/v1/RoleEfforts/${row}?include=[${fields}]`))).toEqual(expected);
    const [effort, completed, toDo] = expected as [number, number, number];
    const whole = await one(`/api/v1/UserStories/${item}?include=[${fields},Progress]`);
    expect(parts(whole)).toEqual([effort + 2, completed, toDo + 2]);
    expect(whole.Progress).toBeCloseTo(completed / (effort + 2), 3);
  });

  it('are set in XML, with a new story, and null has them worked out again', async () => {
    const { row } = await estimated();
    await app.post(`/api/v1/RoleEfforts/${row}`, '<RoleEffort EffortCompleted="3.5"/>');
    expect(parts(await one(`/api/v1/RoleEfforts/${row}?include=[${fields}]`))).toEqual([8, 3.5, 4.5]);
    await write(`RoleEfforts/${row}`, { EffortCompleted: null });
    expect(parts(await one(`/api/v1/RoleEfforts/${row}?include=[${fields}]`))).toEqual([8, 0, 8]);
    const made = await write(`UserStories?include=[${fields}]`, {
      Name: 'new',
      Project: { Id: project },
      RoleEfforts: [{ Role: { Id: 1 }, EffortCompleted: 1, EffortToDo: 2 }],
    });
    expect(parts(made)).toEqual([3, 1, 2]);
  });

  it('never exceed the effort', async () => {
    const { row } = await estimated();
    const refused = async (body: object): Promise<string> =>
      (await app.post(`/api/v1/RoleEfforts/${row}?format=json`, body)).json.Message;
    expect(await refused({ EffortCompleted: 9 })).toBe('EffortCompleted: is more than the Effort; send that, too.');
    expect(await refused({ EffortToDo: 9 })).toBe('EffortToDo: is more than the Effort; send that, too.');
    expect(await refused({ EffortToDo: -1 })).toBe('EffortToDo: must not be negative.');
  });

  it('are refused where both are changed and do not sum up to the effort, in JSON and XML', async () => {
    const { item, row } = await estimated();
    const why = 'Effort: is not the sum of EffortCompleted and EffortToDo.';
    const Role = { Id: 1 };
    const bodies: [path: string, body: unknown][] = [
      [`RoleEfforts/${row}`, { Effort: 9, EffortCompleted: 2, EffortToDo: 3 }],
      [`RoleEfforts/${row}`, '<RoleEffort Effort="9" EffortCompleted="2" EffortToDo="3"/>'],
      [`UserStories/${item}`, { RoleEfforts: [{ Role, Effort: 9, EffortCompleted: 2, EffortToDo: 3 }] }],
      [
        'UserStories',
        { Name: 'n', Project: { Id: project }, RoleEfforts: [{ Role, Effort: 9, EffortCompleted: 2, EffortToDo: 3 }] },
      ],
    ];
    for (const [path, body] of bodies) {
      const answer = await app.post(`/api/v1/${path}`, body);
      expect([path, answer.status, answer.text]).toEqual([path, 400, expect.stringContaining(why)]);
    }
    expect(parts(await one(`/api/v1/RoleEfforts/${row}?include=[${fields}]`))).toEqual([8, 0, 8]);
    await write(`RoleEfforts/${row}`, { Effort: 9, EffortCompleted: null, EffortToDo: null });
    expect(parts(await one(`/api/v1/RoleEfforts/${row}?include=[${fields}]`))).toEqual([9, 0, 9]);
  });

  it('are lowered with the effort, and do not come back with it', async () => {
    const { row } = await estimated();
    await write(`RoleEfforts/${row}`, { EffortCompleted: 5 });
    for (const [Effort, expected] of [
      [3, [3, 3, 0]],
      [8, [8, 3, 5]],
      [0, [0, 0, 0]],
      [8, [8, 0, 8]],
    ] as const) {
      await write(`RoleEfforts/${row}`, { Effort });
      expect(parts(await one(`/api/v1/RoleEfforts/${row}?include=[${fields}]`))).toEqual(expected);
    }
  });

  it('of a role without times follow no times of another role', async () => {
    const { item, row } = await estimated();
    await write('Times', { Assignable: { Id: item }, Role: { Id: 9 }, Spent: 1, Remain: 3 });
    expect(parts(await one(`/api/v1/RoleEfforts/${row}?include=[${fields}]`))).toEqual([8, 0, 8]);
    expect(parts(await one(`/api/v1/UserStories/${item}?include=[${fields}]`))).toEqual([10, 0.5, 9.5]);
  });
});

describe('AssignedUser', () => {
  const assigned = async (id: number): Promise<[number, string][]> =>
    (await one(`/api/v1/UserStories/${id}?include=[Assignments[GeneralUser,Role]]`)).Assignments.Items.map(
      // biome-ignore lint/suspicious/noExplicitAny: an assignment in the shape that was asked for
      ({ GeneralUser, Role }: any) => [GeneralUser.Id, Role.Name],
    );
  const roleOf = async (user: number): Promise<string> => {
    const [row] = await app.rows(
      `select r.name from general_user u left join project_member m on m.user_id = u.id and m.project_id = $2
       join role r on r.id = coalesce(m.role_id, u.role_id) where u.id = $1`,
      [user, project],
    );
    return row.name;
  };

  it.each([
    ['a list', { AssignedUser: [{ Id: 3 }, { Id: 7 }] }],
    ['a collection', { AssignedUser: { Items: [{ Id: '3', ResourceType: 'GeneralUser' }, { id: 7 }] } }],
  ])('assigns those of %s in the roles they have', async (_, body) => {
    const expected = [
      [3, await roleOf(3)],
      [7, await roleOf(7)],
    ];
    expect(await assigned((await story(body)).Id)).toEqual(expected);
    const { Id } = await story();
    await write(`UserStories/${Id}`, body);
    expect(await assigned(Id)).toEqual(expected);
  });

  it('assigns one user who is sent as a reference, and users in XML', async () => {
    const { Id } = await story({ AssignedUser: { Id: 3 } });
    const xml = '<UserStory><AssignedUser><GeneralUser Id="7"/></AssignedUser></UserStory>';
    expect((await app.post(`/api/v1/UserStories/${Id}`, xml)).status).toBe(200);
    expect(await assigned(Id)).toEqual([
      [3, await roleOf(3)],
      [7, await roleOf(7)],
    ]);
  });

  it.each([
    ['different names', '<User Id="3"/><GeneralUser Id="7"/>', [3, 7]],
    ['names that come again', '<User Id="3"/><GeneralUser Id="7"/><User Id="8"/>', [3, 7, 8]],
    ['names within Items', '<Items><GeneralUser Id="3"/><User Id="7"/></Items>', [3, 7]],
    ['a name of no kind beside one', '<User Id="3"/><Team Id="7"/>', undefined],
  ])('assigns users in XML by %s', async (_, users, expected) => {
    const { Id } = await story();
    const xml = `<UserStory><AssignedUser>${users}</AssignedUser></UserStory>`;
    const answer = await app.post(`/api/v1/UserStories/${Id}`, xml);
    expect(answer.status, answer.text).toBe(expected ? 200 : 400);
    expect((await assigned(Id)).map(([user]) => user)).toEqual(expected ?? []);
  });

  it('keeps who is assigned already, in whatever role, and takes nobody away', async () => {
    const { Id } = await story({
      Assignments: [{ GeneralUser: { Id: 3 }, Role: { Id: 9 } }],
      AssignedUser: [{ Id: 3 }],
    });
    expect(await assigned(Id)).toEqual([[3, 'QA Engineer']]);
    const read = await app.json(`/api/v1/UserStories/${Id}?include=[AssignedUser,ModifyDate]`);
    const again = await write(`UserStories/${Id}?include=[ModifyDate]`, { AssignedUser: read.AssignedUser });
    expect(again.ModifyDate).toBe(read.ModifyDate);
    await app.rows('update general_user set is_active = false where id = 3');
    await write(`UserStories/${Id}`, { AssignedUser: [{ Id: 3 }, { Id: 7 }] });
    await app.rows('update general_user set is_active = true where id = 3');
    expect((await assigned(Id)).map(([user]) => user)).toEqual([3, 7]);
  });

  it('names who cannot be assigned', async () => {
    const { Id } = await story();
    const answer = await app.post(`/api/v1/UserStories/${Id}?format=json`, { AssignedUser: [{ Id: 99_999_999 }] });
    expect([answer.status, answer.json.Message]).toEqual([
      400,
      'AssignedUser[0].GeneralUser.Id: there is no User with Id 99999999, or access to it is forbidden.',
    ]);
    expect((await app.post(`/api/v1/UserStories/${Id}/AssignedUser`, { Id: 3 })).status).toBe(405);
  });
});

describe('a release with Projects alone', () => {
  it('lies in the first of them', async () => {
    const [second] = await app.rows(
      'select id from general where entity_type_id = 1 and delete_date is null and id <> $1 order by id limit 1',
      [project],
    );
    const dates = { StartDate: '2031-01-01', EndDate: '2031-02-01' };
    const Projects = { Items: [{ Id: second.id }, { Id: project }] };
    const made = await write('Releases', { Name: 'shared', ...dates, Projects });
    const read = await one(`/api/v1/Releases/${made.Id}?include=[Project[Id],Projects[Id]]`);
    expect(read.Project.Id).toBe(second.id);
    expect(read.Projects.Items.map(({ Id }: { Id: number }) => Id).sort()).toEqual([second.id, project].sort());
    const xml = `<Release Name="xml" StartDate="2031-01-01" EndDate="2031-02-01"><Projects><Project Id="${project}"/></Projects></Release>`;
    const answer = await app.post('/api/v1/Releases?include=[Project[Id]]', xml);
    expect([answer.status, answer.text]).toEqual([
      201,
      expect.stringContaining(`<Project ResourceType="Project" Id="${project}"`),
    ]);
    expect((await app.post('/api/v1/Releases', { Name: 'nowhere', ...dates })).status).toBe(400);
  });
});

describe('without a format', () => {
  /** With these headers alone, where Node's client would accept anything. */
  async function typeOf(method: string, path: string, headers: readonly string[], body = ''): Promise<string> {
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: a',
      `Authorization: ${basic('admin')}`,
      `Content-Length: ${body.length}`,
      'Connection: close',
      ...headers,
    ];
    const answer = await say(app, `${head.join('\r\n')}\r\n\r\n${body}`);
    return /^content-type: [a-z]+\/([a-z]+)/im.exec(answer)![1]!;
  }
  const isJson = 'Content-Type: application/json';

  it.each([
    [[], 'json'],
    [['Accept: '], 'json'],
    [['Accept: */*'], 'json'],
    [['Accept: text/plain'], 'xml'],
    [['Accept: text/html'], 'xml'],
    [['Accept: application/json'], 'json'],
  ])('a write in JSON with %j is answered in %s, refusals too', async (headers, format) => {
    const made = `{"Name":"x","Project":{"Id":${project}}}`;
    for (const body of [made, '{"Nam":"x"}'])
      expect(await typeOf('POST', '/api/v1/Tags', [...headers, isJson], body)).toBe(format);
    expect(await typeOf('POST', '/api/v1/UserStories', [...headers, isJson], made)).toBe(format);
  });

  it.each([
    [[], 'json'],
    [['Accept: '], 'xml'],
    [['Accept: */*'], 'xml'],
    [['Accept: text/plain'], 'xml'],
  ])('a read that is of the type of JSON, with %j, is answered in %s, refusals too', async (headers, format) => {
    for (const path of ['/api/v1/Tags', '/api/v1/Tags?where=(Nam%20eq%201)', '/api/v1/Nothing'])
      expect(await typeOf('GET', path, [...headers, isJson])).toBe(format);
    expect(await typeOf('GET', '/api/v1/Tags?format=xml', [...headers, isJson])).toBe('xml');
    expect(await typeOf('GET', '/api/v1/Tags', headers)).toBe('xml');
  });
});
