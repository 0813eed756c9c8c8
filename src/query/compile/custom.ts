/**
 * Spells custom fields: one that is compared, all that an item shows, and what pointers among them show of what exists
 * for the actor.
 */
import type { ResourceType } from '../../model/model.js';
import type { CustomFieldText, Representation } from '../../representation/representation.js';
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
import { kindsOf } from '../custom-operand.js';
import type { CustomFieldDefinition, CustomFieldGroup, CustomFieldType, Operand, PointerTarget } from '../meaning.js';
import { conditionsSql, further, kindConditions, type Row } from './compiling.js';
import { storedIn, textIn } from './stored-value.js';

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
  const seen = together && column(together, 'ids');
  const asking: Asking = { groups, mixed: kinds.length > 1, row, format, seen };
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
  const form = forms[type];
  if (!target) {
    const text = sql`(${column(asking.row.alias, 'custom_values')} ->> ${constant(key)})`;
    if (!form) return { name: key, type, value: stored, text };
    if (form !== 'string') {
      const own = sql`(${ofForm(form, stored, stored)})`;
      return { name: key, type, value: own, text: sql`(${own} #>> '{}')` };
    }
    const own = textOfItsOwn(stored, text);
    const value = sql`case when jsonb_typeof(${stored}) = 'string' then ${stored} else to_jsonb(${own}) end`;
    return { name: key, type, value: sql`(${value})`, text: sql`(${own})` };
  }
  const isSeen = asking.seen ? seenTogether(asking.seen) : seenByItself(target, asking.row);
  const areOwn = areSeveral({ isMixed: false }, asking.row);
  const value = seenPointersSql(stored, type, { isSeen, row: asking.row, areSeveral: areOwn });
  const targetName = type === 'Entity' ? targetNameSql(target, stored, isSeen, asking.row) : undefined;
  return { name: key, type, value, text: sql`(${value} #>> '{}')`, targetName };
}

type Stored = Pick<CustomFieldText, 'value' | 'text'>;
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

/** Whether a text that is stored is pointers at several entities. */
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
