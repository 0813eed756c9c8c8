/** Opens the database cluster of a home, making it first when there is none. */
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runAs } from './account.js';
import type { Binaries } from './binaries.js';
import { codeOf, EmbeddedPostgresError, useYourOwn } from './failure.js';
import { clusterOf, type Home } from './home.js';
import { makeAtOnce } from './staging.js';

export interface Cluster {
  readonly pgdata: string;
  readonly password: string;
}

/** The owner of everything; also the name of the database. */
export const superuser = 'worktrack';

export const urlOf = ({ password }: Pick<Cluster, 'password'>, port: number, database = superuser): string =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;

export async function openCluster(home: Home, binaries: Binaries): Promise<Cluster> {
  // Password and data appear together, so that neither is ever without the other.
  await makeAtOnce(join(home.directory, 'cluster'), (staging) => initialise(staging, home, binaries));
  const pgdata = clusterOf(home.directory);
  const version = await readOwned(join(pgdata, 'PG_VERSION'));
  const major = binaries.version.split('.')[0];
  if (version !== major)
    throw new EmbeddedPostgresError(
      `${pgdata} was written by PostgreSQL ${version}; this is ${major}. Dump it with version ${version} and restore the dump.`,
    );
  return { pgdata, password: await passwordIn(home.directory) };
}

async function initialise(staging: string, home: Home, binaries: Binaries): Promise<void> {
  const pgdata = join(staging, 'pgdata');
  const passwordFile = join(staging, 'password');
  await mkdir(pgdata, { mode: 0o700 });
  // In a file: anyone may read a command line.
  await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
  if (home.account) for (const path of [pgdata, passwordFile]) await chown(path, home.account.uid, home.account.gid);

  const made = await runAs(home.account, join(binaries.directory, 'bin', 'initdb'), [
    `--pgdata=${pgdata}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Built into PostgreSQL: sorts and folds the same on every machine, whatever locales it has.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ]);
  if (made.status !== 0)
    throw new EmbeddedPostgresError(
      `PostgreSQL could not make its data directory in ${staging}: ${complaint(made.output)}. ${useYourOwn}`,
    );
}

/** initdb tells its progress first; what went wrong starts with its name. */
function complaint(output: string): string {
  const lines = output.trim().split('\n');
  return lines.find((line) => /^initdb: error|FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'it gave no reason';
}

export async function passwordIn(directory: string): Promise<string> {
  const path = join(directory, 'cluster', 'password');
  const password = await readOwned(path);
  if (/^[0-9a-f]{48}$/.test(password)) return password;
  throw new EmbeddedPostgresError(
    `The database in ${path} is damaged: it holds no password. Restore the file, or a backup.`,
  );
}

async function readOwned(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw new EmbeddedPostgresError(`The database in ${path} is damaged: ${error}`);
    throw new EmbeddedPostgresError(
      `${path} belongs to another user: start Worktrack as the user who started it first.`,
    );
  }
}
