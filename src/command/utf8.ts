/** The text of a body: UTF-8 and nothing else, without its byte order mark. */

import type { PooledBytes } from '../bytes/pooled-bytes.js';
import { malformedBody } from '../errors.js';
import type { Sliced } from '../turns/slices.js';

/** The bytes of a body: a long one is held in blocks. */
export type BodyBytes = Buffer | PooledBytes;

/** So many bytes are decoded without a pause. */
const bytesOfSlice = 128 * 1024;

export function* utf8(body: BodyBytes, format: 'JSON' | 'XML'): Sliced<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const pieces: string[] = [];
  try {
    for (const slice of Buffer.isBuffer(body) ? slicesOf(body) : body.views()) {
      pieces.push(decoder.decode(slice, { stream: true }));
      yield;
    }
    pieces.push(decoder.decode());
  } catch {
    throw malformedBody(format, 'it is not UTF-8.');
  }
  return pieces.join('');
}

function* slicesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += bytesOfSlice) yield body.subarray(at, at + bytesOfSlice);
}
