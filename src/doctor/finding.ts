/** Something that is wrong, and what would mend it. */
export interface Finding {
  readonly check: string;
  readonly problem: string;
  /**
   * Statements, each a transaction of its own, and steps outside of the database; none where a person has to decide.
   */
  readonly mends: readonly (string | (() => Promise<void>))[];
}

export const forPeople = (check: string, problem: string): Finding => ({ check, problem, mends: [] });
