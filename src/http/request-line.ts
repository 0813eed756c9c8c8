/**
 * Brings the method and the target of a request to what routes know, before it is routed: a whole address to its path
 * (RFC 9112, 3.2.2), parameters without a question mark to some behind one, ampersands as XML escapes them to plain
 * ones, what needs no percent-encoding to itself (RFC 3986, 6.2.2.2), and a POST that asks for a deletion of many, or
 * of a link, to a DELETE.
 */
import type { IncomingMessage } from 'node:http';

/** For clients behind what lets only GET and POST through. */
const override = 'x-http-method-override';

/** Where the API documents it, and a link of an item, where a POST means nothing else. */
const deletable = /^[^?]*\/(?:bulk|\d+\/+[a-z]+\/+\d+)\/*(?:\?|$)/i;

/** Gives the target that is routed. */
export function plainTarget(request: IncomingMessage): string {
  const target = withPlainPath(withAmpersands(withQuestionMark(targetOf(request))));
  const asked = request.headers[override];
  const isDeletion = typeof asked === 'string' && asked.trim().toUpperCase() === 'DELETE';
  if (isDeletion && request.method === 'POST' && deletable.test(target)) request.method = 'DELETE';
  return target;
}

function targetOf({ url = '/', headers }: IncomingMessage): string {
  const whole = /^https?:\/\/([^/?#]+)(.*)$/is.exec(url);
  if (!whole) return url;
  // The address counts, whatever the header says, and where HTTP/1.0 has none.
  headers.host = whole[1]!;
  return whole[2]!.startsWith('/') ? whole[2]! : `/${whole[2]}`;
}

/** Some clients write `/api/v1/Tasks/&format=json`: no segment of a path begins with an ampersand. */
const withQuestionMark = (target: string): string =>
  target.replace(/^(\/+api\/+v1\/[^?&]*)\/&(?:amp;)?([^?]*)\??/i, (_, path, query) => `${path}?${query}&`);

/** Scripts cut links out of XML as they stand there. No parameter has a name that begins so. */
function withAmpersands(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end) + target.slice(end).replaceAll('&amp;', '&');
}

/** In the path alone: the query is read by parts, and decoded there. */
function withPlainPath(target: string): string {
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  if (!path.includes('%') || malformed.test(path)) return target;
  return `${path.replace(encodedPlain, (encoded) => decodeURIComponent(encoded))}${target.slice(path.length)}`;
}

/** Letters, digits and `-._~`, encoded. Other encodings are passed over as a whole: `%2561` is not `%61`. */
const encodedPlain = /%(?:[46][1-9a-f]|[57][0-9a]|3\d|2[de]|5f|7e)/gi;

/** Left for the router to refuse: what is decoded here must not complete it. */
const malformed = /%(?![\da-f]{2})/i;
