/** Copies PostgreSQL's programs to a place where any account can run them. */
import { chmod, copyFile, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './failure.js';
import { linkLibraries } from './link-libraries.js';
import { makeAtOnce } from './staging.js';

/**
 * Used when the packages lie where the account cannot go, or are read-only and lack their links. The copy is kept
 * beside the data and not in a shared place such as /tmp, where another user could have put programs of theirs before
 * us.
 */
export function copyBinaries(source: string, target: string): Promise<void> {
  return makeAtOnce(target, async (staging) => {
    await copyTree(source, staging);
    if (!(await linkLibraries(staging)))
      throw new EmbeddedPostgresError(`The shared libraries in ${staging} cannot be linked.`);
  });
}

/** Modes are set and not copied: an install under a strict umask is as unreadable as the directory it lies in. */
async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  await chmod(target, 0o755);
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isDirectory()) await copyTree(from, to);
    else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
    // Archives for the linker are of no use to a running server.
    else if (!entry.name.endsWith('.a')) await copyOne(from, to);
  }
}

async function copyOne(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const { mode } = await stat(from);
  await chmod(to, mode & 0o100 ? 0o755 : 0o644);
}
