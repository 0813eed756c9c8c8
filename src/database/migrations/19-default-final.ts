/** One of the final states of a workflow is the default one. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DefaultFinal1700000000019 implements MigrationInterface {
  name = 'DefaultFinal1700000000019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table entity_state add column is_default_final boolean not null default false');
    await runner.query(chooseFirst);
    await runner.query(
      'alter table entity_state add constraint ck_entity_state_default_final check (is_final or not is_default_final)',
    );
    await runner.query(
      'create unique index ix_entity_state_default_final on entity_state (workflow_id) where is_default_final',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table entity_state drop column is_default_final');
  }
}

const chooseFirst = `update entity_state set is_default_final = true where id in (
  select distinct on (workflow_id) id from entity_state where is_final order by workflow_id, numeric_priority, id)`;
