/** Spells the custom fields of an item: the definitions are few and known, so they are compiled in, not joined. */
import type { ResourceType } from '../../model/model.js';
import type { CustomFieldText, Representation } from '../../representation/representation.js';
import { all, column, constant, glue, join, list, name, raw, type Sql, sql } from '../../sql.js';
import type { CustomFieldDefinition, CustomFieldGroup, PointerTarget } from '../meaning.js';
import { kindConditions, type Row } from './compiling.js';
import { pointedId, type SeenSql, seenByItself, seenIdsSql, seenPointersSql, seenTogether } from './pointer.js';

/** Text of the fields for the process and kind of the row; empty text where there are none. */
export function customFieldsSql(
  groups: readonly CustomFieldGroup[],
  resource: ResourceType,
  row: Row,
  format: Representation,
): Sql {
  const kinds = kindsOf(resource);
  const pointers = pointersIn(groups, kinds);
  // Looking for each by itself is quicker, because most rows point at nothing; but each costs a dozen tables to plan.
  const together = pointers.length > mostByThemselves ? row.aliases.next() : undefined;
  const asking: Asking = { groups, mixed: kinds.length > 1, row, format, seen: together && column(together, 'ids') };
  const branches = kinds.flatMap((kind) => branchesOf(kind, asking));
  if (branches.length === 0) return constant('');
  const text = sql`case ${join(branches, raw(' '))} else '' end`;
  if (!together) return sql`(${text})`;
  // Without the offset the ids would be found anew wherever they are used.
  return sql`(select ${text} from (select ${idsSql(pointers, row)} as ids offset 0) ${together})`;
}

const mostByThemselves = 4;

function idsSql(pointers: readonly CustomFieldDefinition[], row: Row): Sql {
  const stored = pointers.map((field) => storedSql(field.name, row));
  const names = list(pointers.map((field) => constant(field.name)));
  const ids = seenIdsSql(stored, pointers[0]!.target!, row);
  return sql`case when ${column(row.alias, 'custom_values')} ?| array[${names}] then ${ids} end`;
}

interface Asking {
  groups: readonly CustomFieldGroup[];
  /** The rows are of several kinds. */
  mixed: boolean;
  row: Row;
  format: Representation;
  /**
   * The ids of what the values of the row point at, as far as it exists for the actor; undefined: each value asks by
   * itself.
   */
  seen?: Sql;
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
  ...(resource.like?.derived ?? resource.derived).flatMap(kindsOf),
];

function branchesOf(kind: ResourceType, asking: Asking): Sql[] {
  const { groups, mixed, row } = asking;
  const defined = groups.filter(
    (group) => group.entityTypeId === kind.settings.entityTypeId && group.fields.length > 0,
  );
  const everywhere = defined.find((group) => group.processId === null)?.fields ?? [];
  const isKind = mixed ? all(kindConditions(kind, row)) : raw('true');
  const process = processSql(kind, row);
  const branches = defined.flatMap((group) => {
    if (group.processId === null || !process) return [];
    const isProcess = sql`${process} = ${raw(String(group.processId))}`;
    return [sql`when ${isKind} and ${isProcess} then ${textOf([...everywhere, ...group.fields], asking)}`];
  });
  if (everywhere.length > 0) branches.push(sql`when ${isKind} then ${textOf(everywhere, asking)}`);
  return branches;
}

/** The process of an item is that of its project; a project has its own; people and teams have none. */
function processSql(kind: ResourceType, row: Row): Sql | undefined {
  const { customFields } = kind.settings;
  if (customFields === 'own') return column(row.alias, 'process_id');
  return customFields === 'project' ? processOfProject(column(row.alias, 'project_id'), row) : undefined;
}

export function processOfProject(id: Sql, { aliases }: Pick<Row, 'aliases'>): Sql {
  const project = aliases.next();
  return sql`(select ${column(project, 'process_id')} from ${name('general')} ${project}
        where ${column(project, 'id')} = ${id})`;
}

const textOf = (fields: readonly CustomFieldDefinition[], asking: Asking): Sql =>
  glue(asking.format.customFieldList(fields.map((field) => fieldText(field, asking))));

function fieldText({ name: key, type, target }: CustomFieldDefinition, asking: Asking): CustomFieldText {
  const stored = storedSql(key, asking.row);
  if (!target) {
    const text = sql`(${column(asking.row.alias, 'custom_values')} ->> ${constant(key)})`;
    return { name: key, type, value: stored, text };
  }
  const isSeen = asking.seen ? seenTogether(asking.seen) : seenByItself(target, asking.row);
  const value = seenPointersSql(stored, type, isSeen, asking.row);
  const targetName = type === 'Entity' ? targetNameSql(target, stored, isSeen, asking.row) : undefined;
  return { name: key, type, value, text: sql`(${value} #>> '{}')`, targetName };
}

/** Of a person the whole name, of an item its name where it is seen. */
function targetNameSql({ resource }: PointerTarget, stored: Sql, isSeen: SeenSql, row: Row): Sql {
  const target = row.aliases.next();
  const person = row.aliases.next();
  const [written, kind] = [sql`(${stored} ->> 'Id')`, sql`(${stored} ->> 'Kind')`];
  const id = pointedId(written);
  const people = sql`(select concat_ws(' ', ${column(person, 'first_name')}, ${column(person, 'last_name')})
    from ${name('general_user')} ${person} where ${column(person, 'id')} = ${id})`;
  return sql`case when lower(${kind}) in ('user', 'requester') then ${people} when ${isSeen(written, kind)}
    then (select ${column(target, 'name')} from ${name(resource.table)} ${target} where ${column(target, 'id')} = ${id}) end`;
}
