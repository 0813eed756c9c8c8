/**
 * The bytes of a request and of its answer, headers included: what its connection has counted since the answer before.
 */
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

export interface Traffic {
  readonly received: number;
  readonly sent: number;
}

/** Up to the latest answer. */
interface Counted {
  readonly read: number;
  readonly written: number;
}

const counted = new WeakMap<Socket, Counted>();

/**
 * Once the answer is sent; the same for everybody who asks. Of requests that came at once, the first has the bytes of
 * all.
 */
export function trafficOf(request: FastifyRequest): Traffic {
  const measured: FastifyRequest & { traffic?: Traffic } = request;
  measured.traffic ??= measure(request.raw.socket);
  return measured.traffic;
}

function measure(socket: Socket): Traffic {
  const { read, written } = counted.get(socket) ?? { read: 0, written: 0 };
  // The calls of a tool come over no network: their sockets count nothing.
  const { bytesRead = 0, bytesWritten = 0 }: Partial<Socket> = socket;
  counted.set(socket, { read: bytesRead, written: bytesWritten });
  return { received: bytesRead - read, sent: bytesWritten - written };
}
