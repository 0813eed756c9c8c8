import type { DatabaseClient } from '../database/client.js';

export type Mend = (client: Pick<DatabaseClient, 'query'>) => Promise<void>;

/** Something that is wrong, and what would mend it. */
export interface Finding {
  readonly check: string;
  readonly problem: string;
  /** Statements, each a transaction of its own, and steps of any kind; none where a person has to decide. */
  readonly mends: readonly (string | Mend)[];
}

export const forPeople = (check: string, problem: string): Finding => ({ check, problem, mends: [] });
