/** Spells the custom fields of an item: the definitions are few and known, so they are compiled in, not joined. */
import type { ResourceType } from '../model/model.js';
import type { CustomFieldText, Representation } from '../representation/representation.js';
import { all, column, constant, glue, join, name, raw, type Sql, sql } from '../sql.js';
import { conditionSql, kindConditions } from './compile-condition.js';
import { pointedId, type Row } from './compile-operand.js';
import { seenPointersSql } from './compile-pointer.js';
import type { CustomFieldDefinition, CustomFieldGroup, PointerTarget } from './plan.js';

/** Text of the fields for the process and kind of the row; empty text where there are none. */
export function customFieldsSql(
  groups: readonly CustomFieldGroup[],
  resource: ResourceType,
  row: Row,
  format: Representation,
): Sql {
  const kinds = kindsOf(resource);
  const branches = kinds.flatMap((kind) => branchesOf(kind, groups, kinds.length > 1, row, format));
  if (branches.length === 0) return constant('');
  return sql`(case ${join(branches, raw(' '))} else '' end)`;
}

const kindsOf = (resource: ResourceType): ResourceType[] => [
  ...(resource.settings.entityTypeId === undefined ? [] : [resource]),
  ...resource.derived.flatMap(kindsOf),
];

function branchesOf(
  kind: ResourceType,
  groups: readonly CustomFieldGroup[],
  mixed: boolean,
  row: Row,
  format: Representation,
): Sql[] {
  const own = groups.filter((group) => group.entityTypeId === kind.settings.entityTypeId && group.fields.length > 0);
  const everywhere = own.find((group) => group.processId === null)?.fields ?? [];
  const isKind = mixed ? all(kindConditions(kind, row)) : raw('true');
  const process = processSql(kind, row);
  const branches = own.flatMap((group) => {
    if (group.processId === null || !process) return [];
    const isProcess = sql`${process} = ${raw(String(group.processId))}`;
    return [sql`when ${isKind} and ${isProcess} then ${textOf([...everywhere, ...group.fields], row, format)}`];
  });
  if (everywhere.length > 0) branches.push(sql`when ${isKind} then ${textOf(everywhere, row, format)}`);
  return branches;
}

/** The process of an item is that of its project; a project has its own; people and teams have none. */
function processSql(kind: ResourceType, row: Row): Sql | undefined {
  switch (kind.settings.customFields) {
    case 'own':
      return column(row.alias, 'process_id');
    case 'project': {
      const project = row.aliases.next();
      return sql`(select ${column(project, 'process_id')} from ${name('general')} ${project}
        where ${column(project, 'id')} = ${column(row.alias, 'project_id')})`;
    }
    default:
      return undefined;
  }
}

const textOf = (fields: readonly CustomFieldDefinition[], row: Row, format: Representation): Sql =>
  glue(format.customFieldList(fields.map((field) => fieldText(field, row))));

function fieldText(field: CustomFieldDefinition, row: Row): CustomFieldText {
  const values = column(row.alias, 'custom_values');
  const key = constant(field.name);
  const stored = sql`(${values} -> ${key})`;
  const value = field.target ? seenPointersSql(stored, field.target, row) : stored;
  return {
    name: field.name,
    type: field.type,
    value,
    text: field.target ? sql`(${value} #>> '{}')` : sql`(${values} ->> ${key})`,
    targetName: field.target && field.type === 'Entity' ? targetNameSql(field.target, stored, row) : undefined,
  };
}

function targetNameSql({ resource, where }: PointerTarget, value: Sql, row: Row): Sql {
  const target: Row = { ...row, alias: row.aliases.next() };
  const person = row.aliases.next();
  const conditions = all([
    sql`${column(target.alias, 'id')} = ${pointedId(sql`(${value} ->> 'Id')`)}`,
    ...where.map((part) => conditionSql(part, target)),
  ]);
  const users = sql`(select concat_ws(' ', ${column(person, 'first_name')}, ${column(person, 'last_name')})
    from ${name('general_user')} ${person} where ${column(person, 'id')} = ${pointedId(sql`(${value} ->> 'Id')`)})`;
  return sql`case when lower(${value} ->> 'Kind') in ('user', 'requester') then ${users}
    else (select ${column(target.alias, 'name')} from ${name(resource.table)} ${target.alias} where ${conditions}) end`;
}
