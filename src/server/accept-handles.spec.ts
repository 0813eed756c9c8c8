import { on, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { addHandles } from './accept-handles.js';

let server: Server;
let worker: Worker | undefined;

afterEach(async () => {
  await worker?.terminate();
  worker = undefined;
  server.closeAllConnections();
  server.close();
});

async function listening(): Promise<number> {
  server = createServer((request, response) => request.resume().on('end', () => response.end(request.url)));
  await once(server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Opens connections while this thread's event loop does not turn. */
const connecting = `const { workerData: { port, count, connected } } = require('node:worker_threads');
for (let at = 0; at < count; at += 1)
  require('node:net').connect(port, '127.0.0.1', () => {
    if (Atomics.add(connected, 0, 1) === count - 1) Atomics.notify(connected, 0);
  });`;

async function connectedAtOnce(port: number, count: number): Promise<void> {
  const connected = new Int32Array(new SharedArrayBuffer(4));
  worker = new Worker(connecting, { eval: true, workerData: { port, count, connected } });
  await once(worker, 'online');
  for (let now = 0; now < count; now = Atomics.load(connected, 0)) Atomics.wait(connected, 0, now, 10_000);
}

/** In how many turns of the event loop so many connections are taken up. */
async function turnsFor(count: number): Promise<number> {
  let [left, turns] = [count, 0];
  server.on('connection', () => {
    left -= 1;
  });
  while (left > 0) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  return turns;
}

it('connections that wait are taken up many in a turn', async () => {
  const port = await listening();
  expect(await addHandles(server, 9)).toBe(9);
  // More than wait where nothing is said about how many may.
  await connectedAtOnce(port, 800);
  const turns = await turnsFor(800);
  expect(turns).toBeGreaterThanOrEqual(80);
  expect(turns).toBeLessThanOrEqual(100);
});

const answered = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
const asking = async (port: number, name: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /${name} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`);
  return answered(socket);
};

it('who connects while handles are made is answered', async () => {
  const port = await listening();
  let isMade = false;
  const making = addHandles(server).then(() => {
    isMade = true;
  });
  let asked = 0;
  while (!isMade) {
    const name = `${asked++}`;
    expect(await asking(port, name)).toMatch(new RegExp(`^HTTP/1.1 200 [^]*${name}$`));
  }
  await making;
  const names = Array.from({ length: 100 }, (_, at) => `later-${at}`);
  const answers = await Promise.all(names.map((name) => asking(port, name)));
  expect(answers.filter((text, at) => !text.endsWith(names[at]!))).toEqual([]);
});

it('a server closes when all that connected by any handle are gone, and its port is free', async () => {
  const port = await listening();
  await addHandles(server, 3);
  const requests = on(server, 'request');
  const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  await turnsFor(20);
  const answers = sockets.map(answered);
  for (const socket of sockets) socket.write('POST /slow HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n1');
  // A server that closes ends the connections on which it has read nothing yet.
  for (let asked = 0; asked < sockets.length; asked += 1) await requests.next();
  let isClosed = false;
  const closed = new Promise((resolve) => server.close(resolve)).then(() => {
    isClosed = true;
  });
  await expect(answered(connect(port, '127.0.0.1'))).rejects.toThrow('ECONNREFUSED');
  for (const socket of sockets.slice(1)) socket.end('2');
  await Promise.all(answers.slice(1));
  expect(isClosed).toBe(false);
  sockets[0]!.end('2');
  await closed;
  expect((await Promise.all(answers)).every((text) => text.includes(' 200 '))).toBe(true);
});

it('a server goes on with one handle where no process can be started', async () => {
  const port = await listening();
  const { execPath } = process;
  process.execPath = '/nowhere';
  try {
    expect(await addHandles(server)).toBe(0);
  } finally {
    process.execPath = execPath;
  }
  expect(await asking(port, 'still')).toContain('still');
});

it('a server that closes meanwhile has no handles left', async () => {
  const port = await listening();
  const making = addHandles(server, 5);
  server.close();
  await making;
  await expect(answered(connect(port, '127.0.0.1'))).rejects.toThrow('ECONNREFUSED');
});
