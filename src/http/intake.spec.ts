import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Intake } from './intake.js';

const open = new Set<Socket>();
let server: Server;
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
  server.close();
});

/** Takes each piece of text for a request that costs so many milliseconds. Gives who came, turn by turn. */
async function listen(msOfEach: number): Promise<string[][]> {
  const turns: string[][] = [];
  const sockets = new Set<Socket>();
  const intake = new Intake(() => sockets);
  let now = 1;
  intake.now = () => now;
  let turn: string[] | undefined;
  const take = (name: string): void => {
    if (!turn) {
      turn = [];
      turns.push(turn);
      setImmediate(() => {
        turn = undefined;
      });
    }
    turn.push(name);
    intake.note();
    now += msOfEach;
  };
  server = createServer((socket) => {
    sockets.add(socket);
    open.add(socket);
    socket.on('data', (data) => take(data.toString()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return turns;
}

async function clients(count: number): Promise<Socket[]> {
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) open.add(socket);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await expect.poll(() => open.size).toBe(2 * count);
  return sockets;
}

it.each([
  { msOfEach: 0, most: 20 },
  { msOfEach: 3, most: 4 },
  { msOfEach: 9, most: 2 },
])('twenty connections that bring requests of $msOfEach ms are read $most in a turn at most', async (example) => {
  const turns = await listen(example.msOfEach);
  const sockets = await clients(20);
  for (const [at, socket] of sockets.entries()) socket.write(`${at}`);
  await expect.poll(() => turns.flat().length).toBe(20);
  expect(Math.max(...turns.map(({ length }) => length))).toBeLessThanOrEqual(example.most);
  expect(new Set(turns.flat()).size).toBe(20);
});

it('a connection that is paused, or closed, meanwhile is not read on', async () => {
  const turns = await listen(9);
  const sockets = await clients(10);
  const before = [...open].filter((socket) => !sockets.includes(socket));
  const paused = before.slice(5);
  for (const socket of before) socket.once('data', () => paused.map((each) => each !== socket && each.pause()));
  for (const [at, socket] of sockets.entries()) socket.write(`${at}`);
  await expect.poll(() => turns.flat().length).toBeGreaterThanOrEqual(5);
  before.at(-1)!.destroy();
  const read = turns.flat().length;
  expect(paused.slice(0, -1).every((socket) => socket.isPaused())).toBe(true);
  for (const socket of paused.slice(0, -1)) socket.resume();
  await expect.poll(() => turns.flat().length).toBeGreaterThan(read);
});
