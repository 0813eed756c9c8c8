/**
 * Whether reads and writes can be served, and what stands against it. Good for a second, so the database is not asked
 * more often.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { DatabaseStatus } from '../database/database-status.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { type ReplicaState, Replicas } from '../database/replicas/replicas.js';
import { WaitingRoom } from '../database/waiting-room.js';
import { Draining } from './draining.js';

export type Reason =
  | 'draining'
  | 'database away'
  | 'replica away'
  | 'database read-only'
  | 'replica late'
  | 'replica of another database'
  | 'too many requests wait';

export interface Readiness {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly reasons: readonly Reason[];
}

export interface Observed {
  readonly isDraining: boolean;
  readonly isCrowded: boolean;
  /** Absent: it did not answer. */
  readonly primary?: Pick<DatabaseStatus, 'isReadOnly'>;
  readonly replicas: readonly ReplicaState[];
}

const lifetimeMs = 1000;

/** Whoever asks waits no longer, though the database may be given more time to answer. */
const timeoutMs = 2000;

@Injectable()
export class ReadinessCheck {
  private checkedAt = Number.NEGATIVE_INFINITY;
  private status: Promise<DatabaseStatus | undefined> = Promise.resolve(undefined);

  constructor(
    @Inject(PRIMARY_POOL) private readonly primary: DatabasePool,
    private readonly replicas: Replicas,
    private readonly waitingRoom: WaitingRoom,
    private readonly draining: Draining,
  ) {}

  /** Where there are replicas, the primary is asked all the time. */
  async observe(): Promise<Observed> {
    if (this.replicas.primaryStatus === 'unasked' && performance.now() - this.checkedAt > lifetimeMs) {
      this.checkedAt = performance.now();
      this.status = statusOf(this.primary);
    }
    const { isDraining } = this.draining;
    const { primaryStatus } = this.replicas;
    const primary = primaryStatus === 'unasked' ? await this.status : primaryStatus;
    return { isDraining, isCrowded: this.waitingRoom.isFull, primary, replicas: this.replicas.states };
  }
}

async function statusOf(pool: DatabasePool): Promise<DatabaseStatus | undefined> {
  const timer = new AbortController();
  const late = pause(timeoutMs, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
  const status = await Promise.race([pool.probe().catch(() => undefined), late]);
  timer.abort();
  return status;
}

/**
 * Replicas serve reads while the primary is away, and the primary while they are. A service that is only busy stays
 * ready.
 */
export function readinessOf({ isDraining, isCrowded, primary, replicas }: Observed): Readiness {
  const reads = !isDraining && (primary !== undefined || replicas.some(({ lagMs }) => Number.isFinite(lagMs)));
  const against: [Reason, boolean][] = [
    ['database away', primary === undefined],
    ['replica away', replicas.some(({ isAway }) => isAway)],
    ['database read-only', primary?.isReadOnly === true],
    ['replica late', replicas.some((one) => !one.isAway && !one.isOfAnother && !Number.isFinite(one.lagMs))],
    ['replica of another database', replicas.some(({ isOfAnother }) => isOfAnother)],
    ['too many requests wait', isCrowded],
  ];
  const reasons = against.filter(([, holds]) => holds).map(([reason]) => reason);
  const writes = !isDraining && primary?.isReadOnly === false;
  return { reads, writes, reasons: isDraining ? ['draining'] : reasons };
}
