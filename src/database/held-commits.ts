/**
 * Commits that the server goes on with though nobody waits for them any more, such as those whose replica is away: each
 * holds a process of the server. So writes are refused while there are many, before all connections are used up.
 */
import type { Pool } from 'pg';
import { busy } from './database-error.js';
import { onceLeft, type Transaction } from './transaction-outcome.js';

export class HeldCommits {
  private held = 0;

  constructor(private readonly connections: number) {}

  mustBeFew(): void {
    if (this.held >= Math.max(1, Math.floor(this.connections / 2))) throw busy();
  }

  /** Until the server has left it. */
  hold(transaction: Transaction, pool: Pool): void {
    this.held += 1;
    void onceLeft(transaction, pool).finally(() => {
      this.held -= 1;
    });
  }
}
