/** TypeORM's view of the database: entities for writing, migrations, never `synchronize`. */
import { DataSource } from 'typeorm';
import { entities } from '../modules/entities.js';
import { BatchingSocket } from './batching-socket.js';
import { migrations } from './migrations/migrations.js';
import { type SessionOptions, sessionOptions } from './session.js';

export function createDataSource(url: string, options: SessionOptions & { pool?: number }): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    entities: entities as never,
    migrations,
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    applicationName: 'worktrack',
    // Statements that do not wait for one another travel together.
    extra: {
      max: options.pool ?? 8,
      options: sessionOptions(options),
      connectionTimeoutMillis: 5_000,
      // Kept: what was prepared on a connection is gone with it, and a timer at every release is not free.
      idleTimeoutMillis: 0,
      pipeline: true,
      stream: () => new BatchingSocket(),
    },
  });
}
