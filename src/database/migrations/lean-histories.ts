/** A change of a work item writes its histories in as few statements as it takes. */
import { existsSync, readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { installation } from '../../server/installation.js';

export class LeanHistories1700000000102 implements MigrationInterface {
  name = 'LeanHistories1700000000102';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/history.sql'));
  }

  /** The function writes the same as the one before, so it stays. */
  async down(): Promise<void> {}
}

/** From the source where it is there, else as the build has copied it. */
function readSql(file: string): string {
  const source = new URL('src/database/migrations/', installation);
  const folder = existsSync(source) ? source : new URL('dist/migrations/', installation);
  return readFileSync(new URL(file, folder), 'utf8');
}
