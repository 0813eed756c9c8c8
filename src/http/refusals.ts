/**
 * The log of what is refused for now (503, 429): one line a second, which counts the requests. Anybody can bring it
 * about, and it is no fault. A replica that is left is one line more; and so is it that a database is back, where a
 * line was written that it is away.
 */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { Replicas } from '../database/replicas/replicas.js';
import type { ApiError } from '../errors.js';
import { activity } from '../runtime/activity.js';
import type { RefusalReason } from '../runtime/refusal-reasons.js';
import { LOGGER } from './logger.js';

export interface Refusal {
  readonly answer: ApiError;
  readonly error: unknown;
  readonly errorId: string;
  readonly requestId: string;
}

const everyMs = 1000;

const reasonOf = ({ answer, error }: Refusal): RefusalReason =>
  answer.reason ?? (error === answer ? 'other' : 'database');

@Injectable()
export class Refusals implements OnApplicationShutdown {
  private latest: Refusal | undefined;
  private count = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Pools of which the log says that they are away. */
  private readonly away = new Set<DatabasePool>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(PRIMARY_POOL) private readonly primary: DatabasePool,
    replicas: Replicas,
  ) {
    for (const pool of [primary, ...replicas.pools]) {
      const database = pool === primary ? 'primary' : 'replica';
      pool.onReconnected = (awayMs) => {
        if (this.away.delete(pool))
          logger.info({ database, awayMs: Math.round(awayMs) }, 'The database can be reached again.');
      };
    }
    replicas.onLeft = (replica, cause) => {
      logger.warn({ replica, cause }, 'A replica is left: reads run elsewhere.');
      this.away.add(replicas.pools[replica - 1]!);
    };
  }

  note(refusal: Refusal): void {
    this.latest = refusal;
    this.count += 1;
    activity.refusals[reasonOf(refusal)] += 1;
    if (!this.timer) this.write();
  }

  onApplicationShutdown(): void {
    this.write();
    clearTimeout(this.timer);
  }

  private write(): void {
    this.timer = undefined;
    if (!this.latest) return;
    const { answer, error, errorId, requestId } = this.latest;
    const cause = error === answer || !(error instanceof Error) ? undefined : error.message;
    const reason = reasonOf(this.latest);
    this.logger.warn(
      { errorId, requestId, refusals: this.count, status: answer.status, reason, cause },
      answer.message,
    );
    if (reason === 'database' && this.primary.isAway) this.away.add(this.primary);
    this.latest = undefined;
    this.count = 0;
    this.timer = setTimeout(() => this.write(), everyMs).unref();
  }
}
