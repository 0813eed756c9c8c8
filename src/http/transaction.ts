/**
 * One transaction on one connection of TypeORM's pool. Statements that do not wait for each other's results travel together:
 * a round trip costs more than most of them.
 */
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

export async function inTransaction<T>(
  dataSource: DataSource,
  act: (manager: EntityManager, connection: PoolClient) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const connection = (await runner.connect()) as PoolClient;
  try {
    // Not waited for: it is on its way before anything else is.
    const begun = connection.query('begin');
    begun.catch(() => undefined);
    const result = await act(runner.manager, connection);
    await begun;
    const { command } = await connection.query('commit');
    // A statement whose failure nobody noticed has ended the transaction already.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    return result;
  } catch (error) {
    await connection.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}
