/** Whether reads and writes can be served, and what stands against it. Good for a second, so the database is not asked more often. */
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { DatabasePool, DatabaseStatus } from '../database/pool.js';
import { PRIMARY_POOL, READ_POOL } from '../database/pools.js';
import { WaitingRoom } from '../database/waiting-room.js';
import { Draining } from './draining.js';

export type Reason =
  | 'draining'
  | 'database away'
  | 'replica away'
  | 'database read-only'
  | 'replica late'
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
  readonly primary?: DatabaseStatus;
  /** Where there is no replica, the primary once more. */
  readonly replica?: DatabaseStatus;
}

const lifetimeMs = 1000;

/** Whoever asks waits no longer, though the database may be given more time to answer. */
const timeoutMs = 2000;

/** A replica that is further behind is late. */
const lateSeconds = 30;

@Injectable()
export class ReadinessCheck {
  private checkedAt = Number.NEGATIVE_INFINITY;
  private statuses: Promise<Pick<Observed, 'primary' | 'replica'>> = Promise.resolve({});

  constructor(
    @Inject(PRIMARY_POOL) private readonly primary: DatabasePool,
    @Inject(READ_POOL) private readonly read: DatabasePool,
    private readonly waitingRoom: WaitingRoom,
    private readonly draining: Draining,
  ) {}

  async observe(): Promise<Observed> {
    if (performance.now() - this.checkedAt > lifetimeMs) {
      this.checkedAt = performance.now();
      this.statuses = this.ask();
    }
    const { isDraining } = this.draining;
    return { isDraining, isCrowded: this.waitingRoom.isFull, ...(isDraining ? {} : await this.statuses) };
  }

  private async ask(): Promise<Pick<Observed, 'primary' | 'replica'>> {
    const primary = statusOf(this.primary);
    const replica = this.read === this.primary ? primary : statusOf(this.read);
    return { primary: await primary, replica: await replica };
  }
}

async function statusOf(pool: DatabasePool): Promise<DatabaseStatus | undefined> {
  const timer = new AbortController();
  const late = pause(timeoutMs, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
  const status = await Promise.race([pool.probe().catch(() => undefined), late]);
  timer.abort();
  return status;
}

/** Reads need the primary, too: credentials are looked up there. A service that is only busy stays ready. */
export function readinessOf({ isDraining, isCrowded, primary, replica }: Observed): Readiness {
  const reads = !isDraining && primary !== undefined && replica !== undefined;
  const against: [Reason, boolean][] = [
    ['database away', primary === undefined],
    ['replica away', primary !== undefined && replica === undefined],
    ['database read-only', primary?.isReadOnly === true],
    ['replica late', (replica?.lagSeconds ?? 0) > lateSeconds],
    ['too many requests wait', isCrowded],
  ];
  const reasons = against.filter(([, holds]) => holds).map(([reason]) => reason);
  return { reads, writes: reads && !primary.isReadOnly, reasons: isDraining ? ['draining'] : reasons };
}
