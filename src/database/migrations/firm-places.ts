/** What something is put into stays there until it is stored, or it is refused. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { makeLeanTotals } from './lean-totals.js';
import { readSql } from './sql-files.js';

export class FirmPlaces1700000000109 implements MigrationInterface {
  name = 'FirmPlaces1700000000109';

  async up(runner: QueryRunner): Promise<void> {
    // Databases that were migrated before have earlier ones of these functions.
    await makeLeanTotals(runner);
    await runner.query(readSql('0.3/places.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const what of ['assigned', 'reassigned']) {
      await runner.query(`drop trigger refuse_${what} on team_assignment`);
      await runner.query(`drop function refuse_${what}_to_deleted()`);
    }
  }
}
