/**
 * A proxy on loopback in front of a PostgreSQL that breaks connections: ends them in order (FIN), resets them (RST), or
 * keeps them open and forwards nothing any more. At once, or at a message that is waited for.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket, connect as toServer } from 'node:net';

export type Breaking = 'cut' | 'reset' | 'swallow';

/** Looks at what passes. Messages of one side may come in several pieces, or several in one. */
export type Moment = (from: 'client' | 'server', piece: Buffer) => boolean;

export class CuttingProxy {
  /** What happens to those that connect from now on. */
  newcomers: 'pass' | Breaking = 'pass';
  private readonly links = new Set<Link>();
  private awaited: { moment: Moment; how: Breaking; onBreak: () => void } | undefined;
  private server: Server | undefined;
  private port = 0;

  private constructor(private readonly target: URL) {}

  static async to(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(url));
    await proxy.accept();
    return proxy;
  }

  /** The address of the database behind the proxy. */
  get url(): string {
    const url = new URL(this.target.href);
    [url.hostname, url.port] = ['127.0.0.1', String(this.port)];
    return url.href;
  }

  get connections(): number {
    return this.links.size;
  }

  /** Breaks all that are open. */
  breakAll(how: Breaking): void {
    for (const link of this.links) link.break(how);
  }

  /**
   * Breaks the next connection on which this moment comes, half of its piece being sent on; resolves when that
   * happened.
   */
  breakAt(moment: Moment, how: Breaking): Promise<void> {
    return new Promise((onBreak) => {
      this.awaited = { moment, how, onBreak };
    });
  }

  /** Nobody listens at the address any more; what is open stays. */
  async refuse(): Promise<void> {
    this.server?.close();
    this.server = undefined;
  }

  async accept(): Promise<void> {
    this.server = createServer((socket) => this.link(socket)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await this.refuse();
    this.breakAll('reset');
  }

  private link(client: Socket): void {
    const server = toServer(Number(this.target.port), this.target.hostname);
    const link = new Link(client, server, (from, piece) => this.breakingAt(from, piece));
    this.links.add(link);
    client.once('close', () => this.links.delete(link));
    if (this.newcomers !== 'pass') link.break(this.newcomers);
  }

  private breakingAt(from: 'client' | 'server', piece: Buffer): Breaking | undefined {
    if (!this.awaited?.moment(from, piece)) return undefined;
    const { how, onBreak } = this.awaited;
    this.awaited = undefined;
    onBreak();
    return how;
  }
}

class Link {
  private isSilent = false;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly breaking: (from: 'client' | 'server', piece: Buffer) => Breaking | undefined,
  ) {
    this.forward('client', client, server);
    this.forward('server', server, client);
  }

  break(how: Breaking): void {
    this.isSilent = true;
    if (how === 'swallow') return;
    if (how === 'reset') this.client.resetAndDestroy();
    else this.client.end();
    this.server.destroy();
  }

  private forward(from: 'client' | 'server', source: Socket, target: Socket): void {
    source.on('data', (piece) => {
      if (this.isSilent) return;
      const how = this.breaking(from, piece);
      if (how === undefined) target.write(piece);
      else target.write(piece.subarray(0, piece.length >> 1), () => this.break(how));
    });
    source.on('error', () => undefined);
    // In silence, the end of one side is not known to the other.
    source.on('close', () => {
      if (!this.isSilent) target.destroy();
    });
  }
}

/** A piece from the client holds this text, such as a value of a filter. */
export const sending =
  (text: string): Moment =>
  (from, piece) =>
    from === 'client' && piece.includes(text);

/** The first piece from the server behind one from a client that holds this text. */
export function answering(text: string): Moment {
  let isSent = false;
  return (from, piece) => {
    if (from === 'client') isSent ||= piece.includes(text);
    return isSent && from === 'server';
  };
}

/** The client begins to speak. */
export const connecting: Moment = (from) => from === 'client';

/** The server asks for credentials. */
export const authenticating: Moment = (from, piece) => from === 'server' && piece[0] === 'R'.charCodeAt(0);

/** The server is ready for the next statement of a transaction. */
export const betweenStatements: Moment = (from, piece) => from === 'server' && piece.subarray(-6).equals(readyInside);

const readyInside = Buffer.from('Z\0\0\0\x05T', 'latin1');
