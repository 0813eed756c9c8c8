/** What the driver is configured with for the connections of a pool. */
import type pg from 'pg';
import { BatchingSocket } from './batching-socket.js';
import { type ClientOptions, DatabaseClient } from './client.js';
import { mostConnections } from './connection-scheduler.js';
import type { SessionSettings } from './session.js';
import { SharedClient } from './shared-client.js';
import { unaskedClient } from './unasked-client.js';
import type { WaitingRoom } from './waiting-room.js';
import type { WritableAddress } from './writable-address.js';

export interface PoolOptions {
  readonly connectionString?: string;
  readonly settings: SessionSettings;
  /**
   * Of a server that takes writes, or of several of which one does. Connections lead to that one, and those that take
   * none any more are dropped.
   */
  readonly databaseUrl?: string;
  /** Whether a pooler may lend its connections to others, too. */
  readonly isShared?: boolean | 'unasked';
  /** Connections that one user may use. There are a few more, for others and for the service itself. */
  readonly max: number;
  /** Where those are counted that wait; of all pools of the process. */
  readonly waitingRoom?: WaitingRoom;
  /** How long anybody waits for a connection. */
  readonly waitingTimeoutMs?: number;
  /** False: statements travel one by one, as copying rows needs. */
  readonly pipeline?: boolean;
}

/** The driver makes its clients of one address. What takes writes was there at the start. */
function clientClass(isShared: PoolOptions['isShared'], writable?: WritableAddress) {
  if (isShared === 'unasked') return unaskedClient();
  const Driver = isShared ? SharedClient : DatabaseClient;
  if (!writable?.hasSeveral) return Driver;
  return function ClientOfWritable(options: ClientOptions) {
    return new Driver({ ...options, connectionString: writable.current });
  };
}

export const poolConfig = (
  { isShared, pipeline = true, databaseUrl: _, ...options }: PoolOptions,
  writable?: WritableAddress,
): Omit<pg.PoolConfig, 'Client'> & ClientOptions => ({
  ...options,
  max: mostConnections(options.max),
  ...{ Client: clientClass(isShared, writable) },
  // Nobody waits in the driver's pool, and the monitor ends what takes too long to connect.
  connectionTimeoutMillis: 0,
  // Kept: what was prepared on a connection is gone with it, and a timer at every release is not free.
  idleTimeoutMillis: 0,
  // Statements that do not wait for one another travel together.
  pipeline,
  stream: () => new BatchingSocket(),
});
