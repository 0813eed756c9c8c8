/** Triggers that record the history of work items: a statement at a time, so that bulk writes stay quick. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isOpen, recordAdded, recordChanged } from './history-triggers.js';

export class History1700000000004 implements MigrationInterface {
  name = 'History1700000000004';

  async up(runner: QueryRunner): Promise<void> {
    const keeps = { customValues: false };
    for (const statement of [...indexes, recordAdded(keeps), recordChanged(keeps), ...triggers])
      await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const indexes = [
  `create unique index ix_full_history_open on full_history (general_id) where ${isOpen}`,
  'create index ix_full_history_project on full_history (project_id, date desc)',
  'create index ix_full_history_modifier on full_history (modifier_id, date desc)',
  'create index ix_simple_history_project on simple_history (project_id, date desc)',
  'create index ix_simple_history_modifier on simple_history (modifier_id, date desc)',
];

const triggers = [
  `create trigger general_added after insert on general referencing new table as fresh
     for each statement execute function record_added()`,
  `create trigger general_changed after update on general referencing old table as stale new table as fresh
     for each statement execute function record_changed()`,
];
