/**
 * Files that are stored ahead of the rows that tell of them. Where these are not stored, nothing is left of the files.
 */
import { Injectable } from '@nestjs/common';
import type { Work } from '../command/change.js';
import { OutcomeUnknown } from '../database/database-error.js';
import { FileRemovals } from './file-removals.js';
import { newKey } from './file-store.js';

@Injectable()
export class NewFiles {
  constructor(private readonly removals: FileRemovals) {}

  /** `act` stores files below the keys that it takes, then their rows. */
  async during<T>(act: (keys: NewKeys) => Promise<T>): Promise<T> {
    const keys = new NewKeys();
    try {
      const result = await act(keys);
      // An answer that was kept for its key belongs to the files of an earlier request.
      if (!keys.areUsed) await this.removals.remove(keys.taken);
      return result;
    } catch (error) {
      // They may have rows.
      if (!(error instanceof OutcomeUnknown)) await this.removals.remove(keys.taken);
      throw error;
    }
  }
}

export class NewKeys {
  readonly taken: string[] = [];
  areUsed = false;

  take(): string {
    const key = newKey();
    this.taken.push(key);
    return key;
  }

  /** The transaction stores the rows. */
  useIn(work: Pick<Work, 'afterCommit'>): void {
    work.afterCommit(() => {
      this.areUsed = true;
    });
  }
}
