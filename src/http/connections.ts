/**
 * Takes the requests of a connection one at a time: the next one when the one before is answered and the event loop has
 * turned, so that connections have turns, however many requests one of them sends at once. Node would begin all that
 * arrive together, and make an answer for each.
 *
 * So it is also known what is under way when the service closes: an answer that is being sent is sent to its end, and
 * nobody is waited for who asks nothing. Node would cut off the former, since it is made, and wait for those who have
 * sent nothing, as browsers open connections in advance, or half a request. Whoever neither takes nor sends anything
 * for a while does not keep it from closing, nor does whoever does so little by little for longer.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Intake } from './intake.js';
import { joinSmallChunks } from './small-chunks.js';

export interface Handling {
  /** Connections that may be open. */
  readonly most: number;
  /** Called when one is closed to make room for another. */
  readonly onFull: () => void;
  /** Called while the server closes, once what waits is waited for no longer, and once more for all that still does. */
  readonly refuseWaiting: (all: boolean) => void;
}

/** Stands between the server and what handles its requests. */
export function handleInTurn(server: Server, handling: Handling): void {
  const [handle] = server.listeners('request') as RequestListener[];
  const connections = new Connections(handle!, handling, server);
  server.off('request', handle!);
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('request', (request, response) => connections.begin(request, response));
  // What Node asks for when its server closes.
  server.closeIdleConnections = () => connections.close();
}

/** What follows the requests of a connection cannot be read: it is refused when those before it are answered. */
export function refuseInTurn(socket: Socket, refuse: () => void): void {
  const connection = connectionOf.get(socket);
  if (connection) connection.refuse(refuse);
  else refuse();
}

/** Whether a request of the connection is under way, or waits. */
export const isBusy = (socket: Socket): boolean => connectionOf.get(socket)?.isBusy ?? false;

const connectionOf = new WeakMap<Socket, Connection>();

const malformed = new WeakSet<Socket>();

/** What came there cannot be read, and is no end too early: whoever sent it need not have left. */
export const noteMalformed = (socket: Socket): void => void malformed.add(socket);

export const isMalformed = (socket: Socket): boolean => malformed.has(socket);

/** A connection with so many requests that wait is not read any further. */
const mostWaiting = 32;
/** What arrived together counts as well, and is up to some 2,500 requests. */
const mostWaitingOfAll = 20_000;
/**
 * While the service closes: how often it is looked who is stuck, how many times in a row somebody may be, and how many
 * times it is looked before what waits for its turn is refused, before the next parts of answers are, and before
 * requests that still come and answers that are still sent are cut off.
 */
const lookEveryMs = 1000;
const mostStill = 5;
const looksForWaiting = 2;
const looksForParts = 10;
const mostLooks = 11;

/** What Node's types leave out: how its parser begins a request. Gives whether another protocol follows, 0 for no. */
type Pass = (request: ParsedRequest, isKeptAlive: boolean) => number;
type ParsedRequest = IncomingMessage & { upgrade?: boolean };
/** How its parser is called when it has read what has arrived: with how many bytes of it, or why it cannot go on. */
const onRead = 5;
interface Parsed {
  readonly parser: {
    onIncoming: Pass;
    [onRead]: (read: number | Error) => void;
    getCurrentBuffer(): Buffer | undefined;
  };
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly isKeptAlive: boolean;
}

class Connections {
  isClosing = false;
  waiting = 0;
  /** Those that have brought nothing for longest come first. */
  private readonly open = new Map<Socket, Connection>();
  private readonly intake = new Intake(() => this.open.keys());
  private looking: NodeJS.Timeout | undefined;
  private looks = 0;

  constructor(
    readonly handle: RequestListener,
    private readonly handling: Handling,
    readonly server: Server,
  ) {}

  add(socket: Socket): void {
    // Once asked for, Node also tells it of a connection that is closed; it is logged.
    void socket.remoteAddress;
    const connection = new Connection(this, socket);
    this.open.set(socket, connection);
    connectionOf.set(socket, connection);
    socket.once('close', () => {
      this.open.delete(socket);
      connection.dropWaiting();
    });
    if (this.open.size > this.handling.most) this.makeRoom();
  }

  /** A request has come. */
  note(socket: Socket, connection: Connection): void {
    this.intake.note();
    this.putLast(socket, connection);
  }

  /** It has asked something by now, or has been answered. */
  putLast(socket: Socket, connection: Connection): void {
    // One that is closed does not come back.
    if (this.open.delete(socket)) this.open.set(socket, connection);
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    connectionOf.get(request.socket)?.begin(request, response);
  }

  close(): void {
    this.isClosing = true;
    for (const connection of this.open.values()) connection.endIfIdle();
    this.looking ??= setInterval(() => this.look(), lookEveryMs).unref();
  }

  /** Of those that ask nothing, the new one is the last that is closed. */
  private makeRoom(): void {
    this.handling.onFull();
    for (const [socket, { isBusy }] of this.open) {
      if (isBusy) continue;
      this.open.delete(socket);
      socket.destroy();
      return;
    }
  }

