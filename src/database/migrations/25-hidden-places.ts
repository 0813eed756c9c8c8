/**
 * What moves between places that its readers do not see shows them nothing of that. An item that goes from one release or iteration to
 * another one, both out of sight of its project, gets no record in its histories: to its members that would be an empty one, which tells
 * that there are such places. A run that moves keeps the links that stay true.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { linkAbove, runsAbove } from './18-further-resources.js';
import { noted } from './20-totals-notes.js';
import { isPlaceOf, recordChanged } from './history-triggers.js';

export class HiddenPlaces1700000000025 implements MigrationInterface {
  name = 'HiddenPlaces1700000000025';

  async up(runner: QueryRunner): Promise<void> {
    const histories = recordChanged({ customValues: true, ownOnly: true, settled: noted('own'), seenPlaces: true });
    for (const statement of [isPlaceOf, histories, moveCaseRuns]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const movedRuns = 'select id as case_run, test_plan_run_id as run from test_case_run where id = any(moved)';

const moveCaseRuns = `create or replace function move_case_runs() returns trigger language plpgsql as $$
  declare moved int[]; begin
    with recursive below as (
      select new.id as run union select g.id from below b join general g on g.parent_test_plan_run_id = b.run)
    select array_agg(c.id) into moved from below b join test_case_run c on c.test_plan_run_id = b.run;
    ${runsAbove(movedRuns)}
    delete from test_run_item_hierarchy_link l where l.test_case_run_id = any(moved)
      and (l.test_case_run_id, l.test_plan_run_id) not in (select case_run, run from above);
    ${linkAbove(movedRuns)};
    return null;
  end $$`;
