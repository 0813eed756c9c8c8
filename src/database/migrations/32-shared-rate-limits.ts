/**
 * How many requests each user has left, for all processes together. It is lost with a crash, which does no harm: nothing is written ahead
 * for it.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tidiedSoon } from './27-storage.js';

export class SharedRateLimits1700000000032 implements MigrationInterface {
  name = 'SharedRateLimits1700000000032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create unlogged table rate_limit_bucket (
      user_id bigint primary key,
      remaining double precision not null,
      at timestamptz not null
    ) with (fillfactor = 50, ${tidiedSoon})`);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}
