/** Whether DATABASE_URL and MIGRATE_DATABASE_URL lead to one database, asked as replicas are. */
import { askDatabase, type DatabaseStatus } from './database-status.js';
import { openForQuestions, UnfitConnectionError } from './open-client.js';

/** Which database an address leads to. Undefined: its role may not know, or the server does not have it. */
export async function databaseAt(url: string): Promise<string | undefined> {
  const client = await openForQuestions(url);
  try {
    return (await client.query<Pick<DatabaseStatus, 'database'>>(askDatabase)).rows[0]!.database;
  } catch (error) {
    if (!/^(42|0A)/.test(String((error as { code?: unknown }).code))) throw error;
    return undefined;
  } finally {
    await client.end();
  }
}

/** Whether that is sure. */
export function mustBeSame(served: string | undefined, migrated: string | undefined): boolean {
  if (served === undefined || migrated === undefined) return false;
  if (served === migrated) return true;
  throw anotherDatabase();
}

export const anotherDatabase = (): UnfitConnectionError =>
  new UnfitConnectionError(
    'MIGRATE_DATABASE_URL leads to another database than DATABASE_URL: set both to the same one, or unset MIGRATE_DATABASE_URL.',
  );
