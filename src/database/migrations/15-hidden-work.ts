/**
 * Work that a reader may not see leaves no trace with what he sees: totals that move with parts in other projects make no record in
 * its histories, links that follow count no version, and a test case remembers the runs of its own project alone.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { noteOwnWork } from './5-totals-notes.js';
import { settleFunction } from './5-totals-settle.js';
import { recordChanged } from './history-triggers.js';

export class HiddenWork1700000000015 implements MigrationInterface {
  name = 'HiddenWork1700000000015';

  async up(runner: QueryRunner): Promise<void> {
    const settle = settleFunction(['is null', "= 'own'"]).replace('create function', 'create or replace function');
    const histories = recordChanged({ customValues: true, ownOnly: true });
    for (const statement of [...noteOwnWork, settle, histories, versions, lastResults]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

// A link that follows from the other side comes without a date of change.
const versions = `create or replace function count_version() returns trigger language plpgsql as $$
  begin
    if current_setting('worktrack.versions', true) = 'off' then return new; end if;
    if new.modify_date = old.modify_date and (new.linked_general_id, new.linked_test_plan_id)
      is distinct from (old.linked_general_id, old.linked_test_plan_id) then return new; end if;
    new.entity_version := old.entity_version + 1;
    return new;
  end $$`;

/** Of test cases that were run in plans of other projects. */
export const lastResults = `update general g set last_run_status = l.status, last_run_date = l.date,
    last_failure_comment = case l.status when 'Failed' then l.comment end
  from (select distinct c.test_case_id as id from test_case_run c join general r on r.id = c.test_plan_run_id
      join general t on t.id = c.test_case_id and t.project_id <> r.project_id) u
    join general t on t.id = u.id
    left join lateral (select c.status, c.comment, coalesce(c.end_run_date, c.start_run_date) as date
      from test_case_run c join general r on r.id = c.test_plan_run_id and r.project_id = t.project_id
      where c.test_case_id = u.id and c.status <> 'NotRun' and r.delete_date is null
      order by coalesce(c.end_run_date, c.start_run_date) desc nulls last, c.id desc limit 1) l on true
  where g.id = u.id`;
