/**
 * The ways in which requests are sent. Each gives an attack: a function of the fleet, which ends when the fleet's time
 * is over. No way keeps what it receives.
 */
import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { statusReader } from './tally.mjs';

const many = (count, run) => Promise.all(Array.from({ length: count }, (_, at) => run(at)));

/** `clients` that ask again as soon as they are answered. */
export const asking =
  (clients, next, { isReused = true } = {}) =>
  async (fleet) => {
    const agent = isReused ? new Agent({ keepAlive: true }) : false;
    let at = 0;
    await many(clients, async () => {
      while (!fleet.isOver) await ask(fleet, next(at++), agent);
    });
    agent?.destroy();
  };

/** Ends with the answer, also where that comes before the end of the body. */
async function ask(fleet, { method, path, headers, body, from }, agent) {
  fleet.tally.sent += 1;
  const outcome = await new Promise((resolve) => {
    const options = { method, headers, agent, localAddress: from, signal: fleet.signal };
    let status;
    const sent = send(new URL(path, fleet.base), options, (answer) => {
      status = answer.statusCode;
      answer.resume().on('error', () => {});
    });
    sent.on('error', (error) => resolve(status ?? error.code));
    sent.on('close', () => resolve(status ?? 'closed'));
    sent.end(body);
  });
  if (outcome !== 'ABORT_ERR') fleet.tally.count(outcome);
  if (typeof outcome === 'string') await pause(20);
}

/** Connections that send `depth` requests at once, and again when all are answered. */
export const pipelining = (connections, depth, text) => (fleet) =>
  many(connections, () => {
    const requests = Buffer.from(text.repeat(depth));
    return again(fleet, (socket) => {
      let left = 0;
      const write = () => {
        left += depth;
        fleet.tally.sent += depth;
        socket.write(requests);
      };
      const read = statusReader((status) => {
        fleet.tally.count(status);
        left -= 1;
        if (left === 0) write();
      });
      socket.on('data', read);
      write();
    });
  });

/** Connections that send a head and then a piece from time to time. */
export const trickling =
  (connections, { head, piece, everyMs }) =>
  (fleet) =>
    many(connections, (at) =>
      again(fleet, (socket) => {
        fleet.tally.sent += 1;
        socket.on('data', statusReader(fleet.countStatus));
        socket.write(head);
        const timer = setInterval(() => socket.writable && socket.write(piece), everyMs + (at % 100));
        socket.on('close', () => clearInterval(timer));
      }),
    );

/** Readers that take a byte at a time. */
export const sipping = (readers, text, everyMs) => (fleet) =>
  many(readers, () => {
    const byte = Buffer.alloc(1);
    let socket;
    let received = 0;
    let read = statusReader(fleet.countStatus);
    const onread = {
      buffer: byte,
      callback: () => {
        if (++received < 16) read(byte);
        else setTimeout(() => socket.resume(), everyMs);
        return received < 16;
      },
    };
    const open = (opened) => {
      [socket, received, read] = [opened, 0, statusReader(fleet.countStatus)];
      fleet.tally.sent += 1;
      socket.write(text);
    };
    return again(fleet, open, { onread });
  });

/** Clients that are gone as soon as their answer begins, or earlier. */
export const vanishing = (clients, text) => (fleet) =>
  many(clients, (at) =>
    again(fleet, (socket) => {
      fleet.tally.sent += 1;
      const read = statusReader(fleet.countStatus);
      socket.once('data', (chunk) => {
        read(chunk);
        socket.resetAndDestroy();
      });
      socket.write(text);
      if (at % 2 === 0) setTimeout(() => socket.resetAndDestroy(), at * 5);
    }),
  );

/** Clients that send bytes as they are, and hang up when a second brings no end. */
export const speaking = (clients, texts) => (fleet) => {
  let turn = 0;
  return many(clients, () =>
    again(fleet, (socket) => {
      fleet.tally.sent += 1;
      socket.on('data', statusReader(fleet.countStatus));
      socket.setTimeout(1000, () => socket.destroy());
      socket.write(texts[turn++ % texts.length]);
    }),
  );
};

/** Opens a connection, and a new one whenever that is closed. */
async function again(fleet, use, options = {}) {
  const { hostname, port } = new URL(fleet.base);
  while (!fleet.isOver) {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, ...options });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', (error) => fleet.tally.count(error.code));
    const end = () => socket.destroy();
    fleet.signal.addEventListener('abort', end);
    socket.on('connect', () => use(socket));
    await closed;
    fleet.signal.removeEventListener('abort', end);
    await pause(10);
  }
}
