/** The text of a body: UTF-8 and nothing else, without its byte order mark. */
import { malformedBody } from '../errors.js';
import type { Sliced } from '../slices.js';

/** So many bytes are decoded without a pause. */
const bytesOfSlice = 128 * 1024;

export function* utf8(body: Buffer, format: 'JSON' | 'XML'): Sliced<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const pieces: string[] = [];
  try {
    for (let at = 0; at < body.length; at += bytesOfSlice) {
      pieces.push(decoder.decode(body.subarray(at, at + bytesOfSlice), { stream: true }));
      yield;
    }
    pieces.push(decoder.decode());
  } catch {
    throw malformedBody(format, 'it is not UTF-8.');
  }
  return pieces.join('');
}
