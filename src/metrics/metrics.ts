/** What Prometheus is told. Loaded only where it is asked for; labels are of bounded kinds, never what a client made up. */
import cluster from 'node:cluster';
import type { Socket } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import prometheus, { type Registry } from 'prom-client';
import { activity } from '../activity.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL, READ_POOL } from '../database/pools.js';
import { ReadinessCheck, readinessOf } from '../http/readiness.js';
import { StatementCache } from '../query/statement-cache.js';

const { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram } = prometheus;

/** Before the application is ready. */
export function measure(app: NestFastifyApplication): Registry {
  const registry = new prometheus.Registry();
  collectDefaultMetrics({ register: registry });
  measureRequests(app.getHttpAdapter().getInstance() as unknown as FastifyInstance, registry);
  measureActivity(registry, app.get(StatementCache));
  measurePools({ primary: app.get(PRIMARY_POOL), replica: app.get(READ_POOL) }, registry);
  measureReadiness(app.get(ReadinessCheck), registry);
  AggregatorRegistry.setRegistries([registry]);
  // From now on, it answers the primary process.
  if (cluster.isWorker) new AggregatorRegistry();
  return registry;
}

interface Bytes {
  read: number;
  written: number;
}

function measureRequests(fastify: FastifyInstance, registry: Registry): void {
  const labelNames = ['method', 'route', 'status'] as const;
  const durations = new Histogram({
    name: 'worktrack_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer, by the pattern of its route.',
    labelNames,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const bytes = new Counter({
    name: 'worktrack_http_bytes_total',
    help: 'Bytes of requests and answers, headers included.',
    labelNames: ['direction'],
    registers: [registry],
  });
  const before = new WeakMap<Socket, Bytes>();
  fastify.addHook('onResponse', (request, reply, done) => {
    durations.observe(labelsOf(request, reply), reply.elapsedTime / 1000);
    const { socket } = request.raw;
    const now = { read: socket.bytesRead, written: socket.bytesWritten };
    const then = before.get(socket) ?? { read: 0, written: 0 };
    bytes.inc({ direction: 'received' }, now.read - then.read);
    bytes.inc({ direction: 'sent' }, now.written - then.written);
    before.set(socket, now);
    done();
  });
}

const labelsOf = ({ method, routeOptions: { url } }: FastifyRequest, { statusCode }: FastifyReply) => ({
  method,
  route: url === undefined || url === '*' || url === '/*' ? 'unknown' : url,
  status: String(statusCode),
});

function measureActivity(registry: Registry, { lookups }: StatementCache): void {
  const total = (name: string, help: string, read: () => number): void => {
    const counter: prometheus.Counter = new Counter({
      name,
      help,
      registers: [registry],
      collect: () => set(counter, read()),
    });
  };
  const totals = (name: string, help: string, label: string, counts: Readonly<Record<string, number>>): void => {
    const counter: prometheus.Counter = new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        counter.reset();
        for (const [value, count] of Object.entries(counts)) counter.inc({ [label]: value }, count);
      },
    });
  };
  total('worktrack_database_statements_total', 'Statements sent to the database.', () => activity.statements);
  total('worktrack_sessions_total', 'Sessions begun.', () => activity.sessions);
  total('worktrack_login_locks_total', 'Logins locked for wrong passwords.', () => activity.loginLocks);
  totals('worktrack_password_checks_total', 'Passwords checked.', 'result', activity.passwordChecks);
  totals('worktrack_refusals_total', 'Requests refused for now (429, 503).', 'reason', activity.refusals);
  totals('worktrack_statement_cache_requests_total', 'Statements asked for.', 'result', lookups);
  totals('worktrack_retries_total', 'Reads and transactions that ran once more.', 'kind', activity.retries);
}

function set(counter: prometheus.Counter, value: number): void {
  counter.reset();
  counter.inc(value);
}

function measurePools(pools: { primary: DatabasePool; replica: DatabasePool }, registry: Registry): void {
  const named = Object.entries(pools).filter(([name, pool]) => name === 'primary' || pool !== pools.primary);
  const gauge = (name: string, help: string, read: (pool: DatabasePool) => number): void => {
    const made: prometheus.Gauge = new Gauge({
      name,
      help,
      labelNames: ['database'],
      registers: [registry],
      collect() {
        for (const [database, pool] of named) made.set({ database }, read(pool));
      },
    });
  };
  gauge('worktrack_database_connections', 'Connections that are open.', ({ totalCount }) => totalCount);
  gauge('worktrack_database_connections_in_use', 'Connections in use.', ({ connectionsInUse }) => connectionsInUse);
  gauge('worktrack_database_waiting', 'Requests that wait for a connection.', ({ waitingRequests }) => waitingRequests);
}

function measureReadiness(check: ReadinessCheck, registry: Registry): void {
  const lag = new Gauge({
    name: 'worktrack_replica_lag_seconds',
    help: 'How far the replica is behind; 0 without one.',
    registers: [registry],
    aggregator: 'max',
  });
  const ready: prometheus.Gauge = new Gauge({
    name: 'worktrack_ready',
    help: 'Whether reads and writes can be served.',
    labelNames: ['for'],
    registers: [registry],
    aggregator: 'min',
    async collect() {
      const observed = await check.observe();
      const { reads, writes } = readinessOf(observed);
      ready.set({ for: 'reads' }, Number(reads));
      ready.set({ for: 'writes' }, Number(writes));
      lag.set(observed.replica?.lagSeconds ?? 0);
    },
  });
}
