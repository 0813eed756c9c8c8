/** Says something to the service byte by byte, as no client library would, and tells everything it answers until it closes. */
import { connect } from 'node:net';
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
  [...answers.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
