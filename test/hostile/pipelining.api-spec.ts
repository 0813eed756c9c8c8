/** Many requests sent at once on one connection: rows E4 and E24 of the list of hostile requests. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { lockWaiters } from '../support/connections.js';
import { eventually } from '../support/eventually.js';
import { Connection, say, statusesOf } from '../support/socket.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const admin = `Authorization: Basic ${Buffer.from('admin:admin').toString('base64')}`;
const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: here', ...headers, '', ''].join('\r\n');
const post = (name: string, ...headers: string[]): string => {
  const body = JSON.stringify({ Name: name });
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return [
    'POST /api/v1/Tags HTTP/1.1',
    'Host: here',
    admin,
    'Content-Type: application/json',
    length,
    ...headers,
    '',
    body,
  ].join('\r\n');
};
const tagsLike = (pattern: string) => app.rows('select name from tag where name like $1 order by id', [pattern]);

it('E24: 1,000 requests are answered, in their order', { timeout: 60_000 }, async () => {
  const connection = await Connection.open(app);
  connection.socket.write(Array.from({ length: 1000 }, (_, at) => get(at % 2 ? '/health/live' : '/nothing')).join(''));
  const statuses = await connection.answers(1000);
  expect(statuses).toEqual(Array.from({ length: 1000 }, (_, at) => (at % 2 ? 200 : 404)));
  connection.socket.destroy();
});

it('E24: requests of other connections are answered in between', { timeout: 60_000 }, async () => {
  const pipelining = await Promise.all(Array.from({ length: 4 }, () => Connection.open(app)));
  const asked = get('/api/v1/UserStories?take=5&format=json', admin).repeat(1000);
  for (const { socket } of pipelining) socket.write(asked);
  await Promise.all(pipelining.map((connection) => connection.answers(1)));
  for (let count = 0; count < 5; count += 1) expect((await app.ask('/api/v1/Users/LoggedUser')).status).toBe(200);
  for (const { received, socket } of pipelining) {
    expect(statusesOf(received).length).toBeLessThan(1000);
    socket.destroy();
  }
});

it('E4: the next request begins when the one before is answered', async () => {
  const locking = await app.database.connect();
  try {
    await locking.query('begin; lock table tag in share row exclusive mode');
    const connection = await Connection.open(app);
    connection.socket.write(['1', '2', '3'].map((at) => post(`in turn ${at}`)).join(''));
    await lockWaiters(app.database);
    const { rows } = await app.database.query(
      `select count(*)::int as waiting from pg_locks l join pg_database d on d.oid = l.database
       where not l.granted and d.datname = current_database()`,
    );
    expect(rows[0].waiting).toBe(1);
    await locking.query('commit');
    expect(await connection.answers(3)).toEqual([201, 201, 201]);
    connection.socket.destroy();
  } finally {
    locking.release(true);
  }
  expect((await tagsLike('in turn %')).map(({ name }) => name)).toEqual(['in turn 1', 'in turn 2', 'in turn 3']);
});

it('E24: what waits behind a request is left with its client', { timeout: 60_000 }, async () => {
  const taken: Socket[] = [];
  const note = (socket: Socket): void => void taken.push(socket);
  app.nest.getHttpServer().on('connection', note);
  const locking = await app.database.connect();
  const asked = get('/health/live', `X-Filler: ${'x'.repeat(600)}`).repeat(1000);
  let connection: Connection;
  try {
    await locking.query('begin; lock table tag in share row exclusive mode');
    connection = await Connection.open(app);
    connection.socket.write(post('in front') + asked);
    await lockWaiters(app.database);
    for (let count = 0; count < 5; count += 1) expect((await app.ask('/health/live')).status).toBe(200);
    // What is read at once is 64 KiB.
    expect(taken[0]!.bytesRead).toBeLessThan(asked.length / 4);
    await locking.query('commit');
  } finally {
    locking.release(true);
    app.nest.getHttpServer().off('connection', note);
  }
  expect(await connection.answers(1001)).toHaveLength(1001);
  connection.socket.destroy();
});

it('E4: what waits is dropped when its connection closes', async () => {
  const locking = await app.database.connect();
  try {
    await locking.query('begin; lock table tag in share row exclusive mode');
    const connection = await Connection.open(app);
    const others = (await openConnections()) - 1;
    connection.socket.write(Array.from({ length: 20 }, (_, at) => post(`dropped ${at}`)).join(''));
    await lockWaiters(app.database);
    connection.socket.destroy();
    await once(connection.socket, 'close');
    await eventually(async () => expect(await openConnections()).toBeLessThanOrEqual(others), 10_000);
    await locking.query('commit');
  } finally {
    locking.release(true);
  }
  await app.post('/api/v1/Tags', { Name: 'behind them' });
  await eventually(async () => expect(await tagsLike('dropped 0')).toHaveLength(1));
  expect(await tagsLike('dropped %')).toHaveLength(1);
});

const openConnections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    app.nest
      .getHttpServer()
      .getConnections((error: Error | null, count: number) => (error ? reject(error) : resolve(count))),
  );

/** Another protocol is offered, as Java does; whoever takes no offer goes on. */
const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQBAAAAAAIAAAAA'];

