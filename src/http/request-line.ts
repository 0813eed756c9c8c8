/**
 * Brings the method and the target of a request to what routes know, before it is routed: a whole address to its path
 * (RFC 9112, 3.2.2), and a POST that asks for a bulk deletion to a DELETE.
 */
import type { IncomingMessage } from 'node:http';

/** For clients behind what lets only GET and POST through. */
const override = 'x-http-method-override';

/** Where the API documents it. */
const bulk = /^[^?]*\/bulk\/?(?:\?|$)/i;

/** Gives the target that is routed. */
export function plainTarget(request: IncomingMessage): string {
  const target = targetOf(request);
  const asked = request.headers[override];
  const isDeletion = typeof asked === 'string' && asked.trim().toUpperCase() === 'DELETE';
  if (isDeletion && request.method === 'POST' && bulk.test(target)) request.method = 'DELETE';
  return target;
}

function targetOf({ url = '/', headers }: IncomingMessage): string {
  const whole = /^https?:\/\/([^/?#]+)(.*)$/is.exec(url);
  if (!whole) return url;
  // The address counts, whatever the header says.
  if (headers.host !== undefined) headers.host = whole[1]!;
  return whole[2]!.startsWith('/') ? whole[2]! : `/${whole[2]}`;
}
