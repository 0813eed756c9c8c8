/**
 * Removes files that belong to no row, a few at the same time in each process. Where the store takes long, nobody waits
 * for it. What is not removed now is swept with the rest of that kind.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { unavailable } from '../errors.js';
import { FairQueue } from '../turns/fair-queue.js';
import type { FileStore } from './file-store.js';
import { FILE_STORE } from './file-store.token.js';

/** Eight at a time: each removal from a bucket has a connection. */
const bounds = { running: 8, waiting: 10_000, waitingOfClient: 10_000, milliseconds: 60_000 };

@Injectable()
export class FileRemovals {
  /** A request waits so long for what it removes. */
  patienceMs = 1000;
  private readonly queue = new FairQueue<string>(bounds, () => unavailable('Too many files are being removed.'));

  constructor(@Inject(FILE_STORE) private readonly store: FileStore) {}

  async remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const removing = keys.map((key) => this.queue.run('all', () => this.store.remove(key)));
    await Promise.race([Promise.allSettled(removing), pause(this.patienceMs, undefined, { ref: false })]);
  }
}
