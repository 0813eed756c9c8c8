/** What lies above projects may be restored while the project that it was given is deleted. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { creationIn, readSql } from './sql-files.js';

export class BesideProjects1700000000141 implements MigrationInterface {
  name = 'BesideProjects1700000000141';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql('0.3/beside-projects.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    const before = creationIn('0.3/settled-places.sql', 'function refuse_misplaced(');
    await runner.query(before.replace(/^create /, 'create or replace '));
  }
}
