/** What a part of an archive may unpack to, and that no more of it is read than shows what is wrong. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countRows, unpack } from './unpack.js';

async function* piecesOf(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

describe('the rows of a part', () => {
  const limits = { part: 8, row: 16 };

  it.each<[string[], number]>([
    [[], 0],
    [['one\n'], 1],
    [['o', 'ne\ntw', 'o\n'], 2],
    [['\n\n\n'], 3],
    [['a row of', ' 13 by\n'], 1],
  ])('%j are %i', async (texts, rows) => expect(await countRows('part', piecesOf(...texts), limits)).toBe(rows));

  it.each<[string[], string]>([
    [['one\ntwo'], 'the last row of part is cut off'],
    [['one\ntwo\n3\n'], 'part unpacks to more than 8 bytes'],
    [['one\n', 'a long row\n'], 'part unpacks to more than 8 bytes'],
    [['seventeen bytes..\n'], 'a row of part is longer than 16 bytes'],
  ])('%j are refused', async (texts, why) => {
    const message = `The archive is damaged: ${why}. Nothing was restored.`;
    await expect(countRows('part', piecesOf(...texts), limits)).rejects.toThrow(message);
  });

  it.each([
    ['a row that never ends', 'x'],
    ['rows that never end', 'x\n'],
  ])('%s are read up to the limit', async (_, text) => {
    let read = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        read += 1;
        yield Buffer.from(text);
      }
    }
    await expect(countRows('part', endless(), limits)).rejects.toThrow('The archive is damaged');
    expect(read).toBeLessThanOrEqual(limits.row + 1);
  });
});

describe('unpacking', () => {
  async function unpacked(...packed: Buffer[]): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of unpack('part', piecesOfBytes(packed))) pieces.push(piece);
    expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024);
    return Buffer.concat(pieces);
  }
  async function* piecesOfBytes(packed: Buffer[]): AsyncGenerator<Buffer> {
    yield* packed;
  }

  it('gives bounded pieces of what a few bytes unpack to', async () => {
    const rows = Buffer.alloc(4 * 2 ** 20, 'row\n');
    expect((await unpacked(gzipSync(rows))).equals(rows)).toBe(true);
  });

  it.each([
    ['no gzip', Buffer.from('rows\n')],
    ['half of one', gzipSync('rows\n').subarray(0, 15)],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s', async (_, packed) => {
    await expect(unpacked(packed)).rejects.toThrow('The archive is damaged: part cannot be unpacked.');
  });
});
