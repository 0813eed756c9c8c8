/**
 * Compares the files that are stored with those that rows tell of: bytes without a row are swept, rows without bytes
 * are told. What cannot be listed, or holds none of the files, is away: of its files nothing is told, nor swept. Where
 * rows tell of no file at all, those that are stored may be of another database: nothing is swept, either.
 */
import type { DataSource } from 'typeorm';
import { FileStoreError } from '../errors.js';
import type { FileStore } from '../files/file-store.js';
import { byKey, listed, type RecordedFile, recordedFiles } from '../files/recorded-files.js';
import { checkChecksums } from './checksums.js';
import { type Finding, forPeople } from './finding.js';

/** What is younger may be an upload whose row is still to come, once the whole form is there. */
const graceMs = 24 * 60 * 60 * 1000;

interface Looking {
  /** How long a form may take. */
  readonly uploadSeconds: number;
  /** Whether the bytes are read, too. */
  readonly readsFiles: boolean;
}

export async function checkFiles(dataSource: DataSource, store: FileStore, looking: Looking): Promise<Finding[]> {
  try {
    return await compared(dataSource, store, looking);
  } catch (error) {
    if (!(error instanceof FileStoreError)) throw error;
    return [away(`The files cannot be listed (${error.message.replace(/\.$/, '')})`)];
  }
}

const away = (what: string): Finding =>
  forPeople(
    'files',
    `${what}: nothing was compared or swept. Mount their volume, or set DATA_DIR or S3_BUCKET as the service has it; if they are lost, restore a backup.`,
  );

const ofAnother = (count: number): Finding =>
  forPeople(
    'files',
    `${count} files are stored and the database has none: they may belong to another one, so nothing was swept. Set DATABASE_URL and DATA_DIR or S3_BUCKET as the service has them, or restore a backup; if these files belong to nothing, delete them yourself.`,
  );

async function compared(
  dataSource: DataSource,
  store: FileStore,
  { uploadSeconds, readsFiles }: Looking,
): Promise<Finding[]> {
  const mostAgeMs = graceMs + uploadSeconds * 1000;
  const stored = new Map<string, number>();
  const old: string[] = [];
  const partial: string[] = [];
  for await (const { key, bytes, writtenAt, isPartial } of store.list()) {
    if (!isPartial) stored.set(key, bytes);
    if (Date.now() - writtenAt.getTime() > mostAgeMs) (isPartial ? partial : old).push(key);
  }
  // Asked behind the list: what was stored by then and has its row in between is no orphan.
  const recorded: RecordedFile[] = await dataSource.query(recordedFiles);
  if (recorded.length > 0 && !recorded.some(({ key }) => stored.has(key)))
    return [away(`None of the ${recorded.length} files that the database has is there`)];
  if (recorded.length === 0 && old.length > 0) return [ofAnother(old.length)];
  const rows = byKey(recorded);
  const orphans = old.filter((key) => !rows.has(key));
  return [
    ...lost(recorded, stored),
    ...shared(rows),
    ...swept(orphans, partial, store),
    ...(readsFiles ? await checkChecksums(dataSource, store) : []),
  ];
}

function lost(recorded: readonly RecordedFile[], stored: ReadonlyMap<string, number>): Finding[] {
  const missing = recorded.filter(({ key }) => !stored.has(key));
  const other = recorded.filter(({ key, bytes }) => bytes !== null && stored.has(key) && stored.get(key) !== bytes);
  const problems = [
    missing.length > 0 ? `The bytes of ${missing.length} files are missing: ${listed(missing)}.` : '',
    other.length > 0 ? `${other.length} files have another length than their rows tell: ${listed(other)}.` : '',
  ];
  return problems.filter((problem) => problem !== '').map((problem) => forPeople('files', problem));
}

/** The deletion of one of these rows takes the bytes of all. */
function shared(rows: ReadonlyMap<string, readonly RecordedFile[]>): Finding[] {
  const files = [...rows]
    .filter(([, { length }]) => length > 1)
    .map(([key, owners]) => ({ key, owner: owners.map(({ owner }) => owner).join(' and ') }));
  return files.length === 0 ? [] : [forPeople('files', `${files.length} files belong to several: ${listed(files)}.`)];
}

function swept(orphans: readonly string[], partial: readonly string[], store: FileStore): Finding[] {
  const count = orphans.length + partial.length;
  if (count === 0) return [];
  const sweep = async (): Promise<void> => {
    for (const key of orphans) await store.remove(key);
    for (const key of partial) await store.removePartial(key);
  };
  return [{ check: 'files', problem: `${count} stored files belong to nothing.`, mends: [sweep] }];
}
