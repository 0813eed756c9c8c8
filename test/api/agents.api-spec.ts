/**
 * Agents: what the tools do, by the public client of the protocol; whose rights count; and what else comes to `/mcp`.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent } from '../support/agent.js';
import { type Answer, basic, TestApp } from '../support/app.js';

let app: TestApp;
let agent: Agent;
let alice: Agent;
let project: number;
let story: number;
let bug: number;
let hidden: number;

beforeAll(async () => {
  app = await TestApp.start();
  project = (await app.write('Projects', { Name: 'Orchard' })).Id;
  story = (await app.write('UserStories', { Name: 'Pick apples', Project: { Id: project } })).Id;
  bug = (await app.write('Bugs', { Name: 'The quince falls twice', Project: { Id: project } })).Id;
  const visible = new Set((await app.items('/api/v1/Projects?take=1000', { as: 'alice' })).map(({ Id }) => Id));
  const stories = await app.items('/api/v1/UserStories?include=[Name,Project]&take=1000');
  hidden = stories.find(({ Project }) => !visible.has(Project.Id)).Id;
  agent = await Agent.http(app.base, { authorization: basic('admin') });
  alice = await Agent.http(app.base, { authorization: basic('alice') });
});
afterAll(async () => {
  await agent.close();
  await alice.close();
  await app.stop();
});

const reading = ['search', 'get', 'describe', 'list', 'report'];
const writing = ['create', 'update', 'move', 'comment', 'log_time'];

describe('ten tasks', () => {
  it('1: a bug is found by words', async () => {
    const { items, link } = await agent.use('search', { words: 'quince falls', kinds: ['Bug'] });
    expect(items).toMatchObject([{ id: bug, kind: 'Bug', name: 'The quince falls twice', project: 'Orchard' }]);
    expect(link).toBe(`${app.base}/entity/{id}`);
  });

  it('2: it is moved on by the name of a state, in any letter case', async () => {
    const { items } = await agent.use('list', { kind: 'bug', where: `id==${bug}`, select: ['entityState.name'] });
    const first = items[0].entityState;
    const { states } = await agent.use('describe', { kind: 'Bug' });
    const next = (Object.values(states) as string[][])[0]![1]!;
    const moved = await agent.use('move', { id: bug, state: next.toUpperCase() });
    expect(moved).toMatchObject({ id: bug, kind: 'Bug', from: first, state: next });
    const [stored] = await app.items(`/api/v1/Bugs?where=(Id eq ${bug})&include=[EntityState]`);
    expect(stored.EntityState.Name).toBe(next);
  });

  it('3: a comment is added', async () => {
    const { comment, link } = await agent.use('comment', { id: bug, text: '**Seen** on Mondays; 1 < 2' });
    expect(link).toBe(`${app.base}/entity/${bug}`);
    expect(await app.json(`/api/v1/Comments/${comment}`)).toMatchObject({
      General: { Id: bug },
      Description: '<!--markdown-->**Seen** on Mondays; 1 < 2',
    });
    const { comments } = await agent.use('get', { id: bug });
    expect(comments).toMatchObject([{ id: comment, text: '**Seen** on Mondays; 1 < 2' }]);
  });

  it('4: two hours are logged', async () => {
    const { time } = await agent.use('log_time', { id: bug, hours: 2, text: 'Picking', date: '2026-02-03' });
    expect(await app.json(`/api/v1/Times/${time}?dateformat=iso`)).toMatchObject({ Spent: 2, Assignable: { Id: bug } });
    expect((await agent.use('get', { id: bug, fields: ['timeSpent'] })).timeSpent).toBe(2);
  });

  it('5: a story is created with tags, people and references by name', async () => {
    const fields = { Owner: 'alice', Priority: 'Great' };
    const asked = { kind: 'UserStory', name: 'Press cider', project: 'orchard', tags: ['press', 'autumn'], fields };
    const made = await agent.use('create', { ...asked, description: 'As a **farmer** …' });
    expect(made).toMatchObject({ kind: 'UserStory', name: 'Press cider', project: 'Orchard', tags: 'autumn, press' });
    const stored = await app.json(`/api/v1/UserStories/${made.id}`);
    expect(stored).toMatchObject({
      Owner: { Login: 'alice' },
      Priority: { Name: 'Great' },
      Description: '<!--markdown-->As a **farmer** …',
    });
  });

  it('6: what is open in a release is listed', async () => {
    const [release] = await app.items('/api/v1/Releases?take=1');
    const where = `entityState.isFinal==false and release.name=='${release.Name}'`;
    const { items } = await agent.use('list', { kind: 'UserStory', where, take: 50 });
    const open = await app.items(
      `/api/v1/UserStories?where=(EntityState.IsFinal eq 'false')and(Release.Name eq '${release.Name}')&take=50&include=[Id]`,
    );
    const ids = (list: { id?: number; Id?: number }[]) => list.map(({ id, Id }) => id ?? Id).sort();
    expect(ids(items)).toEqual(ids(open));
  });

  it('7: effort is summed by state', async () => {
    const asked = { kind: 'UserStory', groupBy: ['entityState.name'], measures: ['count', 'sum(effort)'] };
    const { groups } = await agent.use('report', asked);
    const count = await app.json('/api/v2/UserStory?result=count');
    expect(groups.reduce((sum: number, group: { count: number }) => sum + group.count, 0)).toBe(count);
    expect(groups[0]).toMatchObject({ entityState: expect.any(String), sum: expect.any(Number) });
    expect(await agent.use('report', { kind: 'UserStory' })).toEqual({ count });
  });

  it('8: fields are changed, and emptied by null', async () => {
    await agent.use('update', { id: story, fields: { Name: 'Pick pears', Effort: null }, tags: ['fruit'] });
    expect(await app.json(`/api/v1/UserStories/${story}`)).toMatchObject({ Name: 'Pick pears', Tags: 'fruit' });
  });

  it('9: a task is added to a story that is known by its name', async () => {
    const fields = { UserStory: 'Pick pears' };
    const { id } = await agent.use('create', { kind: 'Task', name: 'Fetch a ladder', project, fields });
    expect(await app.json(`/api/v1/Tasks/${id}`)).toMatchObject({ UserStory: { Id: story } });
  });

  it('10: a long description is read piece by piece', async () => {
    const text = Array.from({ length: 3000 }, (_, at) => `word${at}`).join(' ');
    await app.write(`UserStories/${story}`, { Description: text });
    const { description } = await agent.use('get', { id: story });
    const [, begun, from] = /^(.*)… \[.*"text":"description","from":(\d+)\}\]$/.exec(description)!;
    let whole = begun!;
    for (let next: string | undefined = from; next !== undefined; ) {
      const piece = await agent.use('get', { id: story, text: 'description', from: Number(next) });
      whole += piece.text;
      next = /from (\d+)/.exec(piece.next ?? '')?.[1];
    }
    expect(whole).toBe(text);
  });
});

describe('the exchange in the documentation', () => {
  const text = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
  const exchange = [...text.matchAll(/^`(\w+) (\{.*\})`\n\n```json\n(.*)\n```$/gm)];

  it('is a real one', async () => {
    expect(exchange.length).toBeGreaterThan(4);
    const fresh = await TestApp.start({ BASE_URL: 'http://127.0.0.1:3000' });
    const reader = await Agent.http(fresh.base, { authorization: basic('alice') });
    for (const [, name, args, answer] of exchange) {
      const expected: unknown = JSON.parse(answer!);
      const asked = JSON.parse(args!);
      const answered = typeof expected === 'string' ? reader.refusal(name!, asked) : reader.use(name!, asked);
      expect(await answered).toEqual(expected);
    }
    await reader.close();
    await fresh.stop();
  });
});

describe('mistakes are told with what to do instead', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['list', { kind: 'UserStoy' }, /no kind UserStoy\. Did you mean UserStory\?/],
    ['list', { kind: 'Zebra' }, /no kind Zebra\. Call describe/],
    ['list', { kind: 'Bug', where: 'entitystat.name==1' }, /'entitystat' does not exist in 'Bug'\. Did you mean/],
    ['list', { kind: 'Bug', take: 1000 }, /take: .*50/],
    ['list', { kind: 'Bug', wher: 'id==1' }, /Unrecognized key: "wher"/],
    ['list', {}, /kind: /],
    ['get', { id: 999_999_999 }, /Use search to find the id/],
    ['get', { id: '1' }, /id: .*number/],
    ['get', { id: 1.5 }, /id: /],
    ['get', { id: 2, kind: 'User', text: 'a) or (b' }, /\(text in 'a\) or \(b'\)/],
    ['move', { id: 1, state: 'x'.repeat(300) }, /state: .*255/],
    ['create', { kind: 'Bug', name: 'x', project: 'Orchid' }, /no Project named Orchid\. Call list/],
    ['create', { kind: 'Bug', name: 'x', project: 'The Orchard' }, /Some that are similar: Orchard \(id \d+\)/],
    ['create', { kind: 'Bug', name: 'x', fields: { Efort: 1 } }, /no field Efort\. Did you mean Effort\?/],
    ['create', { kind: 'Bug', name: 'x' }, /Project/],
    ['create', { kind: 'Bug', name: 'x', project: "' or 1==1 or '" }, /no Project named/],
    ['update', { id: 1 }, /Nothing is to be changed/],
    ['log_time', { id: 1, hours: -1 }, /hours: /],
    ['log_time', { id: 1, hours: 1, date: 'yesterday' }, /date: /],
    ['comment', { id: 1, text: '' }, /text: /],
    ['search', { words: '-x' }, /a word to look for is needed/],
    ['report', { kind: 'Bug', orderBy: 'count' }, /give groupBy/],
    ['report', { kind: 'Bug', measures: ['sum(name)'] }, /name|sum/i],
  ])('%s %j', async (name, args, message) => {
    expect(await agent.refusal(name, args)).toMatch(message);
  });

  it('a state that is not there: the states that are', async () => {
    expect(await agent.refusal('move', { id: bug, state: 'Dne' })).toMatch(/workflow of this item: \w.*, .*\./);
  });

  it('a name of several: their ids', async () => {
    const twins = [1, 2].map(() => app.write('UserStories', { Name: 'Twin', Project: { Id: project } }));
    const ids = (await Promise.all(twins)).map(({ Id }) => Id);
    const asked = { kind: 'Task', name: 'x', project, fields: { UserStory: 'Twin' } };
    const refusal = await agent.refusal('create', asked);
    for (const one of ids) expect(refusal).toContain(String(one));
  });

  it('a tag with a comma, which would become two', async () => {
    for (const tool of ['create', 'update'])
      expect(await agent.refusal(tool, { id: story, kind: 'UserStory', tags: ['a,b'] })).toMatch(/tags\.0: .*comma/);
  });

  it('thousands of arguments that no tool takes, in few words', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`key${at}`, at]));
    const refusal = await agent.refusal('list', { kind: 'Bug', ...unknown });
    expect(refusal).toContain('Unrecognized keys: "key0", "key1", "key2" and 1997 more');
    expect(refusal.length).toBeLessThan(300);
    const nested = await agent.refusal('create', { kind: 'Bug', fields: unknown, customFields: unknown });
    expect(nested.length).toBeLessThan(300);
    expect((await agent.refusal('list', { kind: 'Bug', ['x'.repeat(50_000)]: 1 })).length).toBeLessThan(300);
  });

  it('a tool that is not there', async () => {
    await expect(agent.client.callTool({ name: 'mve', arguments: {} })).rejects.toThrow(/Did you mean move\?/);
  });
});

describe('answers are small', () => {
  it('what is too long is refused, and leaves no memory behind', async () => {
    const limited = await app.replica({ MAX_BUFFERED_ANSWERS_MB: '16', MAX_ANSWER_MB: '8' });
    const reader = await Agent.http(limited.base, { authorization: basic('admin') });
    const Description = 'x'.repeat(900_000);
    const ids: number[] = [];
    for (const Name of ['a', 'b', 'c'])
      ids.push((await app.write('UserStories', { Name, Description, Project: { Id: project } })).Id);
    const asked = { kind: 'UserStory', where: `id in [${ids}]`, select: ['name', 'description'] };
    for (let count = 0; count < 12; count++) expect(await reader.refusal('list', asked)).toMatch(/too long.*take/);
    const { items, next } = await reader.use('list', { ...asked, take: 1 });
    expect([items[0].description.length < 500, next]).toEqual([true, 'There are more: ask again with skip 1.']);
    const whole = await limited.ask(`/api/v2/UserStory?where=id in [${ids}]&select={description}`);
    expect([whole.status, whole.text.length > 2_700_000]).toEqual([200, true]);
    await reader.close();
    await limited.stop();
  });

  it('a list is cut where it fills an answer', async () => {
    const select = Array.from({ length: 20 }, (_, at) => `text${at}:'${'y'.repeat(150)}'`);
    const { items, next } = await agent.use('list', { kind: 'UserStory', select, take: 50 });
    expect(items.length).toBeLessThan(20);
    expect(next).toBe(`There are more: ask again with skip ${items.length}.`);
    expect(JSON.stringify(items).length).toBeLessThan(25_000);
  });
});

describe('rights are those of the caller', () => {
  it('what may not be seen is not there', async () => {
    const missing = (await alice.refusal('get', { id: 999_999_999 })).replace('999999999', 'N');
    expect((await alice.refusal('get', { id: hidden })).replace(String(hidden), 'N')).toBe(missing);
    expect((await alice.use('list', { kind: 'UserStory', where: `id==${hidden}` })).items).toEqual([]);
    expect(
      (await alice.use('search', { words: `#${hidden}` })).items.map(({ id }: { id: number }) => id),
    ).not.toContain(hidden);
    const before = await app.json(`/api/v1/UserStories/${hidden}`);
    for (const [tool, args] of [
      ['move', { state: 'Done' }],
      ['update', { fields: { Name: 'x' } }],
      ['comment', { text: 'x' }],
      ['log_time', { hours: 1 }],
    ] as const)
      expect(await alice.refusal(tool, { id: hidden, ...args })).not.toContain(before.Name);
    expect(await app.json(`/api/v1/UserStories/${hidden}`)).toEqual(before);
  });

  it('writes are those of the caller', async () => {
    const [own] = await app.items('/api/v1/UserStories?take=1', { as: 'alice' });
    const { comment } = await alice.use('comment', { id: own.Id, text: 'Mine' });
    expect(await app.json(`/api/v1/Comments/${comment}`)).toMatchObject({ Owner: { Login: 'alice' } });
    expect(await alice.refusal('create', { kind: 'Project', name: 'Mine' })).toMatch(/ask the user/);
  });

  it('a token that may only read sees tools that read, and calls no others', async () => {
    const { Token } = await app.write('AccessTokens', { Name: 'agent', IsReadOnly: true }, { as: 'alice' });
    const reader = await Agent.http(app.base, { authorization: `Bearer ${Token}` });
    expect(await reader.tools()).toEqual(reading);
    expect(await alice.tools()).toEqual([...reading, ...writing]);
    expect((await reader.use('list', { kind: 'UserStory', take: 1 })).items).toHaveLength(1);
    expect(await reader.refusal('comment', { id: story, text: 'x' })).toMatch(/may only read/);
    await reader.close();
  });

  it.each<[string, (token: string) => { path?: string; headers?: Record<string, string> }]>([
    ['Bearer', (token) => ({ headers: { authorization: `Bearer ${token}` } })],
    ['X-Access-Token', (token) => ({ headers: { 'x-access-token': token } })],
    ['access_token', (token) => ({ path: `/mcp?access_token=${encodeURIComponent(token)}` })],
  ])('a token goes by %s', async (_, way) => {
    const { Token } = await app.write('AccessTokens', { Name: 'agent' }, { as: 'alice' });
    const { path = '/mcp', headers } = way(Token);
    const answer = await send(call('list', { kind: 'Bug', take: 1 }), { path, headers, as: 'nobody' });
    expect(answer.json.result.isError, answer.text).toBeUndefined();
  });
});

const call = (name: string, args: object, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

interface Sending {
  path?: string;
  headers?: Record<string, string>;
  as?: string;
}

const send = (message: unknown, { path = '/mcp', headers, as }: Sending = {}): Promise<Answer> =>
  app.ask(path, {
    as,
    method: 'POST',
    body: typeof message === 'string' ? message : JSON.stringify(message),
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
  });

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'spec', version: '1' } },
});

describe('requests of a user a second', () => {
  it('count what tools ask for, too', async () => {
    const limited = await app.replica({ RATE_LIMIT: '1' });
    const asked = { as: 'bruno', method: 'POST', body: JSON.stringify(call('list', { kind: 'Bug', take: 1 })) };
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    // Fewer than ten, which alone would be taken.
    const answers = await Promise.all(Array.from({ length: 9 }, () => limited.ask('/mcp', { ...asked, headers })));
    expect(answers.filter(({ text }) => /Wait \d+ seconds/.test(text)).length).toBeGreaterThan(0);
    await limited.stop();
  });
});

describe('what comes to /mcp', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('speaks version %s', async (version) => {
    const { json } = await send(initialize(version));
    expect(json.result).toMatchObject({ protocolVersion: version, serverInfo: { name: 'worktrack' } });
  });

  it('answers an unknown version with one that it speaks', async () => {
    expect((await send(initialize('1999-01-01'))).json.result.protocolVersion).toMatch(/^20\d\d-/);
    expect((await send(ping, { headers: { 'mcp-protocol-version': '1999-01-01' } })).status).toBe(400);
  });

  it('keeps no session: a call needs nothing before it, and a notification is taken', async () => {
    const answer = await send(ping);
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const { status, text, headers } = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([status, text, headers.get('content-type')]).toEqual([202, '', null]);
  });

  it.each<[string, unknown, number, RegExp]>([
    ['no JSON', 'x', 400, /"code":-32700,"message":"Parse error: .*not JSON/],
    ['nothing', '', 400, /"code":-32700/],
    ['a list', [ping, { ...ping, id: 2 }], 400, /one message at a time/],
    ['an unknown method', { ...ping, method: 'nope' }, 200, /-32601/],
    ['a call without a name', { ...ping, method: 'tools/call', params: {} }, 200, /-3260[0-9]/],
    ['bytes that are no UTF-8', '\u00ff', 400, /./],
    ['a body beyond 64 KiB', call('search', { words: 'x'.repeat(70_000) }), 413, /65536|64/],
  ])('refuses %s', async (_, message, status, text) => {
    const answer = await send(message);
    expect(answer.status, answer.text).toBe(status);
    expect(answer.text).toMatch(text);
    expect(answer.text).not.toMatch(/node_modules|\bat \w+ \(/);
  });

  it.each<[string, unknown, number | string | null]>([
    ['a text', '"x"', null],
    ['null', 'null', null],
    ['no message', { hello: 1 }, null],
    ['another version', { ...ping, jsonrpc: '1.0' }, 1],
    ['no version', { id: 7, method: 'ping' }, 7],
    ['no version and an id of letters', { id: 'a', method: 'ping' }, 'a'],
    ['an id that is none', { ...ping, id: {} }, null],
    ['a list', [ping], null],
    ['an empty list', [], null],
  ])('answers what is no message as an invalid request: %s', async (_, message, id) => {
    const { status, json } = await send(message);
    const error = { code: -32600, message: expect.stringMatching(/^Invalid Request: /) };
    expect([status, json]).toEqual([400, { jsonrpc: '2.0', id, error }]);
  });

  it.each([
    'GET',
    'DELETE',
    'PUT',
    'PATCH',
    'OPTIONS',
  ])('%s is 405: there is no stream and no session', async (method) => {
    const answer = await app.ask('/mcp', { method, headers: { accept: 'text/event-stream' } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('takes JSON, and clients that take it', async () => {
    for (const type of ['text/plain', 'application/xml', 'text/xml', 'application/json; charset=latin1', '']) {
      const answer = await send(ping, { headers: { 'content-type': type } });
      expect([type, answer.status, answer.text]).toEqual([type, 415, expect.stringContaining('Send application/json')]);
      expect(answer.text).not.toContain('xml');
    }
    expect((await send(ping, { headers: { 'content-type': 'text/json' } })).json).toMatchObject({ result: {} });
    for (const accept of [
      '*/*;q=0, application/json',
      'application/json',
      '*/*',
      'application/*;q=0.5',
      'text/plain, Application/JSON',
    ]) {
      const answer = await send(ping, { headers: { accept } });
      const type = answer.headers.get('content-type');
      expect([accept, answer.status, type, answer.json.result]).toEqual([
        accept,
        200,
        'application/json; charset=utf-8',
        {},
      ]);
    }
    const refusing = [
      'application/json;q=0, text/event-stream',
      'application/json;q=0.0, */*',
      '*/*;q=0',
      'x, application/*; q=0',
    ];
    for (const accept of ['text/event-stream', 'text/html', 'xapplication/json', ...refusing]) {
      const { status, json } = await send(ping, { headers: { accept } });
      const message = 'Every answer is JSON: accept application/json.';
      expect([accept, status, json.error]).toEqual([accept, 406, { code: -32000, message }]);
    }
  });

  it('asks for credentials', async () => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await app.ask('/mcp', { as: 'nobody', method })).status).toBe(401);
    expect((await send(ping, { headers: { authorization: basic('admin:wrong') } })).status).toBe(401);
  });

  it('takes no cookie', async () => {
    const form = new URLSearchParams({ login: 'admin', password: 'admin' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: app.base };
    const login = await app.raw('/login', { method: 'POST', body: form, headers });
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
    const answer = await send(ping, { as: 'nobody', headers: { cookie } });
    expect([answer.status, answer.json.Message]).toEqual([403, expect.stringContaining('token')]);
  });

  it.each<[string, (base: string) => string, number]>([
    ['its own page', (base) => base, 200],
    ['another site', () => 'https://evil.example', 403],
    ['null', () => 'null', 403],
    ['another port', (base) => base.replace(/\d+$/, '1'), 403],
  ])('from %s', async (_, origin, status) => {
    expect((await send(ping, { headers: { origin: origin(app.base) } })).status).toBe(status);
  });
});
