/** The one kind of error the embedded PostgreSQL fails with: a line for the person who starts the service. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** `log` is the path of it, where it stays. */
export const endedByItself = (dataDirectory: string, reason: string, log?: string): EmbeddedPostgresError => {
  const line = `The embedded database in DATA_DIR (${dataDirectory}) ended by itself (${reason}).`;
  return new EmbeddedPostgresError(log === undefined ? line : `${line} Its log is ${log}.`);
};

/** What always works when the embedded one does not. */
export const useYourOwn = 'Set DATABASE_URL to use a PostgreSQL server of your own.';

/** The error code of a failed system call, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;
