/**
 * Memory for the bytes that requests hold, in blocks that are used again. V8 frees buffers that have lived for a while
 * only with a collection of its whole heap, which stops the process for tens of milliseconds, and they leave holes in
 * the memory of the process.
 */

/** The size of a block. */
export const blockBytes = 16 * 1024;

/** C libraries give memory of this size back to the system; only what was written to takes any. */
const blocksOfRegion = 2048;

const lookEveryMs = 1000;

export type Block = Buffer;

class Region {
  private readonly memory = new ArrayBuffer(blocksOfRegion * blockBytes);
  /** The first ones are used first. */
  private readonly free = Array.from({ length: blocksOfRegion }, (_, at) => this.block(blocksOfRegion - 1 - at));

  get isFull(): boolean {
    return this.free.length === 0;
  }

  get isUnused(): boolean {
    return this.used === 0;
  }

  get used(): number {
    return blocksOfRegion - this.free.length;
  }

  has(block: Block): boolean {
    return block.buffer === this.memory;
  }

  take(): Block {
    return this.free.pop()!;
  }

  give(block: Block): void {
    this.free.push(block);
  }

  /** Moves the memory to an object so young that the next collection finds it. */
  end(): void {
    structuredClone(this.memory, { transfer: [this.memory] });
  }

  private block(at: number): Block {
    return Buffer.from(this.memory, at * blockBytes, blockBytes);
  }
}

export class BlockPool {
  private readonly regions: Region[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** Blocks are not cleared. */
  take(): Block {
    return (this.regions.find(({ isFull }) => !isFull) ?? this.grow()).take();
  }

  give(block: Block): void {
    this.regions.find((region) => region.has(block))!.give(block);
  }

  /** Blocks that were taken and not given back. */
  get used(): number {
    return this.regions.reduce((sum, region) => sum + region.used, 0);
  }

  /** Bytes that are reserved; those that were never written to take no memory. */
  get reserved(): number {
    return this.regions.length * blocksOfRegion * blockBytes;
  }

  private grow(): Region {
    const region = new Region();
    this.regions.push(region);
    this.timer ??= setInterval(() => this.shrink(), lookEveryMs).unref();
    return region;
  }

  /** Gives an unused region back, one at a time: what comes next may need the others. */
  private shrink(): void {
    const at = this.regions.findLastIndex(({ isUnused }) => isUnused);
    if (at >= 0) this.regions.splice(at, 1)[0]!.end();
    if (this.regions.length > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** The pool that the whole process shares. */
export const blocks = new BlockPool();
