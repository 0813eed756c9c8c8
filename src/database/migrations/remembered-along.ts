/** What went along with something else keeps the General by whose deletion it would not have been hidden, too. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RememberedAlong1700000000140 implements MigrationInterface {
  name = 'RememberedAlong1700000000140';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table taken_along add column remembered_id bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table taken_along drop column remembered_id');
  }
}
