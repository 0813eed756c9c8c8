/**
 * Takes JSON and XML bodies, and forms, as bytes; what they hold is parsed by the command stage. A GET may have a form,
 * which holds parameters of its address, and perhaps a credential; other bodies of a GET are ignored. Nothing else is
 * read before its caller is let in. Other types are 415, though not here: whoever may not call gets that and nothing
 * else.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PooledBytes } from '../bytes/pooled-bytes.js';
import { charsetNamed } from '../command/charset.js';
import { bodyLimits } from '../command/payload.js';
import type { BodyBytes } from '../command/utf8.js';
import { bodyTooLarge, unsupportedMedia } from '../errors.js';
import { limits } from '../query/limits.js';
import type { BodyRoom } from './body-room.js';
import type { BodyTurns } from './body-turns.js';
import { isForm } from './form.js';
import { charsetIn, mediaType } from './format.js';
import { addMultipart } from './multipart.js';
import { readBody, tellToContinue } from './read-body.js';
import { renewActor } from './renew-actor.js';
import type { ApiRequest } from './request.js';
import { routeFacts } from './route-facts.js';

const types = ['application/json', 'text/json', 'application/xml', 'text/xml'];

/** Forms are those of pages, and long queries. */
const formBytes = 64 * 1024;

/** How many bytes the body of this request may have. */
export function bytesAllowed(request: FastifyRequest): number {
  if (isRead(request.method)) return limits.queryBytes;
  const { openBodyBytes, bodyBytes } = routeFacts(request);
  return openBodyBytes ?? bodyBytes ?? (isForm(request) ? formBytes : bodyLimits.bytes);
}

/** Finds the caller and lets him in. Throws what he is refused with. */
export type Admit = (request: ApiRequest, reply: FastifyReply) => void | Promise<void>;

/** How requests get in, and what holds their bodies until they are answered. */
interface Edge {
  admit: Admit;
  /** Whether nothing but the form of a GET may tell who calls. */
  hasNoCredential(request: ApiRequest): boolean;
  room: BodyRoom;
  turns: BodyTurns;
}

export function addBodyParsers(fastify: FastifyInstance, edge: Edge): void {
  const leaveForm = addMultipart(fastify);
  fastify.removeAllContentTypeParsers();
  // Runs behind all hooks that answer without looking at the caller, such as those for scripts of other sites.
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    const entering = enter(request as ApiRequest, reply, edge);
    if (entering === undefined) done();
    else entering.then(() => done(), done);
  });
  fastify.addContentTypeParser('*', async (request: FastifyRequest) => {
    if (isPassedOver(request)) return undefined;
    if (isTakenByRoute(request)) return leaveForm(request);
    if (takesUntyped(request as ApiRequest)) return readUntyped(request, edge);
    return isReadable(request) ? read(request, edge) : unreadable;
  });
  // What was made of the body is done with once there is an answer.
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    for (const leave of (request as ApiRequest).leaving?.splice(0) ?? []) leave();
    request.body = undefined;
    done();
  });
}

/** Without a promise where there is nothing to wait for. */
function enter(request: ApiRequest, reply: FastifyReply, edge: Edge): void | Promise<void> {
  if (takesQueryForm(request)) return readQueryForm(request, reply, edge);
  if (isRead(request.method) || !hasBody(request)) return undefined;
  clearType(request);
  const isOpen = isPassedOver(request) || routeFacts(request).openBodyBytes !== undefined;
  return isOpen ? undefined : edge.admit(request, reply);
}

async function readQueryForm(request: ApiRequest, reply: FastifyReply, edge: Edge): Promise<void> {
  if (edge.hasNoCredential(request) && isBrief(request)) {
    request.isNamedByForm = true;
    await takeForm(request, edge);
    return edge.admit(request, reply);
  }
  await edge.admit(request, reply);
  if (!isPlainUtf8(request)) throw unsupportedMedia(['form']);
  await takeForm(request, edge);
}

async function takeForm(request: ApiRequest, edge: Edge): Promise<void> {
  request.queryForm = (await read(request, edge)).toString('latin1');
}

/** A form with a `Content-Length`, and that an address may have. */
const isBrief = (request: ApiRequest): boolean =>
  Number(request.headers['content-length']) <= limits.queryBytes && isPlainUtf8(request);

