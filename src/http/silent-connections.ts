/**
 * Ends connections on which nothing has been said when the service closes. Browsers and client libraries open some in advance;
 * Node takes them for requests under way and would wait until they are late with it.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Call what it returns when the service begins to close. */
export function watchSilentConnections(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}
