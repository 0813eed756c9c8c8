/** What the system holds for a connection. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { queuedNow } from './tcp-queues.js';

const heading = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const four = `${heading}
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:D2A4 01 0003A980:00000000 01:00000014 00000000     0        0 2 1 0 20 4 30 10 -1
  12: 0100007F:1F90 0100007F:D2A5 08 00000010:00000000 00:00000000 00000000     0        0 3 1 0 20 4 30 10 -1
  13: 0100007F:1F90 0200007F:0007 01 00000001:00000000 00:00000000 00000000     0        0 4 1 0 20 4 30 10 -1
  14: 0100007F:1F90 0300007F:0007 01 00000002:00000000 00:00000000 00000000     0        0 5 1 0 20 4 30 10 -1`;
const six = `${heading}
   0: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000100007F:D2A6 01 0000000A:00000000 00:00000000`;

it.each<[string, object | null | undefined, number | undefined]>([
  ['of an address of four bytes', { localPort: 8080, remotePort: 0xd2a4 }, 240_000],
  ['of an address of sixteen bytes', { localPort: 8080, remotePort: 0xd2a6 }, 10],
  ['of one that is ending', { localPort: 8080, remotePort: 0xd2a5 }, undefined],
  ['of two clients with the same port', { localPort: 8080, remotePort: 7 }, undefined],
  ['of one that is not there', { localPort: 8080, remotePort: 8 }, undefined],
  ['of a socket without ports', {}, undefined],
  ['of no socket', null, undefined],
])('%s', (_, ends, bytes) => {
  const queued = queuedNow((path) => (path.endsWith('6') ? six : four));
  expect(queued(ends as never)).toBe(bytes);
});

it('is unknown where the system does not tell it', () => {
  const queued = queuedNow(() => {
    throw new Error('ENOENT');
  });
  expect(queued({ localPort: 1, remotePort: 2 })).toBeUndefined();
});

it.runIf(process.platform === 'linux')('becomes less as a client takes it, long before more is asked for', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  const [socket] = (await once(server, 'connection')) as [Socket];
  try {
    const bytes = Buffer.alloc(16 * 2 ** 20);
    let isAsked = false;
    socket.write(bytes, () => {
      isAsked = true;
    });
    const queued = (): number => queuedNow()(socket) ?? 0;
    await expect.poll(queued).toBeGreaterThan(2 ** 17);
    await expect.poll(async () => [queued(), queued()].every((one, _, all) => one === all[0])).toBe(true);
    const before = queued();
    const taken = before - 2 ** 16;
    let read = 0;
    client.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (queued() < taken || read > bytes.length / 2) client.pause();
    });
    client.resume();
    await expect.poll(() => client.isPaused()).toBe(true);
    expect([queued() < before, isAsked]).toEqual([true, false]);
  } finally {
    client.destroy();
    socket.destroy();
    server.close();
  }
});
