/** Why the database was not brought to the current schema, in one line for the person who starts the service. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';

  constructor(
    readonly migration: string,
    why: string,
    override readonly cause?: unknown,
  ) {
    super(`${migration} ${why}`);
  }
}

export const migrationFailed = (migration: string, cause: unknown): MigrationError =>
  new MigrationError(migration, `failed and was rolled back: ${(cause as Error).message}.`, cause);

export const migrationLockedOut = (migration: string, attempts: number, cause: unknown): MigrationError =>
  new MigrationError(
    migration,
    `was given no lock in ${attempts} attempts and was rolled back. End what uses the database for long, such as a backup, and start again.`,
    cause,
  );

/** Of items that are renewed ahead of the transaction. */
export const itemsLockedOut = (
  migration: string,
  { left, attempts, who }: { left: number; attempts: number; who: string },
): MigrationError =>
  new MigrationError(
    migration,
    `was given no lock in ${attempts} attempts for the last ${left} items: end ${who}, and start again. It goes on there.`,
  );

export const madeByEarlierVersion = (migration: string): MigrationError =>
  new MigrationError(
    migration,
    'is the newest migration there, of a version before the last 0.1: start the last 0.1 on the database once, then this version.',
  );

export const madeByNewerVersion = (migration: string): MigrationError =>
  new MigrationError(
    migration,
    'is unknown to this version: what has it was brought up to date by a newer one. Use that, or a backup from before.',
  );

/** The schema cannot be made in that database. */
export class UnfitDatabaseError extends Error {
  override readonly name = 'UnfitDatabaseError';

  constructor(missing: string) {
    super(`The schema cannot be made: ${missing}`);
  }
}

/** Lock not available; deadlock. */
const lockCodes = new Set(['55P03', '40P01']);

/** Of the driver: that others have locked what a statement needs. */
export const isLockRefusal = (error: unknown): boolean =>
  lockCodes.has((error as { code?: string } | undefined)?.code ?? '');
