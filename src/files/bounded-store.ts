/** Keeps all files together within a number of bytes. What several processes receive within ten seconds may go beyond it. */
import { conflict } from '../errors.js';
import type { ByteRange, Bytes, FileStore } from './file-store.js';

const freshMs = 10_000;

export class BoundedStore implements FileStore {
  private stored = 0;
  private readAt = Number.NEGATIVE_INFINITY;
  private underWay = 0;
  /** Of writes that have ended since it was asked what is stored. */
  private added = 0;

  constructor(
    private readonly store: FileStore,
    private readonly limit: number,
    private readonly bytesStored: () => Promise<number>,
  ) {}

  async write(key: string, bytes: Bytes): Promise<void> {
    await this.refresh();
    const counted = { bytes: 0 };
    try {
      await this.store.write(key, this.counting(bytes, counted));
      this.added += counted.bytes;
    } finally {
      this.underWay -= counted.bytes;
    }
  }

  read(key: string, range?: ByteRange) {
    return this.store.read(key, range);
  }

  remove(key: string): Promise<void> {
    return this.store.remove(key);
  }

  list() {
    return this.store.list();
  }

  private async *counting(bytes: Bytes, counted: { bytes: number }): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      counted.bytes += chunk.length;
      this.underWay += chunk.length;
      if (this.total > this.limit) throw noRoom(this.limit);
      yield chunk;
    }
  }

  private async refresh(): Promise<void> {
    const now = performance.now();
    if (now - this.readAt < freshMs && this.total < this.limit) return;
    this.readAt = now;
    this.added = 0;
    this.stored = await this.bytesStored();
  }

  private get total(): number {
    return this.stored + this.added + this.underWay;
  }
}

const noRoom = (limit: number) =>
  conflict(`There is no room for this file: all files together may take ${limit} bytes.`);
