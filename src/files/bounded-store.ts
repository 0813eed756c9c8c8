/**
 * Keeps all files together within a number of bytes. What is received is refused by what this process knows, which may
 * be ten seconds old; the row of a file is refused by what the database holds, wherever that can come near the bound.
 */
import type { Work } from '../command/change.js';
import { conflict } from '../errors.js';
import type { AtMost, ByteRange, Bytes, FileStore } from './file-store.js';

const freshMs = 10_000;

/** Farther from the bound than other processes can come within that time, none is asked. */
const leastMargin = 4 * 2 ** 30;

export const bytesOfFiles = 'select coalesce(sum(size), 0)::text as sum from attachment';

const lockFiles = "select pg_advisory_xact_lock(hashtextextended('worktrack files', 0))";

/** A write under way: what it has brought, and what it may bring. */
interface Counted {
  bytes: number;
  readonly atMost?: AtMost;
}

const roomOf = ({ bytes, atMost }: Counted): number => Math.max(bytes, atMost?.() ?? 0);

export class BoundedStore implements FileStore {
  private stored = 0;
  /** When that was so; nothing is known before. */
  private readAt = Number.NEGATIVE_INFINITY;
  private asking: Promise<void> | undefined;
  private readonly underWay = new Set<Counted>();
  /** Of writes that have ended since it was asked what is stored. */
  private added = 0;

  constructor(
    private readonly store: FileStore,
    private readonly limit: number,
    private readonly bytesStored: () => Promise<number>,
  ) {}

  async write(key: string, bytes: Bytes, atMost?: AtMost): Promise<void> {
    await this.refresh();
    const counted: Counted = { bytes: 0, atMost };
    this.underWay.add(counted);
    try {
      if (roomOf(counted) > 0) this.mustHaveRoom();
      await this.store.write(key, this.counting(bytes, counted), atMost);
      this.added += counted.bytes;
    } finally {
      this.underWay.delete(counted);
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
      const room = roomOf(counted);
      counted.bytes += chunk.length;
      if (roomOf(counted) > room) this.mustHaveRoom();
      yield chunk;
    }
  }

  private mustHaveRoom(): void {
    if (this.total > this.limit) throw noRoom(this.limit);
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
    const underWay = [...this.underWay].reduce((sum, counted) => sum + roomOf(counted), 0);
    return this.stored + this.added + underWay;
  }
}

const noRoom = (limit: number) =>
  conflict(`There is no room for this file: all files together may take ${limit} bytes.`);
