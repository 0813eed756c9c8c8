import { expect, it } from 'vitest';
import { mostRanges, parseRanges } from './byte-range.js';

const range = (first: number, last: number) => ({ first, last });
const many = (count: number) => `bytes=${Array.from({ length: count }, (_, at) => `${at * 2}-${at * 2}`)}`;

it.each([
  [undefined, 10, undefined],
  ['bytes=0-3', 10, [range(0, 3)]],
  ['bytes=5-', 10, [range(5, 9)]],
  ['bytes=5-99', 10, [range(5, 9)]],
  ['bytes=-3', 10, [range(7, 9)]],
  ['bytes=-99', 10, [range(0, 9)]],
  ['Bytes= 1 - 2 ', 10, [range(1, 2)]],
  ['bytes=0-1,3-4', 10, [range(0, 1), range(3, 4)]],
  ['bytes=-1 , 0-1', 10, [range(9, 9), range(0, 1)]],
  ['bytes=,0-1,', 10, [range(0, 1)]],
  ['bytes=0-1,10-', 10, [range(0, 1)]],
  ['bytes=0-1,1-2', 10, undefined],
  ['bytes=0-9,-1', 10, undefined],
  ['bytes=0-1,4-3', 10, undefined],
  ['bytes=3-1', 10, undefined],
  ['bytes=-', 10, undefined],
  ['bytes=', 10, undefined],
  ['bytes=a-b', 10, undefined],
  ['lines=0-1', 10, undefined],
  [`bytes=0-${'9'.repeat(30)}`, 10, [range(0, 9)]],
  [`bytes=-${'9'.repeat(400)}`, 10, [range(0, 9)]],
  ['bytes=-1', 0, undefined],
  [many(mostRanges + 1), 100, undefined],
])('%s of %i bytes', (header, size, ranges) => expect(parseRanges(header, size)).toEqual(ranges));

it('as many parts as are answered', () => expect(parseRanges(many(mostRanges), 100)).toHaveLength(mostRanges));

it.each([
  ['bytes=10-', 10],
  ['bytes=10-20', 10],
  ['bytes=10-20,30-40', 10],
  [`bytes=${'9'.repeat(30)}-`, 10],
  ['bytes=-0', 10],
  ['bytes=0-', 0],
])('%s of %i bytes lies behind the file', (header, size) =>
  expect(() => parseRanges(header, size)).toThrow(
    expect.objectContaining({ httpStatus: 416, headers: { 'Content-Range': `bytes */${size}` } }),
  ));
