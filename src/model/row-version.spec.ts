import { expect, it } from 'vitest';
import { resourceEntities } from '../modules/entities.js';
import { late, name, statement } from '../sql.js';
import { buildModel } from './build-model.js';
import { versionSql } from './row-version.js';

const model = buildModel(resourceEntities);
const textOf = (kind: string, isAdministrator: boolean): string =>
  statement(versionSql(model.resource(kind), name('t'), isAdministrator ? undefined : late('actor.user'))).text;

it.each(['UserStory', 'Assignable', 'Team'])('%s counts its versions', (kind) => {
  const moment = 'to_hex((extract(epoch from "t"."modify_date") * 1000)::bigint)';
  expect(textOf(kind, false)).toBe(`concat_ws('_', "t"."id", ${moment}, "t"."entity_version"::text)`);
});

it.each(['General', 'Project', 'Release'])('%s counts its versions and those of what it gained', (kind) => {
  expect(textOf(kind, false)).toContain(`"t"."entity_version" + (select count(*) from span_delta`);
});

it.each([
  ['Role', ['id', 'name', 'has_effort', 'can_change_owner', 'can_use_personal_access_tokens'], []],
  ['User', ['first_name', 'last_name', 'role_id', 'custom_values', 'kind'], ['password_hash', 'token_version']],
  ['AccessToken', ['name', 'user_id', 'last_use_date'], ['secret_hash']],
  ['Attachment', ['name'], ['content']],
  // Read by a computed field alone.
  ['LoginAttempt', ['failures', 'locked_until'], []],
])('the version of kind %s depends on %j and not on %j', (kind, shown, hidden) => {
  const text = textOf(kind, false);
  for (const column of shown) expect(text).toContain(`"t"."${column}"`);
  for (const column of hidden) expect(text).not.toContain(`"${column}"`);
});

it('private columns count for administrators and for the user they belong to', () => {
  const masked = (column: string): string => `case when "t"."id" = $1::bigint then "t"."${column}" end`;
  for (const column of ['email', 'login', 'last_login_date', 'active_directory_name']) {
    expect(textOf('User', false)).toContain(masked(column));
    expect(textOf('User', true)).not.toContain(masked(column));
    expect(textOf('User', true)).toContain(`"t"."${column}"`);
  }
});

it('references to what administrators alone see count for administrators only', () => {
  expect(textOf('Message', false)).not.toContain('"message_uid_id"');
  expect(textOf('Message', true)).toContain('"t"."message_uid_id"');
});

it.each(
  model.resources.map(({ name }) => [name]),
)('the version of %s tells its row from those of all tables', (kind) => {
  const { root } = model.resource(kind);
  const text = textOf(kind, false);
  expect(text).toContain('"t"."id"');
  if (!text.startsWith('concat_ws')) expect(text).toContain(`'${root.table}' ||`);
});

it('the version of a row is the same for every kind it is read as', () => {
  expect(textOf('GeneralUser', false)).toBe(textOf('Requester', false));
});
