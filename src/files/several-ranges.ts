/**
 * Several parts of a file in one answer (`multipart/byteranges`), each read when the client has taken the one before.
 */
import { Readable } from 'node:stream';
import { type ByteRange, newKey } from './file-store.js';

export interface RangedFile {
  readonly type: string;
  readonly size: number;
  read(range: ByteRange): Promise<Readable>;
}

export interface Multipart {
  readonly type: string;
  readonly length: number;
  readonly bytes: Readable;
}

export function severalRanges(file: RangedFile, ranges: readonly ByteRange[]): Multipart {
  const boundary = newKey();
  const heads = ranges.map((range, at) => headOf(file, range, `${at === 0 ? '' : '\r\n'}--${boundary}`));
  const end = `\r\n--${boundary}--\r\n`;
  const texts = [...heads, end].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return {
    type: `multipart/byteranges; boundary=${boundary}`,
    length: ranges.reduce((sum, { first, last }) => sum + last - first + 1, texts),
    bytes: Readable.from(partsOf(file, ranges, heads, end), { objectMode: false }),
  };
}

const headOf = ({ type, size }: RangedFile, { first, last }: ByteRange, delimiter: string): string =>
  `${delimiter}\r\nContent-Type: ${type}\r\nContent-Range: bytes ${first}-${last}/${size}\r\n\r\n`;

async function* partsOf(file: RangedFile, ranges: readonly ByteRange[], heads: readonly string[], end: string) {
  for (const [at, range] of ranges.entries()) {
    yield Buffer.from(heads[at]!);
    yield* await file.read(range);
  }
  yield Buffer.from(end);
}
