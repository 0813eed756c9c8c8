/**
 * Finds the directory the embedded PostgreSQL lives in: the asked one where its account can get there, else one below
 * /var/lib.
 */
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, chooseAccount, runAs } from './account.js';
import { codeOf, EmbeddedPostgresError, useYourOwn } from './failure.js';
import { finishSwap, upgradedOf } from './swap.js';

export interface Home {
  readonly directory: string;
  readonly account: Account | undefined;
}

const systemWide = '/var/lib/worktrack';

export const clusterOf = (directory: string): string => join(directory, 'cluster', 'pgdata');

/**
 * A clone below /root is closed to every other account, and there is no way around it from inside: PostgreSQL resolves
 * its own path and that of its data to absolute ones, so a working directory that is already open does not help
 * (tried), and capabilities or mounts to pass the closed door are more than a container grants. So the data goes where
 * it can be reached, and a file in the asked directory says where. The file decides, not a hash of the path: a clone
 * that is moved keeps its data, and one whose data directory was deleted starts anew.
 */
export async function openHome(dataDirectory: string): Promise<Home> {
  const elsewhere = await pointer(dataDirectory);
  await finishSwap(clusterOf(elsewhere ?? dataDirectory));
  if (elsewhere) return { directory: elsewhere, account: chooseAccount(clusterOf(elsewhere)) };

  const account = chooseAccount(clusterOf(dataDirectory));
  const isNew = await makeDirectory(dataDirectory);
  if (!account) return { directory: dataDirectory, account };

  // May be entered, not listed, by the account; what lies in it is private to its owner.
  if (isNew) await chmod(dataDirectory, 0o711);
  else await letEnter(dataDirectory);
  const entered = await runAs(account, '/bin/sh', ['-c', 'cd "$0"', dataDirectory]);
  if (entered.status === 0) return { directory: dataDirectory, account };
  if (entered.status === 'EPERM')
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and this process may not change to user id ${account.uid}. ${useYourOwn}`,
    );
  if (await exists(clusterOf(dataDirectory)))
    throw new EmbeddedPostgresError(
      `User id ${account.uid}, which owns the database in ${dataDirectory}, can no longer enter that directory: open the directories above it with chmod o+x.`,
    );
  return { directory: await moveIn(dataDirectory), account };
}

/** All other rights to a directory that somebody else has made stay. */
async function letEnter(directory: string): Promise<void> {
  const entry = await stat(directory);
  if (entry.isDirectory() && !(entry.mode & 0o001)) await chmod(directory, (entry.mode & 0o7777) | 0o001);
}

const pointerFile = (dataDirectory: string): string => join(dataDirectory, 'LOCATION');

/** Where the data lies, if elsewhere. */
export async function pointer(dataDirectory: string): Promise<string | undefined> {
  const text = await readFile(pointerFile(dataDirectory), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  const directory = text?.split('\n')[0];
  if (!directory || (await exists(directory))) return directory;
  throw new EmbeddedPostgresError(
    `${pointerFile(dataDirectory)} says the database is in ${directory}, which does not exist: restore it, or delete the file to start with an empty database.`,
  );
}

/** For what makes no database. Looks where LOCATION says, too; what cannot be looked at is for the start to refuse. */
export async function mustHaveCluster(dataDirectory: string): Promise<void> {
  const elsewhere = await pointer(dataDirectory).catch((error: unknown) => {
    if (!['ENOTDIR', 'EACCES'].includes(codeOf(error) ?? '')) throw error;
  });
  const pgdata = clusterOf(elsewhere ?? dataDirectory);
  // The second is all there is where an upgrade was interrupted.
  for (const path of [pgdata, upgradedOf(pgdata)]) if (!(await isMissing(path))) return;
  throw new EmbeddedPostgresError(
    `There is no database in ${dataDirectory}. Set DATA_DIR or DATABASE_URL, or start the service to make one.`,
  );
}

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? ''),
  );

async function moveIn(dataDirectory: string): Promise<string> {
  await makeDirectory(systemWide);
  const entry = await lstat(systemWide);
  if (!entry.isDirectory() || entry.uid !== 0 || entry.mode & 0o022)
    throw new EmbeddedPostgresError(
      `${systemWide} must be a directory that belongs to root and that only root can write to.`,
    );
  await chmod(systemWide, 0o755);

  const reminder = `${basename(dirname(dataDirectory))}-${basename(dataDirectory)}`.replace(/[^\w.-]/g, '_');
  const directory = join(systemWide, `${reminder}-${randomBytes(6).toString('hex')}`);
  await mkdir(directory, { mode: 0o711 });
  await chmod(directory, 0o711);
  const text = `${directory}\nPostgreSQL does not run as root, and no other account can enter this directory; its data is there. A copy of this directory is no backup of it.\n`;
  try {
    await writeFile(pointerFile(dataDirectory), text, { flag: 'wx', mode: 0o600 });
    return directory;
  } catch (error) {
    // Another process was quicker; its choice holds for both.
    await rmdir(directory);
    const theirs = codeOf(error) === 'EEXIST' ? await pointer(dataDirectory) : undefined;
    if (theirs) return theirs;
    throw error;
  }
}

/**
 * Those above it first. Node's own way of doing so tries for ever where a file system makes none, such as /proc. Gives
 * whether it was not there.
 */
async function makeDirectory(path: string): Promise<boolean> {
  if (await exists(path)) return false;
  await makeDirectory(dirname(path));
  return mkdir(path, { mode: 0o755 }).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
      return false;
    },
  );
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
