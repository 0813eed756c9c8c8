/**
 * Many may write into one project at once: what projects, releases and iterations gain is appended, and added up by one transaction of
 * many. Notes of what has moved are held in settings of the transaction.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { computeAppending } from './5-totals-compute.js';
import { noted, noteTriggers } from './20-totals-notes.js';
import { settling } from './20-totals-settle.js';
import { recordChanged } from './history-triggers.js';

export class AppendedTotals1700000000020 implements MigrationInterface {
  name = 'AppendedTotals1700000000020';

  async up(runner: QueryRunner): Promise<void> {
    const histories = recordChanged({ customValues: true, ownOnly: true, settled: noted('own') });
    for (const statement of [...settling, ...noteTriggers, ...computeAppending(), histories, ...unused])
      await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const unused = ['drop function total_spans()', 'drop table unsettled'];
