/** One run of the service, from its environment to its orderly end. */
import type { AddressInfo } from 'node:net';
import { type Config, loadConfig } from '../config/config.js';
import type { EmbeddedPostgres } from '../database/embedded/embedded.js';
import { freePort } from '../runtime/free-port.js';
import { openStandardOutput } from '../runtime/standard-output.js';
import { addHandles } from './accept-handles.js';
import { lowerBackgroundThreads } from './background-threads.js';
import { banner } from './banner.js';
import { endAtOnce, endInOrder } from './end-in-order.js';
import { endOnUncaught, endProcess } from './end-process.js';
import { listen } from './listen.js';
import { keepHeapSmall, makeObjectsYoung } from './memory.js';
import { type OpenDatabase, openDatabase } from './open-database.js';
import { complainOf } from './standard-error.js';

export async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  openStandardOutput();
  endOnUncaught();
  let embedded: EmbeddedPostgres | undefined;
  // Cut off instead, it would have to recover at the next start.
  const release = async (): Promise<void> => embedded?.stop();
  const isEnding = endAtOnce(release);
  makeObjectsYoung();
  const open: Open = (config) =>
    openDatabase(config, say, (started) => {
      embedded = started;
    });
  try {
    const config = loadConfig(env);
    await (config.workers > 1 ? serveWithWorkers(config, open) : serveAlone(config, open));
  } catch (error) {
    // The database has been ended under what was still starting.
    if (isEnding()) return;
    complainOf(error);
    // Also where a signal ends the process meanwhile.
    process.exitCode = 1;
    await release().catch(complainOf);
    // Workers end with this process; nothing else holds it.
    await endProcess(1);
  }
}

type Open = (config: Config) => Promise<OpenDatabase>;

async function serveAlone(given: Config, open: Open): Promise<void> {
  // Opening the database is waiting for the most part, loading the application is work.
  const [database, { createApp, closeApp, metricsOf, DatabaseModule, Draining }] = await Promise.all([
    open(given),
    loadApp(),
  ]);
  const { config, embedded } = database;
  const app = await createApp(config);
  const metrics = metricsOf.get(app);
  if (metrics) await (await import('../metrics/metrics-server.js')).serveMetrics(config, () => metrics.metrics());
  await listen(app, config);
  // Until now there was nothing to end in order.
  endInOrder({
    drain: () => app.get(Draining).begin(),
    drainMs: config.drainMs,
    close: () => closeApp(app),
    release: async () => embedded?.stop(),
  });
  keepHeapSmall();
  lowerBackgroundThreads();
  tell(database, (app.getHttpServer().address() as AddressInfo).port);
  void addHandles(app.getHttpServer());
  void app.get(DatabaseModule).openConnections();
}

async function serveWithWorkers(given: Config, open: Open): Promise<void> {
  const [database, { Workers }] = await Promise.all([open(given), import('./workers.js')]);
  // Any free one, but always the same: also for those that come when all others are gone.
  const port = given.port || (await freePort(database.config.host));
  const workers = new Workers({ ...database.config, port });
  endInOrder({
    drain: () => workers.drain(),
    drainMs: given.drainMs,
    isServing: () => workers.serve,
    close: () => workers.end(),
    // Longer than workers are waited for.
    patienceMs: 25_000,
    release: async () => database.embedded?.stop(),
  });
  if (given.metricsPort !== undefined) {
    const [{ metricsOfWorkers }, { serveMetrics }] = await Promise.all([
      import('../metrics/metrics-of-workers.js'),
      import('../metrics/metrics-server.js'),
    ]);
    await serveMetrics(database.config, metricsOfWorkers());
  }
  await workers.start();
  tell(database, port);
}

async function loadApp() {
  const [app, database, draining] = await Promise.all([
    import('../app.js'),
    import('../database/database.module.js'),
    import('../http/draining.js'),
  ]);
  return { ...app, ...database, ...draining };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const tell = ({ config: { host }, state, notices, embedded }: OpenDatabase, port: number): void =>
  void process.stdout.write(banner({ host, port, notices, state, embedded: embedded !== undefined }));
