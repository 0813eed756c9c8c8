/**
 * One kind of attack beside the canary: what the canary noticed, what memory was taken, and whether all still runs
 * afterwards.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { askOnce, quantile } from '../bench/load.mjs';
import { Canary } from './canary.mjs';
import { watchMemory } from './memory.mjs';

const heapMb = 384;

/**
 * `service` has a base and a pid; `use`, where it has that, tells how long the event loop stalled since the last call.
 * `names` are the kinds that attack at once; none for the canary alone.
 */
export async function besiege(names, { service, client, fixture, seconds, timeoutMs }) {
  const attack = names.length > 0 && (await startFleet(service.base, names, fixture.fleet, seconds));
  const canary = new Canary(service.base, fixture.canary, timeoutMs);
  await service.use?.();
  const memory = watchMemory(service.pid, client);
  const busyShare = watchCores();
  canary.start();
  const { sent, answers } = attack ? await attack() : await quiet(seconds);
  const noticed = await canary.stop();
  canary.close();
  const p99 = quantile(noticed.latencies, 0.99);
  return { ...noticed, p99, ...memory(), busy: busyShare(), sent, answers, ...(await survival(service, client)) };
}

/** The share of all cores that was busy since, with whatever else the machine does. */
function watchCores() {
  const total = () =>
    cpus().reduce(
      ([all, idle], { times }) => [all + Object.values(times).reduce((sum, ms) => sum + ms), idle + times.idle],
      [0, 0],
    );
  const [before, idleBefore] = total();
  return () => {
    const [after, idleAfter] = total();
    return 1 - (idleAfter - idleBefore) / Math.max(1, after - before);
  };
}

async function quiet(seconds) {
  await pause(seconds * 1000);
  return { sent: 0, answers: {} };
}

/** Gives a function that lets it attack, and tells what it was answered. */
async function startFleet(base, names, fixture, seconds) {
  const execArgv = [`--max-old-space-size=${heapMb}`];
  // A session of its own: where Linux shares the cores among sessions, it would take the service's share in this one.
  const options = { execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true };
  const child = fork(new URL('fleet.mjs', import.meta.url), options);
  const errors = [];
  child.stderr.on('data', (chunk) => errors.push(chunk.toString()));
  const message = () =>
    Promise.race([
      once(child, 'message').then(([value]) => value),
      once(child, 'exit').then(() => Promise.reject(new Error(`The fleet has ended: ${errors.join('')}`))),
    ]);
  const ready = message();
  child.send({ base, names, fixture, seconds });
  await ready;
  return async () => {
    const over = message();
    child.send('go');
    const tally = await over;
    await ended(child);
    return tally;
  };
}

/** Its sockets are closed; one that hangs is ended. */
async function ended(child) {
  if (child.exitCode !== null) return;
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await once(child, 'exit');
  clearTimeout(late);
}

/** Waits until the statements that the fleet left behind are over. */
async function survival(service, client) {
  const stalls = await service.use?.().catch(() => undefined);
  const overAfter = await settled(client);
  const { status } = await askOnce(service.base, { path: '/health/ready' }).catch(() => ({ status: 0 }));
  return { ...stalls, overAfter, survives: overAfter !== undefined && isRunning(service.pid) && status === 200 };
}

const active = `select from pg_stat_activity
  where datname = current_database() and state <> 'idle' and backend_type = 'client backend' and pid <> pg_backend_pid()`;

/**
 * Seconds until the database is idle, a minute at most; nothing when the connection, which PostgreSQL cuts where a
 * backend crashes, is gone.
 */
async function settled(client) {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  try {
    while (elapsed() < 60 && (await client.query(active)).rowCount > 0) await pause(100);
    return elapsed();
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
