/** Members of an entity: its fields, its custom fields by name, and what can be asked of it. */
import { camelCase } from '../../model/camel-case.js';
import type { Field, ResourceType } from '../../model/model.js';
import { any, type RowExpression, type Sql, sql, value } from '../../sql.js';
import { nearest } from '../../texts/near.js';
import { namesOf, storedIn } from '../compile/stored-value.js';
import { previousValue } from '../compile/value.js';
import { customOperand, definitionsOf } from '../custom-operand.js';
import type { Of, Operand, Value } from '../meaning.js';
import { boolean, entity, isSame, isScalar, text, typeName } from '../types.js';
import {
  compare,
  computed,
  condition,
  fieldOf,
  isNull,
  isReadable,
  literal,
  member,
  negation,
  nothing,
  objectWith,
  resourceOf,
  rowOf,
  series,
} from '../values.js';
import {
  asText,
  checkNames,
  nameOf,
  ofField,
  ofWhatIsThere,
  personOf,
  pointedMember,
  unlessMissing,
} from './coerce.js';
import type { Expression, Name } from './expression.js';
import { replaceRow } from './replace-row.js';
import { type Context, type Place, refuse, weighedOnce } from './resolving.js';

export function entityMember(of: Value, resource: ResourceType, node: Name, place: Place): Value | undefined {
  const isCall = (node.args?.length ?? 0) > 0;
  if (of.kind === 'pointed' && !isCall) {
    const member = pointedMember(of, node, place);
    if (member) return member;
  }
  const field = isCall ? undefined : (resource.field(node.name) ?? fieldOfKinds(resource, node, place));
  if (field && isReadable(field)) return ofField(of, field, place, node);
  if (isCall) return method(of, resource, node, place);
  const name = node.name.toLowerCase();
  if (name === 'resourcetype') return ofWhatIsThere(of, literal(resource.name, text, 'text'));
  if (name === 'customvalues' && resource.settings.customFields) return customFieldsOf(of, resource, place);
  return (
    customNamed(of, resource, node.name, place) ??
    endOfRelation(of, resource, node, place) ??
    // It says what it is to be given.
    method(of, resource, { ...node, args: [] }, place)
  );
}

/** What only some kinds of a base type have: nothing where an entity is of another one. */
function fieldOfKinds(resource: ResourceType, node: Name, context: Context): Field | undefined {
  const [first, ...others] = resource.kindFields(node.name);
  if (!first || others.length === 0) return first?.field;
  const { field, kinds } = first;
  throw refuse(
    context,
    node,
    `'${camelCase(field.name)}' is something else for each kind of '${resource.name}' that has it; name a kind, as in it.as<${kinds[0]!.name}>.${camelCase(field.name)}`,
  );
}

function method(of: Value, resource: ResourceType, node: Name, place: Place): Value | undefined {
  switch (node.name.toLowerCase()) {
    case 'select':
      return mapped(of, resource, node, place);
    case 'inpast':
    case 'infuture':
      return timeBoxMember(of, resource, node, place);
    case 'getcustomvaluestring':
      return customValueString(of, resource, node, place);
    case 'iscustomvaluechanged':
      return isCustomValueChanged(of, resource, node, place);
    default:
      return undefined;
  }
}

/** `feature.select({id, name})`: what the entity is turned into, and nothing where there is none. */
function mapped(of: Value, resource: ResourceType, node: Name, place: Place): Value {
  if (node.args!.length !== 1) throw refuse(place, node, 'Select takes one argument: what to turn the entity into');
  if (of.kind === 'pointed') {
    const shown = place.resolve(node.args![0]!, { ...place, it: of });
    return shown.kind === 'object' ? unlessMissing(of, shown) : ofPresent(of, shown, unlessMissing);
  }
  const body = weighedOnce(place.resolve(node.args![0]!, { ...place, it: rowOf(resource) }), place);
  if (body.kind === 'object') return { kind: 'mapped', of, body, type: body.type, nullable: true };
  return ofMapped(of, body, node, place);
}

