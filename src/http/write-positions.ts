/**
 * Where in the log of the database the latest write of each caller is, so that reads find it on replicas. Answers to
 * writes tell it, in `X-Read-After` and as a cookie; nothing is stored.
 */
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Replicas } from '../database/replicas/replicas.js';
import { laterOf, spellPosition, type WalPosition, walEnd } from '../database/wal-position.js';
import { BaseAddress } from './base-address.js';
import type { ApiRequest } from './request.js';

/** A replica that is ten minutes behind serves nobody. */
const keptSeconds = 600;

export const readAfterCookie = 'worktrack_read_after';

@Injectable()
export class WritePositions {
  private readonly latest = new LRUCache<number, WalPosition>({ max: 10_000, ttl: keptSeconds * 1000 });

  constructor(
    private readonly replicas: Replicas,
    private readonly base: BaseAddress,
  ) {}

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

  /** Of the user, by this process. */
  of(userId: number): WalPosition | undefined {
    return this.latest.get(userId);
  }

  tell(request: FastifyRequest, reply: FastifyReply): void {
    const { writtenAt } = request as ApiRequest;
    if (!writtenAt) return;
    const spelled = spellPosition(writtenAt);
    const secure = this.base.of(request as ApiRequest).startsWith('https:') ? '; Secure' : '';
    const cookie = `${readAfterCookie}=${spelled}; Path=/; Max-Age=${keptSeconds}; HttpOnly; SameSite=Lax${secure}`;
    reply.header('x-read-after', spelled).header('set-cookie', cookie);
  }
}
