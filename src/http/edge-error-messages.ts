/** What the edge says of requests that cannot be read, in the words of `errors.ts`. */
import { ApiError, badRequest } from '../errors.js';

export const malformedRequest = (): ApiError => badRequest('The request is not well formed.', 'MalformedRequest');

export const malformedAddress = (): ApiError =>
  badRequest(
    'The address is not well formed. Spaces and characters beyond ASCII are percent-encoded in UTF-8.',
    'MalformedRequest',
  );

export const unknownTransferCoding = (): ApiError =>
  badRequest('Transfer-Encoding: only chunked is taken.', 'MalformedRequest');

export const codingOfOlderVersion = (version: string): ApiError =>
  badRequest(`Transfer-Encoding: HTTP/${version} does not know of it.`, 'MalformedRequest');

export const unknownVersion = (): ApiError =>
  badRequest('The request is neither of HTTP/1.1 nor of HTTP/1.0.', 'MalformedRequest');

export const twoHeaders = (name: string): ApiError =>
  badRequest(`The request has two headers ${name}.`, 'MalformedRequest');

export const unknownExpectation = (): ApiError =>
  new ApiError('ExpectationFailed', 'Expect: only 100-continue can be met.');

/** The most headers of a request. */
export const mostHeaders = 500;

export const headersTooLarge = (limit: number): ApiError =>
  new ApiError(
    'RequestHeaderFieldsTooLarge',
    `The address and the headers together are longer than ${limit} bytes, or the request has more than ${mostHeaders} headers.`,
  );

export const tooManyHeaders = (): ApiError =>
  new ApiError('RequestHeaderFieldsTooLarge', `The request has more than ${mostHeaders} headers.`);

export const requestTimedOut = (): ApiError =>
  new ApiError('RequestTimeout', 'The request did not arrive in time. Send it again.');

export const noHost = (): ApiError => badRequest('The request names no host.', 'MalformedRequest');

export const malformedHost = (): ApiError =>
  badRequest('The host of the request is not well formed.', 'MalformedRequest');

export const twoHosts = (): ApiError => badRequest('The request names two hosts.', 'MalformedRequest');
