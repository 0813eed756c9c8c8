/**
 * Asks PostgreSQL to end the statement of a connection: on one of its own, which says nothing else, and is encrypted as
 * that one is. No statement that was begun after the promise resolves is met by it.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectEncrypted } from 'node:tls';

/** The connection on which the statement runs. */
export interface Cancelled {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | ConnectionOptions;
  readonly sslNegotiation: string;
  readonly connection: { readonly stream: object };
  /** Given by the server when the connection was opened. */
  readonly processID: number | null;
  readonly secretKey: number | null;
}

const codes = { cancel: 80_877_102, encrypt: 80_877_103 };

/** Errors: those of the socket, and of TLS; an abort. */
export async function cancel(cancelled: Cancelled, signal: AbortSignal): Promise<void> {
  const { host, port, ssl, connection, processID, secretKey } = cancelled;
  // A name may have several addresses, of other servers.
  const { remoteAddress = host } = connection.stream as { remoteAddress?: string };
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, remoteAddress);
  socket.on('error', () => undefined);
  try {
    const stream = ssl ? await encrypted(socket, cancelled, signal) : socket;
    stream.write(message(codes.cancel, processID ?? 0, secretKey ?? 0));
    // The server closes it once it has passed the request on, and answers nothing.
    stream.resume();
    await once(stream, 'close', { signal });
  } finally {
    socket.destroy();
  }
}

async function encrypted(socket: Socket, { host, ssl, sslNegotiation }: Cancelled, signal: AbortSignal) {
  const isDirect = sslNegotiation === 'direct';
  if (isDirect) await once(socket, 'connect', { signal });
  else {
    socket.write(message(codes.encrypt));
    const [answer] = await once(socket, 'data', { signal });
    if (answer.toString() !== 'S') throw new Error('The server does not encrypt this connection.');
  }
  const stream = connectEncrypted({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(isDirect && { ALPNProtocols: ['postgresql'] }),
    ...(typeof ssl === 'object' && ssl),
    // Hidden from those who look at all options.
    ...(typeof ssl === 'object' && { key: ssl.key }),
  });
  stream.on('error', () => undefined);
  await once(stream, 'secureConnect', { signal });
  return stream;
}

/** Its length, and numbers. */
function message(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length);
  for (const [at, value] of [bytes.length, ...numbers].entries()) bytes.writeInt32BE(value | 0, 4 * at);
  return bytes;
}
