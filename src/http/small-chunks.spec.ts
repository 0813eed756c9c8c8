import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { joinSmallChunks } from './small-chunks.js';

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

async function listening(handle: (request: IncomingMessage) => void): Promise<void> {
  server = createServer((request, response) => {
    joinSmallChunks(request);
    request.on('end', () => response.end());
    handle(request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function send(...parts: (string | Buffer)[]): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  for (const part of parts) socket.write(part);
  return socket;
}

const head = 'POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n';
const inChunks = (bytes: Buffer, lengths: readonly number[]): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0, count = 0; at < bytes.length; count += 1) {
    const chunk = bytes.subarray(at, at + lengths[count % lengths.length]!);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
    at += chunk.length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};

it.each([
  [[1]],
  [[15, 16, 17, 2]],
  [[1023, 1024, 1]],
  [[3, 5000, 1, 1, 70_000]],
])('a body in chunks of %j bytes is the same, in few pieces', async (lengths) => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 251));
  const pieces: Buffer[] = [];
  await listening((request) => request.on('data', (piece: Buffer) => pieces.push(piece)));
  const socket = send(head, inChunks(bytes, lengths), head, inChunks(bytes, lengths));
  for (let answers = ''; answers.split('200 OK').length < 3; ) answers += (await once(socket, 'data'))[0];
  expect(Buffer.concat(pieces).equals(Buffer.concat([bytes, bytes]))).toBe(true);
  expect(pieces.length).toBeLessThan(1000);
});

it('what nobody reads yet stays with its client', async () => {
  const waiting: IncomingMessage[] = [];
  await listening((request) => void waiting.push(request));
  const body = inChunks(Buffer.alloc(100_000, ' '), [1]);
  const socket = send(head, body);
  while (waiting.length === 0) await turn();
  for (let turns = 0; turns < 100; turns += 1) await turn();
  expect(socket.writableLength + waiting[0]!.readableLength).toBeGreaterThan(0);
  expect(waiting[0]!.readableLength).toBeLessThan(12_000);
  let read = 0;
  waiting[0]!.on('data', (piece: Buffer) => {
    read += piece.length;
  });
  await once(socket, 'data');
  expect(read).toBe(100_000);
});

it('in a turn few connections are read that bring many of them', async () => {
  let brought = 0;
  let ended = 0;
  await listening((request) => {
    request.on('data', (piece: Buffer) => {
      brought += piece.length;
    });
    request.on('end', () => {
      ended += 1;
    });
  });
  const body = inChunks(Buffer.alloc(50_000, ' '), [1]);
  for (let count = 0; count < 20; count += 1) send(head);
  while ((await connections()) < 20) await turn();
  for (const socket of sockets) socket.write(body);
  let most = 0;
  while (ended < 20) {
    await turn();
    most = Math.max(most, brought);
    brought = 0;
  }
  // Reads of 64 KiB, of which one in a turn brings all that it holds.
  expect(most).toBeLessThan(4 * 11_000);
});

const connections = (): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
