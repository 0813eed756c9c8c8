/** Files in an archive: each in parts of bounded size, `files/<key>/<part>`. */
import { FileStoreError } from '../errors.js';
import type { FileStore } from '../files/file-store.js';
import { inParts } from '../files/in-parts.js';
import { listed, type RecordedFile } from '../files/recorded-files.js';
import { ArchiveError } from './archive-error.js';
import type { ArchiveReader } from './archive-reader.js';
import type { ArchiveWriter } from './archive-writer.js';
import { type FileEntry, filePartName } from './manifest.js';
import { partBytes } from './part-filler.js';
import type { Watcher } from './watcher.js';

/** A file that was deleted since the snapshot has no bytes any more: it is passed over. */
export async function writeFiles(
  archive: ArchiveWriter,
  { files, store }: { files: readonly RecordedFile[]; store: FileStore },
  watcher: Watcher,
): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  const missing: RecordedFile[] = [];
  for (const [done, file] of files.entries()) {
    const { key } = file;
    watcher.update('files', done, files.length);
    const bytes = await store.read(key).catch(unreadable(file));
    if (bytes) entries.push({ key, parts: await writeParts(archive, file, bytes) });
    else missing.push(file);
  }
  if (entries.length > 0) watcher.line(`files: ${entries.length}`);
  if (missing.length > 0)
    watcher.line(
      `files: ${missing.length} are not there; they were deleted meanwhile, or are lost: ${listed(missing)}`,
    );
  return entries;
}

async function writeParts(archive: ArchiveWriter, file: RecordedFile, bytes: AsyncIterable<Buffer>): Promise<number> {
  let parts = 0;
  // An empty file has no part.
  for await (const part of inParts(readable(bytes, file), partBytes))
    if (part.bytes.length > 0) await archive.add(filePartName(file.key, ++parts), part.bytes);
  return parts;
}

async function* readable(bytes: AsyncIterable<Buffer>, file: RecordedFile): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    unreadable(file)(error);
  }
}

/** For `catch`: which one it is that cannot be read. */
const unreadable =
  (file: RecordedFile) =>
  (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error);
    throw new ArchiveError(`The file of ${listed([file])} cannot be read: ${why.replace(/\.$/, '')}.`);
  };

/**
 * Where one cannot be stored, none is, but for what was there before: another database may tell of it. Bytes below a
 * key are always the same.
 */
export async function restoreFiles(archive: ArchiveReader, store: FileStore, watcher: Watcher): Promise<void> {
  const { files = [] } = archive.manifest;
  if (files.length === 0) return;
  const restored: string[] = [];
  const there = new Set<string>();
  try {
    for await (const { key, isPartial } of store.list()) if (!isPartial) there.add(key);
    for (const file of files) {
      watcher.update('files', restored.length, files.length);
      restored.push(file.key);
      await store.write(file.key, archive.bytes(file));
    }
  } catch (error) {
    await Promise.allSettled(restored.filter((key) => !there.has(key)).map((key) => store.remove(key)));
    if (!(error instanceof FileStoreError)) throw error;
    throw new ArchiveError(`The files of the archive cannot be stored: ${error.message}. Nothing was restored.`);
  }
  watcher.line(`files: ${files.length}`);
}
