/** The text of a body in UTF-8, without its byte order mark. */
import { isUtf8 } from 'node:buffer';
import type { PooledBytes } from '../bytes/pooled-bytes.js';
import { type ApiError, notUtf8 } from '../errors.js';

/** The bytes of a body: a long one is held in blocks. */
export type BodyBytes = Buffer | PooledBytes;

export type BodyFormat = 'JSON' | 'XML';

/** Makes the refusal of a body that is not UTF-8. */
type Refusal = (format: BodyFormat) => ApiError;

/**
 * So many bytes become a text at once. V8 keeps longer texts in memory that it asks the system for each time, which
 * takes ten times as long as decoding them.
 */
const bytesOfPiece = 32 * 1024;

const byteOrderMark = '\ufeff';

/** Piece by piece, when asked for: none is empty, and none ends within a character. Errors: that of `refusal`. */
export function* utf8Pieces(body: BodyBytes, format: BodyFormat, refusal: Refusal = notUtf8): Generator<string> {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for (const slice of slicesOf(body)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, slice]) : slice;
    const end = endOfCharacters(bytes);
    // A copy: the bytes of a slice are not to be kept.
    rest = Buffer.from(bytes.subarray(end));
    const piece = decoded(bytes.subarray(0, end), format, refusal);
    const text = isFirst && piece.startsWith(byteOrderMark) ? piece.slice(1) : piece;
    if (piece !== '') isFirst = false;
    if (text !== '') yield text;
  }
  decoded(rest, format, refusal);
}

function decoded(bytes: Buffer, format: BodyFormat, refusal: Refusal): string {
  if (!isUtf8(bytes)) throw refusal(format);
  return bytes.toString('utf8');
}

/** Before a last character that is not whole yet. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return back < lengthOfCharacter(byte) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

const lengthOfCharacter = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);

/** Their bytes are not to be kept. */
export function* slicesOf(body: BodyBytes): Generator<Buffer> {
  if (!Buffer.isBuffer(body)) return yield* body.views();
  for (let at = 0; at < body.length; at += bytesOfPiece) yield body.subarray(at, at + bytesOfPiece);
}
