/**
 * Spells custom fields: one that is compared, all that an item shows, and what pointers among them show of what exists
 * for the actor.
 */
import type { ResourceType } from '../../model/model.js';
import type { CustomFieldValue, Representation } from '../../representation/representation.js';
import {
  all,
  any,
  column,
  constant,
  glue,
  join,
  list,
  momentOf,
  name,
  raw,
  type Sql,
  sql,
  unicode,
} from '../../sql.js';
import { kindsOf, mostCompiledIn } from '../custom-operand.js';
import type { CustomFieldDefinition, CustomFieldGroup, CustomFieldType, Operand, PointerTarget } from '../meaning.js';
import { conditionsSql, further, kindConditions, type Row } from './compiling.js';
import { isPerson, storedIn, textIn } from './stored-value.js';

type CustomOperand = Extract<Operand, { kind: 'custom' }>;

export function customSql(operand: CustomOperand, row: Row): Sql {
  const values = operand.values?.((columnName) => column(row.alias, columnName)) ?? column(row.alias, operand.column);
  const [stored, text] = [storedIn(values, operand), textIn(values, operand)];
  switch (operand.type) {
    case 'Number':
    case 'Money':
      return ofForm('number', stored, sql`(${text})::numeric`);
    case 'CheckBox':
      return ofForm('boolean', stored, sql`(${text})::boolean`);
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
      return unicode(textSql(operand, { value: sql`(${stored})`, text }, row));
  }
}

/** What a value is as a text. Of pointers and of addresses it is what everybody, or the actor, may know of them. */
function textSql(operand: CustomOperand, { value: stored, text }: Stored, row: Row): Sql {
  const { target, isMixed, isPast } = operand;
  if (target) {
    const pointed = pointedAt(operand, stored, row);
    return isMixed ? sql`coalesce(${pointed} ->> 'Url', ${pointed} #>> '{}')` : sql`${pointed} #>> '{}'`;
  }
  const own = textOfItsOwn(stored, text);
  return isPast ? sql`case when ${text} !~* search_pointers() then ${own} end` : own;
}

/** Of what is no text that which everybody may know. */
const textOfItsOwn = (stored: Sql, text: Sql): Sql =>
  sql`case when jsonb_typeof(${stored}) = 'object' then ${stored} ->> 'Url' else ${text} end`;

const pointedAt = (operand: CustomOperand, value: Sql, row: Row): Sql =>
  operand.target
    ? seenPointersSql(value, operand.type, {
        isSeen: seenByItself(operand.target, row),
        row,
        areSeveral: areSeveral(operand, row),
      })
    : value;

/** Whether a text is pointers: where a field of texts has the name, too, it is where the row's own field points. */
function areSeveral({ isMixed, several }: Pick<CustomOperand, 'isMixed' | 'several'>, row: Row): AreSeveralSql {
  if (!isMixed) return (text) => sql`${text} ~ '^[0-9]+ [A-Za-z]+(,[0-9]+ [A-Za-z]+)*$'`;
  if (!several) return (text) => sql`${text} ~* search_pointers()`;
  if (several.length === 0) return () => raw('false');
  const own = several.map(({ kind, processId }) => {
    const process = processSql(kind, row);
    const isProcess = process && processId !== null ? [sql`${process} = ${raw(String(processId))}`] : [];
    return all([...kindConditions(kind, row), ...isProcess]);
  });
  return (text) => sql`${text} ~* search_pointers() and (${any(own)})`;
}

/** What is not of the form of its type must not break the page, and shows nothing. */
const ofForm = (form: Form, stored: Sql, value: Sql): Sql =>
  sql`case when jsonb_typeof(${stored}) = ${raw(`'${form}'`)} then ${value} end`;

// --- all of an item: few definitions are compiled in, many are read in the statement ---------------------------------

/** Among those that are compiled in; each costs a dozen tables. */
const mostPointers = 4;

/** Text of the fields for the process and kind of the row; empty text where there are none. */
export function customFieldsSql(
  groups: readonly CustomFieldGroup[],
  resource: ResourceType,
  row: Row,
  format: Representation,
): Sql {
  const fieldsOf = ({ settings }: ResourceType) =>
    groups.filter(({ entityTypeId }) => entityTypeId === settings.entityTypeId).flatMap((group) => group.fields);
  const kinds = kindsOf(resource).filter((kind) => fieldsOf(kind).length > 0);
  const fields = kinds.flatMap(fieldsOf);
  if (fields.length === 0) return constant('');
  const isFew = fields.length <= mostCompiledIn && fields.filter(({ target }) => target).length <= mostPointers;
  return isFew ? compiledIn(kinds, { groups, resource, row, format }) : readFrom(kinds, fields, row, format);
}

