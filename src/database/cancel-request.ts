/**
 * Asks PostgreSQL to end the statement of a connection: on one of its own, which says nothing else. No statement that
 * was begun after the promise resolves is met by it.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
import { once } from 'node:events';
import { connect } from 'node:net';

/** The connection on which the statement runs. */
export interface Cancelled {
  readonly host: string;
  readonly port: number;
  /** Given by the server when the connection was opened. */
  readonly processID: number | null;
  readonly secretKey: number | null;
}

const code = 80_877_102;

/** Errors: those of the socket; an abort. */
export async function cancel({ host, port, processID, secretKey }: Cancelled, signal: AbortSignal): Promise<void> {
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  const request = Buffer.alloc(16);
  for (const [at, value] of [16, code, processID ?? 0, secretKey ?? 0].entries())
    request.writeInt32BE(value | 0, 4 * at);
  socket.write(request);
  // The server closes it once it has passed the request on, and answers nothing.
  socket.resume();
  try {
    await once(socket, 'close', { signal });
  } finally {
    socket.destroy();
  }
}
