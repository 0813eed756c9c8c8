/**
 * What takes connections for a server beside its own socket handle: further handles of it, and further addresses. The
 * server has them as if they were its own, and has ended when those who connected by any of them are gone.
 */
import type { SendHandle } from 'node:child_process';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type ListenOptions, Server, type Socket } from 'node:net';

/** Of a handle as such, unlike of a server, the process that it came from takes no connections. */
type ListenTarget = NonNullable<SendHandle> | ListenOptions;

export class FurtherListeners {
  private readonly listeners = new Set<Server>();

  constructor(
    private readonly server: HttpServer,
    private readonly backlog: number,
  ) {
    const close = server.close.bind(server);
    server.close = (done) => {
      const closed = Array.from(this.listeners, (one) => new Promise((resolve) => one.close(resolve)));
      return close((error) => void Promise.all(closed).then(() => done?.(error)));
    };
  }

  get count(): number {
    return this.listeners.size;
  }

  /** Of a place that cannot be listened at nothing is told. */
  async add(place: ListenTarget): Promise<void> {
    const take = (socket: Socket): void => void this.server.emit('connection', socket);
    // With the options of the server itself.
    const listener = new Server({ allowHalfOpen: true, noDelay: true }, take);
    listener.on('error', () => this.listeners.delete(listener));
    const isListening = once(listener, 'listening').catch(() => undefined);
    if (isAddress(place)) listener.listen({ ...place, backlog: this.backlog });
    else listener.listen(place, this.backlog);
    if (this.server.listening) this.listeners.add(listener);
    else listener.close();
    await isListening;
  }
}

const isAddress = (place: ListenTarget): place is ListenOptions => 'port' in place;
