/** Opens the database: TypeORM for writing, `pg` pools for reading. Migrates before anything is served. */
import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG } from '../config.token.js';
import { createDataSource } from './data-source.js';
import type { ConfigWithPoolers } from './detect-poolers.js';
import { DatabasePool } from './pool.js';
import { PRIMARY_POOL, READ_POOL } from './pools.js';
import { sessionSettings } from './session.js';
import { WaitingRoom } from './waiting-room.js';

@Global()
@Module({
  providers: [
    { provide: WaitingRoom, inject: [CONFIG], useFactory: makeWaitingRoom },
    { provide: DataSource, inject: [CONFIG, WaitingRoom], useFactory: openDataSource },
    { provide: PRIMARY_POOL, inject: [DataSource], useFactory: poolOf },
    { provide: READ_POOL, inject: [CONFIG, PRIMARY_POOL, WaitingRoom], useFactory: readPool },
  ],
  exports: [DataSource, PRIMARY_POOL, READ_POOL, WaitingRoom],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(PRIMARY_POOL) private readonly primary: DatabasePool,
    @Inject(READ_POOL) private readonly read: DatabasePool,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    if (this.read !== this.primary) await this.read.end();
    await this.dataSource.destroy();
  }
}

/** One for both pools. */
function makeWaitingRoom({ waitingLimit }: ConfigWithPoolers): WaitingRoom {
  return new WaitingRoom(waitingLimit);
}

function openDataSource(config: ConfigWithPoolers, waitingRoom: WaitingRoom): Promise<DataSource> {
  const options = { ...config, isShared: config.sharesConnections, waitingRoom };
  return createDataSource(config.databaseUrl!, options).initialize();
}

/** TypeORM's own pool: one set of connections for writing and, without a replica, for reading. */
function poolOf(dataSource: DataSource): DatabasePool {
  return (dataSource.driver as unknown as { master: DatabasePool }).master;
}

function readPool(config: ConfigWithPoolers, primary: DatabasePool, waitingRoom: WaitingRoom): DatabasePool {
  const { readDatabaseUrl: connectionString, sharesReadConnections: isShared, pool: max, waitingTimeoutMs } = config;
  if (!connectionString) return primary;
  const settings = sessionSettings(config);
  return new DatabasePool({ connectionString, isShared, max, waitingRoom, waitingTimeoutMs, settings });
}
