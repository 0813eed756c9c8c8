/**
 * Makes the body of an answer from its texts: a text, one buffer, or, where it is long, pieces sent as the client takes
 * them.
 */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { memoryOf } from '../bytes/pooled-bytes.js';
import { bytesOf, release, type Text, viewsOf } from '../bytes/text-bytes.js';
import { inTurns } from '../turns/slices.js';
import { bufferFor } from './answer-buffers.js';
import type { HeldAnswer } from './answer-room.js';
import { collectGarbageAfter } from './collect-garbage.js';
import type { ApiRequest } from './request.js';

/** A string is copied more than once on its way out; of a large one every copy counts. */
const large = 256 * 1024;

/** Longer ones go out in pieces. */
const whole = 4 * 2 ** 20;

export type Body = string | Buffer | Readable;

export function bodyOf(reply: FastifyReply, texts: readonly Text[]): Body {
  if (texts.length <= smallCount && isShortText(texts)) return texts.length === 1 ? texts[0]! : texts.join('');
  const bytes = texts.reduce((sum, text) => sum + bytesOf(text), 0);
  const { hold } = reply.request as ApiRequest;
  // What is sent at once is held until it is.
  if (hold) hold.isSent = true;
  if (bytes <= whole) return bufferOf(reply, texts, bytes);
  reply.header('content-length', bytes);
  const left = [...texts];
  const body = Readable.from(piecesOf(left, hold), { objectMode: false, highWaterMark: pieceLength });
  // A generator that nobody asked for anything has nothing that runs at its end.
  return body.once('close', () => left.forEach(release));
}

const smallCount = 100;

const isShortText = (texts: readonly Text[]): texts is readonly string[] =>
  texts.every((text) => typeof text === 'string') && texts.reduce((sum, { length }) => sum + length, 0) < large;

/** Each text is written where it belongs, instead of gluing one first. */
function bufferOf(reply: FastifyReply, texts: readonly Text[], length: number): Buffer {
  const bytes = bufferFor(reply, length);
  let end = 0;
  for (const text of texts) {
    for (const view of viewsOf(text)) end += typeof view === 'string' ? bytes.write(view, end) : view.copy(bytes, end);
    release(text);
  }
  return bytes.subarray(0, end);
}

const pieceLength = 64 * 1024;

/**
 * A piece that is asked for tells that those before it were taken. Nothing keeps these: the texts are taken out of
 * their list.
 */
export const piecesOf = (texts: Text[], hold: HeldAnswer | undefined): AsyncGenerator<Buffer> =>
  inTurns(drained(texts, hold));

function* drained(texts: Text[], hold: HeldAnswer | undefined): Generator<Buffer> {
  for (let text = texts[0]; text !== undefined; texts.shift(), text = texts[0]) {
    for (const piece of typeof text === 'string' ? encoded(text) : text.drain()) {
      yield piece;
      const bytes = piece.length;
      collectGarbageAfter(bytes);
      hold?.give({ bytes, memory: typeof text === 'string' ? bytes : memoryOf(bytes) });
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
