/** What clients expect: local times by one rule, dates of users in whole seconds, contexts by their acids. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { localTimes } from './17-local-times.js';

export class Clients1700000000017 implements MigrationInterface {
  name = 'Clients1700000000017';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...localTimes, ...wholeSeconds, ...contexts]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

const dates = ['create_date', 'modify_date', 'delete_date', 'last_login_date', 'available_from'];

const wholeSeconds = [
  `create function whole_seconds() returns trigger language plpgsql as $$
   begin
     ${dates.map((date) => `new.${date} := date_trunc('second', new.${date});`).join(' ')}
     return new;
   end $$`,
  `create trigger whole_seconds before insert or update of ${dates.join(', ')} on general_user
   for each row execute function whole_seconds()`,
  // The trigger does it.
  `update general_user set create_date = create_date where ${dates
    .map((date) => `${date} <> date_trunc('second', ${date})`)
    .join(' or ')}`,
];

const contexts = [
  // An acid is good for the user who was given it alone: another's would tell what he works in.
  `create table context (
     user_id integer not null references general_user (id) on delete cascade,
     acid text not null,
     project_ids integer array not null,
     team_ids integer array not null,
     noted_date timestamptz(3) not null default now(),
     primary key (user_id, acid))`,
];
