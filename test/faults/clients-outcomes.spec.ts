/**
 * What tools of agents and commands answer where the database is gone behind a commit: what is stored is a success, and
 * what may be stored is not to be sent again unseen.
 */
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { Agent } from '../support/agent.js';
import { basic, TestApp } from '../support/app.js';
import { command } from '../support/command.js';
import { forward, ProtocolProxy } from '../support/protocol-proxy.js';

/** On the database itself. */
let direct: TestApp;
let proxy: ProtocolProxy;
let agent: Agent;
let env: Record<string, string>;
let app: TestApp;
let project: number;
let story: number;

beforeAll(async () => {
  direct = await TestApp.start();
  project = (await direct.write('Projects', { Name: 'Orchard' })).Id;
  story = (await direct.write('UserStories', { Name: 'Pick apples', Project: { Id: project } })).Id;
  const { Token } = await direct.write('AccessTokens', { Name: 'agent' });
  const [{ name }] = await direct.rows('select current_database() as name');
  proxy = await ProtocolProxy.start(inject('databaseUrl'));
  app = await direct.replica({ DATABASE_URL: proxy.urlOf(name) });
  agent = await Agent.http(app.base, { authorization: basic('admin') });
  env = { WORKTRACK_URL: app.base, WORKTRACK_TOKEN: Token };
});
afterAll(async () => {
  await agent?.close();
  await app?.stop();
  await direct?.stop();
  await proxy?.stop();
});
beforeEach(() => {
  proxy.decide = () => forward;
  proxy.acceptConnections();
});

const note = 'It is stored, but the rest of it could not be read.';

const states = async () => {
  const { EntityState } = await direct.json(`/api/v1/UserStories/${story}?include=[EntityState[NextStates]]`);
  return EntityState.NextStates.Items.map(({ Name }: { Name: string }) => Name);
};

/** Each with what it answers beside the note, as far as it is known before. */
const writes: [string, () => object | Promise<object>, object][] = [
  ['log_time', () => ({ id: 0, hours: 2, remain: 3 }), { time: expect.any(Number), hours: 2, remain: 3 }],
  ['comment', () => ({ id: 0, text: 'Red ones' }), { comment: expect.any(Number) }],
  ['move', async () => ({ id: 0, state: (await states())[0] }), { kind: 'UserStory', name: 'Pick apples' }],
  ['update', () => ({ id: 0, fields: { Description: 'Sour ones' } }), { kind: 'UserStory' }],
  ['create', () => ({ kind: 'Bug', name: 'Rot', project }), { id: expect.any(Number), kind: 'Bug' }],
];

it.each(writes)('%s is a success where it is stored and cannot be read', async (name, argumentsOf, shown) => {
  const args = await argumentsOf();
  const isOfItem = 'id' in args;
  proxy.leaveAtCommit(forward);
  const answer = await agent.use(name, { ...args, ...(isOfItem && { id: story }) });
  expect(answer).toMatchObject({ ...shown, note });
  if ('state' in args) expect(answer).toMatchObject({ id: story, state: args.state });
});

it.each<[string[], object]>([
  [['log', '$', '2h'], { time: expect.any(Number), hours: 2 }],
  [['comment', '$', 'Green ones'], { comment: expect.any(Number) }],
  [['move', '$', 'next'], { name: 'Pick apples' }],
])('the command %j is done where it is stored and cannot be read', async (args, shown) => {
  const [next] = await states();
  proxy.leaveAtCommit(forward);
  const { code, stdout, stderr } = await command(
    env,
    args.map((one) => ({ $: String(story), next })[one] ?? one),
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ ...shown, note });
});

// The database is asked for some seconds.
it.each(
  writes.filter(([name]) => /log_time|create/.test(name)),
)('%s is not to be repeated unseen where its outcome is unknown', async (name, argumentsOf) => {
  const args = await argumentsOf();
  proxy.leaveAtCommit({ kind: 'forward and cut' });
  const refusal = await agent.refusal(name, { ...args, ...('id' in args && { id: story }) });
  expect(refusal).toBe(
    'The connection to the database broke: it may be stored. Look with get or list before you do it again.',
  );
});