/** What was meant of a row, of the entity itself. */
export function ofMapped(of: Value, body: Value, at: Pick<Expression, 'at'>, context: Context): Value {
  const meant = replaceRow(body, weighedOnce(of, context), (one) => checkNames(one, at, context));
  return ofPresent(of, meant, ofWhatIsThere);
}

/** A field of what is missing is null, and so is what is asked of its collections; anything else may be something. */
function ofPresent(of: Value, shown: Value, present: typeof unlessMissing): Value {
  const { type } = shown;
  if (type.kind === 'entity') return isOfOthers(shown) && of.nullable ? orNone(negation(isNull(of)), shown) : shown;
  const isNullOfMissing = (shown.kind === 'field' || shown.kind === 'aggregate') && !isOfOthers(shown);
  return isNullOfMissing || !(isScalar(type) || type.kind === 'object') ? shown : present(of, shown);
}

/** The way to it begins at the caller, or at an entity that was chosen. */
function isOfOthers(node: Value): boolean {
  if (node.kind === 'me' || node.kind === 'chosen') return true;
  if (node.kind === 'chain')
    return node.source !== 'root' && node.source.kind !== 'values' && isOfOthers(node.source.owner);
  return 'of' in node && isOfOthers(node.of);
}

export function orNone(test: Value, of: Value): Value {
  const resource = resourceOf(of);
  return { kind: 'chosen', test, options: [of, nothing()], resource, type: entity(resource), nullable: true };
}

/** `MasterFeature` and `OutboundBug` are an end of a relation as one of a kind. */
function endOfRelation(of: Value, resource: ResourceType, { name, at }: Name, context: Context): Value | undefined {
  const end = resource.fields.find(
    (field) => field.kind === 'reference' && field.namesKinds && isSame(name.slice(0, field.name.length), field.name),
  );
  const kind = end && context.model.collection(name.slice(end.name.length));
  if (end?.kind !== 'reference' || kind?.root !== end.target.root) return undefined;
  const whole = ofField(of, end, { ...context, depth: 0 }, { kind: 'name', name, at });
  return castTo({ kind: 'cast', of: { kind: 'name', name, at }, type: kind.name, at }, whole, context);
}

/** `as<Type>` sees an entity as one of a kind; of another kind it is none. */
export function castTo(
  { type: name, at, of: casting }: Extract<Expression, { kind: 'cast' }>,
  of: Value,
  context: Context,
): Value {
  const resource = context.model.collection(name);
  if (!resource) {
    const near = nearest(
      name,
      context.model.resources.map((one) => one.name),
    );
    throw refuse(context, { at }, `There is no type '${name.slice(0, 80)}'.${near ? ` Did you mean '${near}'?` : ''}`);
  }
  if (of.type.kind !== 'entity')
    throw refuse(context, { at }, `'${typeName(of.type)}' cannot be cast; only an entity can`);
  if (resource.root !== of.type.resource.root) {
    if (of.kind === 'pointed' && resource.root === context.model.person)
      return castTo({ kind: 'cast', type: name, at, of: casting }, personOf(of, context), context);
    throw refuse(context, { at }, `'${typeName(of.type)}' can never be a '${resource.name}'`);
  }
  if (of.type.resource.isA(resource)) return of;
  return { kind: 'cast', of, resource, type: entity(resource), nullable: true };
}

function timeBoxMember(of: Value, resource: ResourceType, node: Name, context: Context): Value | undefined {
  const { spanOf } = resource.settings;
  if (spanOf === undefined) return undefined;
  const [arg] = node.args!;
  if (node.args!.length !== 1 || arg?.kind !== 'literal' || arg.literal !== 'integer' || arg.text.length > 4) {
    throw refuse(context, node, `${node.name} takes one argument: how many of the nearest, a whole number`);
  }
  const owner = resource.referenceOf(spanOf);
  const isPast = node.name.toLowerCase() === 'inpast';
  return condition({ kind: 'near', of, resource, owner, isPast, count: Number(arg.text) });
}

// --- custom fields: by their names, with or without spaces, and through `CustomValues` -------------------------------

type CustomFields = Of<'customFields'>;

export const customFieldsOf = (of: Value, resource: ResourceType, { catalogue }: Context): Value => ({
  kind: 'customFields',
  of,
  groups: catalogue.groups(resource.entityTypeIds),
  type: { kind: 'customValues', resource },
  nullable: of.nullable,
});

