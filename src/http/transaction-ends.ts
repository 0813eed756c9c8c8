/** What follows a transaction: once it is committed, or once it is sure that nothing of it is left. */
import { OutcomeUnknown } from '../database/database-error.js';

type Act = () => void | Promise<void>;

export class TransactionEnds {
  private readonly later: Act[] = [];
  private readonly undoing: Act[] = [];

  afterCommit(act: Act): void {
    this.later.push(act);
  }

  ifUndone(act: Act): void {
    this.undoing.push(act);
  }

  async of<T>(running: Promise<T>): Promise<T> {
    try {
      return await running;
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) await allSettled(this.undoing);
      throw error;
    }
  }

  /** What is written is written, whether or not what is kept in memory can be renewed now. */
  committed(): Promise<void> {
    return allSettled(this.later);
  }
}

async function allSettled(acts: readonly Act[]): Promise<void> {
  await Promise.allSettled(acts.map(async (act) => act()));
}
