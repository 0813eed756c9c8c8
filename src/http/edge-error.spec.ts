/**
 * What a connection is told that says nothing a request could be made of: Node's own server, and sockets that say it
 * byte by byte.
 */
import { createServer, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerEdgeErrors, longestHeaders, type Note } from './edge-error.js';

const waiting: ServerResponse[] = [];
const refused: string[] = [];
let called: () => void;
let server: Server;

const keep: Note = ({ code }, errorId) => void refused.push(`${code} ${errorId}`);

async function start(options: ServerOptions = {}, note: Note = keep): Promise<void> {
  server = createServer({ maxHeaderSize: longestHeaders, ...options }, (request, response) => {
    request.on('error', () => undefined).resume();
    waiting.push(response);
    called();
  });
  server.on('clientError', answerEdgeErrors(note));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

beforeEach(() => {
  called = () => undefined;
});
afterEach(async () => {
  waiting.length = 0;
  refused.length = 0;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const isCalled = (): Promise<void> =>
  new Promise((resolve) => {
    called = resolve;
  });

/** Says it, and tells everything that is answered until the connection ends. */
function say(text: string): { socket: Socket; answer: Promise<string> } {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  const answer = new Promise<string>((resolve, reject) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received)).on('error', reject);
  });
  return { socket, answer };
}

const statusesOf = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status!);
const get = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';

describe('a refusal', () => {
  it.each([
    ['no request', 'what is this\r\n\r\n', 400, 'BadRequest', 'The request is not well formed.'],
    ['a raw address', 'GET /ä HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'BadRequest', 'The address is not well formed. S'],
    ['the handshake of TLS', '\x16\x03\x01\x02\x00\x01\x00', 400, 'BadRequest', 'The request is not well formed.'],
    [
      'long headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`,
      431,
      'RequestHeaderFieldsTooLarge',
      'The address and the headers together are longer than 32768 bytes, or the request has more than 500 headers.',
    ],
  ])('of %s has the shape of all refusals, once, and ends the connection', async (_, text, status, word, message) => {
    await start();
    const reply = await say(text).answer;
    const [head, body] = reply.split('\r\n\r\n');
    expect(statusesOf(reply)).toEqual([String(status)]);
    expect(head).toMatch(/^Content-Type: application\/xml; charset=utf-8$/m);
    expect(head).toMatch(/^Connection: close$/m);
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body!)}`);
    expect(body).toContain(`<Error>\n  <Status>${word}</Status>\n  <Message>${message}`);
    const id =
      /<Type>Presentational<\/Type>\n {2}<Code>\w+<\/Code>\n {2}<ErrorId>([0-9a-f-]{36})<\/ErrorId>\n<\/Error>$/.exec(
        body!,
      )?.[1];
    expect(refused).toEqual([expect.stringContaining(id!)]);
    expect(reply).not.toMatch(/HPE_|parse|llhttp/i);
  });

  it('is 408 for headers that do not come, and what comes late is not carried out', async () => {
    await start({ headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 });
    const { socket, answer } = say('POST / HTTP/1.1\r\nHost: a\r\n');
    socket.on('data', () => socket.write('\r\n'));
    const reply = await answer;
    expect(statusesOf(reply)).toEqual(['408']);
    expect(reply).toContain('<Status>RequestTimeout</Status>');
    expect(waiting).toEqual([]);
  });

  it('of many connections that are late at once lets the event loop turn in between', async () => {
    let turn = 0;
    const turns: number[] = [];
    await start({ headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 500 }, () => turns.push(turn));
    const count = (): void => {
      turn += 1;
      if (turns.length < 300) setImmediate(count);
    };
    count();
    const answers = await Promise.all(Array.from({ length: 300 }, () => say('GET / HTTP/1.1\r\n').answer));
    expect(new Set(answers.map((answer) => statusesOf(answer).join()))).toEqual(new Set(['408']));
    expect(turns).toHaveLength(300);
    expect(new Set(turns).size).toBeGreaterThan(10);
  });

  it('is spelled as the client wishes where its headers could still be read', async () => {
    await start();
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const reply = await say(`${head}zz\r\n`).answer;
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(reply.split('\r\n\r\n')[1]!)).toMatchObject({
      Status: 'BadRequest',
      Message: 'The request is not well formed.',
      Type: 'Presentational',
      ErrorId: expect.any(String),
    });
  });
});

describe('a request before it', () => {
  it('has its answer first', async () => {
    await start();
    const reached = isCalled();
    const { answer } = say(`${get}what is this\r\n\r\n`);
    await reached;
    waiting[0]!.end('first');
    const reply = await answer;
    expect(statusesOf(reply)).toEqual(['200', '400']);
    expect(reply.indexOf('first')).toBeLessThan(reply.indexOf('400 Bad Request'));
  });

  it('has it first although several wait', async () => {
    await start();
    let calls = 0;
    const reached = new Promise<void>((resolve) => {
      called = () => {
        calls += 1;
        if (calls === 2) resolve();
      };
    });
    const { answer } = say(`${get}${get}what is this\r\n\r\n`);
    await reached;
    waiting[1]!.end('second');
    waiting[0]!.end('first');
    const reply = await answer;
    expect(statusesOf(reply)).toEqual(['200', '200', '400']);
    expect(reply).toMatch(/first.*second.*<Error>/s);
  });

  it('keeps its answer whole, however much of it is sent', async () => {
    await start();
    const reached = isCalled();
    const { socket, answer } = say(get);
    await reached;
    waiting[0]!.writeHead(200, { 'content-length': 10 });
    waiting[0]!.write('12345');
    const isRefused = new Promise<void>((resolve) => server.once('clientError', () => resolve()));
    socket.write('what is this\r\n\r\n');
    await isRefused;
    waiting[0]!.end('67890');
    const reply = await answer;
    expect(reply).toMatch(/\r\n\r\n1234567890HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it('whose body cannot be read has no second answer', async () => {
    await start();
    const reached = isCalled();
    const { socket, answer } = say('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    await reached;
    waiting[0]!.writeHead(200, { 'content-length': 10 });
    waiting[0]!.write('12345');
    socket.once('data', () => socket.write('zz\r\n'));
    expect(statusesOf(await answer.catch(() => ''))).not.toContain('400');
    expect(refused).toEqual([]);
  });
});

describe('a client that ends', () => {
  it('in the middle of its headers is told, as far as it listens', async () => {
    await start();
    const { socket, answer } = say('POST / HTTP/1.1\r\nHost: a\r\nContent-Le');
    socket.once('connect', () => socket.end());
    expect(statusesOf(await answer)).toEqual(['400']);
  });

  it('by a reset is told nothing', async () => {
    await start();
    const reached = isCalled();
    const { socket, answer } = say(`${get}GET / HT`);
    await reached;
    const message = new Promise<string | undefined>((resolve) =>
      server.once('clientError', ({ code }: NodeJS.ErrnoException) => resolve(code)),
    );
    socket.resetAndDestroy();
    expect(await message).toBe('ECONNRESET');
    expect(await answer).toBe('');
    expect(refused).toEqual([]);
  });
});