async function read(request: FastifyRequest, { room, turns }: Edge): Promise<BodyBytes> {
  const limit = bytesAllowed(request);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit);
  tellToContinue(request.raw);
  const reading = readBody(request.raw, limit, room);
  const leaving = [() => reading.held.leave()];
  (request as ApiRequest).leaving = leaving;
  const bytes = await reading.bytes;
  if (bytes instanceof PooledBytes) leaving.push(() => bytes.release());
  const turn = await turns.enter((request as ApiRequest).actor?.userId ?? nobody, bytes.length, request.raw.socket);
  if (turn) leaving.push(turn);
  // What the caller may do can have changed since he was let in.
  await renewActor(request as ApiRequest);
  return bytes;
}

/** The body, which has the type that its first character tells from here on. */
async function readUntyped(request: FastifyRequest, edge: Edge): Promise<BodyBytes | typeof unreadable> {
  const body = await read(request, edge);
  const type = typeOf(body);
  if (type === undefined) return unreadable;
  request.headers['content-type'] = type;
  return body;
}

/** Behind a byte order mark and white space. */
function typeOf(body: BodyBytes): string | undefined {
  const [start] = Buffer.isBuffer(body) ? [body] : body.views();
  const [, first] = /^(?:\xef\xbb\xbf)?[ \t\r\n]*([{[<])/.exec(start?.toString('latin1') ?? '') ?? [];
  if (first === undefined) return undefined;
  return first === '<' ? 'application/xml' : 'application/json';
}

/** Whoever sends what needs no credentials. */
const nobody = 0;

/** Stands for a body of another type. */
export const unreadable: unique symbol = Symbol('unreadable');

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-type'] !== undefined || hasBytes(headers);
}

const hasBytes = ({ 'content-length': length, 'transfer-encoding': encoding }: FastifyRequest['headers']): boolean =>
  encoding !== undefined || (length !== undefined && length !== '0');

/** Routes that all need credentials, that of unknown addresses among them. */
const isOfApi = ({ routeOptions }: FastifyRequest): boolean => /^\/api(?:\/|$)/.test(routeOptions.url ?? '');

const takesQueryForm = (request: FastifyRequest): boolean =>
  isRead(request.method) && hasBytes(request.headers) && isForm(request) && isOfApi(request);

const isPassedOver = (request: FastifyRequest): boolean => request.is404 || routeFacts(request).isWithoutBody === true;

/** Whether the body is a multipart form that the route reads itself. */
export const isTakenByRoute = (request: FastifyRequest): boolean =>
  routeFacts(request).takesFiles === true &&
  mediaType(request.headers['content-type']) === 'multipart/form-data' &&
  isPlainUtf8(request);

/** Fastify itself refuses what is no media type at all. */
function clearType({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type !== undefined && !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/.test(type))
    headers['content-type'] = 'application/octet-stream';
}

/**
 * A page of any site can make a browser send a body without a type, and with it the cookie or the password that the
 * browser keeps. So what names no type must come from a program, with a credential of its own.
 */
function takesUntyped(request: ApiRequest): boolean {
  const { headers, isSession, params } = request;
  if (headers['content-type'] !== undefined || isSession || isByPage(request) || !isPlainUtf8(request)) return false;
  return routeFacts(request).takesUntyped?.(params as Record<string, string>) === true;
}

/** Browsers send one of them, or both, with whatever is no GET. */
const isByPage = ({ headers }: ApiRequest): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

const isReadable = (request: FastifyRequest): boolean =>
  isForm(request) ? isPlainUtf8(request) : isReadableText(request);

const isReadableText = ({ headers }: FastifyRequest): boolean =>
  isPlain(headers) &&
  types.includes(mediaType(headers['content-type'])) &&
  charsetNamed(charsetIn(headers['content-type']) ?? 'utf-8') !== undefined;

const isPlainUtf8 = ({ headers }: FastifyRequest): boolean =>
  isPlain(headers) && /^utf-?8$/i.test(charsetIn(headers['content-type']) ?? 'utf-8');

/** No compression is undone: it has been used to hide what is sent. */
const isPlain = ({ 'content-encoding': encoding }: FastifyRequest['headers']): boolean =>
  encoding === undefined || encoding === 'identity';
