/** The SHA-256 of the bytes of an attached file, in hex; of files that came before, there is none. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Checksums1700000000034 implements MigrationInterface {
  name = 'Checksums1700000000034';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table attachment add column sha256 text collate "und-x-icu"');
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}
