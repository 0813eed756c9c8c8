/**
 * Spells custom fields: one that is compared, all that an item shows, and what pointers among them show of what exists
 * for the actor.
 */
import type { ResourceType } from '../../model/model.js';
import type { CustomFieldText, Representation } from '../../representation/representation.js';
import { all, column, constant, glue, join, list, momentOf, name, raw, type Sql, sql, unicode } from '../../sql.js';
import type { CustomFieldDefinition, CustomFieldGroup, CustomFieldType, Operand, PointerTarget } from '../meaning.js';
import { conditionsSql, further, kindConditions, type Row } from './compiling.js';
import { storedIn, textIn } from './stored-value.js';

export function customSql(operand: Extract<Operand, { kind: 'custom' }>, row: Row): Sql {
  const values = operand.values?.((columnName) => column(row.alias, columnName)) ?? column(row.alias, operand.column);
  const [stored, text] = [storedIn(values, operand), textIn(values, operand)];
  switch (operand.type) {
    case 'Number':
    case 'Money':
      return guarded(stored, 'number', sql`(${text})::numeric`);
    case 'CheckBox':
      return guarded(stored, 'boolean', sql`(${text})::boolean`);
    case 'Date':
      return momentOf(sql`(${text})`);
    case 'URL':
      return unicode(sql`${stored} ->> 'Url'`);
    case 'Entity':
      return pointedId(sql`(${pointedAt(operand, sql`(${stored})`, row)} ->> 'Id')`, sql`(${stored} ->> 'Id')`);
    case 'Text':
    case 'DropDown':
    case 'RichText':
    case 'MultipleSelectionList':
    case 'TemplatedURL':
    case 'MultipleEntities':
      if (operand.target) return unicode(sql`${pointedAt(operand, sql`(${stored})`, row)} #>> '{}'`);
      return unicode(operand.isMixed ? textOfItsOwn(sql`(${stored})`, text) : text);
  }
}

const pointedAt = ({ target, type }: Extract<Operand, { kind: 'custom' }>, value: Sql, row: Row): Sql =>
  target ? seenPointersSql(value, type, seenByItself(target, row), row) : value;

/** A text; what a definition of another type left over is the text that it has for everybody, if it has one. */
const textOfItsOwn = (stored: Sql, text: Sql): Sql =>
  sql`case when jsonb_typeof(${stored}) = 'object' then ${stored} ->> 'Url' else ${text} end`;

/** A value left over from a definition of another type must not break the page. */
const guarded = (stored: Sql, type: 'number' | 'boolean', cast: Sql): Sql =>
  sql`case when jsonb_typeof(${stored}) = ${raw(`'${type}'`)} then ${cast} end`;

// --- all of an item: the definitions are few and known, so they are compiled in, not joined --------------------------

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
  const alike = namedAlike(groups);
  const seen = together && column(together, 'ids');
  const asking: Asking = { groups, alike, mixed: kinds.length > 1, row, format, seen };
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
  /** By their names in lower case. */
  alike: ReadonlyMap<string, readonly CustomFieldDefinition[]>;
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

