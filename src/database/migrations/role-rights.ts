/** Roles have a description and the rights that clients ask for. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const flags = ['is_pair', 'can_prioritize', 'time_sheet_access', 'people_access'];
const before = 'name has_effort can_change_owner can_use_personal_access_tokens';

export class RoleRights1700000000101 implements MigrationInterface {
  name = 'RoleRights1700000000101';

  async up(runner: QueryRunner): Promise<void> {
    const added = flags.map((flag) => `add column ${flag} boolean not null default false`);
    await runner.query(`alter table role add column description text collate "und-x-icu", ${added}`);
    await runner.query(`call record_changes_of('role', '${before} description ${flags.join(' ')}')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`call record_changes_of('role', '${before}')`);
    const columns = ['description', ...flags].map((column) => `drop column ${column}`);
    await runner.query(`alter table role ${columns}`);
  }
}
