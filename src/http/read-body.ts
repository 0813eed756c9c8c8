/** Reads a body as bytes, as far as there is room for it. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { PooledBytes } from '../bytes/pooled-bytes.js';
import type { BodyBytes } from '../command/utf8.js';
import { bodyTooLarge } from '../errors.js';
import type { BodyRoom, HeldBody } from './body-room.js';
import { collectGarbageAfter } from './collect-garbage.js';
import { malformedRequest } from './edge-error-messages.js';
import { readingTurns } from './reading-turns.js';

export interface Reading {
  /** Errors: 400, 408, 413, 503. */
  readonly bytes: Promise<BodyBytes>;
  /** To be left once the request is answered. */
  readonly held: HeldBody;
}

export function readBody(request: IncomingMessage, limit: number, room: BodyRoom): Reading {
  const { promise, resolve, reject } = resolvers<BodyBytes>();
  const collected = new CollectedBytes();
  const listeners = {
    data(chunk: Buffer): void {
      collected.add(chunk);
      if (held.bytes + chunk.length > limit) fail(bodyTooLarge(limit));
      else if (held.add(chunk.length)) readingTurns.read(request, chunk.length);
      else request.pause();
    },
    end(): void {
      leave();
      held.end();
      resolve(collected.bytes);
    },
    error: (): void => fail(malformedRequest()),
    close: (): void => fail(malformedRequest()),
  };
  const leave = (): void => {
    for (const [event, listener] of Object.entries(listeners)) request.off(event, listener);
  };
  const fail = (refusal: Error): void => {
    leave();
    collected.release();
    held.leave();
    reject(refusal);
    // The rest is dropped.
    request.resume();
  };
  const held = room.enter({ goOn: () => request.resume(), fail });
  for (const [event, listener] of Object.entries(listeners)) request.on(event, listener);
  // Whose client has left already tells nothing more.
  if (request.destroyed) fail(malformedRequest());
  return { bytes: promise, held };
}

/** Whether a body was read; its bytes then. */
export const isBytes = (body: unknown): body is BodyBytes => Buffer.isBuffer(body) || body instanceof PooledBytes;

/** Shorter bodies come in a chunk or two. */
const long = 64 * 1024;

/** The chunks of a short body, or the bytes of a long one. */
class CollectedBytes {
  private readonly chunks: Buffer[] = [];
  private pooled: PooledBytes | undefined;
  private length = 0;

  get bytes(): BodyBytes {
    return this.pooled ?? Buffer.concat(this.chunks);
  }

  add(chunk: Buffer): void {
    this.length += chunk.length;
    this.chunks.push(chunk);
    if (this.length <= long) return;
    this.pooled ??= new PooledBytes();
    for (const one of this.chunks.splice(0)) this.pooled.append(one);
    collectGarbageAfter(chunk.length);
  }

  release(): void {
    this.pooled?.release();
  }
}

function resolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((one, other) => {
    [resolve, reject] = [one, other];
  });
  return { promise, resolve, reject };
}

/** Requests that asked first, by `Expect: 100-continue`. */
const asking = new WeakMap<IncomingMessage, ServerResponse>();

/** Whoever asks first is invited to send the body once it is going to be read, and not before. */
export function continueWhenRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    asking.set(request, response);
    server.emit('request', request, response);
  });
  // Node would answer by itself; it is refused like anything else.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

export const tellToContinue = (request: IncomingMessage): void => asking.get(request)?.writeContinue();
