/** What is kept of a PNG, chunk by chunk. */
import { describe, expect, it } from 'vitest';
import { barePng, keptParts, mostChunks } from './bare-png.js';
import { PictureError } from './picture-error.js';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Checksums are the decoder's. */
function chunk(type: string, length = 0): Buffer {
  const bytes = Buffer.alloc(length + 12);
  bytes.writeUInt32BE(length);
  bytes.write(type, 4, 'latin1');
  return bytes;
}

const png = (...chunks: readonly Buffer[]): Buffer => Buffer.concat([signature, ...chunks]);
const chunks = (types: readonly string[]): Buffer[] => types.map((type) => chunk(type));

describe('of a PNG', () => {
  it.each([
    ['what draws it stays', ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'], ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']],
    ['texts and unknown chunks go', ['IHDR', 'zTXt', 'iTXt', 'abCd', 'IDAT', 'IEND'], ['IHDR', 'IDAT', 'IEND']],
    ['colours count once', ['IHDR', 'gAMA', 'gAMA', 'iCCP', 'iCCP', 'IDAT'], ['IHDR', 'gAMA', 'iCCP', 'IDAT']],
    ['pixels stay, however often', ['IHDR', 'IDAT', 'IDAT', 'IDAT', 'IEND'], ['IHDR', 'IDAT', 'IDAT', 'IDAT', 'IEND']],
    ['what is behind the end goes', ['IHDR', 'IEND', 'IDAT'], ['IHDR', 'IEND']],
  ])('%s', (_, given, kept) => {
    expect(barePng(png(...chunks(given))).equals(png(...chunks(kept)))).toBe(true);
  });

  it('a profile of more than 1 MiB goes, and so does a chunk that is cut off', () => {
    const bytes = png(chunk('IHDR', 13), chunk('iCCP', 2 ** 20), chunk('IDAT', 9), chunk('IDAT', 9).subarray(0, 20));
    expect(barePng(bytes).equals(png(chunk('IHDR', 13), chunk('IDAT', 9)))).toBe(true);
  });

  it('chunks that stand side by side are one part', () => {
    const bytes = png(...chunks(['IHDR', ...Array(1000).fill('IDAT'), 'tEXt', 'IDAT', 'IEND']));
    expect(keptParts(bytes)).toEqual([
      { from: 8, to: 8 + 1001 * 12 },
      { from: 8 + 1002 * 12, to: 8 + 1004 * 12 },
    ]);
  });

  it.each(['IDAT', 'tEXt', 'gAMA'])('%s without end is no picture', (type) => {
    const most = Array.from({ length: mostChunks }, () => chunk(type));
    expect(() => barePng(png(...most))).not.toThrow();
    expect(() => barePng(png(...most, chunk(type)))).toThrow(PictureError);
  });
});
