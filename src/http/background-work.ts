/**
 * What is done by the clock and for all processes together: months of the record of changes are made ready, and what
 * nobody can use any more is deleted. The process does it that holds the lease. Nothing waits for it: what a request
 * needs, it does itself.
 */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { Lease } from '../database/lease.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { LOGGER } from './logger.js';

interface Job {
  readonly name: string;
  readonly everyMinutes: number;
  /** May run twice, and end anywhere. */
  readonly text: string;
}

/** So many rows go at a time: locks are held briefly. */
const trim = (table: string, isOld: string): string =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} where ${isOld} limit 1000 for update skip locked))`;

export const jobs: readonly Job[] = [
  { name: 'months of the record of changes', everyMinutes: 12 * 60, text: 'select add_change_partitions(2)' },
  {
    name: 'answers kept for Idempotency-Key',
    everyMinutes: 5,
    text: trim('idempotency_key', "create_date < now() - interval '24 hours'"),
  },
  {
    name: 'sessions that are over',
    everyMinutes: 5,
    text: trim('session', 'create_date < now() - (select make_interval(hours => session_hours) from global_settings)'),
  },
];

/** A process that is gone holds up nothing for longer. */
const leaseSeconds = 180;

/** Starting has more urgent things to do. */
const lookEveryMs = 60_000;

@Injectable()
export class BackgroundWork implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly lease: Lease;
  private readonly doneAt = new Map<Job, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(PRIMARY_POOL) private readonly pool: DatabasePool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.lease = new Lease(pool, 'background work', leaseSeconds);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), lookEveryMs).unref();
  }

  /** Another process need not wait until the lease ends. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.doneAt.size > 0) await this.lease.giveBack().catch(() => undefined);
  }

  /** Gives the names of what it has done. */
  async look(now = performance.now()): Promise<string[]> {
    const due = jobs.filter(
      (job) => now - (this.doneAt.get(job) ?? Number.NEGATIVE_INFINITY) >= job.everyMinutes * 60_000,
    );
    const done: string[] = [];
    for (const job of due) if (await this.run(job)) done.push(job.name);
    for (const job of due) if (done.includes(job.name)) this.doneAt.set(job, now);
    return done;
  }

  private async run(job: Job): Promise<boolean> {
    try {
      if (!(await this.lease.take())) return false;
      await this.pool.query(job.text);
      return true;
    } catch (error) {
      this.logger.warn({ err: error, job: job.name }, 'Background work failed; it is tried again later.');
      return false;
    }
  }
}
