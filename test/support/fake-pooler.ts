/**
 * A pooler as far as it matters to a client: it refuses or drops what it does not know of the start-up message, and
 * tells a number of its own for the backend. It lends each client one connection of PostgreSQL.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket, connect as toServer } from 'node:net';

export interface PoolerHabits {
  /**
   * What becomes of start-up parameters: all but those that PgBouncer knows are refused, all but user and database
   * dropped.
   */
  readonly startup: 'refuse' | 'drop' | 'keep';
  /** Tells the backend's own number, as something would that only forwards. */
  readonly showsBackend?: boolean;
  /** Texts that are replaced in what the client sends, by others of the same length. */
  readonly replacing?: readonly [text: string, by: string];
}

export class FakePooler {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly habits: PoolerHabits,
  ) {}

  static async to(url: string, habits: PoolerHabits): Promise<FakePooler> {
    const server = createServer();
    const pooler = new FakePooler(server, new URL(url), habits);
    server.on('connection', (client) => client.once('data', (startup) => pooler.link(client, startup)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return pooler;
  }

  get url(): string {
    const url = new URL(this.target.href);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private link(client: Socket, startup: Buffer): void {
    const parameters = parametersOf(startup);
    const unknown = Object.keys(parameters).filter((name) => !pgbouncerKnows.has(name));
    if (this.habits.startup === 'refuse' && unknown.length > 0) {
      client.end(fatal(`unsupported startup parameter: ${unknown[0]}`));
      return;
    }
    const server = toServer(Number(this.target.port), this.target.hostname);
    const { user, database } = parameters;
    server.write(this.habits.startup === 'drop' ? startupOf({ user: user!, database: database! }) : startup);
    client.on('data', (piece) => server.write(this.replaced(piece)));
    server.on('data', (piece) => client.write(this.withOwnKey(piece)));
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => other.destroy());
    }
  }

  private replaced(piece: Buffer): Buffer {
    if (!this.habits.replacing) return piece;
    const [text, by] = this.habits.replacing;
    return Buffer.from(piece.toString('latin1').replaceAll(text, by), 'latin1');
  }

  /** The message with the number of the backend and its secret is like nothing else that a server sends. */
  private withOwnKey(piece: Buffer): Buffer {
    const at = this.habits.showsBackend ? -1 : piece.indexOf(backendKey);
    if (at >= 0) piece.writeInt32BE(piece.readInt32BE(at + 5) + 1, at + 5);
    return piece;
  }
}

const pgbouncerKnows = new Set([
  'user',
  'database',
  'application_name',
  'client_encoding',
  'DateStyle',
  'TimeZone',
  'standard_conforming_strings',
]);

const backendKey = Buffer.from('K\0\0\0\x0c', 'latin1');
const version3 = 196_608;

function parametersOf(startup: Buffer): Record<string, string> {
  const texts = startup.toString('utf8', 8, startup.length - 2).split('\0');
  return Object.fromEntries(texts.flatMap((text, at) => (at % 2 === 0 ? [[text, texts[at + 1] ?? '']] : [])));
}

function startupOf(parameters: Record<string, string>): Buffer {
  const texts = Object.entries(parameters).flat().join('\0');
  const message = Buffer.alloc(8 + Buffer.byteLength(texts) + 2);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(version3, 4);
  message.write(texts, 8);
  return message;
}

function fatal(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}
