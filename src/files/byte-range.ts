/** Which parts of a file are asked for by `Range` (RFC 9110, 14). */
import { ApiError } from '../errors.js';
import type { ByteRange } from './file-store.js';

/** More parts than these are answered with the whole file, and so are parts that overlap. */
export const mostRanges = 16;

/** Undefined: the whole file. Errors: 416. */
export function parseRanges(header: string | undefined, size: number): ByteRange[] | undefined {
  const set = /^bytes=(.*)$/is.exec(header?.trim() ?? '')?.[1];
  const parts = set?.split(',').map((part) => part.trim());
  const asked = parts?.filter((part) => part !== '').map((part) => asRange(part, size)) ?? [];
  if (asked.length === 0 || asked.length > mostRanges || asked.includes(undefined)) return undefined;
  const ranges = (asked as ByteRange[]).filter(({ first, last }) => first < size && first <= last);
  if (ranges.length === 0) throw notSatisfiable(size);
  return overlap(ranges) ? undefined : ranges;
}

/** Undefined: it says nothing. Beyond the end of the file it is a range without bytes. */
function asRange(part: string, size: number): ByteRange | undefined {
  const [, from, to] = /^(\d*)\s*-\s*(\d*)$/.exec(part) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '') return to !== '' && Number(to) < Number(from) ? undefined : { first: Number(from), last };
  // The last bytes of an empty file are all of it, which no range tells.
  if (size === 0 && Number(to) > 0) return undefined;
  return { first: Math.max(0, size - Number(to)), last: size - 1 };
}

function overlap(ranges: readonly ByteRange[]): boolean {
  const sorted = ranges.toSorted((one, other) => one.first - other.first);
  return sorted.some(({ first }, at) => at > 0 && first <= sorted[at - 1]!.last);
}

const notSatisfiable = (size: number): ApiError =>
  new ApiError('RangeNotSatisfiable', `The file has ${size} bytes; the range lies behind them.`, {
    'Content-Range': `bytes */${size}`,
  });
