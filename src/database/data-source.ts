/** TypeORM's view of the database: entities for writing, migrations, never `synchronize`. */
import { DataSource, type DataSourceOptions as MappedBy } from 'typeorm';
import { addressesOf } from '../config/database-addresses.js';
import { migrations } from './migrations/migrations.js';
import { DatabasePool } from './pool.js';
import { type SessionOptions, sessionSettings } from './session.js';
import type { WaitingRoom } from './waiting-room.js';

export interface DataSourceOptions extends SessionOptions {
  pool?: number;
  /** Whether a pooler deals out the connections by transaction. */
  isShared?: boolean;
  waitingRoom?: WaitingRoom;
  waitingTimeoutMs?: number;
  pipeline?: boolean;
  /** What it maps: nothing where it is for migrations alone. */
  entities?: MappedBy['entities'];
}

export function createDataSource(url: string, options: DataSourceOptions): DataSource {
  const { pool: max = 8, isShared = false, waitingRoom, waitingTimeoutMs, pipeline, entities = [] } = options;
  return new DataSource({
    type: 'postgres',
    // TypeORM itself takes one host; the pool chooses from all.
    url: addressesOf(url)[0],
    // What it takes of the driver.
    driver: { Pool: DatabasePool },
    extra: {
      databaseUrl: url,
      max,
      isShared,
      waitingRoom,
      waitingTimeoutMs,
      pipeline,
      settings: sessionSettings(options),
    },
    entities,
    migrations,
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
  });
}
