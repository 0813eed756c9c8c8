/**
 * Gathers rows to parts of 4 MiB, which are compressed one at a time: memory stays bounded however many rows there are.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);
export const partBytes = 4 * 2 ** 20;

export class PartFiller {
  parts = 0;
  private readonly gathered = Buffer.allocUnsafe(partBytes);
  private filled = 0;
  private storing = Promise.resolve();

  constructor(private readonly store: (part: number, data: Buffer) => Promise<void>) {}

  /** A promise where no more should come before it is kept. */
  take(bytes: Buffer): Promise<void> | undefined {
    const isFull = this.filled + bytes.length > partBytes;
    if (isFull) this.flush();
    if (bytes.length > partBytes) this.add(Buffer.from(bytes));
    else this.filled += bytes.copy(this.gathered, this.filled);
    return isFull ? this.storing : undefined;
  }

  async finish(): Promise<void> {
    this.flush();
    await this.storing;
  }

  private flush(): void {
    if (this.filled === 0) return;
    this.add(Buffer.from(this.gathered.subarray(0, this.filled)));
    this.filled = 0;
  }

  private add(data: Buffer): void {
    const part = ++this.parts;
    this.storing = this.storing.then(async () => this.store(part, await compress(data, { level: 5 })));
    // Whoever waits for it is notified.
    this.storing.catch(() => undefined);
  }
}
