/** One of the final states of a workflow is the default one. What is completed of a role may be written, and follows the times of that role alone. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { computeByRole } from './5-totals-compute.js';
import { noteOwnCompleted } from './5-totals-notes.js';

export class StatesAndEfforts1700000000019 implements MigrationInterface {
  name = 'StatesAndEfforts1700000000019';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...defaultFinal, ...completed]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const defaultFinal = [
  'alter table entity_state add column is_default_final boolean not null default false',
  `update entity_state set is_default_final = true where id in (
     select distinct on (workflow_id) id from entity_state where is_final order by workflow_id, numeric_priority, id)`,
  'alter table entity_state add constraint ck_entity_state_default_final check (is_final or not is_default_final)',
  'create unique index ix_entity_state_default_final on entity_state (workflow_id) where is_default_final',
];

const completed = [
  'alter table role_effort add column own_completed numeric(18,4)',
  'alter table role_effort add constraint ck_role_effort_own_completed check (own_completed >= 0)',
  ...computeByRole(),
  noteOwnCompleted,
  'select recompute_totals()',
];
