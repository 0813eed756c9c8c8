/** What rules of configuration promise, kept by the database too: one default, one initial state, one workflow a kind. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Configuration1700000000007 implements MigrationInterface {
  name = 'Configuration1700000000007';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...firstOnly, ...indexes]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const keepFirst = (table: string, flag: string, within: string): string =>
  `update ${table} t set ${flag} = false where ${flag} and exists
     (select 1 from ${table} o where o.${flag} and o.id < t.id and ${within})`;

/** What was written before these rules might have several. */
const firstOnly = [
  keepFirst('process', 'is_default', 'true'),
  keepFirst('severity', 'is_default', 'true'),
  keepFirst('priority', 'is_default', 'o.entity_type_id = t.entity_type_id'),
  keepFirst('entity_state', 'is_initial', 'o.workflow_id = t.workflow_id'),
];

const indexes = [
  'create unique index ix_process_default on process (is_default) where is_default',
  'create unique index ix_severity_default on severity (is_default) where is_default',
  'create unique index ix_priority_default on priority (entity_type_id) where is_default',
  'create unique index ix_entity_state_initial on entity_state (workflow_id) where is_initial',
  'create unique index ix_workflow_main on workflow (process_id, entity_type_id) where parent_workflow_id is null',
  'create index ix_test_case_run_priority on test_case_run (priority_id) where priority_id is not null',
];