interface Compiling {
  groups: readonly CustomFieldGroup[];
  resource: ResourceType;
  row: Row;
  format: Representation;
}

function compiledIn(kinds: readonly ResourceType[], compiling: Compiling): Sql {
  const branches = kinds.flatMap((kind) => branchesOf(kind, compiling));
  return sql`(case ${join(branches, raw(' '))} else '' end)`;
}

function branchesOf(kind: ResourceType, compiling: Compiling): Sql[] {
  const { groups, resource, row } = compiling;
  const defined = groups.filter(
    (group) => group.entityTypeId === kind.settings.entityTypeId && group.fields.length > 0,
  );
  const everywhere = defined.find((group) => group.processId === null)?.fields ?? [];
  const isKind = kindsOf(resource).length > 1 ? all(kindConditions(kind, row)) : raw('true');
  const process = processSql(kind, row);
  const branches = defined.flatMap((group) => {
    if (group.processId === null || !process) return [];
    const isProcess = sql`${process} = ${raw(String(group.processId))}`;
    return [sql`when ${isKind} and ${isProcess} then ${textOf([...everywhere, ...group.fields], compiling)}`];
  });
  if (everywhere.length > 0) branches.push(sql`when ${isKind} then ${textOf(everywhere, compiling)}`);
  return branches;
}

const textOf = (fields: readonly CustomFieldDefinition[], { row, format }: Compiling): Sql =>
  glue(
    fields.flatMap(({ name: key, type, target }, index) => {
      const stored = storedOf(row, constant(key));
      const value = spelledFrom(type, stored, row, target && { target, isSeen: seenByItself(target, row) });
      const text = format.customField({ name: key, type, value: (spell) => spell(value) });
      return index > 0 ? [format.separator, ...text] : text;
    }),
  );

function readFrom(
  kinds: readonly ResourceType[],
  fields: readonly CustomFieldDefinition[],
  row: Row,
  format: Representation,
): Sql {
  const [place, field, seen] = [row.aliases.next(), row.aliases.next(), row.aliases.next()];
  const asking: Asking = { fields, field, seen: column(seen, 'ids'), row };
  const target = fields.find((one) => one.target)?.target;
  const pointers = target
    ? sql` cross join lateral (select ${idsSql(target, asking)} as ids offset 0) ${seen}`
    : raw('');
  const [text, order] = [fieldText(asking, format), orderOf(field)];
  // Without the offsets what is selected would be found anew wherever it is used.
  return sql`(select coalesce(string_agg(${text}, ${constant(format.separator)} order by ${order}), '')
    from (select ${kindOf(kinds, row)} as kind, ${processOf(kinds, row)} as process offset 0) ${place}
    join ${name('custom_field')} ${field} on ${column(field, 'entity_type_id')} = ${column(place, 'kind')}
      and coalesce(${column(field, 'process_id')}, 0) = any(array[0, ${column(place, 'process')}])${pointers})`;
}

interface Asking {
  /** Of whichever process: the statement spells the types that there are. */
  fields: readonly CustomFieldDefinition[];
  /** The row of a definition. */
  field: Sql;
  /** The ids of what the value points at, as far as it exists for the actor. */
  seen: Sql;
  row: Row;
}

/** Those of everywhere come first. */
const orderOf = (field: Sql): Sql =>
  list([sql`coalesce(${column(field, 'process_id')}, 0)`, column(field, 'numeric_priority'), column(field, 'id')]);

/** The kind of a row, as definitions name it. */
function kindOf(kinds: readonly ResourceType[], row: Row): Sql {
  const idOf = ({ settings }: ResourceType): Sql => raw(String(settings.entityTypeId));
  const [first, second] = kinds;
  if (!second) return idOf(first!);
  const isSame = kinds.every(({ discriminator }) => discriminator?.column === 'entity_type_id');
  if (isSame) return column(row.alias, 'entity_type_id');
  const branches = kinds.map((kind) => sql`when ${all(kindConditions(kind, row))} then ${idOf(kind)}`);
  return sql`case ${join(branches, raw(' '))} end`;
}

