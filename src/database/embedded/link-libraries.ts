/**
 * Makes the symbolic links of the shared libraries, which npm cannot pack and whose install script may not have run.
 */
import { readFile, stat, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf } from './failure.js';

/** Answers whether all links are there. Does nothing the second time; two processes may do it at once. */
export async function linkLibraries(directory: string): Promise<boolean> {
  const listed = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(listed) as { source: string; target: string }[];
  const done = await Promise.all(
    links.map(({ source, target }) => link(basename(source), join(directory, target.replace(/^native\//, '')))),
  );
  return done.every(Boolean);
}

/** `source` and `target` are always siblings; a bare name keeps the link good when the directory moves. */
async function link(source: string, target: string): Promise<boolean> {
  try {
    if (await exists(target)) return true;
    await symlink(source, target);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return true;
    // The installed packages may be read-only, or belong to somebody else.
    if (['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