it.each<[what: string, text: string, statuses: number[]]>([
  [
    'HEAD and GET',
    `HEAD /health/live HTTP/1.1\r\nHost: a\r\n\r\n${get('/health/live', 'Connection: close')}`,
    [200, 200],
  ],
  ['a last request', get('/health/live', 'Connection: close') + get('/health/live').repeat(3), [200]],
  ['HTTP/1.0', `GET /health/live HTTP/1.0\r\n\r\n${get('/health/live')}`, [200]],
  ['bodies', post('p1') + post('p2') + get('/nothing', 'Connection: close'), [201, 201, 404]],
  [
    'a body that is asked for',
    post('p3') + post('p4', 'Expect: 100-continue') + get('/nothing', 'Connection: close'),
    [201, 100, 201, 404],
  ],
  ['an upgrade', get('/health/live') + get('/health/live', 'Connection: upgrade, close', 'Upgrade: x'), [200, 200]],
  ['requests behind an upgrade', get('/health/live', ...upgrade) + get('/health/live').repeat(2), [200, 400]],
  ['writes behind an upgrade', get('/health/live', ...upgrade) + post('p6'), [200, 400]],
  ['a request behind the body of an upgrade', post('p10', ...upgrade) + post('p6'), [201, 400]],
  ['an upgrade before others', get('/health/live') + get('/health/live', ...upgrade) + post('p6'), [200, 200, 400]],
  ['nonsense', `${get('/health/live').repeat(3)}what is this\r\n\r\n`, [200, 200, 200, 400]],
  ['nonsense behind writes', `${post('p7')}${post('p9')}what is this\r\n\r\n${post('p6')}`, [201, 201, 400]],
  [
    'a body that is nonsense',
    post('p8') + post('p6').replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked') + get('/health/live'),
    [201, 400],
  ],
  [
    'what is refused before its body',
    get('/health/live') +
      post('p5')
        .replace(admin, 'X-No: one')
        .replace(/Content-Length: \d+/, 'Content-Length: 1000000') +
      ' '.repeat(100_000) +
      post('p6'),
    [200, 401],
  ],
])('E4: a row of requests with %s', async (_, text, statuses) => {
  expect(statusesOf(await say(app, text))).toEqual(statuses);
  expect(await tagsLike('p6')).toEqual([]);
});

it('E4: what comes with the body of an upgrade is refused, too', async () => {
  const connection = await Connection.open(app);
  const [head, body] = post('p13', ...upgrade).split('\r\n\r\n');
  connection.socket.write(`${head}\r\n\r\n${body!.slice(0, 3)}`);
  // It is read on its own: behind it another connection is answered.
  await app.ask('/health/live');
  connection.socket.write(body!.slice(3) + post('p6'));
  expect(await connection.answers(2)).toEqual([201, 400]);
  expect(await tagsLike('p6')).toEqual([]);
});

describe('behind bytes that an upgrade has lost', () => {
  /** The first request waits for a lock while `then` sends more. */
  async function answersBehind(text: string, then?: (connection: Connection) => Promise<void>): Promise<number[]> {
    const locking = await app.database.connect();
    try {
      await locking.query('begin; lock table tag in share row exclusive mode');
      const connection = await Connection.open(app);
      connection.socket.write(text);
      await lockWaiters(app.database);
      await then?.(connection);
      await locking.query('commit');
      await connection.closed();
      return statusesOf(connection.received);
    } finally {
      locking.release(true);
    }
  }

  it('E4: nothing that comes later is carried out', async () => {
    const first = post('p14') + get('/health/live', ...upgrade) + post('p6');
    const statuses = await answersBehind(first, async ({ socket }) => {
      for (const name of ['p6', 'p6']) {
        socket.write(post(name));
        // It is read on its own: behind it another connection is answered.
        await app.ask('/health/live');
      }
    });
    expect(statuses).toEqual([201, 200, 400]);
    expect(await tagsLike('p6')).toEqual([]);
  });

  it('E4: a request within a lost body is not carried out', async () => {
    const first = post('p15') + get('/health/live', ...upgrade);
    const outer = post('')
      .replace(/Content-Length: \d+/, 'Content-Length: 100000')
      .replace(/\{.*/, '');
    // Node reads 64 KiB at once.
    const padding = ' '.repeat(2 ** 16 - first.length - outer.length);
    expect(await answersBehind(first + outer + padding + post('p6').repeat(2))).toEqual([201, 200, 400]);
    expect(await tagsLike('p6')).toEqual([]);
  });
});

it('E4: line breaks behind an upgrade mean nothing', async () => {
  const connection = await Connection.open(app);
  connection.socket.write(`${get('/health/live', ...upgrade)}\r\n\n`);
  await connection.answers(1);
  connection.socket.write(get('/nothing'));
  expect(await connection.answers(2)).toEqual([200, 404]);
  connection.socket.destroy();
});

it('E4: requests one after another go on behind an upgrade', async () => {
  const connection = await Connection.open(app);
  const texts = [get('/health/live', ...upgrade), get('/health/live'), post('p11', ...upgrade), post('p12')];
  for (const [at, text] of texts.entries()) {
    connection.socket.write(text);
    await connection.answers(at + 1);
  }
  expect(statusesOf(connection.received)).toEqual([200, 200, 201, 201]);
  connection.socket.destroy();
});

it('E4: CONNECT behind another request is not passed on', async () => {
  const answer = await say(app, `${get('/health/live')}CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n`);
  expect(statusesOf(answer).filter((status) => status !== 200)).toEqual([]);
});

it('E4: a connection that sends more than is answered is read on as answers go out', { timeout: 60_000 }, async () => {
  const connection = await Connection.open(app);
  for (let count = 0; count < 5; count += 1) connection.socket.write(get('/health/live').repeat(500));
  expect(await connection.answers(2500)).toHaveLength(2500);
  connection.socket.destroy();
});
