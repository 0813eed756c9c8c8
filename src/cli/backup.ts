/** `worktrack backup` and `worktrack restore`: all data in one file, and back into an empty database. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { QueryResult } from 'pg';
import type { ArchiveReader } from '../backup/archive-reader.js';
import { backUp } from '../backup/back-up.js';
import { restoreFrom, withArchive } from '../backup/restore.js';
import type { Config } from '../config/config.js';
import { areShared } from '../database/detect-poolers.js';
import { bringUpToDate, type Target } from '../database/migrate.js';
import { openClient } from '../database/open-client.js';
import { sessionSettings } from '../database/session.js';
import { openFileStore } from '../files/open-store.js';
import { anyRecordedFile } from '../files/recorded-files.js';
import { CommandError } from './command-error.js';
import { type Format, Progress, showOne } from './output.js';
import { withDatabase } from './with-database.js';

export async function backupTo(env: NodeJS.ProcessEnv, file: string, format: Format): Promise<void> {
  const path = resolve(file);
  mustBeFree(path);
  await withDatabase(env, async (config) => {
    const settings = sessionSettings({ timeZone: 'UTC', statementTimeoutMs: 0 });
    const client = await openClient({ connectionString: config.databaseUrl!, settings });
    try {
      const progress = new Progress();
      const outcome = await backUp({ client, store: await openFileStore(config) }, path, progress);
      progress.clear();
      showOne({ file: path, ...outcome }, format);
    } finally {
      await client.end();
    }
  });
}

/** Printed before anything is opened for it. */
function mustBeFree(path: string): void {
  if (existsSync(path)) throw new CommandError(`${path} exists already.`);
  const directory = dirname(path);
  const entry = statSync(directory, { throwIfNoEntry: false });
  if (!entry) throw new CommandError(`The directory ${directory} does not exist.`);
  if (!entry.isDirectory()) throw new CommandError(`${directory} is not a directory.`);
}

export async function restoreTo(env: NodeJS.ProcessEnv, file: string, format: Format): Promise<void> {
  const path = resolve(file);
  if (!existsSync(path)) throw new CommandError(`${path} does not exist.`);
  const progress = new Progress();
  const fill = async (archive: ArchiveReader, config: Config): Promise<void> => {
    const { databaseUrl, timeZone } = config;
    const isShared = await areShared({ connectionString: databaseUrl!, settings: sessionSettings(config) });
    const store = await openFileStore(config, () => true);
    const target = { databaseUrl: databaseUrl!, timeZone, isShared, store };
    const { createdAt, tables, files = [] } = await restoreFrom(archive, target, progress);
    const migrated = await complete(target, progress);
    // All that the database tells of were missing in the archive, and nothing is stored that marks their place.
    if (files.length === 0 && (await hasFiles(databaseUrl!))) await store.markPlace();
    progress.clear();
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const counts = { tables: tables.length, rows, files: files.length, migrations: migrated.length };
    showOne({ file: path, createdAt, ...counts }, format);
  };
  // No database is made for an archive that is damaged.
  await withArchive(path, progress, (archive) =>
    withDatabase(env, (config) => fill(archive, config), { makesOne: true }),
  );
}

/** What a restored database lacks: the migrations that came since, and statistics, which COPY does not make. */
export async function complete(target: Target, progress: Progress): Promise<string[]> {
  const migrated = await bringUpToDate(target, (line) => progress.line(line));
  await analyse(target.databaseUrl);
  return migrated;
}

async function analyse(connectionString: string): Promise<void> {
  await ask(connectionString, 'analyze');
}

async function hasFiles(connectionString: string): Promise<boolean> {
  return (await ask(connectionString, anyRecordedFile)).rows.length > 0;
}

async function ask(connectionString: string, text: string): Promise<QueryResult> {
  const settings = sessionSettings({ timeZone: 'UTC', statementTimeoutMs: 0 });
  const client = await openClient({ connectionString, settings });
  return client.query(text).finally(() => client.end());
}
