/**
 * What Prometheus reads. Loaded only where it is asked for; labels are of bounded kinds, never what a client made up.
 */
import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import prometheus, { type Registry } from 'prom-client';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { type ReplicaState, Replicas } from '../database/replicas/replicas.js';
import { ReadinessCheck, readinessOf } from '../http/readiness.js';
import { routeOf } from '../http/route-facts.js';
import { trafficOf } from '../http/traffic.js';
import { whenOver } from '../http/when-over.js';
import { StatementCache } from '../query/compile/statement-cache.js';
import { activity } from '../runtime/activity.js';

const { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram } = prometheus;

/** Before the application is ready. */
export function measure(app: NestFastifyApplication): Registry {
  const registry = new prometheus.Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges that are named as counters are; the same numbers stand beside them by type.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);
  measureRequests(app.getHttpAdapter().getInstance() as unknown as FastifyInstance, registry);
  measureActivity(registry, app.get(StatementCache), app.get(Replicas));
  measurePools(app.get(Replicas), registry);
  measureLocks(app.get(PRIMARY_POOL), registry);
  measureReadiness(app.get(ReadinessCheck), registry);
  measureReplicas(app.get(Replicas), registry);
  AggregatorRegistry.setRegistries([registry]);
  // From now on, it answers the primary process.
  if (cluster.isWorker) new AggregatorRegistry();
  return registry;
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
    labelNames: ['direction', 'route'],
    registers: [registry],
  });
  // Without labels it begins with 0: the first of a series that is new is not seen to be an increase.
  const faults = new Counter({ name: 'worktrack_faults_total', help: 'Requests answered 500.', registers: [registry] });
  whenOver(fastify, (request, { elapsedTime }, { status }) => {
    const route = routeOf(request) ?? 'unknown';
    if (status === 500) faults.inc();
    durations.observe({ method: request.method, route, status: String(status) }, elapsedTime / 1000);
    const { received, sent } = trafficOf(request);
    bytes.inc({ direction: 'received', route }, received);
    bytes.inc({ direction: 'sent', route }, sent);
  });
}

function measureActivity(registry: Registry, { lookups }: StatementCache, { reads }: Replicas): void {
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
  totals(
    'worktrack_reads_total',
    'Reads that may run on replicas, by where they ran; those that a replica could not serve yet.',
    'on',
    reads,
  );
  totals('worktrack_retries_total', 'Reads and transactions that ran once more.', 'kind', activity.retries);
}

function set(counter: prometheus.Counter, value: number): void {
  counter.reset();
  counter.inc(value);
}

function measurePools({ primary, pools }: Replicas, registry: Registry): void {
  // All replicas together.
  const named: [string, readonly DatabasePool[]][] = [['primary', [primary]]];
  if (pools.length > 0) named.push(['replica', pools]);
  const gauge = (name: string, help: string, read: (pool: DatabasePool) => number): void => {
    const made: prometheus.Gauge = new Gauge({
      name,
      help,
      labelNames: ['database'],
      registers: [registry],
      collect() {
        for (const [database, own] of named) {
          made.set(
            { database },
            own.reduce((sum, pool) => sum + read(pool), 0),
          );
        }
      },
    });
  };
  gauge('worktrack_database_connections', 'Connections that are open.', ({ totalCount }) => totalCount);
  gauge('worktrack_database_connections_in_use', 'Connections in use.', ({ connectionsInUse }) => connectionsInUse);
  gauge('worktrack_database_waiting', 'Requests that wait for a connection.', ({ waitingRequests }) => waitingRequests);
}

const timeoutMs = 2000;

/** Of the database as a whole, so all workers tell the same. */
function measureLocks(primary: DatabasePool, registry: Registry): void {
  const waiting: prometheus.Gauge = new Gauge({
    name: 'worktrack_database_lock_waits',
    help: 'Statements of the service that wait for a lock.',
    registers: [registry],
    aggregator: 'max',
    async collect() {
      // While the database is away, the latest number stays; the process that asks for all does not wait for long.
      const count = await Promise.race([primary.lockWaits(), pause(timeoutMs, undefined, { ref: false })]).catch(
        () => undefined,
      );
      if (count !== undefined) waiting.set(count);
    },
  });
}

function measureReadiness(check: ReadinessCheck, registry: Registry): void {
  const ready: prometheus.Gauge = new Gauge({
    name: 'worktrack_ready',
    help: 'Whether reads and writes can be served.',
    labelNames: ['for'],
    registers: [registry],
    aggregator: 'min',
    async collect() {
      const { reads, writes } = readinessOf(await check.observe());
      ready.set({ for: 'reads' }, Number(reads));
      ready.set({ for: 'writes' }, Number(writes));
    },
  });
}

/** Each sets its own number: what another one sets is read a scrape later. */
function measureReplicas(replicas: Replicas, registry: Registry): void {
  const lag: prometheus.Gauge = new Gauge({
    name: 'worktrack_replica_lag_seconds',
    help: 'How far the latest replica is behind; 0 without one, and of those that are away or later than MAX_REPLICA_LAG.',
    registers: [registry],
    aggregator: 'max',
    collect: () => lag.set(Math.max(0, ...replicas.states.map(({ lagMs }) => lagMs).filter(Number.isFinite)) / 1000),
  });
  const byState: prometheus.Gauge = new Gauge({
    name: 'worktrack_replicas',
    help: 'Replicas that serve, that are late, that are away.',
    labelNames: ['state'],
    registers: [registry],
    aggregator: 'max',
    collect() {
      if (!replicas.areThere) return;
      for (const [state, count] of Object.entries(countsOf(replicas.states))) byState.set({ state }, count);
    },
  });
}

function countsOf(replicas: readonly ReplicaState[]): Record<'serving' | 'late' | 'away', number> {
  const away = replicas.filter(({ isAway }) => isAway).length;
  const serving = replicas.filter(({ lagMs }) => Number.isFinite(lagMs)).length;
  return { serving, late: replicas.length - serving - away, away };
}
