/**
 * The database keeps the totals of effort, time and progress right in the transaction that moves them, whoever writes:
 * changes of facts leave notes, and before the transaction ends everything noted is summed up, from the bottom to the top.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { computeFunctions } from './5-totals-compute.js';
import { notes, noteTriggers } from './5-totals-notes.js';
import { recompute, settle, spans, versions } from './5-totals-settle.js';

export class Totals1700000000005 implements MigrationInterface {
  name = 'Totals1700000000005';

  async up(runner: QueryRunner): Promise<void> {
    const functions = [...notes, ...computeFunctions(), ...spans, ...settle, recompute, versions];
    for (const statement of [...ownEffort, ...assignedEffort, ...functions, ...noteTriggers])
      await runner.query(statement);
    await runner.query('select recompute_totals()');
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** What somebody wrote, beside what holds: an item whose parts have efforts shows theirs. */
const ownEffort = [
  'alter table role_effort add own_effort numeric(18,4) not null default 0',
  'update role_effort set own_effort = effort',
  'alter table role_effort add constraint ck_role_effort_own check (own_effort >= 0)',
];

const shared = ['initial_estimate', 'effort', 'effort_completed', 'effort_to_do', 'time_spent', 'time_remain'];

/** Those who share a role on an item share its effort. */
const assignedEffort = [
  'drop table assigned_effort',
  `create view assigned_effort as
     select a.id, ${shared.map((it) => `round(r.${it} / n.people, 4)::numeric(18,4) as ${it}`).join(', ')},
       a.assignable_id, a.role_id, a.general_user_id
     from assignment a join role_effort r on r.assignable_id = a.assignable_id and r.role_id = a.role_id
       cross join lateral (select count(*) as people from assignment o
         where o.assignable_id = a.assignable_id and o.role_id = a.role_id) n`,
];
