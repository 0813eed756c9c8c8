/**
 * The processes that serve one port, which share nothing but the database: starts them, replaces those that end, and
 * ends them in order.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.js';
import { beside } from '../runtime/installation.js';
import { complain } from './standard-error.js';
import { StartError } from './start-failure.js';

/** One worker from its start to its end. */
interface Run {
  readonly worker: Worker;
  readonly since: number;
  /** False when it ended before it listened. */
  readonly listens: Promise<boolean>;
  readonly ended: Promise<End>;
}

interface End {
  readonly isOrderly: boolean;
  /** What kept it from serving, in its own words. */
  readonly failure?: string;
  readonly reason: string;
}

/** Whoever lived so long did not end of its start. */
const settledMs = 60_000;

/** By how many ended soon in a row: one that cannot start shall not keep the machine busy. */
const pauseMs = (soon: number): number => Math.min(100 * 2 ** soon, 10_000);

/** A worker itself gives up after 15 s. */
const patienceMs = 17_000;

export class Workers {
  private readonly running = new Set<Run>();
  private isEnding = false;
  /** One of them listens, or has. */
  serve = false;

  /** Takes the configuration with the database, the host and the port that are used. */
  constructor(private readonly config: Config) {
    cluster.setupPrimary({ exec: fileURLToPath(beside(import.meta.url, 'worker.js')), args: [] });
  }

  /** Until each of them listens, or has ended while others do; fails when one ends before any listens. */
  async start(): Promise<void> {
    const runs = Array.from({ length: this.config.workers }, () => this.run());
    await Promise.all(runs.map((run) => this.started(run)));
  }

  /** No worker takes the place of another any more. */
  drain(): void {
    this.isEnding = true;
    this.tell('SIGTERM');
  }

  async end(): Promise<void> {
    this.isEnding = true;
    this.tell('SIGINT');
    const timer = setTimeout(() => this.tell('SIGKILL'), patienceMs);
    const ends = await Promise.all([...this.running].map(({ ended }) => ended));
    clearTimeout(timer);
    if (!ends.every(({ isOrderly }) => isOrderly)) process.exitCode = 1;
  }

  private tell(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void {
    for (const { worker } of this.running) worker.process.kill(signal);
  }

  private async started(run: Run): Promise<void> {
    if (!(await run.listens)) {
      const { failure, reason } = await run.ended;
      // Whoever gets a signal to end while it starts has not failed; the end of this process is under way.
      if (this.isEnding) await new Promise(() => {});
      if (!this.serve) throw new StartError(failure ?? `${reason} None serves yet: the service ends.`);
    }
    void this.replace(run);
  }

  private async replace(first: Run): Promise<void> {
    let run = first;
    for (let soon = 0; ; soon += 1) {
      const { reason } = await run.ended;
      if (performance.now() - run.since > settledMs) soon = 0;
      if (this.isEnding) return;
      complain(`${reason} Another one takes its place.`);
      await pause(pauseMs(soon));
      if (this.isEnding) return;
      run = this.run();
    }
  }

  private run(): Run {
    const { databaseUrl, host, port, drainMs } = this.config;
    // By environment: a command line can be read by everybody. The administrator is there already.
    const worker = cluster.fork({
      DATABASE_URL: databaseUrl,
      DATABASE_URL_FILE: '',
      HOST: host,
      PORT: port,
      ADMIN_PASSWORD: undefined,
      ADMIN_PASSWORD_FILE: '',
      DRAIN_SECONDS: drainMs / 1000,
    });
    const ended = endOf(worker);
    const listens = Promise.race([heard(worker, 'listening'), ended.then(() => false)]);
    worker.once('listening', () => {
      this.serve = true;
    });
    const run = { worker, since: performance.now(), listens, ended };
    this.running.add(run);
    void ended.then(() => this.running.delete(run));
    return run;
  }
}

function endOf(worker: Worker): Promise<End> {
  return new Promise((resolve) => {
    let failure: string | undefined;
    worker.on('message', (message: { failure?: string }) => {
      failure = message.failure ?? failure;
    });
    worker.on('exit', async (code, signal) => {
      // Its last message may arrive behind the news of its end. The end of the channel is not always reported.
      if (worker.isConnected()) await Promise.race([heard(worker, 'disconnect'), pause(100)]);
      const reason = failure ?? `A worker ended by ${signal ? `signal ${signal}` : `exit status ${code}`}.`;
      resolve({ isOrderly: code === 0 || endedByUs.has(signal ?? ''), failure, reason });
    });
    worker.on('error', (error) => {
      // Else a connection could not be handed over to it, since it is just ending.
      if (worker.process.pid === undefined) resolve({ isOrderly: false, reason: `${error.message}.` });
    });
  });
}

/** Of a worker that has not begun to serve these are its end, and no failure. */
const endedByUs = new Set(['SIGTERM', 'SIGINT', 'SIGHUP']);

/** `once` of Node would fail on an error event, too. */
const heard = (worker: Worker, event: 'listening' | 'disconnect'): Promise<true> =>
  new Promise((resolve) => worker.once(event as 'disconnect', () => resolve(true)));
