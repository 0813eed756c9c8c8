/** Whether the process lives, and whether it can serve. Neither tells anything else, and neither costs anything. */
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, HttpCode, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/public.decorator.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL, READ_POOL } from '../database/pools.js';
import { Draining } from './draining.js';

const lifetimeMs = 1000;

/** Whoever asks waits no longer, though the database may be given more time to answer. */
const timeoutMs = 2000;

@Public()
@Controller('health')
export class HealthController {
  private readonly pools: ReadonlySet<DatabasePool>;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private check: Promise<boolean> = Promise.resolve(false);

  constructor(
    @Inject(PRIMARY_POOL) primary: DatabasePool,
    @Inject(READ_POOL) read: DatabasePool,
    private readonly draining: Draining,
  ) {
    this.pools = new Set([primary, read]);
  }

  @Get('live')
  @HttpCode(200)
  live(@Res() reply: FastifyReply): void {
    answer(reply, true);
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    if (this.draining.isDraining) return answer(reply, false);
    // Asked without a login, so the answer is good for a second and the database is not asked more often.
    if (performance.now() - this.checkedAt > lifetimeMs) {
      this.checkedAt = performance.now();
      this.check = this.isReady();
    }
    answer(reply, await this.check);
  }

  private async isReady(): Promise<boolean> {
    const timer = new AbortController();
    const late = pause(timeoutMs, false, { signal: timer.signal, ref: false }).catch(() => false);
    const answers = Promise.all([...this.pools].map((pool) => pool.probe()));
    const isReady = await Promise.race([answers.then(isTrue, isFalse), late]);
    timer.abort();
    return isReady;
  }
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

const answer = (reply: FastifyReply, well: boolean): void =>
  void reply
    .status(well ? 200 : 503)
    .header('content-type', 'application/json; charset=utf-8')
    .send(well ? '{"status":"ok"}' : '{"status":"unavailable"}');
