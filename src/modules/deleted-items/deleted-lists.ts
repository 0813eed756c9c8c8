/** Statements whose one row is a finished JSON array of deleted projects or users, the latest deletion first. */
import { jsonDate, localDate } from '../../representation/dates.js';
import type { Spelling } from '../../representation/representation.js';
import { glue, literal, name, type Piece, raw, type Sql, type Statement, sql, statement, value } from '../../sql.js';

/** Which of them: those whose names, login, address or id hold a text, and a part of these; by default all. */
export interface Wanted {
  search?: string;
  take?: number;
  skip: number;
}

export type DeletedList = (wanted: Wanted, spelling: Spelling) => Statement;

export const deletedProjects: DeletedList = (wanted, spelling) =>
  list({ table: 'general', where: sql`r.entity_type_id = 1`, searched: ['name'], wanted }, [
    '{"resourceType":"Project",',
    ...member('id', column('id')),
    ...member('name', text('name')),
    ...member('deleteDate', date('delete_date', spelling)),
    ...member('color', text('color')),
    ...member('process', reference('Process', 'process', 'process_id', ['id', 'name'])),
    ...last('lastEditor', reference('GeneralUser', 'general_user', 'last_editor_id', person)),
  ]);

export const deletedUsers: DeletedList = (wanted, spelling) =>
  list({ table: 'general_user', where: sql`r.kind = 'User'`, searched: names, wanted }, [
    '{"resourceType":"User",',
    ...member('kind', text('kind')),
    ...member('id', column('id')),
    ...member('firstName', text('first_name')),
    ...member('lastName', text('last_name')),
    ...member('email', text('email')),
    ...member('deleteDate', date('delete_date', spelling)),
    ...member('modifyDate', date('modify_date', spelling)),
    // The picture of somebody deleted is at no address.
    '"avatarUri":null,',
    ...last('role', reference('Role', 'role', 'role_id', ['id', 'name'])),
  ]);

/**
 * As clients before the present addresses know it: references without their types, dates as the service's clocks show
 * them.
 */
export const formerlyDeletedProjects: DeletedList = (wanted) =>
  list({ table: 'general', where: sql`r.entity_type_id = 1`, searched: ['name'], wanted }, [
    '{',
    ...member('id', column('id')),
    ...member('name', text('name')),
    ...member('abbreviation', text('abbreviation')),
    ...member('program', reference(undefined, 'general', 'program_id', ['id', 'name'])),
    ...member(
      'deleteDate',
      sql`coalesce(to_json(${localDate(sql`date_trunc('second', r.delete_date)`)})::text, 'null')`,
    ),
    ...last('lastEditor', reference(undefined, 'general_user', 'last_editor_id', ['id', fullName])),
  ]);

const names = ['first_name', 'last_name', 'login', 'email'];

interface Source {
  table: string;
  where: Sql;
  /** Columns that a search looks into, besides the id. */
  searched: readonly string[];
  wanted: Wanted;
}

function list({ table, where, searched, wanted }: Source, item: readonly Piece[]): Statement {
  const { take, skip, search } = wanted;
  const condition = search === undefined ? sql`` : sql` and ${holds(searched, search)}`;
  const limit = take === undefined ? sql`` : sql` limit ${literal(take)}`;
  return statement(sql`select '[' || coalesce(string_agg(${glue(item)}, ',' order by r.delete_date desc, r.id desc), '') || ']'
from (select r.* from ${name(table)} r where ${where} and r.delete_date is not null${condition}
order by r.delete_date desc, r.id desc${limit} offset ${literal(skip)}) r`);
}

/** Signs that mean something to `like` mean themselves. */
function holds(columns: readonly string[], search: string): Sql {
  const pattern = sql`lower(${value(search, 'text')} collate "und-x-icu")`;
  const texts = sql`concat_ws(chr(10), r.id::text, ${raw(columns.map((one) => `r."${one}"`).join(', '))}${
    columns === names ? sql`, concat_ws(' ', r.first_name, r.last_name)` : sql``
  })`;
  return sql`position(${pattern} in lower(${texts} collate "und-x-icu")) > 0`;
}

type Named = string | { member: string; spelled: Sql };

const fullName: Named = {
  member: 'fullName',
  spelled: sql`to_json(concat_ws(' ', nullif(o.first_name, ''), nullif(o.last_name, '')))::text`,
};

const person: Named[] = ['id', 'first_name', 'last_name', 'email'];

const column = (of: string): Sql => sql`r.${name(of)}`;
const text = (of: string): Sql => sql`coalesce(to_json(r.${name(of)})::text, 'null')`;
const date = (column: string, spelling: Spelling): Sql =>
  sql`coalesce(${jsonDate(sql`r.${name(column)}`, spelling)}, 'null')`;
const last = (name: string, spelled: Sql): Piece[] => [`"${name}":`, spelled, '}'];
const member = (name: string, spelled: Sql): Piece[] => [`"${name}":`, spelled, ','];

/** What a column refers to, deleted or not; null where it refers to nothing. */
function reference(type: string | undefined, table: string, by: string, members: readonly Named[]): Sql {
  const pieces = members.flatMap((one, at): Piece[] => [
    at === 0 ? '' : ',',
    ...(typeof one === 'string'
      ? [`"${camel(one)}":`, sql`coalesce(to_json(o.${name(one)})::text, 'null')`]
      : [`"${one.member}":`, one.spelled]),
  ]);
  const spelled = glue([type === undefined ? '{' : `{"resourceType":"${type}",`, ...pieces, '}']);
  return sql`coalesce((select ${spelled} from ${name(table)} o where o.id = r.${name(by)}), 'null')`;
}

const camel = (columnName: string): string => columnName.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
