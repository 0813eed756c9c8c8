/**
 * A proxy in front of a database that understands PostgreSQL's protocol. It forwards statement by statement; for each,
 * a spec may decide that it is answered with an error instead, forwarded without its answer, or that the connection
 * ends.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** One statement as it passes: everything up to `Sync`, or one simple query. */
export interface Passing {
  /** Its text, also where it was prepared before. */
  readonly text: string;
  readonly connection: number;
  /** Counts how often something was asked when nothing was on its way. */
  readonly roundTrip: number;
}

interface Refusal {
  /** SQLSTATE. */
  code: string;
  /** Of the transaction, as the server tells it behind each statement. */
  status: 'I' | 'T' | 'E';
}

export type Fate =
  | { kind: 'forward' }
  /** Answered with an error; the server sees `instead`, if anything. */
  | ({ kind: 'refuse'; instead?: string } & Refusal)
  /** Forwarded; the client gets an error in place of the answer. */
  | ({ kind: 'forward and refuse' } & Refusal)
  /** Behind the answers to what came before. */
  | { kind: 'cut' }
  /** The server gets everything but the last message of it, or most of its only one. */
  | { kind: 'cut within' }
  | { kind: 'forward and cut' }
  /** From here on the client is on a connection that has no transaction open. */
  | { kind: 'swap' }
  /** Neither this nor anything behind it goes any further; nobody is told. */
  | { kind: 'swallow' };

export const forward: Fate = { kind: 'forward' };

export class ProtocolProxy {
  /** Decides on each statement. */
  decide: (passing: Passing) => Fate = () => forward;
  private isRefusing = false;
  private readonly links = new Set<Link>();
  private connections = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async start(databaseUrl: string): Promise<ProtocolProxy> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new ProtocolProxy(server, new URL(databaseUrl));
    server.on('connection', (socket) => proxy.accept(socket));
    return proxy;
  }

  /** The same database by way of the proxy. */
  urlOf(database: string): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    url.pathname = `/${database}`;
    return url.href;
  }

  /** From a commit on there is no database. `fate` is that of the commit. */
  leaveAtCommit(fate: Fate): void {
    let hasCommitted = false;
    this.decide = ({ text, connection }) => {
      if (hasCommitted) return { kind: 'forward and cut' };
      if (!text.startsWith('commit')) return forward;
      hasCommitted = true;
      this.refuseNewConnections();
      this.endConnections(connection);
      return fate;
    };
  }

  /** Until they are accepted again; those that there are stay. */
  refuseNewConnections(): void {
    this.isRefusing = true;
  }

  /** All but one, if one is named. */
  endConnections(except?: number): void {
    for (const link of this.links) if (link.number !== except) link.cut();
  }

  acceptConnections(): void {
    this.isRefusing = false;
  }

  async stop(): Promise<void> {
    this.refuseNewConnections();
    this.endConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(client: Socket): void {
    if (this.isRefusing) {
      client.destroy();
      return;
    }
    this.connections += 1;
    const { hostname, port } = this.target;
    const server = connect({ host: hostname, port: Number(port), noDelay: true });
    const link = new Link(client, server, this.connections, (passing) => this.decide(passing));
    this.links.add(link);
    client.once('close', () => this.links.delete(link));
  }
}

/** What comes next for the client, in the order of its statements: the server's answer, passed on or not, or ours. */
type Owed = { kind: 'relay' } | { kind: 'discard' } | { kind: 'bytes'; bytes: Buffer } | { kind: 'cut' };

