/**
 * One transaction on one connection of TypeORM's pool. Statements that do not wait for each other's results travel together:
 * a round trip costs more than most of them.
 */
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { isCutOff } from '../database/database-error.js';

/** What is left to do once a transaction has done its work: it travels with the commit and sees what that made of it. */
export type Finish<T> = () => Promise<T>;

/** A failure with or behind the commit: what the transaction wrote may be written, and must not be written again. */
export class AfterCommit extends Error {
  constructor(override readonly cause: unknown) {
    super('failed behind the commit');
  }
}

/** Named, a statement is on its way with those that are issued along with it; poolers may not be able to keep names. */
export const spoken = (text: string, usesNames: boolean): string | { name: string; text: string } =>
  usesNames ? { name: text.replaceAll(' ', '_'), text } : text;

export async function inTransaction<T>(
  dataSource: DataSource,
  usesNames: boolean,
  act: (manager: EntityManager, connection: PoolClient) => Promise<Finish<T>>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const connection = (await runner.connect()) as PoolClient;
  try {
    // Not waited for: it is on its way before anything else is.
    const begun = connection.query(spoken('begin', usesNames));
    begun.catch(() => undefined);
    const finish = await act(runner.manager, connection);
    await begun;
    return await committed(connection, usesNames, finish);
  } catch (error) {
    if (!(error instanceof AfterCommit)) await connection.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

async function committed<T>(connection: PoolClient, usesNames: boolean, finish: Finish<T>): Promise<T> {
  const committing = connection.query(spoken('commit', usesNames));
  const finishing = finish().catch((error: unknown) => {
    throw new AfterCommit(error);
  });
  finishing.catch(() => undefined);
  const { command } = await committing.catch((error: unknown) => {
    throw isCutOff(error) ? new AfterCommit(error) : error;
  });
  // A statement whose failure nobody noticed has ended the transaction already.
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
  return finishing;
}
