/**
 * Brings the method and the target of a request to what routes know, before it is routed: a whole address to its path
 * (RFC 9112, 3.2.2), and a POST to the method that it asks for.
 */
import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../errors.js';
import { unknownOverride } from './edge-error-messages.js';

/** For clients behind what lets only GET and POST through. */
const header = 'x-http-method-override';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Gives the target that is routed. */
export function plainTarget(request: IncomingMessage): string {
  const method = askedMethod(request);
  if (method !== undefined && methods.includes(method)) request.method = method;
  const { url = '/' } = request;
  const whole = /^https?:\/\/([^/?#]+)(.*)$/is.exec(url);
  if (!whole) return url;
  // The address counts, whatever the header says.
  if (request.headers.host !== undefined) request.headers.host = whole[1]!;
  return whole[2]!.startsWith('/') ? whole[2]! : `/${whole[2]}`;
}

/** What is refused once the request has a route. A method that was taken on is one of those. */
export function refusedMethod({ method, headers }: IncomingMessage): ApiError | undefined {
  const asked = askedMethod({ method, headers });
  return asked === undefined || methods.includes(asked) ? undefined : unknownOverride(methods);
}

/** Other methods mean what they say. */
function askedMethod({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): string | undefined {
  const asked = headers[header];
  return method === 'POST' && asked !== undefined ? String(asked).trim().toUpperCase() : undefined;
}
