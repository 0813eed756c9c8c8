/**
 * `worktrack upgrade`: moves the embedded database to the version of PostgreSQL that this version of Worktrack runs.
 */
import { join, resolve } from 'node:path';
import { backUp } from '../backup/back-up.js';
import { mustHoldTheSame } from '../backup/compare-rows.js';
import { restoreFrom, withArchive } from '../backup/restore.js';
import { loadConfig } from '../config/config.js';
import type { DatabaseClient } from '../database/client.js';
import { removeKept, upgradeCluster } from '../database/embedded/upgrade.js';
import { openClient } from '../database/open-client.js';
import { sessionSettings } from '../database/session.js';
import { embeddedRefused } from '../server/start-failure.js';
import { complete } from './backup.js';
import { CommandError } from './command-error.js';
import { type Format, Progress, showOne } from './output.js';

interface UpgradeOptions extends Format {
  readonly binaries?: string;
  readonly removeOld?: boolean;
}

export async function upgrade(
  env: NodeJS.ProcessEnv,
  { binaries, removeOld, ...format }: UpgradeOptions,
): Promise<void> {
  const { databaseUrl, dataDir, timeZone } = loadConfig(env);
  if (databaseUrl)
    throw new CommandError(
      'DATABASE_URL names a server of your own. Only the embedded PostgreSQL is upgraded by this command.',
    );
  if (removeOld) return showOne({ removed: await removeKept(dataDir) }, format);
  const progress = new Progress();
  const outcome = await upgradeCluster({
    dataDirectory: dataDir,
    binaries: binaries && resolve(binaries),
    tell: (line) => progress.line(line),
    copy: (from, to, folder) => copyDatabase({ from, to, file: join(folder, 'all.tar') }, timeZone, progress),
  }).catch(embeddedRefused(dataDir));
  progress.clear();
  showOne({ ...outcome }, format);
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly file: string;
}

async function copyDatabase({ from, to, file }: Copying, timeZone: string, progress: Progress): Promise<void> {
  const settings = sessionSettings({ timeZone: 'UTC', statementTimeoutMs: 0 });
  const opened: DatabaseClient[] = [];
  const open = async (connectionString: string): Promise<DatabaseClient> => {
    const client = await openClient({ connectionString, settings });
    opened.push(client);
    return client;
  };
  try {
    const source = await open(from);
    // Files stay where they are.
    await backUp({ client: source }, file, progress);
    const target = { databaseUrl: to, timeZone, isShared: false };
    await withArchive(file, progress, (archive) => restoreFrom(archive, target, progress));
    await mustHoldTheSame(source, await open(to), progress);
    await complete(target, progress);
  } finally {
    for (const client of opened) await client.end();
  }
}
