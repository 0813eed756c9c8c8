/**
 * Where in the log of the database the latest write of each caller is, so that reads find it on replicas. Answers to
 * writes tell it, in `X-Read-After` and as a cookie; nothing is stored.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { Replicas } from '../database/replicas/replicas.js';
import { laterOf, spellPosition, type WalPosition, walEnd } from '../database/wal-position.js';
import { BaseAddress } from './base-address.js';
import type { ApiRequest } from './request.js';

/** As long as a replica that lacks them may serve, and a while longer. */
const keptSeconds = ({ maxReplicaLagMs }: Config): number => Math.max(600, Math.ceil(maxReplicaLagMs / 1000) + 60);

export const readAfterCookie = 'worktrack_read_after';

@Injectable()
export class WritePositions {
  private readonly latest: LRUCache<number, WalPosition>;
  private readonly keptSeconds: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly replicas: Replicas,
    private readonly base: BaseAddress,
  ) {
    this.keptSeconds = keptSeconds(config);
    this.latest = new LRUCache({ max: 10_000, ttl: this.keptSeconds * 1000 });
  }

  /** Else nobody needs them. */
  get areNoted(): boolean {
    return this.replicas.areThere;
  }

  /**
   * Without a position nobody knows whether the write is stored. It was acknowledged to nobody, so it keeps only those
   * on the primary who carry its answer on: while the primary is away, all others go on reading.
   */
  note(request: Pick<ApiRequest, 'actor' | 'writtenAt'>, position: WalPosition | undefined): void {
    const { userId } = request.actor;
    request.writtenAt = position ?? walEnd;
    if (!position) return;
    const before = this.latest.get(userId);
    this.latest.set(userId, before ? laterOf(before, position) : position);
  }

  /** The position of the last write of the user by this process. */
  of(userId: number): WalPosition | undefined {
    return this.latest.get(userId);
  }

  tell(request: FastifyRequest, reply: FastifyReply): void {
    const { writtenAt } = request as ApiRequest;
    if (!writtenAt) return;
    const spelled = spellPosition(writtenAt);
    const attributes = this.base.cookieAttributes(request);
    const cookie = `${readAfterCookie}=${spelled}; Max-Age=${this.keptSeconds}; ${attributes}`;
    reply.header('x-read-after', spelled).header('set-cookie', cookie);
  }
}
