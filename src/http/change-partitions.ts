/** Keeps the months to come ready in the record of changes. Where that fails, what is written meanwhile lies in its partition for the rest. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { LOGGER } from './logger.js';

const hour = 3600 * 1000;
/** Starting has more urgent things to do. */
const firstAfterMs = 60 * 1000;
const monthsAhead = 2;

@Injectable()
export class ChangePartitions implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    @Inject(PRIMARY_POOL) private readonly pool: DatabasePool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.addAfter(firstAfterMs);
  }

  onApplicationShutdown(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private addAfter(milliseconds: number): void {
    if (this.isOver) return;
    this.timer = setTimeout(() => void this.add().then(() => this.addAfter(12 * hour)), milliseconds).unref();
  }

  private async add(): Promise<void> {
    try {
      await this.pool.query('select add_change_partitions($1::int)', [monthsAhead]);
    } catch (error) {
      this.logger.warn({ err: error }, 'The partitions of the record of changes could not be added.');
    }
  }
}
