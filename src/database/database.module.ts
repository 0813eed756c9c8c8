/** Opens the database: TypeORM for writing, `pg` pools for reading. Migrates before anything is served. */
import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG } from '../config.token.js';
import { createDataSource } from './data-source.js';
import type { ConfigWithPoolers } from './detect-poolers.js';
import { DatabasePool } from './pool.js';
import { PRIMARY_POOL, READ_POOL } from './pools.js';
import { sessionSettings } from './session.js';

@Global()
@Module({
  providers: [
    { provide: DataSource, inject: [CONFIG], useFactory: openDataSource },
    { provide: PRIMARY_POOL, inject: [DataSource], useFactory: poolOf },
    { provide: READ_POOL, inject: [CONFIG, PRIMARY_POOL], useFactory: readPool },
  ],
  exports: [DataSource, PRIMARY_POOL, READ_POOL],
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

function openDataSource(config: ConfigWithPoolers): Promise<DataSource> {
  return createDataSource(config.databaseUrl!, { ...config, isShared: config.sharesConnections }).initialize();
}

/** TypeORM's own pool: one set of connections for writing and, without a replica, for reading. */
function poolOf(dataSource: DataSource): DatabasePool {
  return (dataSource.driver as unknown as { master: DatabasePool }).master;
}

function readPool(config: ConfigWithPoolers, primary: DatabasePool): DatabasePool {
  const { readDatabaseUrl: connectionString, sharesReadConnections: isShared, pool: max } = config;
  if (!connectionString) return primary;
  return new DatabasePool({ connectionString, isShared, max, settings: sessionSettings(config) });
}
