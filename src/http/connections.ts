/**
 * Takes the requests of a connection one at a time: the next one when the one before is answered and the event loop has turned, so that
 * connections have turns, however many requests one of them sends at once. Node would begin all that arrive together.
 *
 * So it is also known what is under way when the service closes: an answer that is being sent is sent to its end, and nobody is waited for
 * who asks nothing. Node would cut off the former, since it is made, and wait for those who have said nothing, as browsers open
 * connections in advance, or half a request.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Stands between the server and what handles its requests. */
export function handleInTurn(server: Server): void {
  const [handle] = server.listeners('request') as RequestListener[];
  const connections = new Connections(handle!);
  server.off('request', handle!);
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('request', (request, response) => connections.take(request, response));
  // What Node asks for when its server closes.
  server.closeIdleConnections = () => connections.close();
}

/** A connection with so many requests that wait is not read any further. */
const mostWaiting = 32;
/** What arrived together counts as well, and is up to some 2,500 requests. */
const mostWaitingOfAll = 20_000;

class Connections {
  isClosing = false;
  waiting = 0;
  private readonly open = new Map<Socket, Connection>();

  constructor(readonly handle: RequestListener) {}

  add(socket: Socket): void {
    const connection = new Connection(this, socket);
    this.open.set(socket, connection);
    socket.once('close', () => {
      this.open.delete(socket);
      connection.dropWaiting();
    });
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    this.open.get(request.socket)?.take(request, response);
  }

  close(): void {
    this.isClosing = true;
    for (const connection of this.open.values()) connection.endIfIdle();
  }
}

class Connection {
  private isBusy = false;
  private waiting: { request: IncomingMessage; response: ServerResponse }[] = [];

  constructor(
    private readonly all: Connections,
    private readonly socket: Socket,
  ) {}

  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.isBusy) this.wait(request, response);
    // Behind a last answer nothing is carried out.
    else if (this.socket.writable) this.begin(request, response);
  }

  endIfIdle(): void {
    if (!this.isBusy) this.socket.destroySoon();
  }

  dropWaiting(): void {
    this.all.waiting -= this.waiting.length;
    this.waiting = [];
    // What still comes is read, or the connection would be reset.
    this.socket.resume();
  }

  private wait(request: IncomingMessage, response: ServerResponse): void {
    this.waiting.push({ request, response });
    this.all.waiting += 1;
    if (this.waiting.length >= mostWaiting) this.socket.pause();
    if (this.all.waiting > mostWaitingOfAll) this.socket.destroy();
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    this.isBusy = true;
    response.once('close', () => this.end());
    this.all.handle(request, response);
  }

  private end(): void {
    if (this.waiting.length > 0) setImmediate(() => this.next());
    else this.rest();
  }

  private next(): void {
    if (!this.socket.writable) this.dropWaiting();
    const next = this.waiting.shift();
    if (next) {
      this.all.waiting -= 1;
      if (this.waiting.length === mostWaiting - 1) this.socket.resume();
      this.begin(next.request, next.response);
    } else this.rest();
  }

  private rest(): void {
    this.isBusy = false;
    if (this.all.isClosing) this.endIfIdle();
  }
}
