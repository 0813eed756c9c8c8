/**
 * Keeps one user, whatever his credentials, from taking what is there for all: so many requests a second on average, ten
 * seconds' worth at once. Counted by each process for itself. Off unless it is configured.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import { tooManyRequests } from '../errors.js';

interface Bucket {
  left: number;
  /** In milliseconds of the process's own clock, which nobody sets. */
  at: number;
}

/** Seconds of requests that may come at once. */
const burst = 10;

@Injectable()
export class RateLimit {
  private readonly buckets = new LRUCache<number, Bucket>({ max: 20_000 });
  private readonly perSecond: number;

  constructor(@Inject(CONFIG) { rateLimit }: Pick<Config, 'rateLimit'>) {
    this.perSecond = rateLimit;
  }

  /** Errors: 429, with the seconds until the next request is taken. */
  count(userId: number, reply: FastifyReply): void {
    if (this.perSecond === 0) return;
    const limit = this.perSecond * burst;
    const now = performance.now();
    const bucket = this.buckets.get(userId) ?? { left: limit, at: now };
    bucket.left = Math.min(limit, bucket.left + ((now - bucket.at) / 1000) * this.perSecond);
    bucket.at = now;
    this.buckets.set(userId, bucket);
    const isTaken = bucket.left >= 1;
    if (isTaken) bucket.left -= 1;
    reply.headers({
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.floor(bucket.left)),
      'ratelimit-reset': String(Math.ceil((limit - bucket.left) / this.perSecond)),
    });
    if (!isTaken) throw tooManyRequests(Math.max(1, Math.ceil((1 - bucket.left) / this.perSecond)));
  }
}
