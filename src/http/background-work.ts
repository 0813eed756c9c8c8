/**
 * What is done by the clock and for all processes together: months of the record of changes are made ready, and what
 * nobody can use any more is deleted. The process does it that holds the lease. Nothing waits for it: what a request
 * needs, it does itself.
 */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { addChangeMonths } from '../database/add-change-months.js';
import { databaseError } from '../database/database-error.js';
import { Lease } from '../database/lease.js';
import { commitsLocally } from '../database/local-commit.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { ApiError } from '../errors.js';
import { LOGGER } from './logger.js';

interface Job {
  readonly name: string;
  readonly everySeconds: number;
  /** Gives rows where there is something to do. */
  readonly condition?: string;
  /** May run twice, and end anywhere. */
  readonly text: string;
}

/** So many rows go at a time: locks are held briefly. */
const trim = (table: string, isOld: string): string =>
  `delete from ${table} where ${commitsLocally}
     and ctid = any(array(select ctid from ${table} where ${isOld} limit 10000 for update skip locked))`;

/**
 * Tables that have twice the pages that they had when PostgreSQL last looked at their values. Sessions keep their
 * plans until it looks again, and a plan made for an empty table can take seconds for a thousand rows. PostgreSQL looks
 * once a minute at the most; what is larger than this does not double within one.
 */
const grownTables = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname = current_schema() and c.relpages < 65536 and pg_has_role(c.relowner, 'usage')
    and pg_relation_size(c.oid) >= 2 * greatest(c.relpages, 4) * current_setting('block_size')::bigint`;

export const jobs: readonly Job[] = [
  {
    name: 'statistics of tables that have grown',
    everySeconds: 2,
    condition: `${grownTables} limit 1`,
    text: `do $$ declare grown text; begin
      set local synchronous_commit = local;
      for grown in ${grownTables} loop execute 'analyze (skip_locked) ' || grown; end loop;
    end $$`,
  },
  { name: 'months of the record of changes', everySeconds: 12 * 3600, text: addChangeMonths },
  {
    name: 'answers kept for Idempotency-Key',
    everySeconds: 300,
    text: trim('idempotency_key', "create_date < now() - interval '24 hours'"),
  },
  {
    name: 'what deletions took along',
    everySeconds: 300,
    text: trim('taken_along', "date < now() - interval '1 day'"),
  },
  {
    name: 'sessions that are over',
    everySeconds: 300,
    text: trim('session', 'create_date < now() - (select make_interval(hours => session_hours) from global_settings)'),
  },
];

/** A process that is gone holds up nothing for longer. */
const leaseSeconds = 180;

const lookEveryMs = 2_000;

/** What another process does, or what failed, is looked at again after so long. */
const againMs = 60_000;

@Injectable()
export class BackgroundWork implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly lease: Lease;
  private readonly nextAt = new Map<Job, number>();
  private isOver = false;
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

  /** No further work is begun by the clock. */
  pause(): void {
    clearInterval(this.timer);
  }

  /** Another process need not wait until the lease ends. */
  async onApplicationShutdown(): Promise<void> {
    this.pause();
    this.isOver = true;
    await this.lease.giveBack().catch(() => undefined);
  }

  /** Gives the names of what it has done. */
  async look(now = performance.now()): Promise<string[]> {
    const done: string[] = [];
    for (const job of jobs) {
      if (this.isOver) break;
      if (now < (this.nextAt.get(job) ?? now)) continue;
      // Not twice at once, where it takes longer than until the next look.
      this.nextAt.set(job, Number.POSITIVE_INFINITY);
      const outcome = await this.run(job);
      this.nextAt.set(job, now + (outcome === 'left' ? againMs : job.everySeconds * 1000));
      if (outcome === 'done') done.push(job.name);
    }
    return done;
  }

  private async run({ name, condition, text }: Job): Promise<'done' | 'nothing to do' | 'left'> {
    try {
      if (condition && (await this.pool.query(condition)).rowCount === 0) return 'nothing to do';
      // The end of the process gives back what is taken meanwhile.
      if (this.isOver || !(await this.lease.take()) || this.isOver) return 'left';
      await this.pool.query(text);
      return 'done';
    } catch (error) {
      if (this.isOver) return 'left';
      const meaning = error instanceof ApiError ? error : databaseError(error);
      const why = meaning ? { reason: meaning.message } : { err: error };
      this.logger.warn({ job: name, ...why }, 'Background work failed; it is tried again later.');
      return 'left';
    }
  }
}
