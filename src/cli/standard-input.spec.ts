/** Standard input that comes in any pieces, and what is not UTF-8. */
import { describe, expect, it } from 'vitest';
import { linesOf, textOf } from './standard-input.js';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const piece of pieces) taken.push(piece);
  return taken;
}

const bytes = (text: string): Buffer => Buffer.from(text);

describe('textOf', () => {
  it.each(['', 'a', 'é€😀', '\ufeffa\r\nb', 'a\ufffdb'])('%j comes whole in pieces of any size', async (text) => {
    for (const size of [1, 2, 3, 5, 100]) expect((await all(textOf(inPieces(bytes(text), size)))).join('')).toBe(text);
  });

  it.each([
    [0xff],
    [0x61, 0xc3],
    [0xed, 0xa0, 0x80],
    [0xc0, 0xaf],
    [0xe9, 0x61],
  ])('%j… is refused', async (...given) => {
    for (const size of [1, 100])
      await expect(all(textOf(inPieces(Buffer.from(given), size)))).rejects.toThrow('Standard input is not UTF-8.');
  });
});

describe('linesOf', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\nb\r\n', ['a', '', 'b\r']],
    ['a\u2028b\rc\u0085d\né', ['a\u2028b\rc\u0085d', 'é']],
  ])('%j', async (text, lines) => {
    for (const size of [1, 2, 100]) expect(await all(linesOf(inPieces(bytes(text), size)))).toEqual(lines);
  });

  it('a line that is too long is undefined, and the others stay', async () => {
    const given = bytes(`abcd\nabcde\n${'x'.repeat(100)}\nb\nabcde`);
    const lines = ['abcd', undefined, undefined, 'b', undefined];
    for (const size of [1, 3, 1000]) expect(await all(linesOf(inPieces(given, size), 4))).toEqual(lines);
  });

  it('a line that is not UTF-8 is undefined, and the others stay', async () => {
    const given = Buffer.concat([bytes('a\n'), Buffer.from([0xff]), bytes('\nb')]);
    for (const size of [1, 2, 100]) expect(await all(linesOf(inPieces(given, size)))).toEqual(['a', undefined, 'b']);
  });
});
