/** An item whose totals only follow those of its parts gets no record in its histories: what would make one is not tried any more. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { noted } from './20-totals-notes.js';
import { recordChanged } from './history-triggers.js';

export class FollowingTotals1700000000028 implements MigrationInterface {
  name = 'FollowingTotals1700000000028';

  async up(runner: QueryRunner): Promise<void> {
    const keeps = { customValues: true, ownOnly: true, settled: noted('own'), seenPlaces: true, followersApart: true };
    await runner.query(recordChanged(keeps).replaceAll('int[]', 'bigint[]'));
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}
