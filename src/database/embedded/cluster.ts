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

/** The mode of encryption is what the driver would else take from `PGSSLMODE`, which is meant for another server. */
export const urlOf = ({ password }: Pick<Cluster, 'password'>, port: number, database = superuser): string =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;

export async function openCluster(home: Home, binaries: Binaries, beforeFirst?: () => Promise<void>): Promise<Cluster> {
  // Password and data appear together, so that neither is ever without the other.
  await makeAtOnce(join(home.directory, 'cluster'), async (staging) => {
    await beforeFirst?.();
    await initialise(staging, home, binaries);
  });
  const pgdata = clusterOf(home.directory);
  const version = await majorVersionOf(home.directory);
  if (version !== majorOf(binaries)) throw new EmbeddedPostgresError(otherVersion(pgdata, version, majorOf(binaries)));
  return { pgdata, password: await passwordIn(home.directory) };
}

export const majorOf = ({ version }: Binaries): string => version.split('.')[0]!;

/** The version of PostgreSQL that the data in a home belong to. */
export async function majorVersionOf(directory: string): Promise<string> {
  const path = join(clusterOf(directory), 'PG_VERSION');
  const version = await readOwned(path);
  if (/^\d+$/.test(version)) return version;
  throw new EmbeddedPostgresError(`The database in ${path} is damaged: it holds no version. Restore a backup.`);
}

const otherVersion = (pgdata: string, theirs: string, ours: string): string =>
  Number(theirs) < Number(ours)
    ? `The database in ${pgdata} is of PostgreSQL ${theirs}, and this version of Worktrack runs ${ours}: "npx worktrack upgrade" moves it.`
    : `The database in ${pgdata} is of PostgreSQL ${theirs}, and this version of Worktrack runs ${ours}: start the version that made it.`;

async function initialise(staging: string, home: Home, binaries: Binaries): Promise<void> {
  const passwordFile = join(staging, 'password');
  // In a file: anyone may read a command line.
  await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
  if (home.account) await chown(passwordFile, home.account.uid, home.account.gid);
  await initialiseData(join(staging, 'pgdata'), passwordFile, { home, binaries });
}

export async function initialiseData(
  pgdata: string,
  passwordFile: string,
  { home, binaries }: { home: Home; binaries: Binaries },
): Promise<void> {
  await mkdir(pgdata, { mode: 0o700 });
  if (home.account) await chown(pgdata, home.account.uid, home.account.gid);
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
      `PostgreSQL could not make its data directory ${pgdata}: ${complaint(made.output)}. ${useYourOwn}`,
    );
}

/** initdb tells its progress first; what went wrong starts with its name. */
function complaint(output: string): string {
  const lines = output.trim().split('\n');
  return lines.find((line) => /^initdb: error|FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'it gave no reason';
}

export const passwordFileOf = (directory: string): string => join(directory, 'cluster', 'password');

export async function passwordIn(directory: string): Promise<string> {
  const path = passwordFileOf(directory);
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
    if (codeOf(error) !== 'EACCES')
      throw new EmbeddedPostgresError(`The database in ${path} is damaged: ${(error as Error).message}.`);
    throw new EmbeddedPostgresError(
      `${path} belongs to another user: start Worktrack as the user who started it first.`,
    );
  }
}
