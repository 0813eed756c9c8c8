/** Whether the process lives, and whether it can serve. Neither tells anything else, and neither costs anything. */
import { Controller, Get, HttpCode, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { Public } from '../auth/public.decorator.js';
import { PRIMARY_POOL } from '../database/pools.js';

const lifetimeMs = 1000;

@Public()
@Controller('health')
export class HealthController {
  private checkedAt = Number.NEGATIVE_INFINITY;
  private check: Promise<boolean> = Promise.resolve(false);

  constructor(@Inject(PRIMARY_POOL) private readonly pool: pg.Pool) {}

  @Get('live')
  @HttpCode(200)
  live(@Res() reply: FastifyReply): void {
    answer(reply, true);
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    // Asked without a login, so the answer is good for a second and the database is not asked more often.
    if (performance.now() - this.checkedAt > lifetimeMs) {
      this.checkedAt = performance.now();
      this.check = this.pool.query('select 1').then(
        () => true,
        () => false,
      );
    }
    answer(reply, await this.check);
  }
}

const answer = (reply: FastifyReply, well: boolean): void =>
  void reply
    .status(well ? 200 : 503)
    .header('content-type', 'application/json; charset=utf-8')
    .send(well ? '{"status":"ok"}' : '{"status":"unavailable"}');
