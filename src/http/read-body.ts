/** Reads a body as bytes, as far as there is room for it. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { bodyTooLarge } from '../errors.js';
import type { BodyRoom, HeldBody } from './body-room.js';
import { malformedRequest } from './edge-error-messages.js';
import { readInTurns } from './reading-turns.js';

export interface Reading {
  /** Errors: 400, 408, 413, 503. */
  readonly bytes: Promise<Buffer>;
  /** To be left once the request is answered. */
  readonly held: HeldBody;
}

export function readBody(request: IncomingMessage, limit: number, room: BodyRoom): Reading {
  const { promise, resolve, reject } = resolvers<Buffer>();
  const chunks: Buffer[] = [];
  const listeners = {
    data(chunk: Buffer): void {
      chunks.push(chunk);
      if (held.bytes + chunk.length > limit) fail(bodyTooLarge(limit));
      else if (held.add(chunk.length)) readInTurns(request, chunk.length);
      else request.pause();
    },
    end(): void {
      leave();
      held.isWhole = true;
      resolve(Buffer.concat(chunks));
    },
    error: (): void => fail(malformedRequest()),
    close: (): void => fail(malformedRequest()),
  };
  const leave = (): void => {
    for (const [event, listener] of Object.entries(listeners)) request.off(event, listener);
  };
  const fail = (refusal: Error): void => {
    leave();
    held.leave();
    reject(refusal);
    // The rest is dropped.
    request.resume();
  };
  const held = room.enter({ goOn: () => request.resume(), fail });
  for (const [event, listener] of Object.entries(listeners)) request.on(event, listener);
  return { bytes: promise, held };
}

function resolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((one, other) => {
    [resolve, reject] = [one, other];
  });
  return { promise, resolve, reject };
}

/** Those that asked first, by `Expect: 100-continue`. */
const asking = new WeakMap<IncomingMessage, ServerResponse>();

/** Whoever asks first is told to send the body once it is going to be read, and not before. */
export function continueWhenRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    asking.set(request, response);
    server.emit('request', request, response);
  });
}

export const tellToContinue = (request: IncomingMessage): void => asking.get(request)?.writeContinue();
