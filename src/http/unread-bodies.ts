/**
 * Ends connections whose request was answered before its body was read. Node would close them at once, and a connection
 * that is closed while its client still sends is reset, and takes the answer with it: for a moment, what still comes is
 * read and dropped.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { collectGarbageAfter } from './collect-garbage.js';
import { droppingTurns } from './reading-turns.js';

/** So little is read to its end, and the connection stays. */
const little = 64 * 1024;
const milliseconds = 2000;

export function endUnread(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (isUnread(raw)) {
      reply.header('connection', 'close');
      endGently(raw.socket);
      raw.on('data', (chunk: Buffer) => {
        droppingTurns.read(raw, chunk.length);
        collectGarbageAfter(chunk.length);
      });
      // Begins before the answer is sent: what nobody reads by then, Node drops in one go.
      raw.read(0);
    }
    done();
  });
}

function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > little);
}

/** In place of what Node calls when the last answer is sent. */
function endGently(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
    socket.once('close', () => clearTimeout(timer));
  };
}
