/** What agents get wrong at times: fields named twice, kinds that they may not make, members given twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent } from '../support/agent.js';
import { basic, TestApp } from '../support/app.js';

let app: TestApp;
let agent: Agent;
let story: number;

beforeAll(async () => {
  app = await TestApp.start();
  story = (await app.write('UserStories', { Name: 'Pick apples', Project: { Id: 8 } })).Id;
  agent = await Agent.http(app.base, { authorization: basic('admin') });
});
afterAll(async () => {
  await agent.close();
  await app.stop();
});

const where = () => `id==${story}`;

it.each<[string[], object]>([
  [['id', 'name'], { name: 'Pick apples' }],
  [['Id', 'Name', 'name'], { name: 'Pick apples' }],
  [['project.name', 'project.name', 'Project.Name'], { project: expect.any(String) }],
  [['project', 'project.name'], { project: expect.objectContaining({ id: 8 }), projectName: expect.any(String) }],
  [['project.name', 'project'], { project: expect.objectContaining({ id: 8 }), projectName: expect.any(String) }],
])('fields %j give each once', async (fields, members) => {
  const expected = { id: story, ...members };
  const { link: _, ...item } = await agent.use('get', { id: story, fields });
  expect(item).toEqual(expected);
  const { items } = await agent.use('list', { kind: 'UserStory', where: where(), select: fields });
  expect(items).toEqual([expected]);
});

it('groups that are named twice are one', async () => {
  const asked = { kind: 'UserStory', groupBy: ['project.name', 'Project.name'], where: where() };
  expect((await agent.use('report', asked)).groups).toEqual([{ project: expect.any(String), count: 1 }]);
});

it('what is told once is not made for an agent', async () => {
  const before = await app.rows('select count(*)::int as n from access_token');
  for (const kind of ['AccessToken', 'accesstokens'])
    expect(await agent.refusal('create', { kind, name: 'mine' })).toMatch(/AccessToken is made by people.*\/profile/);
  expect(await app.rows('select count(*)::int as n from access_token')).toEqual(before);
  expect(await agent.use('describe', { kind: 'AccessToken' })).toMatchObject({ canCreate: false });
});

it('the example of fields that tools show can be set on items of all kinds', async () => {
  const { tools } = await agent.client.listTools();
  for (const tool of ['create', 'update']) {
    const { fields } = tools.find(({ name }) => name === tool)!.inputSchema.properties as {
      fields: { description: string };
    };
    const example = JSON.parse(/\{.*?\}/.exec(fields.description)![0]);
    const release = await app.write('Releases', { Name: `${example.Release} of ${tool}`, Project: { Id: 8 } });
    const given = { ...example, Release: release.Id };
    for (const kind of ['UserStory', 'Bug', 'Feature', 'Task']) {
      const more = kind === 'Task' ? { UserStory: story } : {};
      const created = await agent.use('create', { kind, name: 'Shown', project: 8, fields: { ...more, ...given } });
      expect(await agent.use('update', { id: created.id, fields: given })).toMatchObject({ id: created.id });
    }
  }
});

it('a field that is given twice is refused', async () => {
  const fields = { Name: 'a', name: 'b' };
  expect(await agent.refusal('update', { id: story, fields })).toMatch(/Name is given twice/);
  for (const name of ['name', 'Name']) {
    const given = { kind: 'UserStory', name: 'a', project: 8, fields: { [name]: 'b' } };
    expect(await agent.refusal('create', given)).toMatch(/Name is given twice/);
  }
});

it.each<[string, object, object]>([
  ['Name', { name: 'a' }, { name: 'b' }],
  ['Project', { project: 8 }, { Project: 8 }],
  ['Description', { description: 'a' }, { description: 'b' }],
  ['Tags', { tags: ['a'] }, { tags: 'b' }],
])('%s as an argument and in fields is given twice', async (name, args, fields) => {
  const whole = { kind: 'UserStory', name: 'a', project: 8, ...args };
  expect(await agent.refusal('create', { ...whole, fields })).toBe(`${name} is given twice.`);
  if ('tags' in args)
    expect(await agent.refusal('update', { id: story, ...args, fields })).toBe(`${name} is given twice.`);
});

describe('a reference of digits', () => {
  const project = (tool: string) => (name: string) =>
    tool === 'search'
      ? agent.use('search', { words: 'fruit', project: name })
      : agent.use('create', { kind: 'UserStory', name: 'fruit', project: name });
  const projectRefusal = (tool: string, name: string) =>
    agent.refusal(tool, { ...(tool === 'search' ? { words: 'x' } : { kind: 'Bug', name: 'x' }), project: name });

  it.each(['create', 'search'])('is a name, or else an id, of a project in %s', async (tool) => {
    const named = await app.write('Projects', { Name: tool === 'search' ? '900001' : '900002' });
    const plain = await app.write('Projects', { Name: `Plums of ${tool}` });
    const twin = await app.write('Projects', { Name: String(plain.Id) });
    await app.write('UserStories', { Name: 'fruit', Project: { Id: named.Id } });
    const shown = (answer: { project?: string; items?: { project: string }[] }) =>
      answer.project ?? answer.items![0]!.project;
    expect(shown(await project(tool)(named.Name))).toBe(named.Name);
    expect(shown(await project(tool)(String(named.Id)))).toBe(named.Name);
    const refusal = await projectRefusal(tool, String(plain.Id));
    expect(refusal).toMatch(`Project: ${plain.Id} is the name of one and the id of another. Give one of the ids as a`);
    for (const one of [plain, twin]) expect(refusal).toContain(`${one.Id} (${one.Name})`);
    expect(await projectRefusal(tool, '999999999999999')).toContain('there is no Project named 999999999999999');
  });

  it('is a name, or else an id, in fields', async () => {
    const Project = { Id: 8 };
    const user = await app.write('Users', {
      Login: '800001',
      FirstName: 'Ada',
      Email: 'ada@example.com',
      Password: 'a plum tree',
    });
    const made = [
      ['Release', await app.write('Releases', { Name: '800002', Project })],
      ['Feature', await app.write('Features', { Name: '800003', Project })],
      ['Owner', user],
    ] as const;
    for (const [field, { Id, Name, Login }] of made)
      for (const value of [Name ?? Login, String(Id)]) {
        await agent.use('update', { id: story, fields: { Release: null, Feature: null, Owner: 1 } });
        await agent.use('update', { id: story, fields: { [field]: value } });
        expect((await app.json(`/api/v1/UserStories/${story}`))[field]).toMatchObject({ Id });
      }
    const twin = await app.write('Features', { Name: String(made[1][1].Id), Project });
    const refusal = await agent.refusal('update', { id: story, fields: { Feature: twin.Name } });
    expect(refusal).toMatch(/^Feature: \d+ is the name of one and the id of another\. /);
    expect(await agent.use('update', { id: story, fields: { Feature: twin.Id } })).toMatchObject({ id: story });
  });

  it('is an id of a state', async () => {
    const [{ id: state }] = (
      await agent.use('list', {
        kind: 'EntityState',
        where: "entityType.name=='UserStory' and isInitial==true and process.projects.any(id==8)",
      })
    ).items;
    await agent.use('update', { id: story, fields: { EntityState: String(state) } });
    expect(await app.json(`/api/v1/UserStories/${story}`)).toMatchObject({ EntityState: { Id: state } });
  });

  it('is an id where what it names is of another kind than the item', async () => {
    const [team] = await app.items('/api/v1/Teams?take=1');
    const { Id: assignment } = await app.write('TeamAssignments', { Assignable: { Id: story }, Team: { Id: team.Id } });
    const [parent] = await app.items("/api/v1/Workflows?where=EntityType.Name eq 'UserStory'&take=1&orderByDesc=Id");
    const names = { Process: { Id: parent.Process.Id }, EntityType: { Id: parent.EntityType.Id } };
    const { Id: workflow } = await app.write('Workflows', {
      ...names,
      Name: 'of a team',
      ParentWorkflow: { Id: parent.Id },
    });
    const [from, to] = await app.items(`/api/v1/EntityStates?where=Workflow.Id eq ${parent.Id}&take=2`);
    const { Id: state } = await app.write('EntityStates', {
      Name: 'apart',
      Workflow: { Id: workflow },
      ParentEntityState: from,
    });
    const [priority] = await app.items("/api/v1/Priorities?where=EntityType.Name eq 'UserStory'&take=1");
    for (const [kind, id, field, value, given = String(value)] of [
      ['EntityState', state, 'Workflow', workflow, 'of a team'],
      ['TeamAssignment', assignment, 'EntityState', from.Id],
      ['EntityState', state, 'Workflow', workflow],
      ['EntityState', state, 'ParentEntityState', to.Id],
      ['Workflow', workflow, 'ParentWorkflow', parent.Id],
      ['Assignable', story, 'Priority', priority.Id],
    ] as [string, number, string, number, string?][]) {
      await agent.use('update', { kind, id, fields: { [field]: given } });
      const { items } = await agent.use('list', { kind, where: `id==${id}`, select: [field] });
      expect(items).toMatchObject([{ id }]);
      expect(JSON.stringify(items)).toContain(`"id":${value}`);
    }
  });
});

it('a member that is given twice is refused', async () => {
  const call = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get", "arguments": {"id": 1, "id": ${story}}}}`;
  const headers = { 'content-type': 'application/json' };
  const answer = await app.ask('/mcp', { method: 'POST', body: call, headers });
  expect([answer.status, answer.json.Message]).toEqual([400, 'params.arguments.id: the member is given twice.']);
});

it('what cannot be written is refused, not passed over', async () => {
  const fields = { CreateDate: '2020-01-01' };
  for (const [tool, args] of Object.entries({ update: { id: story }, create: { kind: 'Bug', name: 'x', project: 8 } }))
    expect(await agent.refusal(tool, { ...args, fields })).toBe('CreateDate is read only: leave it out.');
  expect(await agent.use('update', { id: story, fields: { Id: story, Name: 'Pick apples' } })).toMatchObject({
    id: story,
  });
});

it.each([
  { fields: {} },
  { customFields: {} },
  { fields: {}, customFields: {} },
])('%j changes nothing', async (args) => {
  expect(await agent.refusal('update', { id: story, ...args })).toMatch(/^Nothing is to be changed/);
});

it('a comment of blanks, and no time, are refused', async () => {
  const before = await app.rows(
    'select (select count(*) from comment) as comments, (select count(*) from time) as times',
  );
  expect(await agent.refusal('comment', { id: story, text: ' \n\t' })).toMatch(/text: .*blank/);
  expect(await agent.refusal('log_time', { id: story, hours: 0.00004 })).toMatch(/hours: .*0\.0001/);
  expect(
    await app.rows('select (select count(*) from comment) as comments, (select count(*) from time) as times'),
  ).toEqual(before);
});

it('groups are ordered by measures and paths as they were given', async () => {
  const asked = {
    kind: 'UserStory',
    groupBy: ['entityState.name', 'project.name'],
    measures: ['count', 'sum(effort)'],
  };
  const by = async (orderBy: string) => (await agent.use('report', { ...asked, orderBy })).groups;
  expect(await by('Sum( effort ) desc, entityState.name')).toEqual(await by('sum desc, entityState'));
  expect(await by('project.name')).toEqual(await by('project'));
  expect(await by('sum(effort)/count desc,count')).toEqual(await by('sum/count desc,count'));
  expect(await agent.refusal('report', { ...asked, orderBy: 'average(effort)' })).toMatch(
    /^Method 'average' does not exist in 'Object'\. It has entityState, project, count, sum\./,
  );
});

it('a project to search in goes by its name', async () => {
  const [{ name }] = await app.rows('select name from general where id = 8');
  const [byId, byName] = [await searched(8), await searched(name.toUpperCase())];
  expect(byName).toEqual(byId);
  expect(byId.items).toContainEqual(expect.objectContaining({ id: story }));
  expect(await agent.refusal('search', { words: 'apples', project: 'Orchid' })).toMatch(/no Project named Orchid/);
});

const searched = (project: unknown) => agent.use('search', { words: `"pick apples" ${story}`, project });

it.each<[unknown, string]>([
  [{ name: 'search', arguments: null }, 'params.arguments: Invalid input: expected record, received null'],
  [{ name: 'search', arguments: [1] }, 'params.arguments: Invalid input: expected record, received array'],
  [{ arguments: {} }, 'params.name: Invalid input: expected string, received undefined'],
  [undefined, 'params: Invalid input: expected object, received undefined'],
])('a call with %j is told what does not fit', async (params, message) => {
  const answer = await app.raw('/mcp', {
    method: 'POST',
    headers: { authorization: basic('admin'), 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  });
  expect(JSON.parse(answer.text)).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32602, message } });
});

it.each<[string, Record<string, unknown>, string]>([
  ['comment', { text: 'a\0b' }, 'text'],
  ['search', { words: 'a\0b' }, 'words'],
  ['update', { fields: { Effort: 1, Description: 'a\0b' } }, 'fields.Description'],
  ['update', { fields: { 'De\0scription': 'a' } }, 'fields.Description'],
  ['update', { tags: ['a', 'b\0'] }, 'tags.1'],
  ['move', { state: 'Do\0ne' }, 'state'],
])('a NUL in what %s takes is told with its argument: %j', async (name, args, path) => {
  const sent = name === 'search' ? args : { id: story, ...args };
  expect(await agent.refusal(name, sent)).toBe(
    `The arguments do not fit: ${path}: the character NUL is not allowed. See the input schema of the tool.`,
  );
});

it.each<[string, Record<string, unknown>, string]>([
  ['comment', { text: 'a\ud800b' }, 'text'],
  ['search', { words: '\udc00 apples' }, 'words'],
  ['list', { kind: 'Bug', where: `name=='\ud800'` }, 'where'],
  ['report', { kind: 'Bug', groupBy: ['name', 'a\ud800'] }, 'groupBy.1'],
  ['update', { fields: { Description: 'a\ud83d' } }, 'fields.Description'],
  ['update', { customFields: { '\ud800': 'a' } }, 'customFields.\ufffd'],
])('half of a character in what %s takes is told with its argument: %j', async (name, args, path) => {
  const sent = ['comment', 'update'].includes(name) ? { id: story, ...args } : args;
  expect(await agent.refusal(name, sent)).toBe(
    `The arguments do not fit: ${path}: half of a surrogate pair is no character. See the input schema of the tool.`,
  );
});

it.each<[string, Record<string, unknown>, string]>([
  [
    'get',
    { fields: ['nmae'] },
    "Property 'nmae' does not exist in 'UserStory'. Did you mean 'name'? (fields in 'nmae')",
  ],
  ['get', { fields: ['name', 'feature.nmae'] }, "(fields in 'feature.nmae')"],
  ['get', { fields: ['tasks.count('] }, 'fields: expected an expression in \'tasks.count(\', found "}".'],
  ['get', { text: 'nope' }, "Property 'nope' does not exist in 'UserStory'. (text in 'nope')"],
  ['get', { text: 'effort' }, 'text: Effort is no text. Ask for it by fields.'],
  ['get', { text: 'project' }, 'text: Project is no text. Ask for it by fields.'],
  ['get', { text: 'tasks' }, 'text: Tasks is no text. Ask for it by fields.'],
  [
    'get',
    { fields: ['name'], text: 'description' },
    'fields and text are asked for one by one: leave one of them out.',
  ],
  ['get', { from: 10 }, 'from is a place in a long text: name its field as text.'],
  ['list', { select: ['effort', 'foo'] }, "Property 'foo' does not exist in 'UserStory'. (select in 'foo')"],
  ['list', { where: 'foo=1' }, "Property 'foo' does not exist in 'UserStory'. (where, at 0)"],
  ['list', { orderBy: 'foo' }, "Property 'foo' does not exist in 'UserStory'. (orderBy, at 0)"],
  [
    'report',
    { measures: ['count', 'sum(foo)'] },
    "Property 'foo' does not exist in 'UserStory'. (measures in 'sum(foo)')",
  ],
  ['report', { groupBy: ['name', 'foo'] }, "Property 'foo' does not exist in 'UserStory'. (groupBy in 'foo')"],
  ['search', { words: '"' }, 'words: a word to look for is needed, such as login or "log in" -mobile.'],
  ['search', { words: 's*' }, 'words: before a star at least 2 letters are needed.'],
  [
    'search',
    { words: 'apples', kinds: ['Bug', 'users'] },
    'kinds: User is not searched. Call list {"kind": "User"} instead.',
  ],
  [
    'search',
    { words: 'apples', kinds: ['General'] },
    'kinds: General is not searched. Call list {"kind": "General"} instead.',
  ],
])('a mistake in what %s takes is told in its words: %j', async (name, args, message) => {
  const more = { get: { id: story }, search: {} }[name] ?? { kind: 'UserStory' };
  expect(await agent.refusal(name, { ...more, ...args })).toContain(message);
});

const findingIds = 'Use search to find the id of an item, and list for that of anything else.';

it.each<[string, Record<string, unknown>, string]>([
  [
    'update',
    { customFields: { Nope: 1 } },
    "customFields.Nope: 'UserStory' has no custom field 'Nope' in this process.",
  ],
  ['update', { fields: { id: 7 } }, 'An Id never changes: leave Id out of fields.'],
  [
    'comment',
    { id: 999_999, text: 'a' },
    `There is no story, bug or other item with Id 999999, or access to it is forbidden. ${findingIds}`,
  ],
  [
    'log_time',
    { id: 999_999, hours: 1 },
    `There is no story, bug or other work item with Id 999999, or access to it is forbidden. ${findingIds}`,
  ],
  [
    'move',
    { id: 999_999, state: 'Done' },
    `There is no story, bug or other item with Id 999999, or access to it is forbidden. ${findingIds}`,
  ],
  [
    'log_time',
    { id: 8, hours: 1 },
    `There is no story, bug or other work item with Id 8, or access to it is forbidden. ${findingIds}`,
  ],
])('what %s refuses to store is told in its words: %j', async (name, args, message) => {
  expect(await agent.refusal(name, { id: story, ...args })).toBe(message);
});

it('what has no states says so where it is to be moved', async () => {
  const release = await app.write('Releases', { Name: 'Summer', Project: { Id: 8 } });
  expect(await agent.refusal('move', { id: release.Id, state: 'Done' })).toBe(
    `Release ${release.Id} cannot be moved: items of its kind have no states. Change its fields instead.`,
  );
});

const post = (body: string, headers: Record<string, string> = {}) =>
  app.raw('/mcp', {
    method: 'POST',
    headers: { authorization: basic('admin'), 'content-type': 'application/json', ...headers },
    body,
  });

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

it.each([
  `"result":{"a":${deep(30_000)}}`,
  `"error":{"code":1,"message":"x","data":${deep(30_000)}}`,
  `"method":"ping","params":{"_meta":{"a":${deep(30_000)}}}`,
  `"method":"tools/call","params":{"name":"update","arguments":{"id":8,"fields":{"Name":${deep(21)}}}}`,
])('what is nested too deeply is refused in our words: {…%.40s…}', async (members) => {
  const { status, text } = await post(`{"jsonrpc":"2.0","id":1,${members}}`);
  expect([status, JSON.parse(text).Message]).toEqual([
    400,
    expect.stringMatching(/^[\w.…]+: it is nested deeper than 24 levels\.$/),
  ]);
});

it('what is nested as deeply as a body may be reaches the API', async () => {
  const fields = `{"Name":${deep(20)}}`;
  const call = `{"name":"update","arguments":{"id":${story},"fields":${fields}}}`;
  const { text } = await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${call}}`);
  expect(JSON.parse(text).result).toEqual({ isError: true, content: [expect.objectContaining({ type: 'text' })] });
});

it('a call that asks for a task is answered as any other', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'describe', task: { ttl: 1000 } } };
  expect(JSON.parse((await post(JSON.stringify(call))).text).result.content).toHaveLength(1);
});

it('a version of the protocol that is not known is repeated in part', async () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const { status, text } = await post(ping, { 'mcp-protocol-version': '9'.repeat(5000) });
  expect([status, text.length]).toEqual([400, expect.toSatisfy((length: number) => length < 400)]);
});

it.each(['a', 'é', '漢', '😀'])('a text as long as a tool takes reaches the API, of %s', async (letter) => {
  const { tools } = await agent.client.listTools();
  for (const [tool, name] of [
    ['comment', 'text'],
    ['create', 'description'],
    ['log_time', 'text'],
  ]) {
    const properties = tools.find((one) => one.name === tool)!.inputSchema.properties as Record<
      string,
      { maxLength: number }
    >;
    const text = letter.repeat(properties[name!]!.maxLength);
    const args = { create: { kind: 'Bug', name: 'x', project: 8 }, log_time: { id: story, hours: 1 } }[tool!] ?? {
      id: story,
    };
    await agent.use(tool!, { ...args, [name!]: text });
    expect(await agent.refusal(tool!, { ...args, [name!]: `${text}a` })).toMatch(`${name}: Too big`);
  }
});
