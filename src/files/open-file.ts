/** A file on the disk that is open. It is closed once nothing of it is under way in a thread. */
import { type FileHandle, open } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { inThread, inThreadAtLast, syncInThread } from '../turns/file-threads.js';
import type { ByteRange } from './file-store.js';

const pieceBytes = 128 * 1024;

/** What was written is brought to the disk at the latest by so many bytes: a slow one may take seconds. */
const mostUnsynced = 32 * 2 ** 20;

interface Opening {
  readonly mode?: number;
  readonly signal?: AbortSignal;
}

export class OpenFile {
  /** Settles once the thread is free again. */
  private last: Promise<unknown> = Promise.resolve();
  private isAbandoned = false;
  private unsynced = 0;

  private constructor(private readonly handle: FileHandle) {}

  /** At the signal it is not opened any more. */
  static open(path: string, flags: 'r' | 'w', { mode, signal }: Opening = {}): Promise<OpenFile> {
    const undo = (file: OpenFile): void => file.abandon();
    return inThread(async () => new OpenFile(await open(path, flags, mode)), { undo, signal });
  }

  /** Gives how many came; 0 at the end. */
  async read(bytes: Buffer, position: number): Promise<number> {
    return (await this.act((handle) => handle.read(bytes, 0, bytes.length, position))).bytesRead;
  }

  async write(bytes: Buffer): Promise<void> {
    await this.act((handle) => handle.writeFile(bytes));
    this.unsynced += bytes.length;
    if (this.unsynced >= mostUnsynced) await this.sync();
  }

  async sync(): Promise<void> {
    await this.act((handle) => handle.sync(), syncInThread);
    this.unsynced = 0;
  }

  close(): Promise<void> {
    return this.act((handle) => handle.close());
  }

  /** Nobody waits for its closing. What has not begun by now does not. */
  abandon(): void {
    this.isAbandoned = true;
    void this.last.then(() => inThreadAtLast(() => this.handle.close()));
  }

  private act<T>(act: (handle: FileHandle) => Promise<T>, run: (act: () => Promise<T>) => Promise<T> = inThread) {
    return run(async () => {
      if (this.isAbandoned) throw new Error('the file is closed');
      const acting = act(this.handle);
      this.last = acting.catch(() => undefined);
      return acting;
    });
  }
}

/** The bytes of a file, piece by piece. */
export class FileBytes extends Readable {
  private at: number;
  private readonly end: number;

  constructor(
    private readonly file: OpenFile,
    { first, last }: ByteRange = { first: 0, last: Number.POSITIVE_INFINITY },
    signal?: AbortSignal,
  ) {
    super({ highWaterMark: pieceBytes });
    this.at = first;
    this.end = last + 1;
    // It may have come already: what ends the bytes has to have its file by then.
    if (signal) addAbortSignal(signal, this);
  }

  override _read(): void {
    this.next().then(
      (bytes) => this.destroyed || this.push(bytes),
      (error: Error) => this.destroy(error),
    );
  }

  private async next(): Promise<Buffer | null> {
    const bytes = Buffer.allocUnsafeSlow(Math.min(pieceBytes, this.end - this.at));
    const count = bytes.length === 0 ? 0 : await this.file.read(bytes, this.at);
    this.at += count;
    return count === 0 ? null : bytes.subarray(0, count);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.file.abandon();
    done(error);
  }
}
