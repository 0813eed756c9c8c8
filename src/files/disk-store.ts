/** Files in a directory: bytes are written under another name, and renamed once they are on the disk. */
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type ByteRange, type Bytes, type FileStore, FileStoreError, isKey, type StoredObject } from './file-store.js';

const partialSuffix = '.part';

/** How many bytes are written between two looks at the room that is left. */
const lookEvery = 64 * 2 ** 20;

export class DiskStore implements FileStore {
  /** So many bytes of the disk are left to others: a database on it must go on writing. */
  reservedBytes = 256 * 2 ** 20;

  constructor(private readonly root: string) {}

  async write(key: string, bytes: Bytes): Promise<void> {
    const path = this.pathOf(key);
    const partial = path + partialSuffix;
    const file = await ofDisk(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return open(partial, 'w', 0o600);
    });
    try {
      await fill(file, this.whileThereIsRoom(bytes));
      await ofDisk(async () => {
        await rename(partial, path);
        await syncDirectory(dirname(path));
      });
    } catch (error) {
      await rm(partial, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = await open(this.pathOf(key), 'r').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw new FileStoreError(error);
    });
    const bounds = range && { start: range.first, end: range.last };
    return file && createReadStream('', { fd: file, ...bounds });
  }

  async remove(key: string): Promise<void> {
    await ofDisk(() => rm(this.pathOf(key), { force: true }));
    await ofDisk(() => rm(this.pathOf(key) + partialSuffix, { force: true }));
  }

  async *list(): AsyncGenerator<StoredObject> {
    for await (const path of filesBelow(this.root)) {
      const isPartial = path.endsWith(partialSuffix);
      const key = basename(path, partialSuffix);
      const { size, mtime } = await stat(path);
      if (isKey(key)) yield { key, bytes: size, writtenAt: mtime, isPartial };
    }
  }

  private async *whileThereIsRoom(bytes: Bytes): AsyncGenerator<Buffer> {
    let untilLook = 0;
    for await (const chunk of bytes) {
      if (untilLook <= 0) {
        await this.mustHaveRoom();
        untilLook = lookEvery;
      }
      untilLook -= chunk.length;
      yield chunk;
    }
  }

  private async mustHaveRoom(): Promise<void> {
    const { bavail, bsize } = await ofDisk(() => statfs(this.root));
    if (bavail * bsize < this.reservedBytes) throw new FileStoreError(new Error('the disk is nearly full'));
  }

  /** In 256 directories: some file systems slow down with many entries in one. */
  private pathOf(key: string): string {
    if (!isKey(key)) throw new Error('not a key of a file');
    return join(this.root, key.slice(0, 2), key);
  }
}

/** What brings the bytes may fail, too: that is no fault of the disk. */
async function fill(file: FileHandle, bytes: Bytes): Promise<void> {
  try {
    for await (const chunk of bytes) await ofDisk(() => file.writeFile(chunk));
    await ofDisk(() => file.sync());
  } finally {
    await file.close();
  }
}

async function ofDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new FileStoreError(error);
  }
}

/** The name is as safe as the bytes only once the directory is on the disk. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

async function* filesBelow(root: string): AsyncGenerator<string> {
  const directory = await opendir(root, { recursive: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new FileStoreError(error);
  });
  for await (const entry of directory) if (entry.isFile()) yield join(entry.parentPath, entry.name);
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | null)?.code;
