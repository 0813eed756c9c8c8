/** Turns include, exclude and append into the members of a Plan, in canonical order. */
import {
  type ApiError,
  badAggregate,
  collectionInCollection,
  dottedInclude,
  invalidInclude,
  nestedCustomFields,
  noInnerFields,
  singleCustomField,
  unknownField,
} from '../../errors.js';
import type { CollectionField, Field, ReferenceField, ResourceType, ScalarField } from '../../model/model.js';
import type { Column } from '../../representation/csv.js';
import { nearest } from '../../texts/near.js';
import { rowOfAggregate } from '../aggregates.js';
import { customPath } from '../custom-operand.js';
import { exact } from '../functions/conversion.js';
import type { Chain, CollectionMember, CustomFieldCatalogue, Member, Of, Page, Plan, Value } from '../meaning.js';
import { ofScalar } from '../types.js';
import {
  aggregateOf,
  call,
  choice,
  collectionOf,
  fieldOf,
  isReadable,
  literal,
  ofKinds,
  readableFields,
  rowOf,
} from '../values.js';
import type { AggregateName, IncludeItem, Selection } from './query.js';
import { defaultOrder, fieldNamed } from './resolve.js';
import { isCustomFields } from './scanner.js';

interface Place {
  resource: ResourceType;
  catalogue: CustomFieldCatalogue;
  inner: Page;
  /** The collection that leads here, if one does; and whether this is below the root. */
  collection?: CollectionField;
  nested?: boolean;
}

export function resolveSelection(selection: Selection, place: Place): Plan {
  const plan = selection.include ? includedPlan(selection.include, place) : defaultPlan(place);
  for (const name of selection.exclude ?? []) exclude(name, plan, place);
  for (const name of selection.append) addAggregate(name, plan);
  return plan;
}

export const emptyPlan = (resource: ResourceType, page: Page): Plan => ({
  resource,
  members: [],
  aggregates: [],
  collections: [],
  where: [],
  order: [],
  page,
  asksForDeleted: false,
  privacy: 'self',
});

const includable = (resource: ResourceType): Field[] => readableFields(resource).filter(({ name }) => name !== 'Id');

function defaultPlan(place: Place): Plan {
  const plan = emptyPlan(place.resource, place.inner);
  for (const field of place.resource.fields) {
    if (field.kind === 'collection' || field.isSynthetic || !isReadable(field) || field.name === 'Id') continue;
    plan.members.push(memberOf(field, place));
  }
  plan.customFields = customFieldsOf(place);
  return plan;
}

function includedPlan(items: readonly IncludeItem[], place: Place): Plan {
  const plan = emptyPlan(place.resource, place.inner);
  const asked = new Map<string, IncludeItem>();
  for (const item of items) {
    if (item.aggregate) addAggregate(item.aggregate, plan);
    else asked.set(item.name.toLowerCase(), checked(item, place));
  }
  for (const field of includable(place.resource)) {
    const item = asked.get(field.name.toLowerCase());
    if (!item) continue;
    if (field.kind === 'collection') plan.collections.push(collectionMember(field, item, place));
    else plan.members.push(memberOf(field, place, item));
  }
  if (asked.has('customfields') && !place.resource.field('CustomFields')) plan.customFields = customFieldsOf(place);
  return plan;
}

/** Names that every answer has anyway, and the official samples ask for even where there is no such field. */
const always = new Set(['id', 'name', 'resourcetype']);

function checked(item: IncludeItem, place: Place): IncludeItem {
  const { resource } = place;
  const field = fieldNamed(resource, item.name);
  if (!field && isCustomFields(item.name) && resource.settings.customFields) {
    if (place.nested) throw nestedCustomFields(item.inner ? 'CustomFields[…]' : item.name);
    if (item.inner) throw singleCustomField('CustomFields[…]');
    return item;
  }
  if (!field && isPath.test(item.name)) throw pathRefusal(item.name, place);
  if (!field && !item.inner && always.has(item.name.toLowerCase())) return item;
  if (!field || !isReadable(field)) throw invalidInclude(item.name, resource.name, meant(item.name, place));
  if (field.kind === 'scalar' && item.inner) throw noInnerFields(field.name, resource.name);
  if (field.kind === 'collection' && place.collection) {
    throw collectionInCollection(place.collection.name, field.name, bottomUp(place.collection, field));
  }
  return item;
}

const isPath = /^[^.]+(?:\.[^.]+)+$/;

/** Elsewhere paths have dots. What is wrong with its first name comes before that. */
function pathRefusal(path: string, place: Place): ApiError {
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  if (isCustomFields(first) && !place.nested && place.resource.settings.customFields) return singleCustomField(path);
  if (rest.some(isCustomFields)) return nestedCustomFields(path);
  checked({ name: first, inner: [{ name: rest[0]! }] }, place);
  return dottedInclude(path, `${[first, ...rest].join('[')}${']'.repeat(rest.length)}`);
}

