/** Spells the custom fields of an item: the definitions are few and known, so they are compiled in, not joined. */
import type { ResourceType } from '../model/model.js';
import type { CustomFieldText, Representation } from '../representation/representation.js';
import { all, column, constant, glue, join, list, name, raw, type Sql, sql } from '../sql.js';
import { kindConditions } from './compile-condition.js';
import { pointedId, type Row } from './compile-operand.js';
import { seenIdsSql, seenPointersSql, seenTogether } from './compile-pointer.js';
import type { CustomFieldDefinition, CustomFieldGroup, PointerTarget } from './plan.js';

/** Text of the fields for the process and kind of the row; empty text where there are none. */
export function customFieldsSql(
  groups: readonly CustomFieldGroup[],
  resource: ResourceType,
  row: Row,
  format: Representation,
): Sql {
  const kinds = kindsOf(resource);
  const own = row.aliases.next();
  const asking: Asking = { groups, mixed: kinds.length > 1, row, format, own };
  const branches = kinds.flatMap((kind) => branchesOf(kind, asking));
  if (branches.length === 0) return constant('');
  // Without the offset they would be found anew wherever they are used.
  return sql`(select case ${join(branches, raw(' '))} else '' end from (select ${list(ownSql(kinds, asking))} offset 0) ${own})`;
}

/** What several branches and fields read of a row is found once. */
function ownSql(kinds: readonly ResourceType[], { groups, row }: Asking): Sql[] {
  const pointers = pointersIn(groups, kinds);
  const target = pointers[0]?.target;
  const stored = pointers.map((field) => storedSql(field.name, row));
  const isOfProject = kinds.some(({ settings }) => settings.customFields === 'project');
  return [
    sql`${isOfProject ? processOfProject(row) : raw('null::int')} as process`,
    ...(target ? [sql`${seenIdsSql(stored, target, row)} as ids`] : []),
  ];
}

interface Asking {
  groups: readonly CustomFieldGroup[];
  /** The rows are of several kinds. */
  mixed: boolean;
  row: Row;
  format: Representation;
  /** The row of `process`, of the project, and `ids`, of what the values point at as far as it exists for the actor. */
  own: Sql;
}

/** Each name once. */
function pointersIn(groups: readonly CustomFieldGroup[], kinds: readonly ResourceType[]): CustomFieldDefinition[] {
  const ids = new Set(kinds.map(({ settings }) => settings.entityTypeId));
  const fields = groups.filter(({ entityTypeId }) => ids.has(entityTypeId)).flatMap((group) => group.fields);
  return [...new Map(fields.filter(({ target }) => target).map((field) => [field.name, field])).values()];
}

const storedSql = (key: string, row: Row): Sql => sql`(${column(row.alias, 'custom_values')} -> ${constant(key)})`;

const kindsOf = (resource: ResourceType): ResourceType[] => [
  ...(resource.settings.entityTypeId === undefined ? [] : [resource]),
  ...resource.derived.flatMap(kindsOf),
];

function branchesOf(kind: ResourceType, asking: Asking): Sql[] {
  const { groups, mixed, row } = asking;
  const defined = groups.filter(
    (group) => group.entityTypeId === kind.settings.entityTypeId && group.fields.length > 0,
  );
  const everywhere = defined.find((group) => group.processId === null)?.fields ?? [];
  const isKind = mixed ? all(kindConditions(kind, row)) : raw('true');
  const process = processSql(kind, asking);
  const branches = defined.flatMap((group) => {
    if (group.processId === null || !process) return [];
    const isProcess = sql`${process} = ${raw(String(group.processId))}`;
    return [sql`when ${isKind} and ${isProcess} then ${textOf([...everywhere, ...group.fields], asking)}`];
  });
  if (everywhere.length > 0) branches.push(sql`when ${isKind} then ${textOf(everywhere, asking)}`);
  return branches;
}

/** The process of an item is that of its project; a project has its own; people and teams have none. */
function processSql(kind: ResourceType, { row, own }: Asking): Sql | undefined {
  switch (kind.settings.customFields) {
    case 'own':
      return column(row.alias, 'process_id');
    case 'project':
      return column(own, 'process');
    default:
      return undefined;
  }
}

function processOfProject(row: Row): Sql {
  const project = row.aliases.next();
  return sql`(select ${column(project, 'process_id')} from ${name('general')} ${project}
    where ${column(project, 'id')} = ${column(row.alias, 'project_id')})`;
}

const textOf = (fields: readonly CustomFieldDefinition[], asking: Asking): Sql =>
  glue(asking.format.customFieldList(fields.map((field) => fieldText(field, asking))));

function fieldText(field: CustomFieldDefinition, asking: Asking): CustomFieldText {
  const { row, own } = asking;
  const values = column(row.alias, 'custom_values');
  const key = constant(field.name);
  const stored = storedSql(field.name, row);
  const value = field.target ? seenPointersSql(stored, field.type, seenTogether(column(own, 'ids')), row) : stored;
  return {
    name: field.name,
    type: field.type,
    value,
    text: field.target ? sql`(${value} #>> '{}')` : sql`(${values} ->> ${key})`,
    targetName: field.target && field.type === 'Entity' ? targetNameSql(field.target, stored, asking) : undefined,
  };
}

function targetNameSql({ resource }: PointerTarget, value: Sql, { row, own }: Asking): Sql {
  const target = row.aliases.next();
  const person = row.aliases.next();
  const id = pointedId(sql`(${value} ->> 'Id')`);
  const people = sql`(select concat_ws(' ', ${column(person, 'first_name')}, ${column(person, 'last_name')})
    from ${name('general_user')} ${person} where ${column(person, 'id')} = ${id})`;
  return sql`case when lower(${value} ->> 'Kind') in ('user', 'requester') then ${people}
    else (select ${column(target, 'name')} from ${name(resource.table)} ${target} where ${column(target, 'id')} = ${id} and ${column(target, 'id')} = any(${column(own, 'ids')})) end`;
}
