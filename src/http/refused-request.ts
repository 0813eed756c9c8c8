/** Refuses requests that ask the connection for what it does not do, before anything reads them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../errors.js';
import { unknownExpectation, unknownTransferCoding } from './edge-error-messages.js';
import { refusedHost } from './request-host.js';

export const refusedRequest = (request: FastifyRequest, reply: FastifyReply): ApiError | undefined =>
  refusedHost(request, reply) ?? refusedCoding(request, reply) ?? refusedExpectation(request);

/** Node takes the last coding off and leaves the others on. */
function refusedCoding({ headers }: FastifyRequest, reply: FastifyReply): ApiError | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return undefined;
  reply.header('connection', 'close');
  return unknownTransferCoding();
}

/** Older versions of HTTP do not know of expectations. */
function refusedExpectation({ raw: { headers, httpVersion } }: FastifyRequest): ApiError | undefined {
  const { expect } = headers;
  const isMet = expect === undefined || httpVersion !== '1.1' || expect.trim().toLowerCase() === '100-continue';
  return isMet ? undefined : unknownExpectation();
}
