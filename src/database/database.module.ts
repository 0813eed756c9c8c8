/** Opens the database: TypeORM for writing, `pg` pools for reading. Migrates before anything is served. */
import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import { createDataSource } from './data-source.js';
import { PRIMARY_POOL, READ_POOL } from './pools.js';
import { sessionOptions } from './session.js';

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
    @Inject(PRIMARY_POOL) private readonly primary: pg.Pool,
    @Inject(READ_POOL) private readonly read: pg.Pool,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    if (this.read !== this.primary) await this.read.end();
    await this.dataSource.destroy();
  }
}

async function openDataSource(config: Config): Promise<DataSource> {
  const { timeZone, pool } = config;
  return createDataSource(config.databaseUrl!, { timeZone, pool }).initialize();
}

/** TypeORM's own pool: one set of connections for writing and, without a replica, for reading. */
function poolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as unknown as { master: pg.Pool }).master;
}

function readPool({ readDatabaseUrl, timeZone, pool }: Config, primary: pg.Pool): pg.Pool {
  if (!readDatabaseUrl) return primary;
  const options = sessionOptions({ timeZone });
  const replica = new pg.Pool({
    connectionString: readDatabaseUrl,
    max: pool,
    options,
    connectionTimeoutMillis: 5_000,
  });
  // An idle connection that breaks is replaced by the pool; the event must only not go unheard.
  replica.on('error', () => undefined);
  return replica;
}
