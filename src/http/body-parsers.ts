/**
 * Takes JSON and XML bodies, and forms of pages, as bytes; what they hold is parsed by the command stage. Everything else is
 * 415, though not here: a body is read before anybody knows who sends it, and who may not call is told that and nothing else.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyLimits } from '../command/payload.js';

const types = ['application/json', 'text/json', 'application/xml', 'text/xml'];

/** What the forms of our pages send: a few short texts. */
const form = 'application/x-www-form-urlencoded';

/** Forms are those of pages, and long queries. */
const formBytes = 64 * 1024;

/** How many bytes a body of this type may have. */
export const bytesAllowed = (contentType = ''): number =>
  contentType.trim().toLowerCase().startsWith(form) ? formBytes : bodyLimits.bytes;

/** Configuration of a route that takes no payload: whatever comes is let be. */
export const withoutBody = { isWithoutBody: true };

export function addBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(form, { parseAs: 'buffer', bodyLimit: formBytes }, (_request, body, done) =>
    done(null, body),
  );
  const options = { parseAs: 'buffer', bodyLimit: bodyLimits.bytes } as const;
  for (const type of types) {
    fastify.addContentTypeParser(type, options, (request, body, done) => {
      done(null, isPlainUtf8(request) ? body : unreadable);
    });
  }
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null, unreadable));
}

/** Makes the headers about a body such as Fastify takes, before it looks at them. */
export function prepareBody(request: FastifyRequest): void {
  const { headers, routeOptions } = request;
  const { isWithoutBody } = (routeOptions.config ?? {}) as Partial<typeof withoutBody>;
  // A type that cannot be read is no obstacle to what is not going to be read.
  if (isWithoutBody && !isReadable(request)) for (const header of aboutBodies) delete headers[header];
  const type = headers['content-type'];
  // Fastify itself refuses what is no media type at all, before anybody is asked for credentials.
  if (type !== undefined && !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/.test(type))
    headers['content-type'] = 'application/octet-stream';
}

/** Stands for a body of another type. */
export const unreadable: unique symbol = Symbol('unreadable');

/** No compression is undone and no other charset read: both have been used to hide what is sent. */
function isPlainUtf8(request: FastifyRequest): boolean {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return false;
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

function isReadable(request: FastifyRequest): boolean {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  return types.includes(type.trim().toLowerCase()) && isPlainUtf8(request);
}

const aboutBodies = ['content-type', 'content-encoding', 'content-length', 'transfer-encoding'];
