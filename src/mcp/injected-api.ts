/**
 * Calls of the API from within the service, with the credentials of a request: each passes the same checks, limits and
 * turns as a request that comes over the network, and is logged like one.
 */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Api, type ApiCall, addressOf, contentOf, warningIn } from '../client/api.js';
import { queryCredential } from '../http/query-credential.js';
import { rawQuery } from '../http/request.js';
import { inOwnTurn } from '../turns/slices.js';
import { ToolError } from './tool.js';

/** Of one answer; tools ask for far less. */
const mostBytes = 2 * 2 ** 20;
/** Longer ones are read, and what follows is done, one in a turn of the event loop. */
const quickCharacters = 64 * 1024;

export class InjectedApi implements Api {
  private readonly headers: Record<string, string>;
  private readonly credentials: [name: string, value: string][];

  constructor(
    private readonly fastify: Pick<FastifyInstance, 'inject'>,
    private readonly request: FastifyRequest,
    /** When the client leaves: nothing is asked for it any more. */
    private readonly left: AbortSignal,
  ) {
    this.headers = { ...passedOn(request), 'x-request-id': request.id, accept: 'application/json' };
    const query = rawQuery(request);
    this.credentials = (['token', 'access_token'] as const).flatMap((name) => {
      const value = queryCredential(query, name);
      return value === undefined ? [] : [[name, value]];
    });
  }

  async call<T>(call: ApiCall, warn?: (text: string) => void): Promise<T> {
    try {
      this.left.throwIfAborted();
      return await this.answerTo<T>(call, warn);
    } catch (error) {
      throw this.left.aborted ? new ToolError('The client is gone.') : error;
    }
  }

  private async answerTo<T>(call: ApiCall, warn?: (text: string) => void): Promise<T> {
    const answer = await this.fastify.inject({
      method: call.method,
      url: addressOf({ ...call, query: { ...call.query, ...Object.fromEntries(this.credentials) } }),
      headers: { ...this.headers, ...(call.body !== undefined && { 'content-type': 'application/json' }) },
      ...(call.body !== undefined && { payload: JSON.stringify(call.body) }),
      remoteAddress: this.request.socket.remoteAddress,
      payloadAsStream: true,
      signal: this.left,
    });
    const warning = warningIn(String(answer.headers.warning ?? ''));
    if (warning) warn?.(warning);
    const retryAfter = answer.headers['retry-after'];
    const text = await textOf(answer.stream());
    const content = (): T => contentOf<T>(answer.statusCode, text, { retryAfter: retryAfter && String(retryAfter) });
    return text.length > quickCharacters ? inOwnTurn(content) : content();
  }
}

/** Who asks, and by which address; no cookie, which another site may have sent. */
const passing = [
  'authorization',
  'x-access-token',
  'host',
  'traceparent',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
];

function passedOn({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    passing.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

async function textOf(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new ToolError('The answer is too long: ask for fewer fields, or fewer items by take.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
