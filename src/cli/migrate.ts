/** Brings the database to the current schema and tells what was done. */
import type { Config } from '../config/config.js';
import type { Advance } from '../database/concurrent-index.js';
import { areShared } from '../database/detect-poolers.js';
import { bringUpToDate, type Tell } from '../database/migrate.js';
import { sessionSettings } from '../database/session.js';
import { whenReachable } from '../database/when-reachable.js';
import { CommandError, exitCodes } from './command-error.js';
import { hasCurrentSchema } from './must-be-current.js';
import { type Format, Progress, say, showOne, warn } from './output.js';
import { withDatabase } from './with-database.js';

export interface MigrateOptions extends Format {
  readonly check?: boolean;
}

export async function migrateOnly(env: NodeJS.ProcessEnv, options: MigrateOptions): Promise<void> {
  const work = options.check ? checkOnly : migrateTo;
  await withDatabase(env, (config) => work(config, options), { makesOne: !options.check });
}

async function checkOnly(config: Config, format: Format): Promise<void> {
  const current = await hasCurrentSchema(config);
  if (!current && !format.json) throw new CommandError('The schema is not current.', exitCodes.findings);
  if (!current) process.exitCode = exitCodes.findings;
  showState({ current, migrations: [] }, format);
}

async function migrateTo(config: Config, format: Format): Promise<void> {
  const { databaseUrl, timeZone, waitForDatabaseSeconds } = config;
  const write = format.json ? warn : say;
  const address = { connectionString: databaseUrl!, settings: sessionSettings(config) };
  const isShared = await whenReachable(() => areShared(address), waitForDatabaseSeconds, write);
  const target = { databaseUrl: databaseUrl!, timeZone, isShared };
  const migrations = await bringUpToDate(target, ...progressOn(write));
  showState({ current: true, migrations }, format);
}

/** `migrations` are those that were carried out. */
function showState(state: { current: boolean; migrations: string[] }, format: Format): void {
  if (format.json) showOne(state, format);
  else say('The schema is current.');
}

/** Lines, and on a terminal a bar below them while an index is made. */
function progressOn(write: Tell): [Tell, Advance | undefined] {
  const progress = new Progress();
  const tell: Tell = (line) => {
    progress.clear();
    write(line);
  };
  return [tell, progress.isDrawn ? (part, done, total) => progress.update(part, done, total) : undefined];
}
