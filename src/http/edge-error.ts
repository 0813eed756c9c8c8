/**
 * Answers what never became a request: a first line or headers that cannot be read, too many of them, or none in time.
 * Node tells of it before there is a request, so the answer is written to the connection itself, which then ends: where
 * the next request would begin, nobody knows.
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, methodNotAllowed } from '../errors.js';
import { limits } from '../query/limits.js';
import { isBusy, noteMalformed, refuseInTurn } from './connections.js';
import { headersTooLarge, malformedAddress, malformedRequest, requestTimedOut } from './edge-error-messages.js';
import { errorText } from './error.filter.js';
import { formatForError, negotiable } from './format.js';
import { mayTakeTime } from './long-requests.js';

/** Room for the longest query text that is allowed and as much again. */
export const longestHeaders = 2 * limits.queryBytes;

/** As Node keeps it: the answer that the connection is busy with. */
type Connection = Socket & { _httpMessage?: ServerResponse<IncomingMessage> | null };

/** Called with each refusal, for the log. */
export type Note = (error: NodeJS.ErrnoException, errorId: string) => void;

/** Node tells again whatever else arrives there. */
const answered = new WeakSet<Socket>();

export const answerEdgeErrors =
  (note: Note) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (answered.has(socket) || (isLate(error) && mayTakeTime(socket))) return;
    answered.add(socket);
    if (error.code?.startsWith('HPE_') && error.code !== 'HPE_INVALID_EOF_STATE') noteMalformed(socket);
    const act = (): void => refuse(error, socket, note);
    refuseInTurn(socket, isLate(error) ? () => later(act) : act);
  };

/** Of connections that are late: Node tells of all of them in one turn of the event loop. */
const refusals: (() => void)[] = [];
const mostInTurn = 16;

function later(act: () => void): void {
  if (refusals.push(act) === 1) setImmediate(refuseSome);
}

function refuseSome(): void {
  for (const act of refusals.slice(0, mostInTurn)) act();
  refusals.splice(0, mostInTurn);
  if (refusals.length > 0) setImmediate(refuseSome);
}

const isLate = ({ code }: NodeJS.ErrnoException): boolean => code === 'ERR_HTTP_REQUEST_TIMEOUT';

/** CONNECT asks for a way through the service. Node closes the connection where nobody answers. */
export function refuseTunnels(server: Server, note: Note): void {
  server.on('connect', (request, stream) => {
    const socket = stream as Socket;
    // Nobody else listens any more.
    socket.on('error', () => socket.destroy()).resume();
    // An answer of its own would stand in the place of that to a request before it.
    if (isBusy(socket)) return void socket.destroy();
    const errorId = randomUUID();
    note(Object.assign(new Error(), { code: 'CONNECT' }), errorId);
    socket.end(spelled(methodNotAllowed('CONNECT', ['GET', 'HEAD', 'POST', 'DELETE']), errorId, request));
    linger(socket);
  });
}

function refuse(error: NodeJS.ErrnoException, socket: Connection, note: Note): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = socket._httpMessage;
  if (answer?.req.complete) {
    // What cannot be read stands behind a request that could: that one has its answer first.
    answer.once('finish', () => refuse(error, socket, note));
    return;
  }
  if (answer?.headersSent) {
    // A second answer would be read as the rest of the first.
    socket.destroy();
    return;
  }
  const errorId = randomUUID();
  note(error, errorId);
  const meaning = meaningOf(error);
  const text = spelled(meaning, errorId, answer?.req ?? { headers: {} });
  // One that is late could still come, and be carried out although it was refused.
  if (meaning.status === 'RequestTimeout') socket.end(text, () => socket.destroy());
  else {
    socket.end(text);
    linger(socket);
  }
}

function meaningOf({ code, reason }: NodeJS.ErrnoException & { reason?: string }): ApiError {
  // A space has ended the address.
  if (reason?.startsWith('Expected HTTP/')) return malformedAddress();
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge(longestHeaders);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimedOut();
    case 'HPE_INVALID_URL':
      return malformedAddress();
    default:
      return malformedRequest();
  }
}

/** Of a client nothing is known, unless it is the body that cannot be read. */
function spelled(answer: ApiError, errorId: string, asked: Pick<IncomingMessage, 'method' | 'headers'>): string {
  const format = formatForError(negotiable(undefined, asked));
  const text = errorText(answer, errorId, format);
  return [
    `HTTP/1.1 ${answer.httpStatus} ${STATUS_CODES[answer.httpStatus]}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${format.contentType}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    text,
  ].join('\r\n');
}

/** A connection that is closed while its client still speaks is reset, and takes the answer with it. */
function linger(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), 2000).unref();
  socket.once('close', () => clearTimeout(timer));
}
