/** `worktrack backup` and `worktrack restore`: all data in one file, and back into an empty database. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp } from '../backup/back-up.js';
import { restoreFrom } from '../backup/restore.js';
import { areShared } from '../database/detect-poolers.js';
import { bringUpToDate } from '../database/migrate.js';
import { openClient } from '../database/open-client.js';
import { sessionSettings } from '../database/session.js';
import { CommandError } from './command-error.js';
import { type Format, Progress, showOne } from './output.js';
import { withDatabase } from './with-database.js';

export async function backupTo(env: NodeJS.ProcessEnv, file: string, format: Format): Promise<void> {
  const path = resolve(file);
  if (existsSync(path)) throw new CommandError(`${path} exists already.`);
  await withDatabase(env, async (config) => {
    const settings = sessionSettings({ timeZone: 'UTC', statementTimeoutMs: 0 });
    const client = await openClient({ connectionString: config.databaseUrl!, settings });
    try {
      const outcome = await backUp(client, path, new Progress());
      showOne({ file: path, ...outcome }, format);
    } finally {
      await client.end();
    }
  });
}

export async function restoreTo(env: NodeJS.ProcessEnv, file: string, format: Format): Promise<void> {
  const path = resolve(file);
  if (!existsSync(path)) throw new CommandError(`${path} does not exist.`);
  await withDatabase(env, async (config) => {
    const { databaseUrl, timeZone } = config;
    const isShared = await areShared({ connectionString: databaseUrl!, settings: sessionSettings(config) });
    const target = { databaseUrl: databaseUrl!, timeZone, isShared };
    const progress = new Progress();
    const { createdAt, tables } = await restoreFrom(path, target, progress);
    const migrated = await bringUpToDate(target, (line) => progress.line(line));
    await analyse(databaseUrl!);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    showOne({ file: path, createdAt, tables: tables.length, rows, migrations: migrated.length }, format);
  });
}

/** Plans rely on statistics, which COPY does not make. */
async function analyse(connectionString: string): Promise<void> {
  const settings = sessionSettings({ timeZone: 'UTC', statementTimeoutMs: 0 });
  const client = await openClient({ connectionString, settings });
  await client.query('analyze').finally(() => client.end());
}
