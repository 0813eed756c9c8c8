/** Makes the body of an answer from its texts: a text, one buffer, or, where it is long, pieces sent as the client takes them. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { bufferFor } from './answer-buffers.js';
import type { HeldAnswer } from './answer-room.js';
import type { ApiRequest } from './request.js';

/** A string is copied more than once on its way out; of a large one every copy counts. */
const large = 256 * 1024;

/** Longer ones go out in pieces. */
const whole = 4 * 2 ** 20;

export type Body = string | Buffer | Readable;

export function bodyOf(reply: FastifyReply, texts: readonly string[]): Body {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (texts.length <= smallCount && length < large) return texts.length === 1 ? texts[0]! : texts.join('');
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const { hold } = reply.request as ApiRequest;
  // What is sent at once is held until it is.
  if (hold) hold.isSent = true;
  if (bytes <= whole) return bytesOf(reply, texts, bytes);
  reply.header('content-length', bytes);
  return Readable.from(pieces(texts, hold), { objectMode: false, highWaterMark: pieceLength });
}

const smallCount = 100;

/** Each text is written where it belongs, instead of gluing a text first. */
function bytesOf(reply: FastifyReply, texts: readonly string[], length: number): Buffer {
  const bytes = bufferFor(reply, length);
  let end = 0;
  for (const text of texts) end += bytes.write(text, end);
  return bytes.subarray(0, end);
}

const pieceLength = 64 * 1024;

/** A piece that is asked for tells that those before it were taken. */
function* pieces(texts: readonly string[], hold: HeldAnswer | undefined): Generator<Buffer> {
  for (const text of texts) {
    for (let start = 0; start < text.length; ) {
      const end = endOfPiece(text, start);
      const piece = Buffer.from(text.slice(start, end));
      yield piece;
      hold?.give(piece.length);
      start = end;
    }
  }
}

/** Not between the two halves of a character. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(text.length, start + pieceLength);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
