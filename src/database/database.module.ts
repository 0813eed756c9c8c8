/** Opens the database: TypeORM for writing, `pg` pools for reading. Migrates before anything is served. */
import { Global, Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG } from '../config/config.token.js';
import { addressesOf } from '../config/database-addresses.js';
import { createDataSource, type DataSourceOptions } from './data-source.js';
import type { ConfigWithPoolers } from './detect-poolers.js';
import { ENTITIES } from './entities.token.js';
import { DatabasePool } from './pool.js';
import { PRIMARY_POOL } from './pools.js';
import { Replicas } from './replicas/replicas.js';
import { sessionSettings } from './session.js';
import { WaitingRoom } from './waiting-room.js';
import { readClocks } from './zone-clocks.js';

@Global()
@Module({
  providers: [
    { provide: WaitingRoom, inject: [CONFIG], useFactory: makeWaitingRoom },
    { provide: DataSource, inject: [CONFIG, WaitingRoom, ENTITIES], useFactory: openDataSource },
    { provide: PRIMARY_POOL, inject: [DataSource], useFactory: poolOf },
    { provide: Replicas, inject: [CONFIG, PRIMARY_POOL, WaitingRoom], useFactory: makeReplicas },
  ],
  exports: [DataSource, PRIMARY_POOL, Replicas, WaitingRoom],
})
export class DatabaseModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    @Inject(CONFIG) private readonly config: ConfigWithPoolers,
  ) {}

  /** Ahead of the first requests, which then find connections that know the tables. Errors: none. */
  async openConnections(): Promise<void> {
    const { pool, sharesConnections, sharesReadConnections } = this.config;
    const looks = lookAtTables(this.dataSource);
    const pools = [
      ...(sharesConnections ? [] : [this.replicas.primary]),
      ...(sharesReadConnections ? [] : this.replicas.pools),
    ];
    // Where that fails, requests open them, and tell why they cannot.
    for (const one of pools) await one.openUpTo(pool, (client) => client.query(looks)).catch(() => undefined);
  }

  onApplicationBootstrap(): void {
    this.replicas.watch();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.replicas.end();
    await this.dataSource.destroy();
  }
}

/** PostgreSQL reads what it knows of a table, of its columns and indexes, anew on each connection. */
const lookAtTables = ({ entityMetadatas }: DataSource): string =>
  [...new Set(entityMetadatas.map(({ tableName }) => `select from "${tableName}" limit 1`))].join(';');

/** One for all pools. */
function makeWaitingRoom({ waitingLimit }: ConfigWithPoolers): WaitingRoom {
  return new WaitingRoom(waitingLimit);
}

async function openDataSource(
  config: ConfigWithPoolers,
  waitingRoom: WaitingRoom,
  entities: NonNullable<DataSourceOptions['entities']>,
): Promise<DataSource> {
  const options = { ...config, isShared: config.sharesConnections, waitingRoom, entities };
  const dataSource = await createDataSource(config.databaseUrl!, options).initialize();
  await readClocks(config.timeZone, (text) => dataSource.query(text));
  return dataSource;
}

/**
 * TypeORM's own pool: one set of connections for writing and reading, where two would need twice as many. Its driver
 * has no public way to it, so `typeorm` is pinned (`test/private-parts.spec.ts`).
 */
function poolOf(dataSource: DataSource): DatabasePool {
  return (dataSource.driver as unknown as { master: DatabasePool }).master;
}

function makeReplicas(config: ConfigWithPoolers, primary: DatabasePool, waitingRoom: WaitingRoom): Replicas {
  const { readDatabaseUrl, sharesReadConnections, unaskedReplicas, pool: max } = config;
  const { waitingTimeoutMs, maxReplicaLagMs } = config;
  const settings = sessionSettings(config);
  const pools = addressesOf(readDatabaseUrl).map((connectionString) => {
    const isShared = sharesReadConnections || (unaskedReplicas.includes(connectionString) ? 'unasked' : false);
    return new DatabasePool({ connectionString, isShared, max, waitingRoom, waitingTimeoutMs, settings });
  });
  return new Replicas(primary, pools, maxReplicaLagMs);
}
