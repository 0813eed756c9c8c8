/** Writes all tables of one snapshot to an archive, while the service goes on reading and writing. */
import type { DatabaseClient } from '../database/client.js';
import { schemaOf } from '../database/migrate.js';
import { untimedTransaction } from '../database/session.js';
import { FileStoreError } from '../errors.js';
import type { PlacedStore } from '../files/file-store.js';
import { placeOf } from '../files/own-store.js';
import { byKey, type RecordedFile, recordedFiles, someRecordedKeys } from '../files/recorded-files.js';
import { version } from '../runtime/version.js';
import { ArchiveError } from './archive-error.js';
import { ArchiveWriter } from './archive-writer.js';
import { partitionsOf, sequencesOf, type Table, tablesOf } from './catalogue.js';
import { copyOut } from './copy-rows.js';
import { writeFiles } from './files.js';
import { type Manifest, manifestName, mustHaveRoom, partName, spelledManifest, type TableEntry } from './manifest.js';
import { PartFiller } from './part-filler.js';
import type { Watcher } from './watcher.js';

export interface BackupOutcome {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
}

/** What is backed up: the tables of a database and, where they are to come along, the files that they tell of. */
export interface Source {
  readonly client: DatabaseClient;
  readonly store?: PlacedStore;
}

export async function backUp({ client, store }: Source, path: string, watcher: Watcher): Promise<BackupOutcome> {
  const archive = await ArchiveWriter.create(path);
  try {
    const replayed = await replayedBy(client);
    await client.query('begin isolation level repeatable read, read only');
    const begun = await beginSnapshot(client);
    const createdAt = replayed ?? begun;
    const tables = await writeTables(client, archive, watcher);
    const recorded = store ? await filesOf(client) : [];
    await client.query('commit');
    if (store) await mustBeOwn(store, client);
    const files = store && (await writeFiles(archive, { files: recorded, store }, watcher));
    const manifest: Manifest = { ...tables, createdAt, files };
    await archive.add(manifestName, spelledManifest(manifest));
    await archive.finish();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { tables: manifest.tables.length, rows, files: files?.length ?? 0, bytes: archive.bytes };
  } catch (error) {
    await archive.abandon();
    throw isRecoveryConflict(error) ? new ArchiveError(inTheWay) : error;
  }
}

/** What only reads meets no other serialization failure. */
const isRecoveryConflict = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '40001' || (code === '57P01' && /conflict with recovery/.test(String(message)));
};

const inTheWay =
  'The replica ended the backup, which kept it from replaying. Set hot_standby_feedback = on and a longer max_standby_streaming_delay there, and back up again.';

const spelled = (instant: string): string => `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Of a replica: up to when it has what the primary had. */
async function replayedBy(client: DatabaseClient): Promise<string | undefined> {
  const upTo = 'coalesce(pg_last_xact_replay_timestamp(), (select checkpoint_time from pg_control_checkpoint()))';
  const { rows } = await client.query<{ at: string }>(`select ${spelled(upTo)} as at where pg_is_in_recovery()`);
  return rows[0]?.at;
}

/**
 * The first statement that reads takes the snapshot, which holds all that was stored before the time given here: that
 * of `begin`, since a pooler may send statements of its own in between.
 */
async function beginSnapshot(client: DatabaseClient): Promise<string> {
  const { rows } = await client.query<{ at: string }>(`select ${spelled('now()')} as at, ${untimedTransaction}`);
  return rows[0]!.at;
}

/** What cannot be looked at now fails when it is read, and is named then. */
async function mustBeOwn(store: PlacedStore, client: DatabaseClient): Promise<void> {
  const askKeys = async () => (await client.query<{ key: string }>(someRecordedKeys)).rows.map(({ key }) => key);
  const place = await placeOf(store, askKeys).catch(unlessOfStore);
  if (place === 'another') throw new ArchiveError(store.ofAnother);
}

function unlessOfStore(error: unknown): undefined {
  if (!(error instanceof FileStoreError)) throw error;
}

/** Each once. */
async function filesOf(client: DatabaseClient): Promise<RecordedFile[]> {
  const { rows } = await client.query<RecordedFile>(recordedFiles);
  const files = [...byKey(rows).values()].map(([first]) => first!);
  mustHaveRoom(files.length);
  return files;
}

async function writeTables(
  client: DatabaseClient,
  archive: ArchiveWriter,
  watcher: Watcher,
): Promise<Omit<Manifest, 'createdAt'>> {
  const migrations = await migrationsOf(client);
  const sources = (await tablesOf(client)).filter((table) => hasPlainName(table, watcher));
  const total = sources.reduce((sum, { estimate }) => sum + estimate, 0);
  const tables: TableEntry[] = [];
  let done = 0;
  for (const table of sources) {
    watcher.update(table.name, done, total);
    const entry = await writeTable(client, archive, table);
    tables.push(entry);
    done += entry.rows;
    if (entry.rows > 0) watcher.line(`${table.name}: ${entry.rows} rows`);
  }
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return {
    format: 'worktrack-backup',
    formatVersion: 1,
    worktrack: version,
    postgresql: rows[0]!.server_version,
    migrations,
    tables,
    partitions: await partitionsOf(client),
    sequences: await sequencesOf(client),
  };
}

/** Names become names of entries. No table of ours has another one. */
function hasPlainName({ name }: Table, watcher: Watcher): boolean {
  const isPlain = /^\w{1,63}$/.test(name);
  if (!isPlain) watcher.line(`Left out, since Worktrack does not know it: the table ${name}.`);
  return isPlain;
}

async function migrationsOf(client: DatabaseClient): Promise<string[]> {
  const { rows: schemas } = await client.query<{ exists: boolean }>(
    "select to_regclass('migration') is not null as exists",
  );
  if (!schemas[0]!.exists) throw new ArchiveError('The database is empty: there is nothing to back up.');
  const { rows } = await client.query<{ name: string }>('select name from migration order by id');
  const done = rows.map(({ name }) => name);
  // Refuses a schema that this version could not restore.
  schemaOf(done);
  return done;
}

async function writeTable(
  client: DatabaseClient,
  archive: ArchiveWriter,
  { name, columns, isPartitioned, isElsewhere }: Table,
): Promise<TableEntry> {
  if (isElsewhere) return { name, columns, rows: 0, parts: 0 };
  const filler = new PartFiller((part, data) => archive.add(partName(name, part), data));
  const listed = columns.map(quotedName).join(', ');
  const source = isPartitioned ? `(select ${listed} from ${quotedName(name)})` : `${quotedName(name)} (${listed})`;
  const rows = await copyOut(client, `copy ${source} to stdout`, (bytes) => filler.take(bytes));
  await filler.finish();
  return { name, columns, rows, parts: filler.parts };
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