/** As it can be written. */
const plain = (name: string): string => name.replace(/[^\p{L}\p{N}_]/gu, '');

export const customNames = (resource: ResourceType, { catalogue }: Context): string[] =>
  definitionsOf(resource, catalogue).map(({ name }) => plain(name));

/** By a name of an expression, which has no blanks and signs. */
function customNamed(of: Value, resource: ResourceType, input: string, context: Context): Value | undefined {
  const exact = customField(of, resource, input, context);
  if (exact || !resource.settings.customFields) return exact;
  const names = definitionsOf(resource, context.catalogue).map(({ name }) => name);
  const name = names.find((one) => isSame(plain(one), plain(input)));
  return name === undefined ? undefined : customField(of, resource, name, context);
}

/** By the name as it is defined, in any letter case; undefined where no process defines it. */
function customField(of: Value, resource: ResourceType, input: string, context: Context): Value | undefined {
  if (!resource.settings.customFields) return undefined;
  const name = definitionsOf(resource, context.catalogue).find((one) => isSame(one.name, input))?.name;
  if (name === undefined) return undefined;
  // With its options, which tell a text that is one of them.
  const operand = customOperand(name, resource, context.catalogue);
  if (operand.type === 'Entity' && operand.target) {
    const { resource } = operand.target;
    return { kind: 'pointed', of, operand, resource, type: entity(resource), nullable: true };
  }
  return fieldOf(of, operand);
}

/** `CustomValues["Risk"]`: a field that is defined nowhere is null. */
export function indexed({ key, at }: Extract<Expression, { kind: 'index' }>, of: Value, context: Context): Value {
  if (of.kind !== 'customFields')
    throw refuse(context, { at }, "Only CustomValues has values by name, as in CustomValues['Risk']");
  return customField(of.of, of.type.resource, key, context) ?? nothing();
}

/** `CustomValues.Text("Risk")`, `CustomValues.Get("Risk")`. */
export function customMember(of: CustomFields, node: Name, place: Place): Value | undefined {
  const method = node.name.toLowerCase();
  if (!methods.has(method)) return node.args ? undefined : customNamed(of.of, of.type.resource, node.name, place);
  const value = customField(of.of, of.type.resource, nameIn(node, place), place) ?? nothing();
  if (method === 'text') return valueText(value, node, place);
  return method === 'get' ? described(of, value) : value;
}

const methods = new Set(['get', 'text', 'number', 'money', 'date', 'bool', 'checkbox', 'dropdown', 'entity']);

/** `{name, type, entityKind, value}` */
function described(of: CustomFields, value: Value): Value {
  const operand = value.kind === 'field' || value.kind === 'pointed' ? value.operand : undefined;
  if (operand?.kind !== 'custom') return nothing();
  const written = (name: string, word: string) => member(name, literal(word, text, 'text'));
  const shown = objectWith([
    written('name', operand.name),
    written('type', operand.type),
    written('entityKind', of.type.resource.name),
    member('value', value),
  ]);
  return ofWhatIsThere(of.of, shown);
}

/** The value of a custom field of any type as a text: an address as where it leads, an entity as its name. */
function valueText(field: Value, at: Name, place: Place): Value {
  if (field.type.kind === 'link' && field.kind === 'field' && field.operand.kind === 'custom') {
    const { of, operand } = field;
    return computed(of, text, (column) => sql`(${storedIn(column('custom_values'), operand)} ->> 'Url')`);
  }
  if (field.kind === 'pointed') return nameOf(field, { kind: 'name', name: 'Name', at: at.at }, place);
  return asText(field, at, place);
}

// --- `GetCustomValueString('Risk')` and `IsCustomValueChanged('Risk')`: custom fields as they were -------------------

type CustomField = Extract<Operand, { kind: 'custom' }>;

/** The kind whose past a full history tells. */
function historicKind(resource: ResourceType): ResourceType | undefined {
  const current = resource.fields.find(({ name }) => name.startsWith('Current'));
  return current?.kind === 'reference' && current.isNarrowed ? current.target : undefined;
}

