/**
 * Refuses requests that ask the connection for what it does not do, and those that programs on the way may have read
 * differently, before anything reads them.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../errors.js';
import {
  codingOfOlderVersion,
  mostHeaders,
  tooManyHeaders,
  twoHeaders,
  unknownExpectation,
  unknownTransferCoding,
  unknownVersion,
} from './edge-error-messages.js';
import { refusedHost } from './request-host.js';

export const refusedRequest = (request: FastifyRequest, reply: FastifyReply): ApiError | undefined =>
  last(refusedVersion(request) ?? refusedNumber(request) ?? refusedTwins(request), reply) ??
  refusedHost(request, reply) ??
  last(refusedCoding(request), reply) ??
  refusedExpectation(request);

/** The connection ends: a proxy may see the next request begin at another byte. */
function last(refusal: ApiError | undefined, reply: FastifyReply): ApiError | undefined {
  if (refusal) reply.header('connection', 'close');
  return refusal;
}

/** Node also takes 0.9, without a version in the line, and 2.0. */
function refusedVersion({ raw: { httpVersion } }: FastifyRequest): ApiError | undefined {
  return httpVersion === '1.1' || httpVersion === '1.0' ? undefined : unknownVersion();
}

/** Node passes over what comes behind as many as it is set to read, such as a precondition. */
function refusedNumber({ raw: { rawHeaders } }: FastifyRequest): ApiError | undefined {
  return rawHeaders.length > 2 * mostHeaders ? tooManyHeaders() : undefined;
}

/** Node passes over the second one. Of what may come twice it makes a list. */
const single = ['Authorization', 'Content-Type'].map((name) => ({ name, key: name.toLowerCase() }));

function refusedTwins({ raw: { rawHeaders } }: FastifyRequest): ApiError | undefined {
  const twin = single.find(({ key }) => {
    let times = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]!;
      if (name.length === key.length && name.toLowerCase() === key) times += 1;
    }
    return times > 1;
  });
  return twin && twoHeaders(twin.name);
}

/** Node takes the last coding off and leaves the others on, and takes one of older versions, which have none. */
function refusedCoding({ headers, raw: { httpVersion } }: FastifyRequest): ApiError | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion !== '1.1') return codingOfOlderVersion(httpVersion);
  return coding.trim().toLowerCase() === 'chunked' ? undefined : unknownTransferCoding();
}

/** Older versions of HTTP do not know of expectations. */
function refusedExpectation({ raw: { headers, httpVersion } }: FastifyRequest): ApiError | undefined {
  const { expect } = headers;
  const isMet = expect === undefined || httpVersion !== '1.1' || expect.trim().toLowerCase() === '100-continue';
  return isMet ? undefined : unknownExpectation();
}
