import { expect, it } from 'vitest';
import { parseRange } from './byte-range.js';

it.each([
  [undefined, 10, undefined],
  ['bytes=0-3', 10, { first: 0, last: 3 }],
  ['bytes=5-', 10, { first: 5, last: 9 }],
  ['bytes=5-99', 10, { first: 5, last: 9 }],
  ['bytes=-3', 10, { first: 7, last: 9 }],
  ['bytes=-99', 10, { first: 0, last: 9 }],
  ['Bytes= 1 - 2 ', 10, { first: 1, last: 2 }],
  ['bytes=0-1,3-4', 10, undefined],
  ['bytes=3-1', 10, undefined],
  ['bytes=-', 10, undefined],
  ['bytes=a-b', 10, undefined],
  ['lines=0-1', 10, undefined],
  [`bytes=0-${'9'.repeat(30)}`, 10, undefined],
])('%s of %i bytes', (header, size, range) => expect(parseRange(header, size)).toEqual(range));

it.each([
  ['bytes=10-', 10],
  ['bytes=10-20', 10],
  ['bytes=-0', 10],
  ['bytes=0-', 0],
  ['bytes=-1', 0],
])('%s of %i bytes lies behind the file', (header, size) =>
  expect(() => parseRange(header, size)).toThrow(
    expect.objectContaining({ code: 416, headers: { 'Content-Range': `bytes */${size}` } }),
  ));