function meant(name: string, { resource, catalogue }: Place): string | undefined {
  if (customPath(name, resource, catalogue)) return 'CustomFields';
  const names = includable(resource).map((field) => field.name);
  return nearest(name, resource.settings.customFields ? [...names, 'CustomFields'] : names);
}

/** `Features[UserStories]` is asked for as `UserStories?include=[Feature]`. */
function bottomUp(outer: CollectionField, inner: CollectionField): string {
  const back = inner.target.fields.find((field) => field.kind === 'reference' && outer.target.isA(field.target));
  return back ? `${inner.target.collection}?include=[${back.name}]` : inner.target.collection;
}

function memberOf(field: Exclude<Field, CollectionField>, place: Place, item?: IncludeItem): Member {
  if (field.kind === 'scalar') return { kind: 'scalar', field };
  const inner: Place = { ...place, resource: field.target, nested: true };
  const plan = item?.inner ? includedPlan(item.inner, inner) : shortPlan(inner, place.resource);
  return { kind: 'reference', field, plan };
}

function collectionMember(field: CollectionField, item: IncludeItem, place: Place): CollectionMember {
  const inner: Place = { ...place, resource: field.target, nested: true, collection: field };
  const plan = item.inner ? includedPlan(item.inner, inner) : shortItemPlan(inner, true);
  plan.order = defaultOrder(field.target);
  return { field, plan, includeText: item.inner && includeText(item.inner) };
}

/** The short form of an entity that no other one holds. */
export const shortForm = (
  resource: ResourceType,
  catalogue: CustomFieldCatalogue,
  inner: Page,
  isListed: boolean,
): Plan => shortItemPlan({ resource, catalogue, inner }, isListed);

/** The short form of a reference: Id and Name, and what the type always shows. */
function shortPlan(place: Place, holder: ResourceType): Plan {
  const { resource } = place;
  const plan = emptyPlan(resource, place.inner);
  const names = new Set([...(resource.nameField ? ['Name'] : []), ...resource.settings.short]);
  for (const field of resource.fields) {
    if (names.has(field.name) && field.kind !== 'collection') plan.members.push(memberOf(field, place));
  }
  for (const [within, fields] of Object.entries(resource.settings.shortWithin)) {
    if (![holder, ...holder.bases].some(({ name }) => name === within)) continue;
    for (const [name, form] of Object.entries(fields)) {
      const field = resource.field(name);
      if (field?.kind === 'reference') plan.members.push(memberWithin(field, form, place));
    }
  }
  return plan;
}

const memberWithin = (field: ReferenceField, form: 'id' | 'short', place: Place): Member =>
  form === 'short' ? memberOf(field, place) : { kind: 'reference', field, plan: emptyPlan(field.target, place.inner) };

/** Items without a name say nothing by their id alone, so they show what they refer to. */
function shortItemPlan(place: Place, isListed: boolean): Plan {
  const plan = shortPlan(place, place.resource);
  const { fields, settings } = place.resource;
  if (plan.members.length > 0 && !(isListed && settings.item)) return plan;
  const shown = new Set(plan.members.map(({ field }) => field.name));
  const isShown = (field: Field): boolean =>
    !shown.has(field.name) &&
    (settings.item?.includes(field.name) ?? (field.kind === 'reference' && !field.isSynthetic));
  for (const field of fields) {
    if (field.kind !== 'collection' && isShown(field)) plan.members.push(memberOf(field, place));
  }
  return plan;
}

function exclude(name: string, plan: Plan, place: Place): void {
  const { resource } = place;
  const key = name.toLowerCase();
  if (key === 'customfields' && resource.settings.customFields) {
    plan.customFields = undefined;
    return;
  }
  const field = fieldNamed(resource, name);
  if (field ? !isReadable(field) : !always.has(key)) throw unknownField(resource.name, name, meant(name, place));
  plan.members = plan.members.filter((member) => member.field !== field);
}

const customFieldsOf = ({ resource, catalogue }: Place): Plan['customFields'] =>
  resource.settings.customFields && catalogue.groups(resource.entityTypeIds);

function includeText(items: readonly IncludeItem[]): string {
  const spell = (item: IncludeItem): string => (item.inner ? `${item.name}${includeText(item.inner)}` : item.name);
  return `[${items.map(spell).join(',')}]`;
}

// --- aggregates, such as `Tasks-Count` or `Bugs-Effort-Sum` ----------------------------------------------------------

function addAggregate(asked: AggregateName, plan: Plan): void {
  const aggregates = aggregated(asked, collectionsNamed(asked, plan.resource));
  const { collection, field } = aggregates[0]!;
  const name = [collection.name, ...(field ? [field.name] : []), rowOfAggregate(asked.function).word].join('-');
  if (plan.aggregates.some((one) => one.name === name)) return;
  plan.aggregates.push({ name, value: asValue(aggregates, asked, plan.resource) });
}

interface Aggregated {
  collection: CollectionField;
  /** The only kinds that have the collection; for others the number is null. */
  kinds?: readonly ResourceType[];
  /** Undefined where items are counted. */
  field?: ScalarField;
}

