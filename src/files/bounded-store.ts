/**
 * Keeps all files together within a number of bytes. What is received is refused by what this process knows, which may
 * be ten seconds old; the row of a file is refused by what the database holds, wherever that can come near the bound.
 */
import type { Work } from '../command/change.js';
import { conflict } from '../errors.js';
import type { ByteRange, Bytes, FileStore } from './file-store.js';

const freshMs = 10_000;

/** Farther from the bound than other processes can come within that time, none is asked. */
const leastMargin = 4 * 2 ** 30;

export const bytesOfFiles = 'select coalesce(sum(size), 0)::text as sum from attachment';

const lockFiles = "select pg_advisory_xact_lock(hashtextextended('worktrack files', 0))";

/** What a write has brought, and what is kept free for it. */
interface Counted {
  bytes: number;
  room: number;
}

export class BoundedStore implements FileStore {
  private stored = 0;
  /** When that was so; nothing is known before. */
  private readAt = Number.NEGATIVE_INFINITY;
  private asking: Promise<void> | undefined;
  private underWay = 0;
  /** Of writes that have ended since it was asked what is stored. */
  private added = 0;

  constructor(
    private readonly store: FileStore,
    private readonly limit: number,
    private readonly bytesStored: () => Promise<number>,
  ) {}

  async write(key: string, bytes: Bytes, atMost = 0): Promise<void> {
    await this.refresh();
    const counted = { bytes: 0, room: 0 };
    try {
      this.make(counted, atMost);
      await this.store.write(key, this.counting(bytes, counted), atMost || undefined);
      this.added += counted.bytes;
    } finally {
      this.underWay -= counted.room;
    }
  }

  /** Whether so many bytes of new rows fit. Errors: 409. */
  async mustFit(bytes: number, { rows }: Pick<Work, 'rows'>): Promise<void> {
    if (this.isRecent && this.total + bytes + Math.max(leastMargin, this.limit / 4) < this.limit) return;
    // One process after another: each sees the rows of those before.
    await rows(lockFiles);
    const [row] = await rows<{ sum: string }>(bytesOfFiles);
    if (Number(row!.sum) + bytes > this.limit) throw noRoom(this.limit);
  }

  read(key: string, range?: ByteRange, signal?: AbortSignal) {
    return this.store.read(key, range, signal);
  }

  remove(key: string): Promise<void> {
    return this.store.remove(key);
  }

  removePartial(key: string): Promise<void> {
    return this.store.removePartial(key);
  }

  list() {
    return this.store.list();
  }

  private async *counting(bytes: Bytes, counted: Counted): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      counted.bytes += chunk.length;
      this.make(counted, counted.bytes);
      yield chunk;
    }
  }

  private make(counted: Counted, bytes: number): void {
    const more = Math.max(0, bytes - counted.room);
    counted.room += more;
    this.underWay += more;
    if (more > 0 && this.total > this.limit) throw noRoom(this.limit);
  }

  private async refresh(): Promise<void> {
    if (this.isRecent && this.total < this.limit) return;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    await this.asking;
  }

  private async ask(): Promise<void> {
    const [askedAt, before] = [performance.now(), this.added];
    this.stored = await this.bytesStored();
    this.readAt = askedAt;
    this.added -= before;
  }

  private get isRecent(): boolean {
    return performance.now() - this.readAt < freshMs;
  }

  private get total(): number {
    return this.stored + this.added + this.underWay;
  }
}

const noRoom = (limit: number) =>
  conflict(`There is no room for this file: all files together may take ${limit} bytes.`);