function namedAlike(groups: readonly CustomFieldGroup[]): Map<string, CustomFieldDefinition[]> {
  const alike = new Map<string, CustomFieldDefinition[]>();
  for (const field of groups.flatMap(({ fields }) => fields)) {
    const name = field.name.toLowerCase();
    const same = alike.get(name);
    if (same) same.push(field);
    else alike.set(name, [field]);
  }
  return alike;
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

/** Where processes have the name in several types, an item may have brought a value of another type along. */
function fieldText({ name: key, type, target }: CustomFieldDefinition, asking: Asking): CustomFieldText {
  const stored = storedSql(key, asking.row);
  if (!target) {
    const read = { value: stored, text: sql`(${column(asking.row.alias, 'custom_values')} ->> ${constant(key)})` };
    const others = asking.alike.get(key.toLowerCase())!.filter((one) => one.type !== type);
    return { name: key, type, ...(others.length > 0 ? ofItsType(type, read, others) : read) };
  }
  const isSeen = asking.seen ? seenTogether(asking.seen) : seenByItself(target, asking.row);
  const value = seenPointersSql(stored, type, isSeen, asking.row);
  const targetName = type === 'Entity' ? targetNameSql(target, stored, isSeen, asking.row) : undefined;
  return { name: key, type, value, text: sql`(${value} #>> '{}')`, targetName };
}

type Stored = Pick<CustomFieldText, 'value' | 'text'>;

/** What is stored for each type, where it is shown as it is stored. */
const shownAs: Partial<Record<CustomFieldType, 'string' | 'number' | 'boolean'>> = {
  Text: 'string',
  RichText: 'string',
  TemplatedURL: 'string',
  DropDown: 'string',
  MultipleSelectionList: 'string',
  Number: 'number',
  Money: 'number',
  CheckBox: 'boolean',
};

/** A definition of another type may have left something else, which is its text to a text and nothing to the others. */
function ofItsType(type: CustomFieldType, { value, text }: Stored, others: readonly CustomFieldDefinition[]): Stored {
  const kind = shownAs[type];
  if (!kind) return { value, text };
  const isKind = sql`jsonb_typeof(${value}) = ${constant(kind)}`;
  if (kind !== 'string')
    return { value: sql`(case when ${isKind} then ${value} end)`, text: sql`(case when ${isKind} then ${text} end)` };
  const target = others.find((one) => one.type === 'MultipleEntities')?.target;
  const own = target ? sql`case when not ${isPointers(text, target)} then ${text} end` : text;
  const shown = textOfItsOwn(value, own);
  return { value: sql`to_jsonb(${shown})`, text: sql`(${shown})` };
}

/** What is left of pointers is nothing in a text: whether its reader sees all that they point at is not asked. */
function isPointers(text: Sql, { resource }: PointerTarget): Sql {
  const kinds = [...kindNames(resource), 'user', 'requester', 'generaluser'].join('|');
  return sql`${text} ~* ${constant(`^[0-9]+ (${kinds})(,[0-9]+ (${kinds}))*$`)}`;
}

const kindNames = ({ name: kind, derived }: ResourceType): string[] => [
  kind.toLowerCase(),
  ...derived.flatMap(kindNames),
];

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

// --- what a field points at, as far as it exists for the actor: the rest reads as a reference does, as nothing -------

/** Of what is stored as a pointer. Any other text is no id, and must not fail. */
const pointedId = (text: Sql, stored = text): Sql =>
  sql`(case when ${stored} ~ '^[0-9]{1,18}$' then ${text}::bigint end)`;

/** Whether what a pointer names exists for the actor, by its id and kind as texts. */
type SeenSql = (id: Sql, kind: Sql) => Sql;

/**
 * A stored JSON value without its pointers at what the actor may not see: one entity is an object with a Kind, several
 * are a text such as `6387 userstory,3527 bug`. Whatever else is stored stays, as a definition of another type may have
 * left it; pointers in the form of another type are nothing.
 */
function seenPointersSql(value: Sql, type: CustomFieldType, isSeen: SeenSql, row: Row): Sql {
  const text = sql`(${value} #>> '{}')`;
  const one = type === 'MultipleEntities' ? raw('null') : oneSql(value, isSeen);
  const several = type === 'Entity' ? raw('null') : severalSql(text, isSeen, row);
  return sql`(case when jsonb_typeof(${value}) = 'object' and (${value} ->> 'Kind') is not null then ${one}
    when jsonb_typeof(${value}) = 'string' and ${text} ~ '^[0-9]+ [A-Za-z]+(,[0-9]+ [A-Za-z]+)*$' then ${several} else ${value} end)`;
}

const oneSql = (value: Sql, isSeen: SeenSql): Sql =>
  sql`case when ${isSeen(sql`(${value} ->> 'Id')`, sql`(${value} ->> 'Kind')`)} then ${value} end`;

function severalSql(text: Sql, isSeen: SeenSql, row: Row): Sql {
  const part = row.aliases.next();
  const filter = isSeen(sql`split_part(${part}.pointer, ' ', 1)`, sql`split_part(${part}.pointer, ' ', 2)`);
  return sql`(select to_jsonb(string_agg(${part}.pointer, ',' order by ${part}.n)) from unnest(string_to_array(${text}, ','))
    with ordinality ${part}(pointer, n) where ${filter})`;
}

/** People are remembered, whoever asks and even when they are deleted. */
const isPerson = (kind: Sql): Sql => sql`lower(${kind}) in ('user', 'requester', 'generaluser')`;

/** One value asks by itself. */
function seenByItself({ resource, where }: PointerTarget, row: Row): SeenSql {
  return (id, kind) => {
    const target = further(row);
    const conditions = all([sql`${column(target.alias, 'id')} = ${pointedId(id)}`, ...conditionsSql(where, target)]);
    return sql`(${isPerson(kind)} or exists (select 1 from ${name(resource.table)} ${target.alias} where ${conditions}))`;
  };
}

/** Many values of a row ask together: what is seen of all that they point at is found once. */
const seenTogether =
  (seen: Sql): SeenSql =>
  (id, kind) =>
    sql`(${isPerson(kind)} or ${pointedId(id)} = any(${seen}))`;

/** The ids of what stored values point at, as far as it exists for the actor. */
function seenIdsSql(values: readonly Sql[], { resource, where }: PointerTarget, row: Row): Sql {
  const target = further(row);
  const part = row.aliases.next();
  // An entity is spelled as one of several are.
  const texts = values.flatMap((value) => [sql`(${value} ->> 'Id') || ' x'`, sql`(${value} #>> '{}')`]);
  const named = sql`select ${pointedId(sql`split_part(${part}, ' ', 1)`)} from unnest(string_to_array(concat_ws(',', ${join(texts, raw(', '))}), ',')) ${part}`;
  const conditions = all([sql`${column(target.alias, 'id')} = any(array(${named}))`, ...conditionsSql(where, target)]);
  return sql`array(select ${column(target.alias, 'id')} from ${name(resource.table)} ${target.alias} where ${conditions})`;
}
