/** What arrives on a connection that no client library sends. */
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { lockWaiters } from '../support/connections.js';
import { eventually } from '../support/eventually.js';
import { say, statusesOf } from '../support/socket.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());
afterEach(async () => {
  expect((await app.raw('/health/live')).status).toBe(200);
});

const admin = `Authorization: Basic ${Buffer.from('admin:admin').toString('base64')}`;
const path = '/api/v1/Users/LoggedUser?format=json';
const request = (...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: here', admin, 'Connection: close', ...headers, '', ''].join('\r\n');
const post = (body: string, ...headers: string[]): string =>
  ['POST /api/v1/Tags HTTP/1.1', 'Host: here', admin, 'Content-Type: application/json', ...headers, '', body].join(
    '\r\n',
  );

describe('E1: what could be read as two requests', () => {
  it.each([
    ['a length and chunks', post('0\r\n\r\nGET / HTTP/1.1\r\n\r\n', 'Content-Length: 4', 'Transfer-Encoding: chunked')],
    ['two lengths', post('{}', 'Content-Length: 2', 'Content-Length: 10')],
    ['two equal lengths in one header', post('{}', 'Content-Length: 2, 2')],
    ['chunks twice', post('0\r\n\r\n', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')],
    ['an unknown coding', post('0\r\n\r\n', 'Transfer-Encoding: xchunked')],
    ['chunked, but not at last', post('0\r\n\r\n', 'Transfer-Encoding: chunked, identity')],
    ['a space before the colon', request('X-Other : a')],
    ['a folded header', request('X-Other: a\r\n b')],
    ['a header without a name', request(': a')],
    ['a NUL in a header', request('X-Other: a\0b')],
    ['a chunk of a bad length', post('zz\r\nab\r\n0\r\n\r\n', 'Transfer-Encoding: chunked')],
    ['a negative length', post('', 'Content-Length: -1')],
  ])('%s is 400, once, and ends the connection', async (_, text) => {
    const answers = await say(app, text);
    expect(statusesOf(answers)).toEqual([400]);
  });

  it('lines that end with a line feed alone are no second request', async () => {
    const answers = await say(app, request().replaceAll('\r\n', '\n'));
    expect(statusesOf(answers).length).toBeLessThanOrEqual(1);
  });
});

describe('E3: headers', () => {
  it.each([
    ['more than 32 KiB', request(`X-Long: ${'a'.repeat(40_000)}`)],
    ['thousands of cookies', request(`Cookie: ${'a=b; '.repeat(8_000)}`)],
  ])('of %s are 431', async (_, text) => {
    expect(statusesOf(await say(app, text))).toEqual([431]);
  });

  it('of any number and script are read over', async () => {
    const many = Array.from({ length: 200 }, (_, at) => `X-Other-${at}: ä😀`);
    expect(statusesOf(await say(app, request(...many)))).toEqual([200]);
  });

  it('B21: naming another host lead nowhere else', async () => {
    const evil = ['Host: evil.test', 'X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: javascript'];
    const text = [`GET /api/v1/Users?take=1&format=json HTTP/1.1`, ...evil, admin, 'Connection: close', '', ''].join(
      '\r\n',
    );
    const configured = await app.replica({ BASE_URL: 'https://work.example.com' });
    const answer = await say(configured, text);
    expect(answer).toContain('"Next":"https://work.example.com/');
    expect(answer).not.toContain('evil.test');
    await configured.stop();
  });
});

describe('E4: the request line', () => {
  it.each([
    ['HTTP/1.0', 'GET /health/live HTTP/1.0\r\n\r\n', [200]],
    ['no host', 'GET /health/live HTTP/1.1\r\n\r\n', [400]],
    ['two hosts', 'GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', [400]],
    ['an unknown method', 'BREW /health/live HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
    ['another protocol', 'GET /health/live HTTP/9.9\r\nHost: a\r\n\r\n', [400]],
    ['nonsense', 'what is this\r\n\r\n', [400]],
    ['the handshake of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01', [400]],
  ])('%s', async (_, text, statuses) => {
    expect(statusesOf(await say(app, text))).toEqual(statuses);
  });

  it.each([
    ['TRACE', 'TRACE /api/v1/Users HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n'],
    ['an absolute address', 'GET http://evil.test/api/v1/Users HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n'],
  ])('with %s is not passed on', async (_, text) => {
    const answer = await say(app, text);
    for (const status of statusesOf(answer)) expect(status).toBeGreaterThanOrEqual(400);
  });
});

describe('E4: methods that no route has', () => {
  it.each(
    METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD', 'POST', 'DELETE'].includes(method)),
  )('%s is 405 with what is allowed, and 401 to nobody', async (method) => {
    const target = '/api/v1/UserStories?format=json';
    const headers = 'Host: here\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n';
    const answer = await say(app, `${method} ${target} HTTP/1.1\r\n${headers}${admin}\r\n\r\n{}`);
    expect(statusesOf(answer)).toEqual([405]);
    expect(answer).toMatch(/^allow: GET, HEAD, POST\r$/im);
    expect(statusesOf(await say(app, `${method} ${target} HTTP/1.1\r\n${headers}\r\n{}`))).toEqual([401]);
  });

  it('CONNECT is told so, and the connection ends', async () => {
    const answer = await say(app, 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\nand more');
    expect(statusesOf(answer)).toEqual([405]);
    expect(answer).toMatch(/^allow: GET, HEAD, POST, DELETE\r$/im);
    expect(answer).toContain('<Code>MethodNotAllowed</Code>');
  });
});

describe('E4: what never became a request', () => {
  it.each([
    ['an address beyond ASCII', 'GET /api/v1/Bugs?where=Name eq ä HTTP/1.1\r\nHost: a\r\n\r\n', 'BadRequest'],
    ['an address with raw bytes', Buffer.from('GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n', 'latin1'), 'BadRequest'],
    ['nonsense', 'what is this\r\n\r\n', 'BadRequest'],
    ['no host', 'GET /health/live HTTP/1.1\r\n\r\n', 'BadRequest'],
    ['two hosts', 'GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'BadRequest'],
    ['long headers', request(`X-Long: ${'a'.repeat(40_000)}`), 'RequestHeaderFieldsTooLarge'],
    ['a long address', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 'RequestHeaderFieldsTooLarge'],
  ])('%s is refused as everything is', async (_, text, status) => {
    const answer = await say(app, text);
    expect(statusesOf(answer)).toEqual([status === 'BadRequest' ? 400 : 431]);
    const [head, body] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^connection: close$/im);
    expect(head).toMatch(/^content-type: application\/xml; charset=utf-8$/im);
    expect(body).toMatch(
      new RegExp(
        `^<Error>\\s+<Status>${status}</Status>\\s+<Message>The [^<]+</Message>\\s+<Type>Presentational</Type>\\s+<Code>\\w+</Code>\\s+<ErrorId>[0-9a-f-]{36}</ErrorId>\\s+</Error>$`,
      ),
    );
    expect(answer).not.toMatch(/HPE_|fastify|statusCode/i);
  });

  it.each([
    ['/%zz?token=1234', 'xml'],
    ['/api/v1/Bugs/%ff?format=json&token=1234', 'json'],
  ])('an address that cannot be decoded is refused in our words: %s', async (address, format) => {
    const { status, headers, text } = await app.raw(address);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe(`application/${format}; charset=utf-8`);
    expect(headers.get('cache-control')).toMatch(/no-store/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).toContain('The address is not well formed.');
    expect(text).not.toMatch(/1234|component/);
  });

  it('does not spoil the answer of a request before it', async () => {
    const answer = await say(app, `GET ${path} HTTP/1.1\r\nHost: here\r\n${admin}\r\n\r\nwhat is this\r\n\r\n`);
    expect(statusesOf(answer.replaceAll('}HTTP/1.1', '}\nHTTP/1.1'))).toEqual([200, 400]);
    expect(answer).toContain('"Login":"admin"');
  });
});

describe('E5: a client that leaves', () => {
  it('takes no connection to the database with it', async () => {
    const { hostname, port } = new URL(app.base);
    const { connect } = await import('node:net');
    const asked = `GET /api/v1/Generals?take=1000&format=json HTTP/1.1\r\nHost: here\r\n${admin}\r\n\r\n`;
    const leaving = Array.from(
      { length: 32 },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(port), hostname, () => socket.write(asked.repeat(3), () => socket.destroy()));
          socket.on('close', () => resolve());
        }),
    );
    await Promise.all(leaving);
    await eventually(async () => {
      const started = performance.now();
      expect((await app.raw(path, { headers: { authorization: admin.slice('Authorization: '.length) } })).status).toBe(
        200,
      );
      expect(performance.now() - started).toBeLessThan(2000);
    }, 10_000);
  });
});

describe('the end of the service', () => {
  const open = async ({ base }: TestApp, text: string): Promise<Socket> => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };

  it('sends what it is sending to its end, though it is not taken at once', { timeout: 60_000 }, async () => {
    await app.rows("update general set description = repeat('long ', 10000) where entity_type_id = 4");
    const ending = await app.replica();
    const socket = await open(ending, request().replace(path, '/api/v1/UserStories?take=1000&include=[Description]'));
    const [start] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const ended = ending.stop();
    await eventually(async () => expect(await fetch(ending.base).catch(() => undefined)).toBeUndefined(), 10_000);
    const chunks = [start];
    socket.on('data', (chunk) => chunks.push(chunk)).resume();
    await once(socket, 'close');
    await ended;
    const answer = Buffer.concat(chunks).toString();
    expect(answer.length).toBeGreaterThan(14_000_000);
    expect(answer.slice(-14)).toBe('</UserStories>');
  });

  it.each([
    ['nothing', ''],
    ['half a request', 'GET / HTTP/1.1\r\nHost: here\r\n'],
  ])('is not held up by who says %s, and answers who was asking', async (_, text) => {
    const ending = await app.replica();
    const silent = await open(ending, text);
    const { asked, ended } = await whileLocked('severity', async () => {
      const asked = ending.ask('/api/v1/Severities?format=json');
      await lockWaiters(app.database);
      const ended = ending.stop();
      await once(silent, 'close');
      return { asked, ended };
    });
    expect((await asked).status).toBe(200);
    await ended;
  });

  async function whileLocked<T>(table: 'severity', act: () => Promise<T>): Promise<T> {
    const locking = await app.database.connect();
    try {
      await locking.query(`begin; lock table ${table} in access exclusive mode`);
      return await act();
    } finally {
      await locking.query('rollback');
      locking.release();
    }
  }
});

describe('what is stored', () => {
  it('E14: breaks no header of an answer', async () => {
    const Name = 'a\r\nSet-Cookie: stolen=1\r\n\r\n<script>';
    const made = await app.post('/api/v1/Tags?format=json', { Name });
    expect(made.headers.get('set-cookie')).toBeNull();
    const answer = await app.ask(
      `/api/v1/Tags?where=${encodeURIComponent("Name contains 'stolen'")}&take=1&format=json`,
    );
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.status).toBe(200);
  });

  it('E15: is for nobody else: not kept, and told apart by who asks', async () => {
    const { headers } = await app.ask('/api/v1/Projects');
    expect(headers.get('cache-control')).toMatch(/no-store/);
    expect(headers.get('cache-control')).toMatch(/private/);
    for (const name of ['Authorization', 'Cookie', 'Accept']) expect(headers.get('vary')).toContain(name);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
