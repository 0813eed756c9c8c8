/**
 * Says something to the service byte by byte, as no client library would, and tells everything it answers until it
 * closes.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestApp } from './app.js';

export function say(app: Pick<TestApp, 'base'>, ...pieces: (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(app.base);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      // The service may close while we still speak.
      error.code === 'ECONNRESET' || error.code === 'EPIPE'
        ? resolve(Buffer.concat(chunks).toString('latin1'))
        : reject(error),
    );
  });
}

/** The statuses of the answers, in order. */
export const statusesOf = (answers: string): number[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** A connection to the service, for a conversation. */
export class Connection {
  received = '';
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
    });
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('error', () => undefined);
  }

  static async open({ base }: { base: string }): Promise<Connection> {
    const { hostname, port } = new URL(base);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Waits until as many answers have begun, or the service closes; gives their statuses. */
  async answers(count = 1): Promise<number[]> {
    while (!this.isClosed && statusesOf(this.received).length < count) await nextOf(this.socket);
    return statusesOf(this.received);
  }

  async closed(): Promise<void> {
    if (!this.isClosed) await once(this.socket, 'close');
  }
}

function nextOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const next = (): void => {
      socket.off('data', next).off('close', next);
      resolve();
    };
    socket.on('data', next).on('close', next);
  });
}