  private look(): void {
    this.looks += 1;
    if (this.looks === looksForWaiting) this.handling.refuseWaiting(false);
    if (this.looks === looksForParts) this.handling.refuseWaiting(true);
    for (const connection of this.open.values()) connection.endIfStuck(this.looks >= mostLooks);
    if (this.open.size === 0) clearInterval(this.looking);
  }
}

class Connection {
  /** What is under way. */
  private request: IncomingMessage | undefined;
  private response: ServerResponse | undefined;
  private moved = '';
  private stillFor = 0;
  private waiting: Waiting[] = [];
  private readonly pass: Pass;
  private refuseRest: (() => void) | undefined;
  /** What follows cannot be read: no request is taken any more. */
  private isOver = false;
  /** It offers another protocol: the parser reads no more of what has arrived with its end. */
  private offer: IncomingMessage | undefined;

  constructor(
    private readonly all: Connections,
    private readonly socket: Socket,
  ) {
    const { parser } = socket as unknown as Parsed;
    this.pass = parser.onIncoming;
    parser.onIncoming = (request, isKeptAlive) => this.take(request, isKeptAlive);
    const goOn = parser[onRead];
    parser[onRead] = (read) => {
      const isRead = this.offer?.complete === true;
      const hasLost = isRead && typeof read === 'number' && hasMore(parser.getCurrentBuffer(), read);
      if (isRead) this.offer = undefined;
      goOn(read);
      // Where the next request would begin, nobody knows.
      if (hasLost) all.server.emit('clientError', new Error('bytes behind an upgrade are lost'), socket);
    };
    // Node reads on behind each request.
    socket.on('resume', () => this.isFull() && socket.pause());
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.request = request;
    this.response = response;
    response.once('close', () => this.end());
    this.all.handle(request, response);
  }

  get isBusy(): boolean {
    return this.request !== undefined;
  }

  /** One that is not read to its end is refused itself. */
  refuse(refuse: () => void): void {
    this.isOver = true;
    if (this.waiting.at(-1)?.request.complete === false) {
      this.waiting.pop();
      this.all.waiting -= 1;
    }
    if (this.waiting.length === 0) refuse();
    else this.refuseRest = refuse;
  }

  endIfIdle(): void {
    if (!this.request) this.socket.destroySoon();
  }

  endIfStuck(isLate: boolean): void {
    const { bytesRead, bytesWritten, writableLength } = this.socket;
    const { writeQueueSize = 0 } = (this.socket as unknown as { _handle?: { writeQueueSize?: number } })._handle ?? {};
    const moved = [bytesRead, bytesWritten, writableLength, writeQueueSize].join();
    const isClientsTurn = this.request !== undefined && (writableLength > 0 || !this.request.complete);
    this.stillFor = isClientsTurn && moved === this.moved ? this.stillFor + 1 : 0;
    this.moved = moved;
    const isToBeCut = isLate && (isClientsTurn || this.response?.headersSent === true);
    if (this.stillFor >= mostStill || isToBeCut) this.socket.destroy();
  }

  dropWaiting(): void {
    this.all.waiting -= this.waiting.length;
    this.waiting = [];
    // What still comes is read, or the connection would be reset.
    this.socket.resume();
  }

  private take(request: ParsedRequest, isKeptAlive: boolean): number {
    joinSmallChunks(request);
    this.all.note(this.socket, this);
    if (this.isOver) return this.leaveOut(request);
    if (request.upgrade) this.offer = request;
    if (request.method === 'CONNECT' || (!this.request && this.socket.writable)) return this.pass(request, isKeptAlive);
    // Nobody listens for upgrades. Behind a last answer nothing is carried out.
    request.upgrade = false;
    if (this.request) this.wait({ request, isKeptAlive });
    return 0;
  }

  /** It is read, or the connection would be reset before its last answer arrives. */
  private leaveOut(request: ParsedRequest): number {
    request.upgrade = false;
    request.resume();
    return 0;
  }

  private wait(waiting: Waiting): void {
    this.waiting.push(waiting);
    this.all.waiting += 1;
    if (this.isFull()) this.socket.pause();
    if (this.all.waiting > mostWaitingOfAll) this.socket.destroy();
  }

  private isFull(): boolean {
    return this.waiting.length >= mostWaiting;
  }

  private end(): void {
    if (this.waiting.length > 0) setImmediate(() => this.next());
    else this.rest();
  }

  private next(): void {
    if (!this.socket.writable) this.dropWaiting();
    const wasFull = this.isFull();
    const next = this.waiting.shift();
    if (next) {
      this.all.waiting -= 1;
      if (wasFull && !this.isFull()) this.socket.resume();
      this.pass(next.request, next.isKeptAlive);
    } else this.rest();
    if (this.waiting.length === 0) this.refuseRest?.();
  }

  private rest(): void {
    this.request = undefined;
    this.response = undefined;
    this.all.putLast(this.socket, this);
    if (this.all.isClosing) this.endIfIdle();
  }
}

/** Whether a buffer holds more than line breaks behind what was read: between requests they mean nothing. */
function hasMore(buffer: Buffer | undefined, read: number): boolean {
  const rest = buffer?.subarray(read) ?? [];
  return rest.some((byte) => byte !== 10 && byte !== 13);
}
