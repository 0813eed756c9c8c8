/** Unpacks a part of a table in pieces, so that memory stays bounded however much a small file unpacks to. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { damaged } from './archive-error.js';
import { partBytes } from './part-filler.js';

/** PostgreSQL writes and reads no longer row by COPY. */
export const longestRow = 2 ** 30;

const pieceBytes = 256 * 1024;

export async function* unpack(name: string, packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: pieceBytes });
  // What fails is thrown by the loop.
  pipeline(Readable.from(packed), gunzip, () => undefined);
  try {
    for await (const piece of gunzip) yield piece as Buffer;
  } catch (error) {
    throw /^Z_/.test(String((error as { code?: unknown }).code)) ? damaged(`${name} cannot be unpacked`) : error;
  }
}

const lineBreak = 0x0a;

/**
 * Counts the rows of a part, which holds 4 MiB of whole rows or one longer row. Refuses anything else as soon as it
 * shows.
 */
export async function countRows(
  name: string,
  pieces: AsyncIterable<Buffer>,
  limits = { part: partBytes, row: longestRow },
): Promise<number> {
  let [bytes, rows, ended] = [0, 0, 0];
  for await (const piece of pieces) {
    for (let at = piece.indexOf(lineBreak); at >= 0; at = piece.indexOf(lineBreak, at + 1)) {
      rows += 1;
      ended = bytes + at + 1;
    }
    bytes += piece.length;
    if (bytes > limits.row) throw damaged(`a row of ${name} is longer than ${limits.row} bytes`);
    if (bytes > limits.part && (rows > 1 || (rows === 1 && ended < bytes)))
      throw damaged(`${name} unpacks to more than ${limits.part} bytes`);
  }
  if (ended < bytes) throw damaged(`the last row of ${name} is cut off`);
  return rows;
}
