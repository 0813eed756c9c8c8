/** The full history keeps the values of custom fields, and which of them changed. What went before is not known. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isOpen, recordAdded, recordChanged } from './history-triggers.js';

export class PastValues1700000000011 implements MigrationInterface {
  name = 'PastValues1700000000011';

  async up(runner: QueryRunner): Promise<void> {
    const keeps = { customValues: true };
    for (const statement of [columns, asItIs, recordAdded(keeps), recordChanged(keeps)]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const columns = 'alter table full_history add column custom_values jsonb, add column changed_custom_values text[]';

/** The record that still holds says what the item is. */
const asItIs = `update full_history h set custom_values = g.custom_values
  from general g where g.id = h.general_id and h.${isOpen} and g.custom_values <> '{}'`;
