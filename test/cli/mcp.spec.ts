/** `worktrack mcp`: the tools of the service on standard input and output, by the public client of the protocol. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent } from '../support/agent.js';
import { TestApp } from '../support/app.js';
import { command } from '../support/command.js';
import { lockWaiters } from '../support/connections.js';
import { eventually } from '../support/eventually.js';

const script = join(dirname(fileURLToPath(import.meta.url)), '../../dist/cli/main.js');

let app: TestApp;
let env: Record<string, string>;

beforeAll(async () => {
  app = await TestApp.start();
  env = await environment('alice');
});
afterAll(() => app.stop());

async function environment(as: string, more: object = {}): Promise<Record<string, string>> {
  const { Token } = await app.write('AccessTokens', { Name: 'agent', ...more }, { as });
  return { WORKTRACK_URL: app.base, WORKTRACK_TOKEN: Token };
}

const connected = (asked: Record<string, string>): Promise<Agent> =>
  Agent.over(
    new StdioClientTransport({ command: process.execPath, args: [script, 'mcp'], env: asked, stderr: 'inherit' }),
  );

const lines = async (input: string | Uint8Array, asked = env): Promise<unknown[]> => {
  const { code, stdout } = await command(asked, ['mcp'], input);
  expect(code).toBe(0);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

describe('worktrack mcp', { timeout: 120_000 }, () => {
  it('offers the tools and does what they are asked for', async () => {
    const agent = await connected(env);
    expect(await agent.tools()).toHaveLength(10);
    const [story] = await app.items('/api/v1/UserStories?take=1', { as: 'alice' });
    const { items } = await agent.use('search', { words: `#${story.Id}`, take: 1 });
    expect(items).toMatchObject([{ id: story.Id, name: story.Name }]);
    const { comment } = await agent.use('comment', { id: story.Id, text: 'By an agent' });
    expect(await app.json(`/api/v1/Comments/${comment}`)).toMatchObject({ Owner: { Login: 'alice' } });
    expect(await agent.refusal('move', { id: story.Id, state: 'Dne' })).toMatch(/workflow of this item: /);
    const answers = Array.from({ length: 30 }, (_, at) => agent.use('list', { kind: 'Bug', take: 1 + (at % 3) }));
    expect((await Promise.all(answers)).map((one) => one.items.length)).toEqual(answers.map((_, at) => 1 + (at % 3)));
    await agent.close();
  });

  it('what is cancelled goes no further, and is not answered', async () => {
    const [story] = await app.items('/api/v1/UserStories?take=1', { as: 'alice' });
    const agent = await connected(env);
    const answers: unknown[] = [];
    const transport = agent.client.transport!;
    const receive = transport.onmessage!;
    transport.onmessage = (message, extra) => {
      answers.push((message as { id: unknown }).id);
      receive(message, extra);
    };
    const client = await app.database.connect();
    try {
      await client.query('begin; lock table entity_state in access exclusive mode');
      const cancelling = new AbortController();
      const params = { name: 'update', arguments: { id: story.Id, fields: { Name: 'Cancelled' } } };
      const called = agent.client.callTool(params, undefined, { signal: cancelling.signal }).catch(() => 'cancelled');
      // The kind of the item is asked for, with its state; who asks is not looked up there.
      await lockWaiters(client);
      cancelling.abort();
      expect(await called).toBe('cancelled');
      // Whoever is answered later came later.
      for (let round = 0; round < 3; round += 1) await agent.client.ping();
      await client.query('commit');
    } finally {
      client.release(true);
    }
    await agent.use('comment', { id: story.Id, text: 'Later' });
    expect(await agent.use('get', { id: story.Id })).toMatchObject({ name: story.Name });
    await agent.close();
    expect(answers).toEqual([2, 3, 4, 5, 6]);
  });

  it('a cancellation is read while as many calls are under way as may be', async () => {
    const asked = new Map<number, ServerResponse>();
    const server = createServer((request, response) => {
      void text(request).then((body) => asked.set(JSON.parse(body).id, response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const child = spawn(process.execPath, [script, 'mcp'], { env: { ...env, WORKTRACK_URL: url } });
    try {
      const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      const cancel = (requestId: number) => send({ method: 'notifications/cancelled', params: { requestId } });
      const answered = text(child.stdout);
      for (let id = 1; id <= 10; id += 1) send({ id, method: 'ping' });
      await eventually(async () =>
        expect([...asked.keys()].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]),
      );
      cancel(9);
      cancel(3);
      await eventually(async () => expect([...asked.keys()].at(-1)).toBe(10));
      await eventually(async () => expect(asked.get(3)!.destroyed).toBe(true));
      for (const [id, response] of asked) response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      child.stdin.end();
      const ids = (await answered)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id);
      expect(ids.toSorted((a, b) => a - b)).toEqual([1, 2, 4, 5, 6, 7, 8, 10]);
    } finally {
      child.kill();
      server.close();
    }
  });

  it('offers tools that read to a token that may only read', async () => {
    const agent = await connected(await environment('alice', { IsReadOnly: true }));
    expect(await agent.tools()).toEqual(['search', 'get', 'describe', 'list', 'report']);
    await agent.close();
  });

  it('answers lines that are no messages, and no notifications', async () => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' });
    const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const answers = await lines(`x\n\n${notification}\n${ping}`);
    expect(answers).toHaveLength(2);
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32700 }) });
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 7, result: {} });
  });

  it('takes lines of UTF-8 alone, which end with a line feed', async () => {
    const ping = (id: string) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
    const answers = await lines(
      Buffer.concat([
        Buffer.from(`${ping('é\u2028')}\n{"jsonrpc":"2.0",\r"id":"`),
        Buffer.from([0xff]),
        Buffer.from(`","method":"ping"}\n${ping('a').replace(',', ',\r')}\n`),
      ]),
    );
    expect(answers).toHaveLength(3);
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32700 }) });
    for (const id of ['é\u2028', 'a']) expect(answers).toContainEqual({ jsonrpc: '2.0', id, result: {} });
  });

  it('answers what is no message as an invalid request', async () => {
    const invalid = (id: unknown) => ({ jsonrpc: '2.0', id, error: expect.objectContaining({ code: -32600 }) });
    for (const line of ['null', '[]', '1', '[{"jsonrpc":"2.0","id":3,"method":"ping"}]', '{"method":"ping"}'])
      expect([line, await lines(line)]).toEqual([line, [invalid(null)]]);
    expect(await lines('{"id":7,"method":"ping"}')).toEqual([invalid(7)]);
    const bad = { ...env, WORKTRACK_TOKEN: 'bad' };
    expect(await lines('[]', bad)).toMatchObject([{ id: null, error: { code: -32000 } }]);
  });

  it.each<[status: number, body: string, doubt: string, words?: string]>([
    [504, '{"Message":"Timed out."}', ' It may be done all the same: look before you do it again.', 'Timed out.'],
    [504, '{"message":"Endpoint request timed out"}', ' It may be done all the same: look before you do it again.'],
    [502, '{"error":"Bad Gateway"}', ' It may be done all the same: look before you do it again.'],
    [403, '[]', ''],
    [504, '<h1>Time-out</h1>', ' It may be done all the same: look before you do it again.'],
    [502, '', ' It may be done all the same: look before you do it again.'],
    [413, '<h1>Too large</h1>', ''],
  ])('says that a call may be done where something else answers with %i', async (status, body, doubt, words) => {
    const server = createServer((_request, response) => void response.writeHead(status).end(body));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answers = await lines(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create","arguments":{}}}
{"jsonrpc":"2.0","id":2,"method":"ping"}
{"jsonrpc":"2.0","method":"notifications/initialized"}\n`,
      { ...env, WORKTRACK_URL: url },
    );
    const message = words ?? `The service answered with status ${status}.`;
    expect(answers).toHaveLength(2);
    for (const [id, ending] of [
      [1, doubt],
      [2, ''],
    ])
      expect(answers).toContainEqual({ jsonrpc: '2.0', id, error: { code: -32000, message: message + ending } });
    server.close();
  });

  it('tells why the service does not answer', async () => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' });
    const refused = (message: RegExp) => [
      { jsonrpc: '2.0', id: 7, error: { code: -32000, message: expect.stringMatching(message) } },
    ];
    expect(await lines(ping, { ...env, WORKTRACK_TOKEN: 'bad' })).toEqual(refused(/./));
    expect(await lines(ping, { ...env, WORKTRACK_URL: 'http://127.0.0.1:1' })).toEqual(refused(/cannot be reached/));
    expect(await command({ XDG_CONFIG_HOME: '/nowhere' }, ['mcp'], ping)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'worktrack: You are not logged in: run "worktrack login URL".\n',
    });
  });
});
