import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchPace } from './long-requests.js';

const pace = { bytes: 32 * 1024, milliseconds: 100 };

let server: Server;
let client: Socket;

beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
});
afterEach(() => {
  client.destroy();
  server.close();
});

async function request(): Promise<IncomingMessage> {
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n');
  const [message] = await once(server, 'request');
  return message;
}

it('a body that came while the event loop was busy is not too slow', async () => {
  const message = await request();
  const outcome = new Promise((resolve) => {
    const endWatch = watchPace(message, pace, resolve);
    message.on('data', () => {
      if (message.socket.bytesRead < pace.bytes) return;
      endWatch();
      resolve('came');
    });
  });
  client.write(Buffer.alloc(pace.bytes));
  // The timer is due before anything is read.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * pace.milliseconds);
  expect(await outcome).toBe('came');
});

it('a body that brings too little is refused', async () => {
  const message = await request();
  const refused = new Promise((resolve) => {
    watchPace(message, pace, resolve);
  });
  message.resume();
  client.write(Buffer.alloc(1024));
  expect(await refused).toMatchObject({ status: 'RequestTimeout' });
});
