/**
 * Knows what is under way on each connection, so that the service closes in order: an answer that is being sent is sent to its end, and
 * nobody is waited for who asks nothing. Node would cut off the former, since it is made, and wait for those who have said
 * nothing, as browsers open connections in advance, or half a request.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What Node asks for when its server closes. */
export function closeInOrder(server: Server): void {
  const connections = new Connections();
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('request', ({ socket }, response) => connections.begin(socket, response));
  server.closeIdleConnections = () => connections.close();
}

class Connections {
  /** Each with how many requests are under way on it. */
  private readonly open = new Map<Socket, number>();
  private isClosing = false;

  add(socket: Socket): void {
    this.open.set(socket, 0);
    socket.once('close', () => this.open.delete(socket));
  }

  begin(socket: Socket, response: ServerResponse): void {
    this.count(socket, 1);
    response.once('close', () => this.count(socket, -1));
  }

  close(): void {
    this.isClosing = true;
    for (const socket of this.open.keys()) this.count(socket, 0);
  }

  private count(socket: Socket, more: number): void {
    const before = this.open.get(socket);
    if (before === undefined) return;
    this.open.set(socket, before + more);
    if (this.isClosing && before + more === 0) socket.destroySoon();
  }
}
