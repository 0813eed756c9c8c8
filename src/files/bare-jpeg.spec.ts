/** What is kept of a JPEG, segment by segment. */
import { describe, expect, it } from 'vitest';
import { bareJpeg, mostSegments } from './bare-jpeg.js';
import { PictureError } from './picture-error.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const start = 'ffd8';
const pixels = 'ffda 0002 aabbff00 ffd9';

describe('of a JPEG', () => {
  it.each([
    [
      'tables and pixels stay',
      ['ffdb 000301', 'ffc0 0002', 'ffc4 0002', pixels],
      ['ffdb 000301', 'ffc0 0002', 'ffc4 0002', pixels],
    ],
    [
      'size, side, profile and colours stay',
      ['ffe0 0002', 'ffe1 000301', 'ffe2 0002', 'ffee 0002', pixels],
      ['ffe0 0002', 'ffe1 000301', 'ffe2 0002', 'ffee 0002', pixels],
    ],
    ['notes and other applications go', ['fffe 000361', 'ffed 0002', 'ffe5 0002', 'ffef 0002', pixels], [pixels]],
    ['bytes that fill up go', ['ffff ffdb 0002', pixels], ['ffdb 0002', pixels]],
    ['pixels stay whatever they are', [pixels, 'fffe 0002'], [pixels, 'fffe 0002']],
    ['a segment that is cut off stays', ['ffdb 0009 01'], ['ffdb 0009 01']],
    ['what is no segment stays', ['00112233'], ['00112233']],
  ])('%s', (_, given, kept) => {
    expect(bareJpeg(hex(start + given.join(''))).toString('hex')).toBe(hex(start + kept.join('')).toString('hex'));
  });

  it('of applications 300 stay', () => {
    const bytes = Buffer.concat([hex(start), Buffer.alloc(4 * 400, hex('ffe1 0002')), hex(pixels)]);
    expect(bareJpeg(bytes).length).toBe(2 + 4 * 300 + hex(pixels).length);
  });

  it.each(['fffe 0002', 'ffe1 0002', 'ffdb 0002', 'ffff ffff'])('%s without end is no picture', (segment) => {
    const bytes = Buffer.concat([hex(start), Buffer.alloc(4 * (mostSegments + 1), hex(segment)), hex(pixels)]);
    expect(() => bareJpeg(bytes)).toThrow(PictureError);
  });
});
