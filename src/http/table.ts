/** The body of a table in CSV. It is made a few rows at a time, between which the event loop turns. */
import { StringDecoder } from 'node:string_decoder';
import type { FastifyReply } from 'fastify';
import { PooledBytes } from '../bytes/pooled-bytes.js';
import type { Text } from '../bytes/text-bytes.js';
import type { ItemTexts } from '../representation/csv.js';
import { inSlices, type Sliced } from '../turns/slices.js';
import { type Body, bodyOf } from './answer-body.js';
import { nobodyWaits } from './answer-room.js';
import type { ApiRequest } from './request.js';

export async function tableOf(
  texts: readonly Text[],
  rows: (lines: ItemTexts) => Iterable<string>,
  reply: FastifyReply,
): Promise<Body> {
  return bodyOf(reply, await inSlices(gathered(rows(linesOf(texts)), reply.request as ApiRequest)));
}

/** So much is turned into bytes at once. */
const pieceLength = 2 ** 16;

function* gathered(rows: Iterable<string>, { hold }: ApiRequest): Sliced<Text[]> {
  let text = '';
  let bytes: PooledBytes | undefined;
  for (const row of rows) {
    text += row;
    if (text.length >= pieceLength) {
      bytes ??= new PooledBytes();
      bytes.append(Buffer.from(text));
      text = '';
    }
    yield;
    if (hold?.isGone) throw nobodyWaits();
  }
  return bytes ? [bytes, text] : [text];
}

const linesOf = (texts: readonly Text[]): ItemTexts => ({
  views: () => linesIn(texts, (text) => text.views()),
  drain: () => linesIn(texts, (text) => text.drain()),
});

/** Texts hold whole lines. */
function* linesIn(texts: readonly Text[], piecesOf: (text: PooledBytes) => Iterable<Buffer>): Generator<string> {
  for (const text of texts) {
    if (typeof text === 'string') yield* text.split('\n');
    else yield* linesOfPieces(piecesOf(text));
  }
}

const lineBreak = 0x0a;

/** Empty ones stand between parts of a long line, which takes a while to decode. */
function* linesOfPieces(pieces: Iterable<Buffer>): Generator<string> {
  const decoder = new StringDecoder('utf8');
  let line = '';
  for (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(lineBreak); end >= 0; end = piece.indexOf(lineBreak, start)) {
      yield line + decoder.end(piece.subarray(start, end));
      line = '';
      start = end + 1;
    }
    line += decoder.write(piece.subarray(start));
    yield '';
  }
  yield line + decoder.end();
}
