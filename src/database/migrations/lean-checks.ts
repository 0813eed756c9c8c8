/**
 * Amounts are checked by one condition a table: PostgreSQL reads the text of each anew for each statement, and works
 * out a number that is not written as one of the column's type.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LeanChecks1700000000211 implements MigrationInterface {
  name = 'LeanChecks1700000000211';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, { before, after }] of Object.entries(checks)) await exchange(runner, table, before, after);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, { before, after }] of Object.entries(checks)) await exchange(runner, table, after, before);
  }
}

type Checks = Readonly<Record<string, string>>;

/** By the names of the constraints. */
const checks: Readonly<Record<string, { readonly before: Checks; readonly after: Checks }>> = {
  general: {
    before: {
      ck_general_progress: 'progress between 0 and 1',
      ck_general_effort: 'effort >= 0 and effort_completed >= 0 and effort_to_do >= 0',
      ck_general_time: 'time_spent >= 0 and time_remain >= 0',
    },
    after: {
      ck_general_amounts: `least(effort, effort_completed, effort_to_do, time_spent, time_remain, progress) >= numeric '0'
        and progress <= numeric '1'`,
    },
  },
  role_effort: {
    before: {
      ck_role_effort_effort: 'effort >= 0 and initial_estimate >= 0',
      ck_role_effort_own: 'own_effort >= 0',
      ck_role_effort_own_completed: 'own_completed >= 0',
    },
    after: {
      ck_role_effort_amounts: "least(effort, initial_estimate, own_effort, own_completed) >= numeric '0'",
    },
  },
  time: {
    before: { ck_time_hours: 'spent >= 0 and remain >= 0' },
    after: { ck_time_amounts: "least(spent, remain) >= numeric '0'" },
  },
};

async function exchange(runner: QueryRunner, table: string, from: Checks, to: Checks): Promise<void> {
  const dropped = Object.keys(from).map((name) => `drop constraint ${name}`);
  const added = Object.entries(to).map(([name, condition]) => `add constraint ${name} check (${condition})`);
  await runner.query(`alter table "${table}" ${[...dropped, ...added].join(', ')}`);
}
