/** Files in a directory: bytes are written under another name, and renamed once they are on the disk. */
import type { Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { FileStoreError } from '../errors.js';
import { inThread, syncInThread } from '../turns/file-threads.js';
import { type AtMost, type ByteRange, type Bytes, isKey, type PlacedStore, type StoredObject } from './file-store.js';
import { FileBytes, OpenFile } from './open-file.js';
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

/** Whoever could not store a file waits so long for what is left of it to go. */
const removalMs = 1000;

/** The folder that marks a place whose files are lost; it is empty until a file comes into it. */
const mark = '00';

/** So many bytes are set aside at once for a file of unknown length. */
const step = 8 * 2 ** 20;

/**
 * Whether a directory that is missing, or in which nothing was stored yet, is a new one. Else its volume is away, and
 * what were written below the mount point would be hidden by its return.
 */
export type IsNew = () => boolean | Promise<boolean>;

export class DiskStore implements PlacedStore {
  readonly ofAnother =
    'DATA_DIR/files has none of the files of this database: until their volume is mounted, or DATA_DIR or S3_BUCKET names their place, uploads, downloads and backups are refused. If they are lost for good, make the folder DATA_DIR/files/00.';

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
    if (!(await isThere(root)) && (await isNew())) await makeFolder(root, true).catch(() => undefined);
    return new DiskStore(root, isNew);
  }

  async has(key: string): Promise<boolean> {
    const status = await ofDisk(() => inThread(() => stat(this.pathOf(key)).catch(unlessGone)));
    return status !== undefined;
  }

  /** Where there are folders and no file, its own are gone. */
  isMarked(): Promise<boolean> {
    return ofDisk(async () => {
      if (!(await hasStored(this.root))) return false;
      const marks = await inThread(() => readdir(join(this.root, mark)).catch(unlessGone));
      return marks?.length === 0 || (await filesBelow(this.root).next()).done === true;
    });
  }

  async markPlace(): Promise<void> {
    await ofDisk(() => makeFolder(join(this.root, mark), true));
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
    const file =
      (await this.ifThere(() => OpenFile.open(partial, 'w', { mode: 0o600 }))) ?? (await this.openFirst(partial));
    try {
      await fill(file, this.whileThereIsRoom(bytes, atMost));
      await ofDisk(async () => {
        await inThread(() => rename(partial, path));
        await syncInThread(() => syncDirectory(dirname(path)));
      });
    } catch (error) {
      const removing = remove(partial).catch(() => undefined);
      await Promise.race([removing, pause(removalMs, undefined, { ref: false })]);
      throw error;
    }
  }

  /** Of its folder. */
  private openFirst(partial: string): Promise<OpenFile> {
    return ofDisk(async () => {
      await makeFolder(dirname(partial)).catch(unless('EEXIST'));
      return OpenFile.open(partial, 'w', { mode: 0o600 });
    });
  }

  async read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable | undefined> {
    const file = await this.ifThere(() => OpenFile.open(this.pathOf(key), 'r', { signal }));
    return file && new FileBytes(file, range, signal);
  }

  async remove(key: string): Promise<void> {
    await this.ifThere(() => remove(this.pathOf(key), false));
  }

  async removePartial(key: string): Promise<void> {
    const directory = dirname(this.pathOf(key));
    for (const name of await namesIn(directory))
      if (partialName.exec(name)?.[1] === key) await ofDisk(() => remove(join(directory, name)));
  }

  async sweep(): Promise<void> {
    for (const directory of await namesIn(this.root)) {
      for (const name of await namesIn(join(this.root, directory))) {
        const path = join(this.root, directory, name);
        const [, , where, pid] = partialName.exec(name) ?? [];
        const isOurs = where === machine && (Number(pid) === process.pid ? !writing.has(path) : !isRunning(pid!));
        if (isOurs) await remove(path);
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
      const status = await ofDisk(() => inThread(() => stat(path)).catch(unlessGone));
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
    const { bavail, bsize } = await ofDisk(() => inThread(() => statfs(this.root)));
    return bavail * bsize;
  }

  /** What others have set aside is theirs, though the disk does not know it yet. */
  private async setAside(claim: Claim, bytes: number): Promise<void> {
    const free = await this.freeBytes();
    claim.aside = bytes;
    const claimed = [...this.claims].reduce((sum, one) => sum + leftOf(one), 0);
    if (free - claimed < this.reservedBytes) throw new FileStoreError(new Error('the disk is nearly full'));
  }

  /** Its volume is not there. */
  private isAway(): Promise<boolean> {
    return ofDisk(async () => {
      if ((await hasStored(this.root)) || (await this.isNew())) return false;
      // Another process may have stored the first file meanwhile.
      return !(await hasStored(this.root));
    });
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
async function fill(file: OpenFile, bytes: Bytes): Promise<void> {
  try {
    for await (const chunk of bytes) await ofDisk(() => file.write(chunk));
    await ofDisk(() => file.sync());
    await ofDisk(() => file.close());
  } catch (error) {
    file.abandon();
    throw error;
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
  ((await inThread(() => readdir(root)).catch(unlessGone)) ?? []).some((name) => /^[0-9a-f]{2}$/.test(name));

/** The name is as safe as the bytes only once the directory is on the disk. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

const namesIn = (directory: string): Promise<string[]> => inThread(() => readdir(directory)).catch(() => []);

/** With `force` also what is not there. */
const remove = (path: string, force = true): Promise<void> => inThread(() => rm(path, { force }));

const makeFolder = (path: string, recursive = false): Promise<unknown> =>
  inThread(() => mkdir(path, { recursive, mode: 0o700 }));

/** What cannot be looked at is there. */
const isThere = (path: string): Promise<boolean> =>
  inThread(() => stat(path)).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );

async function* filesBelow(root: string): AsyncGenerator<string> {
  for (const folder of await entriesOf(root)) {
    if (!folder.isDirectory()) continue;
    for (const entry of await entriesOf(join(root, folder.name)))
      if (entry.isFile()) yield join(root, folder.name, entry.name);
  }
}

const entriesOf = async (path: string): Promise<Dirent[]> =>
  (await ofDisk(() => inThread(() => readdir(path, { withFileTypes: true })).catch(unlessGone))) ?? [];

/** Passes over an error of this code. */
const unless =
  (code: string) =>
  (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException | null)?.code !== code) throw error;
  };

const unlessGone = unless('ENOENT');
