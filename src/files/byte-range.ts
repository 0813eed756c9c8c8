/** Which part of a file is asked for by `Range` (RFC 9110, 14). Several parts at once are answered with the whole file. */
import { ApiError } from '../errors.js';
import type { ByteRange } from './file-store.js';

/** Undefined: the whole file. Errors: 416. */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const range = from === '' ? lastOf(size, Number(to)) : { first: Number(from), last: endOf(to, size) };
  // An end before the start makes a header that says nothing.
  if (to !== '' && from !== '' && Number(to) < Number(from)) return undefined;
  if (range.first >= size || range.last < range.first) throw notSatisfiable(size);
  return range;
}

const lastOf = (size: number, count: number): ByteRange => ({ first: Math.max(0, size - count), last: size - 1 });

const endOf = (to: string, size: number): number => (to === '' ? size - 1 : Math.min(Number(to), size - 1));

const notSatisfiable = (size: number): ApiError =>
  new ApiError('RangeNotSatisfiable', `The file has ${size} bytes; the range lies behind them.`, {
    'Content-Range': `bytes */${size}`,
  });
