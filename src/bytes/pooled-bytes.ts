/**
 * Bytes in blocks of the pool. Nobody else gets to see the blocks, but for a moment: they belong to others as soon as
 * they are given back.
 */
import { type Block, blockBytes, blocks } from './block-pool.js';

/** Gives back the blocks of bytes that nobody released, once they are collected. */
const unreleased = new FinalizationRegistry<Block[]>(release);

/** As much as is written to a socket at once. */
const blocksOfPiece = 4;

/** What so many bytes take. */
export const memoryOf = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

export class PooledBytes {
  /** Of the bytes that were appended, and not drained. */
  length = 0;
  private readonly blocks: Block[] = [];

  constructor() {
    unreleased.register(this, this.blocks);
  }

  append(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const used = this.length % blockBytes;
      if (used === 0) this.blocks.push(blocks.take());
      const count = bytes.copy(this.blocks.at(-1)!, used, at);
      this.length += count;
      at += count;
    }
  }

  /** In order. None is to be kept, and nothing is released while they are read. */
  *views(): Generator<Buffer> {
    let left = this.length;
    for (const block of this.blocks) {
      yield block.subarray(0, left);
      left -= blockBytes;
    }
  }

  /** Copies, in order. Blocks are given back behind their copy. */
  *drain(): Generator<Buffer> {
    while (this.blocks.length > 0) {
      const held = this.blocks.splice(0, blocksOfPiece);
      const copy = Buffer.concat(held, Math.min(this.length, held.length * blockBytes));
      this.length -= copy.length;
      release(held);
      yield copy;
    }
  }

  release(): void {
    release(this.blocks);
    this.length = 0;
  }

  toString(encoding: BufferEncoding = 'utf8'): string {
    return Buffer.concat([...this.views()]).toString(encoding);
  }
}

function release(held: Block[]): void {
  for (const block of held.splice(0)) blocks.give(block);
}
