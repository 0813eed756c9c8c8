/** The one kind of error the embedded PostgreSQL fails with: a line for the person who starts the service. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** What always works when the embedded one does not. */
export const useYourOwn = 'Set DATABASE_URL to use a PostgreSQL server of your own.';

/** The error code of a failed system call, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;
