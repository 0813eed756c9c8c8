/**
 * Locks the rows that a transaction will change and reads what they are. Everybody locks in one order - work items from the
 * bottom to the top, then spans and projects, by id within - so that nobody waits for somebody who waits for him.
 */
import type { Model, ResourceType } from '../model/model.js';
import { versionSql } from '../model/row-version.js';
import { list, name, raw, type Sql, sql, statement, value } from '../sql.js';
import type { Circumstances } from './apply.js';
import type { Row, Work } from './change.js';

/** Tasks; what may lie in a feature; features and what is above them; spans; projects and all others. */
export const level = `case entity_type_id when 5 then 0 when 9 then 2 when 27 then 3 when 31 then 4
  when 3 then 5 when 24 then 5 when 2 then 6 when 1 then 7
  else case when entity_type_id in (4, 8, 13, 14, 17) then 1 else 8 end end`;

export interface Locked {
  resource: ResourceType;
  row: Row;
}

/** Columns of Generals that rules ask for, whatever was sent. */
const ruleColumns = [
  'id',
  'entity_type_id',
  'entity_version',
  'delete_date',
  'name',
  'project_id',
  'process_id',
  'entity_state_id',
  'start_date',
  'end_date',
  'planned_start_date',
  'planned_end_date',
  'user_story_id',
  'feature_id',
  'epic_id',
  'portfolio_epic_id',
  'release_id',
  'iteration_id',
  'team_iteration_id',
  'team_id',
  'responsible_team_id',
  'test_plan_id',
  'linked_general_id',
  'linked_test_plan_id',
  'program_id',
];

export interface Wanted {
  root: ResourceType;
  ids: readonly number[];
  /** Those the changes write; rows of other tables are read whole. */
  columns?: ReadonlySet<string>;
  /** Waits for those who are just referring to the rows, and keeps others from beginning to. */
  isToGo?: boolean;
  /** Those that are deleted, in place of those that are not. */
  isDeleted?: boolean;
}

/** Ids that are not there, or have been deleted (or restored) since they were looked up, are not in the answer. */
export async function lock(
  { root, ids, columns = new Set(), isToGo = false, isDeleted = false }: Wanted,
  work: Pick<Circumstances, 'actor' | 'checkVersion' | 'columns' | 'rows'>,
  model: Model,
): Promise<Map<number, Locked>> {
  const isGeneral = root.name === 'General';
  const names = isGeneral ? [...new Set([...ruleColumns, ...columns])].sort() : ownColumns(root, work);
  const { text, parameters } = statement(
    sql`select ${list([...names.map(name), ...versionColumn(root, work)])} from ${name(root.table)} ${alias}
     where id = any(${value([...new Set(ids)], 'int[]')}) order by ${raw(isGeneral ? `${level}, id` : 'id')}
     for ${raw(isToGo ? 'update' : 'no key update')}`,
  );
  const values = parameters.map((parameter) => (parameter.kind === 'value' ? parameter.value : undefined));
  const rows = await work.rows<Row & { id: number }>(text, values);
  const present = rows.filter((row) => ((row.delete_date ?? null) !== null) === isDeleted);
  return new Map(present.map((row) => [row.id, { resource: kindOf(root, row, model), row }]));
}

const alias = name('r');

/** As the caller has read it. */
function versionColumn(
  root: ResourceType,
  { actor, checkVersion }: Pick<Circumstances, 'actor' | 'checkVersion'>,
): Sql[] {
  if (!checkVersion) return [];
  const reader = actor.isAdministrator ? undefined : value(actor.userId, 'int');
  return [sql`${versionSql(root, alias, reader)} as row_version`];
}

/** All columns of a table but its files. */
const ownColumns = ({ entity }: ResourceType, { columns }: Pick<Work, 'columns'>): string[] =>
  columns
    .getMetadata(entity)
    .columns.map((column) => column.databaseName)
    .filter((name) => name !== 'content');

/** The kind that a row of a shared table is of; the root itself where it is of none that is served. */
export function kindOf(root: ResourceType, row: Row, model: Model): ResourceType {
  const { discriminator } = root;
  if (!discriminator) return root;
  const value = row[discriminator.column] as string | number;
  return (
    model.resources.find(
      ({ root: own, discriminator: kind, derived }) =>
        own === root && derived.length === 0 && kind?.values?.length === 1 && kind.values[0] === value,
    ) ?? root
  );
}
