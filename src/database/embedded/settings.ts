/** The server's settings, for a small service that shares two cores and some gigabytes with its database. */
import { totalmem } from 'node:os';
import { embeddedClusterName } from '../backend-priority.js';

export interface ServerOptions {
  /** Connections that the service may open. */
  readonly connections?: number;
  /** For tests: quick, and nothing survives a power cut. */
  readonly throwaway?: boolean;
  /** Nobody writes. */
  readonly readOnly?: boolean;
}

/** Given as arguments and not in a file, so that a new version's settings hold for clusters of an old one. */
export function serverArguments(pgdata: string, port: number, options: ServerOptions): string[] {
  // Room for chores beside the service: a migration, a dump, somebody with psql.
  const max_connections = Math.max(60, (options.connections ?? 0) + 20);
  const settings: Record<string, string | number> = {
    ...common,
    ...(options.throwaway ? throwaway : durable),
    max_connections,
    port,
  };
  if (options.readOnly) settings.default_transaction_read_only = 'on';
  return ['-D', pgdata, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

const megabytes = Math.round(totalmem() / 2 ** 20);

const common = {
  cluster_name: embeddedClusterName,
  listen_addresses: '127.0.0.1',
  // A socket would be one more door, and its path has to be short.
  unix_socket_directories: '',
  jit: 'off',
  // What sorts in files leaves room on the disk for what is written.
  temp_file_limit: '2GB',
  random_page_cost: 1.1,
  effective_cache_size: `${Math.min(4096, Math.max(256, Math.round(megabytes / 2)))}MB`,
  timezone: 'UTC',
  log_timezone: 'UTC',
  // What a statement did wrong is answered to the service, which logs it; here it would only fill the disk.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

const durable = {
  shared_buffers: '256MB',
  wal_compression: 'on',
  fsync: 'on',
  synchronous_commit: 'on',
};

/** For tests: nothing survives a power cut, everything is quicker. */
const throwaway = {
  shared_buffers: '64MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  io_method: 'sync',
};
