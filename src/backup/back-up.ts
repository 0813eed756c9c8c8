/** Writes all tables of one snapshot to an archive, while the service goes on reading and writing. */
import type { DatabaseClient } from '../database/client.js';
import { refuseNewerSchema } from '../database/migrate.js';
import { version } from '../version.js';
import { ArchiveError } from './archive-error.js';
import { ArchiveWriter } from './archive-writer.js';
import { partitionsOf, sequencesOf, type Table, tablesOf } from './catalogue.js';
import { copyOut } from './copy-rows.js';
import { type Manifest, manifestName, partName, type TableEntry } from './manifest.js';
import { PartFiller } from './part-filler.js';

export interface Watcher {
  update(part: string, done: number, total: number): void;
  line(text: string): void;
}

export interface BackupOutcome {
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
}

export async function backUp(client: DatabaseClient, path: string, watcher: Watcher): Promise<BackupOutcome> {
  const archive = await ArchiveWriter.create(path);
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    const manifest = await writeTables(client, archive, watcher);
    await client.query('commit');
    await archive.add(manifestName, Buffer.from(JSON.stringify(manifest, undefined, 1)));
    await archive.finish();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { tables: manifest.tables.length, rows, bytes: archive.bytes };
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

async function writeTables(client: DatabaseClient, archive: ArchiveWriter, watcher: Watcher): Promise<Manifest> {
  const migrations = await migrationsOf(client);
  const sources = await tablesOf(client);
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
    createdAt: new Date().toISOString(),
    worktrack: version,
    postgresql: rows[0]!.server_version,
    migrations,
    tables,
    partitions: await partitionsOf(client),
    sequences: await sequencesOf(client),
  };
}

async function migrationsOf(client: DatabaseClient): Promise<string[]> {
  const { rows: schemas } = await client.query<{ exists: boolean }>(
    "select to_regclass('migration') is not null as exists",
  );
  if (!schemas[0]!.exists) throw new ArchiveError('The database is empty: there is nothing to back up.');
  const { rows } = await client.query<{ name: string }>('select name from migration order by id');
  refuseNewerSchema(rows.map(({ name }) => name));
  return rows.map(({ name }) => name);
}

async function writeTable(
  client: DatabaseClient,
  archive: ArchiveWriter,
  { name, columns, isPartitioned }: Table,
): Promise<TableEntry> {
  const filler = new PartFiller((part, data) => archive.add(partName(name, part), data));
  const listed = columns.map(quotedName).join(', ');
  const source = isPartitioned ? `(select ${listed} from ${quotedName(name)})` : `${quotedName(name)} (${listed})`;
  const rows = await copyOut(client, `copy ${source} to stdout`, (bytes) => filler.take(bytes));
  await filler.finish();
  return { name, columns, rows, parts: filler.parts };
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
