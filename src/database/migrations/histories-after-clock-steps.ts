/** A record of a history that lies in the future, since the clock of the database went back, is not continued. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeFunctions } from './kind-migration.js';

export class HistoriesAfterClockSteps1700000000121 implements MigrationInterface {
  name = 'HistoriesAfterClockSteps1700000000121';

  async up(runner: QueryRunner): Promise<void> {
    await changeFunctions(runner, changed, (definition) => definition.replaceAll(since, around));
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeFunctions(runner, changed, (definition) => definition.replaceAll(around, since));
  }
}

const changed = `proname = 'record_changed'`;
const since = `h.date > now() - interval '5 minutes'`;
/** Transactions that began later may have written before. */
const around = `h.date between now() - interval '5 minutes' and now() + interval '5 minutes'`;
