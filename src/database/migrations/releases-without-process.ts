/** A release has no process of its own: that of its project counts. Few had been given one. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReleasesWithoutProcess1700000000117 implements MigrationInterface {
  name = 'ReleasesWithoutProcess1700000000117';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('update general set process_id = null where process_id is not null and entity_type_id = 2');
  }

  async down(): Promise<void> {}
}
