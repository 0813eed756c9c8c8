/** Files in a directory: bytes are written under another name, and renamed once they are on the disk. */
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileStoreError } from '../errors.js';
import { type AtMost, type ByteRange, type Bytes, type FileStore, isKey, type StoredObject } from './file-store.js';
import { isRunning, machine, partialSuffix } from './partial-name.js';

const partialName = /^([0-9a-f]{32})(?:\.([0-9a-f]{8})-(\d{1,10}))?\.part$/;

/** The paths that this process writes to, for whatever store of it. */
const writing = new Set<string>();

/** A write under way: what is set aside for it from its first byte on, and what is written. */
interface Claim {
  aside: number;
  written: number;
  readonly atMost?: AtMost;
}

/** What is set aside and not written yet. */
const leftOf = ({ aside, written, atMost }: Claim): number =>
  Math.max(0, Math.min(aside, atMost?.() ?? aside) - written);

/** So many bytes are set aside at once for a file of unknown length. */
const step = 8 * 2 ** 20;

/**
 * Whether a directory that is missing, or in which nothing was stored yet, is a new one. Else its volume is away, and
 * what were written below the mount point would be hidden by its return.
 */
export type IsNew = () => boolean | Promise<boolean>;

export class DiskStore implements FileStore {
  /** So many bytes of the disk are left to others: a database on it must go on writing. */
  reservedBytes = 256 * 2 ** 20;

  private readonly claims = new Set<Claim>();

  private constructor(
    private readonly root: string,
    private readonly isNew: IsNew,
  ) {}

  /** The directory is made here alone, where it is missing and nothing can be in it. */
  static async open(root: string, isNew: IsNew): Promise<DiskStore> {
    // Who stores no files may have a disk that cannot be written to.
    if (!existsSync(root) && (await isNew()))
      await mkdir(root, { recursive: true, mode: 0o700 }).catch(() => undefined);
    return new DiskStore(root, isNew);
  }

  isAway(): Promise<boolean> {
    return ofDisk(async () => {
      if ((await hasStored(this.root)) || (await this.isNew())) return false;
      // Another process may have stored the first file meanwhile.
      return !(await hasStored(this.root));
    });
  }

  async markPlace(): Promise<void> {
    await ofDisk(() => mkdir(join(this.root, '00'), { recursive: true, mode: 0o700 }));
  }

  async write(key: string, bytes: Bytes, atMost?: AtMost): Promise<void> {
    const path = this.pathOf(key);
    const partial = path + partialSuffix;
    writing.add(partial);
    try {
      await this.writeVia(partial, path, bytes, atMost);
    } finally {
      writing.delete(partial);
    }
  }

  private async writeVia(partial: string, path: string, bytes: Bytes, atMost?: AtMost): Promise<void> {
    const file = (await this.ifThere(() => open(partial, 'w', 0o600))) ?? (await this.openFirst(partial));
    try {
      await fill(file, this.whileThereIsRoom(bytes, atMost));
      await ofDisk(async () => {
        await rename(partial, path);
        await syncDirectory(dirname(path));
      });
    } catch (error) {
      await rm(partial, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Of its folder. */
  private openFirst(partial: string): Promise<FileHandle> {
    return ofDisk(async () => {
      await mkdir(dirname(partial), { mode: 0o700 }).catch(unless('EEXIST'));
      return open(partial, 'w', 0o600);
    });
  }

  async read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable | undefined> {
    const file = await this.ifThere(() => open(this.pathOf(key), 'r'));
    const bounds = range && { start: range.first, end: range.last };
    return file && createReadStream('', { fd: file, signal, ...bounds });
  }

  async remove(key: string): Promise<void> {
    await this.ifThere(() => rm(this.pathOf(key)));
  }

  async removePartial(key: string): Promise<void> {
    const directory = dirname(this.pathOf(key));
    for (const name of await namesIn(directory))
      if (partialName.exec(name)?.[1] === key) await ofDisk(() => rm(join(directory, name), { force: true }));
  }

  async sweep(): Promise<void> {
    for (const directory of await namesIn(this.root)) {
      for (const name of await namesIn(join(this.root, directory))) {
        const path = join(this.root, directory, name);
        const [, , where, pid] = partialName.exec(name) ?? [];
        const isOurs = where === machine && (Number(pid) === process.pid ? !writing.has(path) : !isRunning(pid!));
        if (isOurs) await rm(path, { force: true });
      }
    }
  }

  async *list(): AsyncGenerator<StoredObject> {
    for await (const path of filesBelow(this.root)) {
      const partial = partialName.exec(basename(path));
      const isPartial = partial !== null;
      const key = partial?.[1] ?? basename(path);
      // What lies elsewhere than it is read from is not ours.
      if (!isKey(key) || dirname(path) !== dirname(this.pathOf(key))) continue;
      const status = await ofDisk(() => stat(path).catch(unlessGone));
      // It was removed, or has another name by now, under which it comes or has come.
      if (status) yield { key, bytes: status.size, writtenAt: status.mtime, isPartial };
    }
  }

  private async *whileThereIsRoom(bytes: Bytes, atMost?: AtMost): AsyncGenerator<Buffer> {
    const claim: Claim = { aside: 0, written: 0, atMost };
    this.claims.add(claim);
    try {
      for await (const chunk of bytes) {
        const needed = claim.written + chunk.length;
        if (claim.aside < needed) await this.setAside(claim, Math.max(needed, atMost?.() ?? claim.aside + step));
        yield chunk;
        claim.written = needed;
      }
    } finally {
      this.claims.delete(claim);
    }
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await ofDisk(() => statfs(this.root));
    return bavail * bsize;
  }

  /** What others have set aside is theirs, though the disk does not know it yet. */
  private async setAside(claim: Claim, bytes: number): Promise<void> {
    const free = await this.freeBytes();
    claim.aside = bytes;
    const claimed = [...this.claims].reduce((sum, one) => sum + leftOf(one), 0);
    if (free - claimed < this.reservedBytes) throw new FileStoreError(new Error('the disk is nearly full'));
  }

  /** Undefined: the file, or its folder, is not there. Of a volume that is away nobody knows that. */
  private ifThere<T>(act: () => Promise<T>): Promise<T | undefined> {
    return ofDisk(async () => {
      try {
        return await act();
      } catch (error) {
        unless('ENOENT')(error);
        if (await this.isAway()) throw new Error('DATA_DIR/files holds no file, and the database has some');
        return undefined;
      }
    });
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
    throw error instanceof FileStoreError ? error : new FileStoreError(error);
  }
}

/** The folders of the store stay when their files go. */
const hasStored = async (root: string): Promise<boolean> =>
  ((await readdir(root).catch(unlessGone)) ?? []).some((name) => /^[0-9a-f]{2}$/.test(name));

/** The name is as safe as the bytes only once the directory is on the disk. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);

async function* filesBelow(root: string): AsyncGenerator<string> {
  try {
    const directory = (await opendir(root, { recursive: true }).catch(unlessGone)) ?? [];
    for await (const entry of directory) if (entry.isFile()) yield join(entry.parentPath, entry.name);
  } catch (error) {
    throw new FileStoreError(error);
  }
}

/** Passes over an error of this code. */
const unless =
  (code: string) =>
  (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException | null)?.code !== code) throw error;
  };

const unlessGone = unless('ENOENT');
