/**
 * Sends the HTTPS requests of a client that cannot speak HTTP to the service on loopback, and notes them. The client
 * itself stays as it is published: only `request` of `node:https` is another function while it runs.
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

export interface Exchange {
  method: string;
  path: string;
  body: string;
  status: number;
}

export interface Redirected {
  /** What was answered, in order. */
  exchanges: Exchange[];
  restore(): void;
}

type Options = https.RequestOptions & { uri?: unknown };

/** Refuses every host but the one that the client is told. */
export function redirectHttps(base: string, host: string): Redirected {
  const { hostname, port } = new URL(base);
  const original = https.request;
  const exchanges: Exchange[] = [];
  const request = (first: Options | string | URL, ...more: unknown[]) => {
    const { options, listener } = argumentsOf(first, more);
    const asked = options.hostname ?? options.host;
    if (asked !== host) throw new Error(`A client asked for the host ${asked}.`);
    const { method = 'GET', headers, path } = options;
    const sent = http.request({ method, headers, path, hostname, port });
    noteAnswer(sent, exchanges);
    if (listener) sent.on('response', listener);
    return sent;
  };
  https.request = request as typeof https.request;
  return {
    exchanges,
    restore: () => {
      https.request = original;
    },
  };
}

type Listener = (answer: IncomingMessage) => void;

/** `request(options, listener)`, `request(address, listener)` and `request(address, options, listener)`. */
function argumentsOf(first: Options | string | URL, more: unknown[]): { options: Options; listener?: Listener } {
  const listener = more.find((one) => typeof one === 'function') as Listener | undefined;
  if (typeof first !== 'string' && !(first instanceof URL)) return { options: first, listener };
  const { hostname, pathname, search } = new URL(first);
  const options = more.find((one) => typeof one === 'object') as Options | undefined;
  return { options: { path: pathname + search, ...options, hostname }, listener };
}

function noteAnswer(sent: http.ClientRequest, exchanges: Exchange[]): void {
  const pieces: Buffer[] = [];
  for (const name of ['write', 'end'] as const) {
    const original = sent[name].bind(sent) as (...more: unknown[]) => unknown;
    const noting = (piece?: unknown, ...more: unknown[]) => {
      if (typeof piece === 'string' || piece instanceof Uint8Array) pieces.push(Buffer.from(piece as string));
      return original(piece, ...more);
    };
    sent[name] = noting as never;
  }
  sent.prependListener('response', ({ statusCode = 0 }: IncomingMessage) => {
    exchanges.push({
      method: sent.method,
      path: sent.path,
      body: Buffer.concat(pieces).toString(),
      status: statusCode,
    });
  });
}
