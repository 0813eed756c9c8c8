/**
 * Where a request reads. A replica serves one whose caller's latest write is known: because the request carries its
 * position, or comes from a browser, which keeps the cookie of its latest write. All others read from the primary,
 * unless they ask for `consistency=eventual` or every commit waits until a replica has applied it
 * (`synchronous_commit = remote_apply`).
 */
import { Injectable } from '@nestjs/common';
import { Replicas } from '../database/replicas/replicas.js';
import { laterOf, parsePosition, type WalPosition, walEnd, walStart } from '../database/wal-position.js';
import { badRequest } from '../errors.js';
import { legibleParameter } from '../query/parameters.js';
import type { ReadPool } from '../query/reader.js';
import { type ApiRequest, queryText } from './request.js';
import { readAfterCookie, WritePositions } from './write-positions.js';

@Injectable()
export class RequestReads {
  constructor(
    private readonly replicas: Replicas,
    private readonly positions: WritePositions,
  ) {}

  /** Undefined: the primary. Errors: 400. */
  of(request: ApiRequest): ReadPool | undefined {
    const consistency = consistencyOf(request);
    const carried = carriedBy(request);
    if (!this.replicas.areThere || !request.isReading) return undefined;
    const { rightsSince, userId } = request.actor;
    const written = consistency === 'eventual' ? walStart : this.writtenBefore(carried, userId);
    if (!rightsSince) return undefined;
    if (written) {
      const wanted = laterOf(rightsSince, written);
      return { read: (use, owner, text) => this.replicas.read(wanted, use, owner, text) };
    }
    if (!this.replicas.haveOneThatAppliesAll) return undefined;
    return {
      read: (use, owner, text) => this.replicas.read('all that is acknowledged', use, owner, text, rightsSince),
    };
  }

  /**
   * What the request carries may be older than what this process knows, and the other way round. Undefined: unknown.
   */
  private writtenBefore(carried: WalPosition | undefined, userId: number): WalPosition | undefined {
    const noted = this.positions.of(userId);
    return carried && noted ? laterOf(carried, noted) : carried;
  }
}

const consistencies = ['eventual', 'own-writes'];

function consistencyOf(request: ApiRequest): string | undefined {
  const query = queryText(request);
  if (!/consistency/i.test(query)) return undefined;
  const input = legibleParameter('consistency', query)?.toLowerCase();
  if (input === undefined || consistencies.includes(input)) return input;
  throw badRequest(`consistency: one of ${consistencies.join(' and ')} is needed.`, 'InvalidParameter');
}

function carriedBy({ headers, isSession }: ApiRequest): WalPosition | undefined {
  const header = headers['x-read-after'];
  if (header === undefined) return inCookie(headers.cookie) ?? (isSession ? walStart : undefined);
  const position = typeof header === 'string' ? parsePosition(header.trim()) : undefined;
  if (position) return position;
  throw badRequest('X-Read-After: what an earlier answer gave under this name is needed, or 0.', 'InvalidParameter');
}

const cookiePattern = new RegExp(`(?:^|;)\\s*${readAfterCookie}=([^;]*)`);

function inCookie(header: string | undefined): WalPosition | undefined {
  const [, value] = (header && cookiePattern.exec(header)) || [];
  // What is none of ours tells nothing of what was written.
  return value === undefined ? undefined : (parsePosition(value.trim()) ?? walEnd);
}
