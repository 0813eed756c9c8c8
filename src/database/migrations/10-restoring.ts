/** What is restored at once may be thousands of rows: the rule that nothing lives in what is deleted looks at each by key. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Restoring1700000000010 implements MigrationInterface {
  name = 'Restoring1700000000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(refuseMoved);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const placed = 'id, entity_type_id, project_id, user_story_id';

// A session keeps the plan of its first write, of a few rows mostly: no joins, and no condition on deletion to search by.
const isDeleted = (id: string): string =>
  `exists (select 1 from general p where p.id = ${id} and num_nulls(p.delete_date) = 0)`;

const refuseMoved = `create or replace function refuse_moved_to_deleted() returns trigger language plpgsql as $$ begin
    if exists (select 1 from (
        select ${placed} from fresh where delete_date is null
        except all select ${placed} from stale where delete_date is null) f
      where ${isDeleted('f.project_id')} or f.entity_type_id = 5 and ${isDeleted('f.user_story_id')})
    then raise exception 'deleted at the same moment' using errcode = 'serialization_failure'; end if;
    return null;
  end $$`;
