/** Spells the custom fields of an item: the definitions are few and known, so they are compiled in, not joined. */
import type { ResourceType } from '../model/model.js';
import type { CustomFieldText, Representation } from '../representation/representation.js';
import { all, column, constant, glue, join, name, raw, type Sql, sql } from '../sql.js';
import { conditionSql, type Row } from './compile-condition.js';
import type { CustomFieldDefinition, CustomFieldGroup } from './plan.js';

/** Text of the fields for the process and kind of the row; empty text where there are none. */
export function customFieldsSql(
  groups: readonly CustomFieldGroup[],
  resource: ResourceType,
  row: Row,
  format: Representation,
): Sql {
  const kinds = resource.entityTypeIds;
  const mixed = kinds.length > 1;
  const branches = kinds.flatMap((kind) => branchesOf(kind, groups, mixed, row, format));
  if (branches.length === 0) return constant('');
  return sql`(case ${join(branches, raw(' '))} else '' end)`;
}

function branchesOf(
  kind: number,
  groups: readonly CustomFieldGroup[],
  mixed: boolean,
  row: Row,
  format: Representation,
): Sql[] {
  const own = groups.filter((group) => group.entityTypeId === kind && group.fields.length > 0);
  const everywhere = own.find((group) => group.processId === null)?.fields ?? [];
  const test = mixed ? sql`${column(row.alias, 'entity_type_id')} = ${raw(String(kind))}` : raw('true');
  const branches = own
    .filter((group) => group.processId !== null)
    .map((group) => {
      const process = sql`${processSql(kind, row)} = ${raw(String(group.processId))}`;
      return sql`when ${test} and ${process} then ${textOf([...everywhere, ...group.fields], row, format)}`;
    });
  if (everywhere.length > 0) branches.push(sql`when ${test} then ${textOf(everywhere, row, format)}`);
  return branches;
}

const projectKind = 1;

/** The process of an item is that of its project; a project has its own. */
function processSql(kind: number, row: Row): Sql {
  if (kind === projectKind) return column(row.alias, 'process_id');
  const project = row.aliases.next();
  return sql`(select ${column(project, 'process_id')} from ${name('general')} ${project}
    where ${column(project, 'id')} = ${column(row.alias, 'project_id')})`;
}

const textOf = (fields: readonly CustomFieldDefinition[], row: Row, format: Representation): Sql =>
  glue(format.customFieldList(fields.map((field) => fieldText(field, row))));

function fieldText(field: CustomFieldDefinition, row: Row): CustomFieldText {
  const values = column(row.alias, 'custom_values');
  const key = constant(field.name);
  const value = sql`(${values} -> ${key})`;
  return {
    name: field.name,
    type: field.type,
    value,
    text: sql`(${values} ->> ${key})`,
    targetName: field.target && targetNameSql(field.target, value, row),
  };
}

function targetNameSql({ resource, where }: NonNullable<CustomFieldDefinition['target']>, value: Sql, row: Row): Sql {
  const target: Row = { ...row, alias: row.aliases.next() };
  const person = row.aliases.next();
  const conditions = all([
    sql`${column(target.alias, 'id')} = (${value} ->> 'Id')::int`,
    ...where.map((part) => conditionSql(part, target)),
  ]);
  const users = sql`(select concat_ws(' ', ${column(person, 'first_name')}, ${column(person, 'last_name')})
    from ${name('general_user')} ${person} where ${column(person, 'id')} = (${value} ->> 'Id')::int)`;
  return sql`case when lower(${value} ->> 'Kind') in ('user', 'requester') then ${users}
    else (select ${column(target.alias, 'name')} from ${name(resource.table)} ${target.alias} where ${conditions}) end`;
}
