/** Memberships know since when they are what they are: what a deletion took along is known to who could see it when it went. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Memberships1700000000023 implements MigrationInterface {
  name = 'Memberships1700000000023';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [beganNow, ...tables.flatMap(began), wasInTeam, wasInProject])
      await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const tables: readonly [table: string, keys: string][] = [
  ['project_member', 'project_id, user_id'],
  ['team_member', 'team_id, user_id'],
  ['team_project', 'team_id, project_id'],
];

// No later than a date of deletion of the same moment, which has milliseconds.
const beganNow = `create function began_now() returns trigger language plpgsql as $$ begin
    new.since := date_trunc('milliseconds', now());
    return new;
  end $$`;

/** Of those that were there before nobody knows: they count as older than any deletion. */
const began = ([table, keys]: readonly [string, string]): string[] => [
  `alter table ${table} add column since timestamptz(3)`,
  `create trigger ${table}_began before insert or update of ${keys} on ${table} for each row execute function began_now()`,
];

const isOlder = (alias: string): string => `coalesce(${alias}.since <= moment, true)`;
const isLive = 'exists (select from general t where t.id = m.team_id and t.delete_date is null)';

const wasInTeam = `create function was_in_team(person int, team int, moment timestamptz) returns boolean language sql stable as $$
    select exists (select from team_member m where m.user_id = person and m.team_id = team and ${isOlder('m')} and ${isLive})
  $$`;

const wasInProject = `create function was_in_project(person int, project int, moment timestamptz) returns boolean language sql stable as $$
    select exists (select from project_member m where m.user_id = person and m.project_id = project and ${isOlder('m')})
      or exists (select from team_member m join team_project p on p.team_id = m.team_id
        where m.user_id = person and p.project_id = project and ${isOlder('m')} and ${isOlder('p')} and ${isLive})
  $$`;
