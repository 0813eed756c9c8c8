import { StartError, UndoneError } from '../server/start-failure.js';

/** Why an archive cannot be made or restored, in one line for whoever does it. */
export class ArchiveError extends StartError {}

export const nothingRestored = (why: unknown): UndoneError => new UndoneError('Nothing was restored.', why);

export const damaged = (why: string): ArchiveError =>
  new ArchiveError(`The archive is damaged: ${why}. Nothing was restored.`);

export const otherFile = (): ArchiveError =>
  new ArchiveError('The file is no archive of "worktrack backup". Nothing was restored.');

/** For `catch`: what the system refuses of a file, such as ENOSPC; anything else stays as it is. */
export const fileRefused = (path: string, act: 'read' | 'written') => (error: NodeJS.ErrnoException) => {
  if (error.syscall === undefined) throw error;
  const why = `${path} cannot be ${act}: ${reasons[error.code ?? ''] ?? error.code}.`;
  throw new ArchiveError(act === 'read' ? `${why} Nothing was restored.` : why);
};

const reasons: Readonly<Record<string, string | undefined>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is exceeded',
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'there is no such directory',
  ENAMETOOLONG: 'the name is too long',
  EIO: 'the device failed',
};

/** For `catch`: what the database refuses while an archive is restored, in the words of whoever restores it. */
export const databaseRefused = (table: string) => (error: { code?: unknown; message?: string }) => {
  if (!/^[\dA-Z]{5}$/.test(String(error.code))) throw error;
  const code = String(error.code);
  const why = refusals[code] ?? refusals[code.slice(0, 2)];
  if (why) throw damaged(why(table));
  throw nothingRestored(new StartError(`The database refused ${table}: ${error.message}.`));
};

/** By SQLSTATE code, or by its class. */
const refusals: Readonly<Record<string, ((table: string) => string) | undefined>> = {
  '22': (table) => `${table} holds a value that cannot be stored`,
  '23503': (table) => `rows of ${table} refer to rows that are missing`,
  '23': (table) => `rows of ${table} break a rule of the schema`,
  '42': (table) => `${table} does not fit the schema of its version`,
  '54': (table) => `a row of ${table} is too long`,
};