/** Of an entity itself the text is that of today. A field that is no longer defined is read by the name it had. */
function customValueString(of: Value, resource: ResourceType, node: Name, place: Place): Value {
  const name = nameIn(node, place);
  const historic = historicKind(resource);
  const kind = historic ?? resource;
  if (!kind.settings.customFields) throw refuse(place, node, `'${resource.name}' has no custom fields`);
  const field = customField(of, kind, name, place);
  if (field) return valueText(historic ? asOfPast(field) : field, node, place);
  return computed(of, text, (column) => undefinedText(sql`(${column('custom_values')} -> ${value(name, 'text')})`));
}

/** What was kept of a field tells by its form alone what it was: the field may have had another type by then. */
const ofPast = (operand: CustomField): CustomField => ({ ...operand, several: undefined, isPast: true });

const asOfPast = (field: Value): Value =>
  field.kind === 'field' && field.operand.kind === 'custom' ? { ...field, operand: ofPast(field.operand) } : field;

/** What no definition tells about may have pointed at what is not everybody's to see: that is not shown. */
const pointed = (stored: Sql): Sql =>
  sql`coalesce(${stored} ->> 'Kind' is not null or ${stored} #>> '{}' ~* search_pointers(), false)`;

const undefinedText = (stored: Sql): Sql =>
  sql`(case when ${pointed(stored)} then null when jsonb_typeof(${stored}) = 'object' then ${stored} ->> 'Url'
    when jsonb_typeof(${stored}) = 'boolean' then initcap(${stored} #>> '{}') else ${stored} #>> '{}' end)`;

function isCustomValueChanged(of: Value, resource: ResourceType, call: Name, place: Place): Value {
  const name = nameIn(call, place);
  const kind = historicKind(resource);
  if (!kind) throw refuse(place, call, `${call.name} is asked of full histories, such as UserStoryHistory`);
  const current = customField(of, kind, name, place);
  const operand = current?.kind === 'field' || current?.kind === 'pointed' ? current.operand : undefined;
  const field = operand?.kind === 'custom' ? operand : { name };
  const recorded = isRecorded(of, namesOf(field));
  const isSeen = 'target' in field ? pointsElsewhere(of, ofPast(field)) : otherwiseThanPointers(of, field);
  return series('and', [recorded, isSeen]);
}

const isRecorded = (of: Value, names: readonly string[]): Value =>
  computed(of, boolean, (column) => {
    const tests = names.map((name) => sql`${value(name, 'text')} = any(${column('changed_custom_values')})`);
    return sql`coalesce(${any(tests)}, false)`;
  });

/** A pointer changes for the reader if what he sees of it does. As a text it tells both one entity and several. */
function pointsElsewhere(of: Value, field: CustomField): Value {
  const pointersAt = (values?: CustomField['values']): Value => ({
    ...fieldOf(of, { ...field, type: 'Text', values }),
    type: text,
  });
  return compare('ne', [pointersAt(), pointersAt(valuesBefore(of))]);
}

/** Of a field that points no longer, or is defined no longer, nobody is shown where it pointed. */
const otherwiseThanPointers = (of: Value, field: Parameters<typeof namesOf>[0]): Value =>
  computed(of, boolean, (column) => {
    const [own, before] = [column('custom_values'), valuesBefore(of)(column)].map((values) => storedIn(values, field));
    const unpointed = (side: Sql): Sql => sql`case when not ${pointed(side)} then ${side} end`;
    const [a, b] = [sql`pair.own`, sql`pair.before`];
    return sql`(select not (${pointed(a)} or ${pointed(b)}) or ${unpointed(a)} is distinct from ${unpointed(b)}
      from (select ${own!} as own, ${before!} as before offset 0) pair)`;
  });

const valuesBefore =
  (of: Value): RowExpression =>
  (row) =>
    previousValue(resourceOf(of).table, 'custom_values', row);

function nameIn(node: Name, place: Place): string {
  const [arg] = node.args ?? [];
  const name = arg && place.resolve(arg, place);
  if (node.args?.length === 1 && name?.kind === 'literal' && typeof name.value === 'string') return name.value;
  throw refuse(place, node, `${node.name} takes one argument: the name of a custom field, as a text`);
}
