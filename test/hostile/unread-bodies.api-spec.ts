/**
 * Bodies that are refused before they are read, and bodies that take the memory of others: rows E23 (first half), C6
 * and E2 of the list of hostile requests, as far as bodies go.
 */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyRoom } from '../../src/http/body-room.js';
import { TestApp } from '../support/app.js';
import { lockWaiters } from '../support/connections.js';
import { eventually } from '../support/eventually.js';
import { cookieOf, logIn } from '../support/log-in.js';
import { Connection, say, statusesOf } from '../support/socket.js';

let app: TestApp;
let readingToken: string;
let cookie: string;
beforeAll(async () => {
  app = await TestApp.start({ MAX_BUFFERED_BODIES_MB: '16' });
  const token = await app.post('/api/v1/AccessTokens?format=json', { Name: 'reads', IsReadOnly: true });
  readingToken = token.json.Token;
  cookie = cookieOf(await logIn(app, 'admin', 'admin'));
});
afterAll(() => app.stop());

const megabyte = 2 ** 20;
const basic = (login: string, password: string): string =>
  `Authorization: Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
const admin = basic('admin', 'admin');
const json = 'Content-Type: application/json';

const head = (path: string, length: number | undefined, ...headers: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: here',
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...headers,
    '',
    '',
  ].join('\r\n');

const heldBytes = (): number => app.nest.get(BodyRoom).held;

/** A body of which so much arrives and then nothing. */
async function stalled(bytes: number, length = 10 * megabyte): Promise<Connection> {
  const before = heldBytes();
  const connection = await Connection.open(app);
  connection.socket.write(head('/api/v1/UserStories', length, admin, json));
  connection.socket.write(Buffer.alloc(bytes, ' '));
  await eventually(async () => expect(heldBytes() - before).toBe(bytes), 20_000);
  return connection;
}

describe('a body whose client leaves while the caller is looked up', () => {
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const holders = (): number => (app.nest.get(BodyRoom) as unknown as { holders: Set<unknown> }).holders.size;
  const path = '/api/v1/UserStories';

  it.each([
    ['whole', 'alice', head(path, 900, basic('alice', 'demo'), json), 900],
    ['half of it', 'bruno', head(path, 900, basic('bruno', 'demo'), json), 450],
    ['a form of a GET', 'elena', head(path, 900, basic('elena', 'demo'), form).replace('POST', 'GET'), 900],
  ])('is not waited for: %s', async (_, as, start, sent) => {
    const holder = await app.database.connect();
    try {
      await holder.query('begin; lock table general_user in access exclusive mode');
      const others = await openConnections();
      const connections = await Promise.all(Array.from({ length: 3 }, () => Connection.open(app)));
      for (const { socket } of connections) socket.write(start + ' '.repeat(sent));
      await lockWaiters(holder);
      for (const { socket } of connections) socket.resetAndDestroy();
      await eventually(async () => expect(await openConnections()).toBeLessThanOrEqual(others));
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect((await app.ask('/api/v1/Severities', { as })).status).toBe(200);
    await eventually(async () => expect(holders()).toBe(0), 5_000);
  });

  const openConnections = (): Promise<number> =>
    new Promise((resolve, reject) => {
      app.nest
        .getHttpServer()
        .getConnections((error: Error | null, count: number) => (error ? reject(error) : resolve(count)));
    });
});

describe('E23: before a byte of the body has come', () => {
  it.each<[what: string, status: number, path: string, headers: () => string[]]>([
    ['nobody', 401, '/api/v1/UserStories', () => [json]],
    ['a wrong password', 401, '/api/v1/UserStories', () => [json, basic('admin', 'wrong')]],
    ['a wrong token', 401, '/api/v1/UserStories/bulk?access_token=wrong', () => [json]],
    ['two callers', 400, `/api/v1/UserStories?token=a&token=b`, () => [json]],
    ['nobody, with another type', 401, '/api/v1/UserStories', () => ['Content-Type: text/plain']],
    ['nobody, without a type', 401, '/api/v1/UserStories', () => []],
    ['nobody, to nowhere', 401, '/api/v1/Nothing', () => [json]],
    ['nobody, to version 2', 401, '/api/v2/UserStory', () => ['Content-Type: application/x-www-form-urlencoded']],
    ['nobody, outside the API', 404, '/nothing', () => [json]],
    ['a token that may only read', 403, '/api/v1/UserStories', () => [json, `Authorization: Bearer ${readingToken}`]],
    [
      'another site with the cookie',
      403,
      '/api/v1/UserStories',
      () => [json, `Cookie: ${cookie}`, 'Origin: https://evil.test'],
    ],
    ['a user, to nowhere', 404, '/api/v1/Nothing', () => [admin, json]],
    ['another type', 415, '/api/v1/UserStories', () => [admin, 'Content-Type: text/plain']],
    ['a compressed body', 415, '/api/v1/UserStories', () => [admin, json, 'Content-Encoding: gzip']],
    ['a wrong method', 405, '/api/deletedprojects/v1', () => [admin, 'Content-Type: text/plain']],
  ])('%s is answered %d', async (_, status, path, headers) => {
    for (const length of [10 * megabyte, undefined]) {
      const connection = await Connection.open(app);
      connection.socket.write(head(path, length, ...headers()));
      expect(await connection.answers()).toEqual([status]);
      expect(connection.received).toMatch(/^connection: close\r$/im);
      await connection.closed();
      expect(heldBytes()).toBe(0);
    }
  });

  it('a user who asks too often is answered 429', async () => {
    const limited = await app.replica({ RATE_LIMIT: '1' });
    const connection = await Connection.open(limited);
    connection.socket.write(`${head('/api/v1/Tags', 2, admin, json)}{}`.repeat(10));
    await connection.answers(10);
    connection.socket.write(head('/api/v1/Tags', 10 * megabyte, admin, json));
    expect((await connection.answers(11)).at(-1)).toBe(429);
    await connection.closed();
    await limited.stop();
  });

  const form = 'application/x-www-form-urlencoded';
  it.each([
    ['/login', form, 413, 10 * megabyte],
    ['/login', 'text/plain', 415, 10 * megabyte],
    ['/logout', form, 303, 10 * megabyte],
    ['/api/deleteditems/v1/projects/1/restore', form, 404, 10 * megabyte],
  ])('%s with a body of %s is answered %d', async (path, type, status, length) => {
    const connection = await Connection.open(app);
    connection.socket.write(head(path, length, admin, `Content-Type: ${type}`, 'Origin: http://here'));
    expect(await connection.answers()).toEqual([status]);
    connection.socket.destroy();
  });

  it('whoever asks whether to send it is told to, or answered', async () => {
    const expecting = 'Expect: 100-continue';
    const refused = await say(app, head('/api/v1/Tags', 10 * megabyte, json, expecting));
    expect(statusesOf(refused)).toEqual([401]);
    const connection = await Connection.open(app);
    const body = '{"Name":"continued"}';
    connection.socket.write(head('/api/v1/Tags', body.length, admin, json, expecting));
    expect(await connection.answers()).toEqual([100]);
    connection.socket.write(body);
    expect(await connection.answers(2)).toEqual([100, 201]);
    connection.socket.destroy();
  });
});

describe('E23: a refusal arrives', () => {
  const body = Buffer.alloc(10 * megabyte, ' ');

  it('at clients that send all of the body first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const answer = await say(app, head('/api/v1/UserStories', body.length, json, 'Connection: close'), body);
      expect(statusesOf(answer)).toEqual([401]);
      expect(answer).toContain('"Status":"Unauthorized"');
    }
  });

  it('at fetch', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        app.raw('/api/v1/UserStories', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  it('at a client that writes while it waits', async () => {
    const request = httpRequest(`${app.base}/api/v1/UserStories`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    request.on('error', () => undefined);
    const answered = once(request, 'response');
    const writing = setInterval(() => request.write(Buffer.alloc(megabyte, ' ')), 5);
    const [response] = await answered;
    clearInterval(writing);
    request.destroy();
    expect(response.statusCode).toBe(401);
  });

  it('and what stands behind the body is not carried out', async () => {
    const name = 'smuggled';
    const second = `{"Name":"${name}"}`;
    const hidden = `${head('/api/v1/Tags', second.length, admin, json)}${second}`;
    const answer = await say(app, `${head('/api/v1/Tags', 100_000, json)}${' '.repeat(100_000)}${hidden}`);
    expect(statusesOf(answer)).toEqual([401]);
    expect(await app.rows('select from tag where name = $1', [name])).toEqual([]);
  });

  it('without the end of a connection whose body is short', async () => {
    const connection = await Connection.open(app);
    for (let count = 1; count <= 3; count += 1) {
      connection.socket.write(`${head('/api/v1/Tags', 1000, json)}${' '.repeat(1000)}`);
      expect(await connection.answers(count)).toEqual(Array(count).fill(401));
    }
    connection.socket.write(`${head('/api/v1/Tags', 16, admin, json)}{"Name":"after"}`);
    expect((await connection.answers(4)).at(-1)).toBe(201);
    connection.socket.destroy();
  });
});

describe('E23: the rest of a refused body', () => {
  /** Sends on although it was answered, as clients do that read only then. */
  async function stubborn(length: number, to: Pick<TestApp, 'base'> = app, ...headers: string[]): Promise<Socket> {
    const { hostname, port } = new URL(to.base);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    socket.write(head('/api/v1/UserStories', length, json, ...headers));
    return socket;
  }

  const written = (socket: Socket, bytes: Buffer): Promise<Error | undefined> =>
    new Promise((resolve) => {
      socket.write(bytes, (error) => resolve(error ?? undefined));
    });

  it('is taken for as long as it comes, and the answer is read behind it', { timeout: 60_000 }, async () => {
    const length = 64 * megabyte;
    const socket = await stubborn(length);
    const piece = Buffer.alloc(megabyte, ' ');
    for (let sent = 0; sent < length; sent += piece.length) expect(await written(socket, piece)).toBeUndefined();
    const [answer] = await once(socket, 'data');
    expect(statusesOf(String(answer))).toEqual([401]);
    socket.destroy();
  });

  it('is not taken where it is longer than any body may be', { timeout: 60_000 }, async () => {
    const small = await app.replica({ MAX_FILE_MB: '1', MAX_FILES_PER_UPLOAD: '1' });
    const length = 1000 * megabyte;
    const socket = await stubborn(length, small);
    const piece = Buffer.alloc(megabyte, ' ');
    let sent = 0;
    while (sent < length && (await written(socket, piece)) === undefined) sent += piece.length;
    expect(sent).toBeLessThan(length);
    socket.destroy();
    await small.stop();
  });

  it.each([
    ['in all', 32, (count: number) => `10.0.0.${count}`],
    ['of one address', 8, () => '10.0.0.1'],
  ])('is taken of so many at a time %s, however slowly they send', { timeout: 60_000 }, async (_, most, address) => {
    const behindProxy = await app.replica({ TRUSTED_PROXIES: '127.0.0.0/8,::1' });
    const sockets: Socket[] = [];
    const sending = setInterval(() => {
      for (const socket of sockets) socket.write(Buffer.alloc(8 * 1024, ' '));
    }, 50);
    try {
      for (let count = 0; count <= most; count += 1) {
        const socket = await stubborn(20 * megabyte, behindProxy, `X-Forwarded-For: ${address(count)}`);
        await once(socket, 'data');
        sockets.push(socket);
      }
      const last = sockets.at(-1)!;
      await new Promise((resolve) => last.on('close', resolve));
      expect(sockets.map(({ destroyed }) => destroyed)).toEqual([...Array(most).fill(false), true]);
    } finally {
      clearInterval(sending);
      for (const socket of sockets) socket.destroy();
      await behindProxy.stop();
    }
  });
});

describe('the memory for bodies', () => {
  it('is given back by requests that are answered, refused, aborted', async () => {
    expect((await app.post('/api/v1/Tags', { Name: 'given back' })).status).toBe(201);
    expect((await app.post('/api/v1/Tags', '{"Name"')).status).toBe(400);
    expect((await app.post('/api/v1/Tags', ' '.repeat(11 * megabyte))).status).toBe(413);
    const connection = await stalled(3 * megabyte);
    connection.socket.destroy();
    const chunked = await Connection.open(app);
    chunked.socket.write(head('/api/v1/UserStories', undefined, admin, json));
    chunked.socket.write(`100000\r\n${' '.repeat(megabyte)}\r\nnonsense`);
    expect(await chunked.answers()).toEqual([400]);
    await eventually(async () => expect(heldBytes()).toBe(0), 20_000);
  });

  it('is that of their bytes, however small the chunks are in which they come', { timeout: 60_000 }, async () => {
    const count = 60_000;
    const taken = () => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = taken();
    const connections = await Promise.all(Array.from({ length: 30 }, () => Connection.open(app)));
    for (const { socket } of connections)
      socket.write(`${head('/api/v1/Tags', undefined, admin, json)}${'1\r\n \r\n'.repeat(count)}`);
    await eventually(async () => expect(heldBytes()).toBe(connections.length * count), 50_000);
    expect((taken() - before) / megabyte).toBeLessThan(150);
    for (const { socket } of connections) socket.write('1\r\n{\r\n0\r\n\r\n');
    for (const connection of connections) expect(await connection.answers()).toEqual([400]);
    for (const { socket } of connections) socket.destroy();
  });

  it('is held for a client that has left until its request is done with', async () => {
    const locking = await app.database.connect();
    try {
      await locking.query('begin; lock table general in share row exclusive mode');
      const body = JSON.stringify({ Name: 'left', Project: { Id: 8 }, Description: ' '.repeat(megabyte - 1000) });
      const connection = await Connection.open(app);
      connection.socket.write(head('/api/v1/UserStories', body.length, admin, json) + body);
      await lockWaiters(app.database);
      connection.socket.destroy();
      await connection.closed();
      expect(heldBytes()).toBe(body.length);
    } finally {
      await locking.query('rollback');
      locking.release();
    }
    await eventually(async () => expect(heldBytes()).toBe(0), 20_000);
  });

  it('leaves some to short bodies and one long one, however much slow ones hold', { timeout: 60_000 }, async () => {
    const slow: Connection[] = [];
    for (let count = 0; count < 12; count += 1) slow.push(await stalled(megabyte));
    for (let count = 0; count < 3; count += 1) {
      expect((await app.post('/api/v1/Tags', { Name: `beside slow ones ${count}` })).status).toBe(201);
      expect((await app.post('/api/v1/Tags', ' '.repeat(10 * megabyte))).status).toBe(400);
    }
    for (const { socket } of slow) socket.destroy();
    await eventually(async () => expect(heldBytes()).toBe(0), 20_000);
  });

  it('is waited for in turn: many long bodies at once are all answered, or told to come back', {
    timeout: 60_000,
  }, async () => {
    const body = Buffer.alloc(10 * megabyte, ' ');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        app.ask('/api/v1/Tags', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      ),
    );
    for (const { status, headers } of answers) {
      expect([400, 408, 503]).toContain(status);
      if (status === 503) expect(headers.get('retry-after')).toBe('2');
    }
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThan(0);
    expect(heldBytes()).toBe(0);
  });
});
