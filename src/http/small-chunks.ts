/**
 * Puts the small chunks of a body together, and reads on in few such bodies at a time. Node makes an event and a buffer
 * of each chunk, so that bodies that come byte by byte would take hundreds of times their bytes, and the event loop for
 * as long as all of them together bring more.
 */
import type { IncomingMessage } from 'node:http';

/** A chunk of so many bytes is passed on as it is. */
const large = 1024;
/** The smallest piece of memory in which chunks are put together. */
const leastOfPiece = 1024;
/** So few are copied one by one more quickly. */
const fewBytes = 16;
/** Small chunks in one turn of the loop, as far as is known beforehand. */
const chunksInTurn = 4096;
/** Where one connection has brought so many in a turn, others that are read wait for another. */
const manyChunks = 1024;
/** As which each connection counts, whatever it brought. */
const leastOfConnection = 256;
/** What one is taken for that has brought nothing yet. A read of 64 KiB holds 11,000 at most. */
const firstOfConnection = 2048;

/** To be called before the first chunk comes. */
export function joinSmallChunks(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] !== undefined) new JoinedChunks(request);
}

class JoinedChunks {
  /** Small ones that came when the connection was read the last time. */
  chunks = firstOfConnection;
  private readonly push: IncomingMessage['push'];
  private readonly readConnection: IncomingMessage['_read'];
  private isRead = false;
  private isPassing = false;
  private piece = Buffer.alloc(0);
  private used = 0;

  constructor(private readonly request: IncomingMessage) {
    this.push = request.push.bind(request);
    this.readConnection = request._read.bind(request);
    // Node's parser calls it, with null at the end.
    request.push = (chunk: Buffer | null) => this.take(chunk);
    request._read = () => this.await();
    request.socket.pause();
    request.once('close', () => turns.leave(this));
  }

  read(): void {
    if (this.request.complete) return;
    this.chunks = 0;
    if (!this.isRead) Object.assign(this.request, { _consuming: false });
    this.isRead = true;
    this.readConnection(0);
  }

  /** Until it is its turn again. */
  wait(): void {
    if (!this.request.complete) this.request.socket.pause();
  }

  private await(): void {
    // What Node notes when it first reads for somebody. Of a request that nobody reads it takes the rest in one go.
    Object.assign(this.request, { _consuming: true });
    turns.await(this);
  }

  /** Whether the connection is to be read any further now. */
  private take(chunk: Buffer | null): boolean {
    if (chunk === null || chunk.length >= large) {
      this.pass();
      const isMoreWanted = this.push(chunk);
      if (!isMoreWanted || chunk === null) turns.leave(this);
      return isMoreWanted;
    }
    this.add(chunk);
    this.chunks += 1;
    if (this.chunks === 1) turns.leave(this);
    if (this.chunks === manyChunks) turns.makeOthersWait();
    if (!this.isPassing) {
      this.isPassing = true;
      setImmediate(() => this.pass());
    }
    return false;
  }

  /** What is read of a connection in one go is 64 KiB. */
  private add(chunk: Buffer): void {
    const end = this.used + chunk.length;
    if (end > this.piece.length) this.piece = Buffer.concat([this.piece], Math.max(leastOfPiece, 2 * end));
    if (chunk.length > fewBytes) this.piece.set(chunk, this.used);
    else for (let at = 0; at < chunk.length; at++) this.piece[this.used + at] = chunk[at]!;
    this.used = end;
  }

  /** Once it has what there is, the stream asks for more, unless that is enough. */
  private pass(): void {
    this.isPassing = false;
    if (this.used === 0 || this.request.destroyed) return;
    const passed = Buffer.from(this.piece.subarray(0, this.used));
    this.used = 0;
    this.push(passed);
  }
}

class Turns {
  /** In the order in which they go on. */
  private readonly waiting = new Set<JoinedChunks>();
  /** What they bring is not known yet. */
  private readonly reading = new Set<JoinedChunks>();
  private isEnding = false;

  await(joined: JoinedChunks): void {
    this.waiting.add(joined);
    this.awaitNext();
  }

  /** It is read no more. */
  leave(joined: JoinedChunks): void {
    this.reading.delete(joined);
    this.waiting.delete(joined);
  }

  makeOthersWait(): void {
    for (const joined of this.reading) {
      joined.wait();
      this.await(joined);
    }
    this.reading.clear();
  }

  private awaitNext(): void {
    if (this.isEnding) return;
    this.isEnding = true;
    setImmediate(() => this.begin());
  }

  private begin(): void {
    this.isEnding = false;
    let left = chunksInTurn;
    for (const joined of this.waiting) {
      if (left <= 0) break;
      left -= Math.max(leastOfConnection, joined.chunks);
      this.waiting.delete(joined);
      this.reading.add(joined);
      joined.read();
    }
    if (this.waiting.size > 0) this.awaitNext();
  }
}

const turns = new Turns();