class Link {
  private readonly texts = new Map<string, string>();
  private readonly owed: Owed[] = [];
  private group: Buffer[] = [];
  private text = '';
  private roundTrip = 0;
  private isStarted = false;
  private isSwallowing = false;
  /** A statement was refused within the transaction: as a server would, nothing is taken until that ends. */
  private hasFailed = false;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    readonly number: number,
    private readonly decide: (passing: Passing) => Fate,
  ) {
    const fromClient = new Frames(false, (type, frame) => this.asked(type, frame));
    const fromServer = new Frames(true, (type, frame) => this.answered(type, frame));
    client.on('data', (chunk: Buffer) => fromClient.add(chunk));
    server.on('data', (chunk: Buffer) => fromServer.add(chunk));
    for (const socket of [client, server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => this.cut());
    }
  }

  /** What was written before arrives. */
  cut(): void {
    this.client.destroySoon();
    this.server.destroySoon();
  }

  private asked(type: string, frame: Buffer): void {
    if (this.isSwallowing) return;
    if (!this.isStarted) {
      this.server.write(frame);
      return;
    }
    if (type === 'X') this.cut();
    this.group.push(frame);
    this.note(type, frame);
    if (type === 'S' || type === 'Q') this.pass();
  }

  private note(type: string, frame: Buffer): void {
    if (type === 'Q') this.text = textAt(frame, 5);
    if (type === 'P') {
      const name = textAt(frame, 5);
      this.text = textAt(frame, 6 + Buffer.byteLength(name));
      this.texts.set(name, this.text);
    }
    if (type === 'B') {
      const portal = textAt(frame, 5);
      this.text = this.texts.get(textAt(frame, 6 + Buffer.byteLength(portal))) ?? '';
    }
  }

  private pass(): void {
    if (this.owed.length === 0) this.roundTrip += 1;
    const bytes = Buffer.concat(this.group);
    this.group = [];
    if (this.hasFailed) this.passAfterFailure(bytes);
    else this.meet(this.decide({ text: this.text, roundTrip: this.roundTrip, connection: this.number }), bytes);
    this.settle();
  }

  private meet(fate: Fate, bytes: Buffer): void {
    switch (fate.kind) {
      case 'forward':
        this.send(bytes, { kind: 'relay' });
        break;
      case 'refuse':
        if (fate.instead !== undefined) this.send(simpleQuery(fate.instead), { kind: 'discard' });
        this.refuse(fate);
        break;
      case 'forward and refuse':
        this.send(bytes, { kind: 'discard' });
        this.refuse(fate);
        break;
      case 'cut':
        this.owed.push({ kind: 'cut' });
        break;
      case 'cut within':
        this.server.write(bytes.subarray(0, -syncBytes));
        this.owed.push({ kind: 'cut' });
        break;
      case 'forward and cut':
        this.send(bytes, { kind: 'discard' });
        this.owed.push({ kind: 'cut' });
        break;
      case 'swap':
        this.send(simpleQuery('rollback'), { kind: 'discard' });
        this.send(bytes, { kind: 'relay' });
        break;
      case 'swallow':
        this.isSwallowing = true;
    }
  }

  private passAfterFailure(bytes: Buffer): void {
    if (!/^(rollback|commit)/.test(this.text)) {
      this.refuse({ code: '25P02', status: 'E' });
      return;
    }
    this.hasFailed = false;
    // A commit of what has failed is a rollback.
    this.send(this.text.startsWith('commit') ? simpleQuery('rollback') : bytes, { kind: 'relay' });
  }

  private send(bytes: Buffer, owed: Owed): void {
    this.owed.push(owed);
    this.server.write(bytes);
  }

  private refuse({ code, status }: Refusal): void {
    this.hasFailed = status === 'E';
    this.owed.push({ kind: 'bytes', bytes: refusal(code, status) });
  }

  /** What is not the server's to answer comes as soon as everything before it has. */
  private settle(): void {
    for (let [next] = this.owed; next?.kind === 'bytes' || next?.kind === 'cut'; [next] = this.owed) {
      if (next.kind === 'bytes') this.client.write(next.bytes);
      else this.cut();
      this.owed.shift();
    }
  }

  private answered(type: string, frame: Buffer): void {
    if (this.isSwallowing) return;
    const [next] = this.owed;
    if (next?.kind !== 'discard') this.client.write(frame);
    if (type !== 'Z') return;
    if (this.isStarted) this.owed.shift();
    this.isStarted = true;
    this.settle();
  }
}

/** Cuts a stream into the frames of the protocol. The first one of a client has no type. */
class Frames {
  private rest: Buffer = Buffer.alloc(0);

  constructor(
    private isTyped: boolean,
    private readonly take: (type: string, frame: Buffer) => void,
  ) {}

  add(chunk: Buffer): void {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    for (;;) {
      const head = this.isTyped ? 1 : 0;
      if (this.rest.length < head + 4) return;
      const length = head + this.rest.readInt32BE(head);
      if (this.rest.length < length) return;
      const frame = this.rest.subarray(0, length);
      this.rest = this.rest.subarray(length);
      this.take(this.isTyped ? String.fromCharCode(frame[0]!) : '', frame);
      this.isTyped = true;
    }
  }
}

const syncBytes = 5;

const textAt = (frame: Buffer, at: number): string => frame.toString('utf8', at, frame.indexOf(0, at));

function frameOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const simpleQuery = (text: string): Buffer => frameOf('Q', Buffer.from(`${text}\0`));

const refusal = (code: string, status: string): Buffer =>
  Buffer.concat([
    frameOf('E', Buffer.from(`SERROR\0VERROR\0C${code}\0Mrefused by the proxy\0\0`)),
    frameOf('Z', Buffer.from(status)),
  ]);
