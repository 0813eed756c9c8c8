/** Makes the body of an answer from its texts: a text, one buffer, or, where it is long, pieces sent as the client takes them. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Piece } from '../text-bytes.js';
import { bufferFor } from './answer-buffers.js';
import type { HeldAnswer } from './answer-room.js';
import type { ApiRequest } from './request.js';

/** A string is copied more than once on its way out; of a large one every copy counts. */
const large = 256 * 1024;

/** Longer ones go out in pieces. */
const whole = 4 * 2 ** 20;

export type Body = string | Buffer | Readable;

export function bodyOf(reply: FastifyReply, pieces: readonly Piece[]): Body {
  if (pieces.length <= smallCount && isShortText(pieces)) return pieces.length === 1 ? pieces[0]! : pieces.join('');
  const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  const { hold } = reply.request as ApiRequest;
  // What is sent at once is held until it is.
  if (hold) hold.isSent = true;
  if (bytes <= whole) return bytesOf(reply, pieces, bytes);
  reply.header('content-length', bytes);
  return Readable.from(sent([...pieces], hold), { objectMode: false, highWaterMark: pieceLength });
}

const smallCount = 100;

const isShortText = (pieces: readonly Piece[]): pieces is readonly string[] =>
  pieces.every((piece) => typeof piece === 'string') && pieces.reduce((sum, { length }) => sum + length, 0) < large;

/** Each piece is written where it belongs, instead of gluing a text first. */
function bytesOf(reply: FastifyReply, pieces: readonly Piece[], length: number): Buffer {
  const bytes = bufferFor(reply, length);
  let end = 0;
  for (const piece of pieces) end += typeof piece === 'string' ? bytes.write(piece, end) : piece.copy(bytes, end);
  return bytes.subarray(0, end);
}

const pieceLength = 64 * 1024;

/** A piece that is asked for tells that those before it were taken. Nothing keeps these: the pieces are taken out of their list. */
function* sent(pieces: Piece[], hold: HeldAnswer | undefined): Generator<Buffer> {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    for (const bytes of typeof piece === 'string' ? encoded(piece) : [piece]) {
      yield bytes;
      hold?.give(bytes.length);
    }
  }
}

function* encoded(text: string): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    yield Buffer.from(text.slice(start, end));
    start = end;
  }
}

/** Not between the two halves of a character. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(text.length, start + pieceLength);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