function processOf(kinds: readonly ResourceType[], row: Row): Sql {
  const own = kinds.filter(({ settings }) => settings.customFields === 'own');
  const ofProject = kinds.find(({ settings }) => settings.customFields === 'project');
  const other = (ofProject && processSql(ofProject, row)) ?? raw('null::bigint');
  if (own.length === 0) return other;
  const process = processSql(own[0]!, row)!;
  if (own.length === kinds.length) return process;
  return sql`case when ${any(own.map((kind) => all(kindConditions(kind, row))))} then ${process} else ${other} end`;
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

function fieldText(asking: Asking, format: Representation): Sql {
  const { fields, field } = asking;
  const type = column(field, 'field_type');
  // Types that are stored and shown alike share a text.
  const types = [...new Set(fields.map((one) => one.type))].sort();
  const formOf = (one: CustomFieldType): string => forms[one] ?? one;
  const alike = [...new Set(types.map(formOf))].map((form) => types.filter((one) => formOf(one) === form));
  const target = fields.find((one) => one.target)?.target;
  const pointing = target && { target, isSeen: seenTogether(target, asking.seen) };
  const value = (spell: (value: CustomFieldValue) => Sql): Sql => {
    const branches = alike.map((group) => {
      const text = spell(spelledFrom(group[0]!, storedOf(asking.row, column(field, 'name')), asking.row, pointing));
      return sql`when ${type} in (${list(group.map(constant))}) then ${text}`;
    });
    return sql`case ${join(branches, raw(' '))} end`;
  };
  return glue(format.customField({ name: column(field, 'name'), type, value }));
}

function storedOf(row: Row, key: Sql): Stored {
  const values = column(row.alias, 'custom_values');
  return { value: sql`(${values} -> ${key})`, text: sql`(${values} ->> ${key})` };
}

function spelledFrom(
  type: CustomFieldType,
  { value: stored, text }: Stored,
  row: Row,
  pointing: { target: PointerTarget; isSeen: SeenSql } | undefined,
): CustomFieldValue {
  const form = forms[type];
  if (form === 'string') {
    const own = textOfItsOwn(stored, text);
    const value = sql`case when jsonb_typeof(${stored}) = 'string' then ${stored} else to_jsonb(${own}) end`;
    return { type, value: sql`(${value})`, text: sql`(${own})` };
  }
  if (form) {
    const own = sql`(${ofForm(form, stored, stored)})`;
    return { type, value: own, text: sql`(${own} #>> '{}')` };
  }
  if (!pointing || !isPointer(type)) return { type, value: stored, text };
  const { target, isSeen } = pointing;
  const areOwn = areSeveral({ isMixed: false }, row);
  const value = seenPointersSql(stored, type, { isSeen, row, areSeveral: areOwn });
  const targetName = type === 'Entity' ? targetNameSql(target, stored, isSeen, row) : undefined;
  return { type, value, text: sql`(${value} #>> '{}')`, targetName };
}

const pointerTypes = ['Entity', 'MultipleEntities'] as const satisfies CustomFieldType[];

const isPointer = (type: CustomFieldType): boolean => pointerTypes.some((one) => one === type);

/** The ids of what the value points at, as far as it exists for the actor; most rows point at nothing. */
function idsSql(target: PointerTarget, { field, row }: Asking): Sql {
  const isPointing = sql`${column(field, 'field_type')} in (${list(pointerTypes.map(constant))})
    and ${column(row.alias, 'custom_values')} ? ${column(field, 'name')}`;
  return sql`case when ${isPointing} then ${seenIdsSql(storedOf(row, column(field, 'name')).value, target, row)} end`;
}

type Stored = Pick<CustomFieldValue, 'value' | 'text'>;
type Form = 'string' | 'number' | 'boolean';

/** What is stored for each type, where it is shown as it is stored. */
const forms: Partial<Record<CustomFieldType, Form>> = {
  Text: 'string',
  RichText: 'string',
  TemplatedURL: 'string',
  DropDown: 'string',
  MultipleSelectionList: 'string',
  Number: 'number',
  Money: 'number',
  CheckBox: 'boolean',
};

/** Of a person the whole name, of an item its name where it is seen. */
function targetNameSql(target: PointerTarget, stored: Sql, isSeen: SeenSql, row: Row): Sql {
  const [written, kind] = [sql`(${stored} ->> 'Id')`, sql`(${stored} ->> 'Kind')`];
  const nameIn = (resource: ResourceType): Sql => labelSql(resource, pointedId(written), row);
  return sql`case when ${isPerson(kind, target)} then ${nameIn(target.people)}
    when ${isSeen(written, kind)} then ${nameIn(target.resource)} end`;
}

function labelSql({ table, labelField: { expression, column: own } }: ResourceType, id: Sql, row: Row): Sql {
  const one = row.aliases.next();
  const label = expression ? expression((columnName) => column(one, columnName)) : column(one, own!);
  return sql`(select ${label} from ${name(table)} ${one} where ${column(one, 'id')} = ${id})`;
}

// --- what a field points at, as far as it exists for the actor: the rest reads as a reference does, as nothing -------

/** Of what is stored as a pointer. Any other text is no id, and must not fail. */
const pointedId = (text: Sql, stored = text): Sql =>
  sql`(case when ${stored} ~ '^[0-9]{1,18}$' then ${text}::bigint end)`;

/** Whether what a pointer names exists for the actor, by its id and kind as texts. */
type SeenSql = (id: Sql, kind: Sql) => Sql;

type AreSeveralSql = (text: Sql) => Sql;

interface Pointing {
  isSeen: SeenSql;
  areSeveral: AreSeveralSql;
  row: Row;
}

/**
 * A stored JSON value without its pointers at what the actor may not see: one entity is an object with a Kind, several
 * are a text such as `6387 userstory,3527 bug`. Whatever else is stored stays; pointers in the form of another type are
 * nothing.
 */
function seenPointersSql(value: Sql, type: CustomFieldType, { isSeen, areSeveral: are, row }: Pointing): Sql {
  const text = sql`(${value} #>> '{}')`;
  const one = type === 'MultipleEntities' ? raw('null') : oneSql(value, isSeen);
  const several = type === 'Entity' ? raw('null') : severalSql(text, isSeen, row);
  return sql`(case when jsonb_typeof(${value}) = 'object' and (${value} ->> 'Kind') is not null then ${one}
    when jsonb_typeof(${value}) = 'string' and ${are(text)} then ${several} else ${value} end)`;
}

const oneSql = (value: Sql, isSeen: SeenSql): Sql =>
  sql`case when ${isSeen(sql`(${value} ->> 'Id')`, sql`(${value} ->> 'Kind')`)} then ${value} end`;

function severalSql(text: Sql, isSeen: SeenSql, row: Row): Sql {
  const part = row.aliases.next();
  const filter = isSeen(sql`split_part(${part}.pointer, ' ', 1)`, sql`split_part(${part}.pointer, ' ', 2)`);
  return sql`(select to_jsonb(string_agg(${part}.pointer, ',' order by ${part}.n)) from unnest(string_to_array(${text}, ','))
    with ordinality ${part}(pointer, n) where ${filter})`;
}

/** One value asks by itself. People are remembered, whoever asks and even when they are deleted. */
function seenByItself(pointed: PointerTarget, row: Row): SeenSql {
  const { resource, where } = pointed;
  return (id, kind) => {
    const target = further(row);
    const conditions = all([sql`${column(target.alias, 'id')} = ${pointedId(id)}`, ...conditionsSql(where, target)]);
    return sql`(${isPerson(kind, pointed)} or exists (select 1 from ${name(resource.table)} ${target.alias} where ${conditions}))`;
  };
}

/** What a value shows of pointers asks together: what is seen of all that it points at is found once. */
const seenTogether =
  (target: PointerTarget, seen: Sql): SeenSql =>
  (id, kind) =>
    sql`(${isPerson(kind, target)} or ${pointedId(id)} = any(${seen}))`;

/** The ids of what a stored value points at, as far as it exists for the actor. */
function seenIdsSql(value: Sql, { resource, where }: PointerTarget, row: Row): Sql {
  const target = further(row);
  const part = row.aliases.next();
  // An entity is spelled as one of several are.
  const texts = sql`concat_ws(',', (${value} ->> 'Id') || ' x', ${value} #>> '{}')`;
  const named = sql`select ${pointedId(sql`split_part(${part}, ' ', 1)`)} from unnest(string_to_array(${texts}, ',')) ${part}`;
  const conditions = all([sql`${column(target.alias, 'id')} = any(array(${named}))`, ...conditionsSql(where, target)]);
  return sql`array(select ${column(target.alias, 'id')} from ${name(resource.table)} ${target.alias} where ${conditions})`;
}