/** A choice by kind, where kinds have it by several ways. */
function asValue(aggregates: readonly Aggregated[], { function: fn }: AggregateName, resource: ResourceType): Value {
  const values = aggregates.map(({ collection, field }) => {
    const items: Chain = { ...collectionOf(rowOf(resource), collection), isInContext: true };
    return asDecimal(aggregateOf(fn, items, field && fieldOf(rowOf(collection.target), { kind: 'field', field })));
  });
  const [first] = values;
  return aggregates.reduceRight<Value>(
    (no, { kinds }, at) => (kinds ? choice(ofKinds(kinds), values[at]!, no) : values[at]!),
    literal(null, first!.type, 'text'),
  );
}

/** An average is shown as a decimal, whatever it is of. */
const asDecimal = (one: Of<'aggregate'>): Value =>
  one.function === 'average' && one.type.kind === 'double' ? call(exact, [one]) : one;

/**
 * The collection of that name or, of a base type, those of the kinds that have one, by whatever way they find its
 * items.
 */
function collectionsNamed({ name, collection }: AggregateName, resource: ResourceType): Aggregated[] {
  const own = resource.field(collection);
  const fields = own ? [{ field: own }] : resource.kindFields(collection);
  const collections = fields.flatMap(({ field, ...of }) =>
    field.kind === 'collection' ? [{ ...of, collection: field }] : [],
  );
  if (collections.length > 0) return collections;
  const near = suggestion(collection, collectionNames(resource));
  throw badAggregate(name, `'${resource.name}' has no collection '${collection}'${near}`);
}

const collectionNames = (resource: ResourceType): string[] =>
  [...resource.fields, ...resource.allKindFields].filter(({ kind }) => kind === 'collection').map(({ name }) => name);

/** With the value of the items that is asked for; kinds whose items have no such value have no such number. */
function aggregated(asked: AggregateName, collections: readonly Aggregated[]): readonly Aggregated[] {
  if (asked.field === undefined) return collections;
  const having = collections.flatMap((one) => {
    const field = one.collection.target.field(asked.field!);
    return field?.kind === 'scalar' && isReadable(field) ? [{ ...one, field }] : [];
  });
  const [first, ...others] = having;
  if (!first) throw unknownValue(asked, collections[0]!.collection.target);
  refuseNoNumber(asked, first.field);
  if (others.some(({ field }) => field.scalar !== first.field.scalar))
    throw badAggregate(asked.name, `'${first.field.name}' is something else for each kind; ask for it of one kind`);
  return having;
}

function unknownValue({ name, field }: AggregateName, { name: type, fields }: ResourceType) {
  const scalars = fields.filter((one) => one.kind === 'scalar' && isReadable(one) && one.name !== 'Id');
  const names = scalars.map((one) => one.name);
  const near = suggestion(field!, names);
  return badAggregate(name, `'${type}' has no value '${field}'${near}`);
}

function suggestion(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near ? `; did you mean '${near}'` : '';
}

/** Texts have neither a least nor a greatest here. */
function refuseNoNumber({ name, function: fn }: AggregateName, { scalar }: ScalarField): void {
  const { takes, word } = rowOfAggregate(fn);
  const kind = ofScalar[scalar];
  if (kind !== 'text' && takes.includes(kind)) return;
  throw badAggregate(name, `${word} needs a number${takes.includes('moment') ? ' or a date' : ''}`);
}

// --- columns of a list in CSV: the members of a Plan, those of references by their paths -----------------------------

export function columnsOf(plan: Plan, path: readonly string[] = []): Column[] {
  const { nameField } = plan.resource;
  const hasName = plan.members.some(({ field }) => field === nameField);
  const own = (name: string): Column => ({ kind: 'value', path: [...path, name] });
  return [
    own('Id'),
    ...(hasName ? [own('Name')] : []),
    ...plan.members.flatMap((member): Column[] => {
      if (member.kind === 'reference') return columnsOf(member.plan, [...path, member.field.name]);
      return member.field === nameField ? [] : [own(member.field.name)];
    }),
    ...plan.aggregates.map(({ name }) => own(name)),
    ...customNames(plan).map((name): Column => ({ kind: 'custom', path: [...path, 'CustomFields'], name })),
    ...plan.collections.map(({ field }): Column => ({ kind: 'items', path: [...path, field.name] })),
  ];
}

/** Of all processes and kinds, each name once, in the first of its spellings. */
export function customNames({ customFields = [], resource }: Pick<Plan, 'customFields' | 'resource'>): string[] {
  const kinds = new Set(resource.entityTypeIds);
  const groups = customFields.filter(({ entityTypeId }) => kinds.has(entityTypeId));
  const names = new Map<string, string>();
  for (const { name } of groups.flatMap(({ fields }) => fields)) {
    const key = name.toLowerCase();
    if (!names.has(key)) names.set(key, name);
  }
  return [...names.values()];
}
