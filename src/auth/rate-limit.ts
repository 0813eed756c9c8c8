/**
 * Keeps one user, whatever his credentials, from taking what is there for all: so many requests a second on average,
 * ten seconds' worth at once. Off unless it is configured.
 *
 * No request waits for the count of all processes. Each counts for itself and reports to the database several times a
 * second what it let in; the database answers with what is left for all. What others let in meanwhile is taken off the
 * next seconds of all processes.
 */
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { tooManyRequests } from '../errors.js';

interface Bucket {
  /** Below zero where processes together let in more. */
  left: number;
  /** When `left` was computed, in milliseconds of the monotonic clock. */
  at: number;
  /** Requests that were let in since the last report to the database. */
  unreported: number;
}

/** Seconds of requests that may come at once. */
const burst = 10;

/** Other processes take it into account within twice the time. */
const reportAfterMs = 250;

@Injectable()
export class RateLimit implements OnModuleDestroy {
  private readonly buckets = new LRUCache<number, Bucket>({ max: 20_000 });
  /** Of users who asked since the last report to the database. */
  private readonly unreportedBuckets = new Map<number, Bucket>();
  private readonly perSecond: number;
  private readonly limit: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) { rateLimit }: Pick<Config, 'rateLimit'>,
    @Inject(PRIMARY_POOL) private readonly pool: Pick<DatabasePool, 'query'>,
  ) {
    this.perSecond = rateLimit;
    this.limit = rateLimit * burst;
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  /** Errors: 429, with the seconds until the next request is taken. */
  count(userId: number, reply: FastifyReply): void {
    if (this.perSecond === 0) return;
    const bucket = this.refilled(userId);
    const isTaken = bucket.left >= 1;
    if (isTaken) {
      bucket.left -= 1;
      bucket.unreported += 1;
    }
    this.reportSoon(userId, bucket);
    reply.headers({
      'ratelimit-limit': String(this.limit),
      'ratelimit-remaining': String(Math.max(0, Math.floor(bucket.left))),
      'ratelimit-reset': String(Math.ceil((this.limit - bucket.left) / this.perSecond)),
    });
    if (!isTaken) throw tooManyRequests(Math.max(1, Math.ceil((1 - bucket.left) / this.perSecond)));
  }

  private refilled(userId: number): Bucket {
    const now = performance.now();
    const bucket = this.buckets.get(userId) ?? { left: this.limit, at: now, unreported: 0 };
    bucket.left = Math.min(this.limit, bucket.left + ((now - bucket.at) / 1000) * this.perSecond);
    bucket.at = now;
    this.buckets.set(userId, bucket);
    return bucket;
  }

  private reportSoon(userId: number, bucket: Bucket): void {
    this.unreportedBuckets.set(userId, bucket);
    this.timer ??= setTimeout(() => void this.report(), reportAfterMs).unref();
  }

  /** While the database is away, each process counts for itself. */
  private async report(): Promise<void> {
    const charges = [...this.unreportedBuckets].map(([userId, bucket]) => ({
      userId,
      bucket,
      taken: bucket.unreported,
    }));
    this.unreportedBuckets.clear();
    for (const { bucket, taken } of charges) bucket.unreported -= taken;
    try {
      await this.exchange(charges);
    } catch {
      for (const { bucket, taken } of charges) bucket.unreported += taken;
    }
    this.timer = undefined;
    if (this.unreportedBuckets.size > 0) this.timer = setTimeout(() => void this.report(), reportAfterMs).unref();
  }

  private async exchange(charges: readonly { userId: number; bucket: Bucket; taken: number }[]): Promise<void> {
    const users = charges.map(({ userId }) => userId);
    const taken = charges.map((one) => one.taken);
    const { rows } = await this.pool.query<{ id: number; remaining: number }>(take, [
      users,
      taken,
      this.limit,
      this.perSecond,
    ]);
    const remaining = new Map(rows.map((row) => [row.id, row.remaining]));
    for (const { userId, bucket } of charges) {
      bucket.left = remaining.get(userId)! - bucket.unreported;
      bucket.at = performance.now();
    }
  }
}

/** In the order of users, so that processes do not wait for one another in a circle. */
const take = `insert into rate_limit_bucket as b (user_id, remaining, at)
  select id, $3::float8 - taken, clock_timestamp() from unnest($1::bigint[], $2::float8[]) as t (id, taken) order by id
  on conflict (user_id) do update set at = clock_timestamp(),
    remaining = least($3, b.remaining + greatest(0, extract(epoch from clock_timestamp() - b.at))::float8 * $4::float8)
      - ($3 - excluded.remaining)
  returning user_id as id, remaining`;
