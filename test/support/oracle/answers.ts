/** What an answer has to be: which items, in which order, and what each shows, by the words of the contract. */
import type { Field, ReferenceField, ResourceType } from '../../../src/model/model.js';
import { sortOrder } from './comparing.js';
import { type Condition, holds, operandValue } from './conditions.js';
import { shownCustomFields } from './custom-values.js';
import {
  type Aggregate,
  aggregateName,
  type Included,
  type OracleRequest,
  type OrderTerm,
  type Page,
  type Selection,
} from './requests.js';
import { namedFields, Thing, type Value, type World } from './world.js';
import { dateText } from './zone.js';

export interface Expected {
  items: unknown[];
  hasNext: boolean;
  hasPrev: boolean;
  /** Of all items in their order, whatever the page. */
  ids: number[];
}

/** Undefined: there is nothing at this address for the caller. */
export function expectedAnswer(request: OracleRequest, world: World): Expected | undefined {
  const things = thingsOf(request, world);
  if (!things) return undefined;
  const { where, order, page } = request;
  const matching = where ? things.filter((thing) => holds(where, thing)) : things;
  const sorted = matching.toSorted(byOrder(order.length > 0 ? order : defaultOrder(request.resource)));
  const shown = sorted.slice(page.skip, page.skip + page.take);
  return {
    items: shown.map((thing) => shownItem(thing, request)),
    hasNext: page.take > 0 && sorted.length > page.skip + page.take,
    hasPrev: page.take > 0 && page.skip > 0,
    ids: sorted.map(({ id }) => id),
  };
}

function thingsOf({ resource, route, where }: OracleRequest, world: World): readonly Thing[] | undefined {
  const withDeleted = world.caller.isAdministrator && where !== undefined && namesDeleteDate(where);
  switch (route.kind) {
    case 'list':
      return withDeleted ? world.withDeleted(resource) : world.things(resource);
    case 'one': {
      const thing = world.thing(resource, route.id);
      return thing && [thing];
    }
    case 'inner':
      return world.thing(route.owner, route.id)?.items(route.field, { withDeleted });
  }
}

/**
 * Whether a filter speaks of the deletion of the very rows that are asked for, which shows deleted ones to
 * administrators.
 */
export function namesDeleteDate(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.some(namesDeleteDate);
    case 'not':
      return namesDeleteDate(condition.part);
    case 'test': {
      const { path, operand } = condition;
      return path.length === 0 && operand?.kind === 'field' && operand.field.name === 'DeleteDate';
    }
  }
}

// --- order -----------------------------------------------------------------------------------------------------------

type Sorting = (thing: Thing) => Value;

/** The Id decides among equals, in the direction of the last criterion. */
function byOrder(order: readonly (OrderTerm | { by: Sorting; descending: boolean })[]) {
  const terms = order.map((term) => ({ by: 'by' in term ? term.by : sortedBy(term), sign: term.descending ? -1 : 1 }));
  const last = terms.at(-1)?.sign ?? 1;
  return (a: Thing, b: Thing): number => {
    for (const { by, sign } of terms) {
      const difference = sortOrder(by(a), by(b)) * sign;
      if (difference !== 0) return difference;
    }
    return (a.id - b.id) * last || a.rowKey - b.rowKey;
  };
}

function sortedBy({ path, operand }: OrderTerm): Sorting {
  return (thing) => {
    let end: Thing | null = thing;
    for (const field of path) end = end?.target(field) ?? null;
    if (!end) return null;
    return operand ? operandValue(operand, end) : end.value(labelOf(end.resource));
  };
}

function labelOf(resource: ResourceType) {
  const field = resource.nameField ?? resource.field('FullName') ?? resource.field('Id');
  if (field?.kind !== 'scalar') throw new Error(`${resource.name} has no label`);
  return field;
}

/** References are told apart by their ids here, whatever they are called. */
const defaultOrder = (resource: ResourceType): { by: Sorting; descending: boolean }[] =>
  resource.settings.order.map(({ property, descending }) => {
    const field = resource.ofProperty(property);
    if (field?.kind === 'scalar') return { by: (thing) => thing.value(field), descending };
    const { column } = resource.referenceOf(property);
    return { by: ({ row }) => row[column] as number | null, descending };
  });

// --- what an item shows ----------------------------------------------------------------------------------------------

type Shown = Pick<OracleRequest, 'selection' | 'inner'>;

function shownItem(thing: Thing, { selection, inner }: Shown): unknown {
  const { resource } = thing;
  const { include, exclude, append } = selection;
  const plain = resource.fields.filter(isDefault).filter((field) => !exclude.includes(field as never));
  const whole: Included = include ?? {
    fields: plain.map((field) => ({ field })),
    aggregates: [],
    customFields: resource.settings.customFields !== undefined,
  };
  return included(thing, { ...whole, aggregates: [...whole.aggregates, ...append] }, inner);
}

const isDefault = (field: Field): boolean =>
  field.kind !== 'collection' && !(field.kind === 'scalar' && field.isWriteOnly) && !field.isSynthetic;

/** Name first, then values and references in the order of the model, numbers, custom fields, collections. */
function included(thing: Thing, { fields, aggregates, customFields }: Included, page: Page): Record<string, unknown> {
  const { resource } = thing;
  const asked = new Map(fields.map(({ field, inner }) => [field, inner]));
  const shown: Record<string, unknown> = { ResourceType: resource.name, Id: thing.id };
  const { nameField } = resource;
  if (nameField && asked.has(nameField)) shown.Name = spelled(thing, nameField);
  for (const field of namedFields(resource)) {
    if (!asked.has(field) || field === nameField || field.name === 'Id') continue;
    if (field.kind === 'scalar') shown[field.name] = spelled(thing, field);
    if (field.kind === 'reference') shown[field.name] = shownReference(thing, field, asked.get(field), page);
  }
  for (const aggregate of aggregates) shown[aggregateName(aggregate)] = aggregated(thing, aggregate);
  if (customFields) shown.CustomFields = shownCustomFields(thing).map(dated);
  for (const field of namedFields(resource)) {
    if (field.kind !== 'collection' || !asked.has(field)) continue;
    const items = thing.items(field).toSorted(byOrder(defaultOrder(field.target)));
    const inner = asked.get(field);
    const end = page.skip + page.take;
    shown[field.name] = {
      ...(page.take > 0 && items.length > end && { Next: true }),
      Items: items.slice(page.skip, end).map((item) => (inner ? included(item, inner, page) : shortItem(item, page))),
    };
  }
  return shown;
}

function shownReference(thing: Thing, field: ReferenceField, inner: Included | undefined, page: Page): unknown {
  const target = thing.target(field);
  if (!target) return null;
  return inner ? included(target, inner, page) : short(target, thing.resource, page);
}

const fieldsNamed = ({ fields }: ResourceType, names: readonly string[]) =>
  fields.filter(({ kind, name }) => kind !== 'collection' && names.includes(name)).map((field) => ({ field }));

const nothingElse = { aggregates: [], customFields: false } as const;
const onlyId: Included = { fields: [], ...nothingElse };

/** Id and Name, what the kind always shows, and what it shows within some others. */
function short(thing: Thing, holder: ResourceType, page: Page): Record<string, unknown> {
  const { resource } = thing;
  const { settings, nameField } = resource;
  const names = [...(nameField ? ['Name'] : []), ...settings.short];
  const within = Object.entries(settings.shortWithin).flatMap(([name, forms]) =>
    isA(holder, name) ? Object.entries(forms) : [],
  );
  const held = within.flatMap(([name, form]) =>
    fieldsNamed(resource, [name]).map(({ field }) => ({ field, ...(form === 'id' && { inner: onlyId }) })),
  );
  return included(thing, { fields: [...fieldsNamed(resource, names), ...held], ...nothingElse }, page);
}

const isA = (resource: ResourceType, name: string): boolean =>
  [resource, ...resource.bases].some((type) => type.name === name);

/** Items show what their kind says besides, and those without a name what they refer to. */
function shortItem(thing: Thing, page: Page): Record<string, unknown> {
  const { resource } = thing;
  const shown = short(thing, resource, page);
  const { item } = resource.settings;
  if (item) return { ...shown, ...included(thing, { fields: fieldsNamed(resource, item), ...nothingElse }, page) };
  if (Object.keys(shown).length > 2) return shown;
  const fields = resource.fields.filter((field) => field.kind === 'reference' && !field.isSynthetic);
  return included(thing, { fields: fields.map((field) => ({ field })), ...nothingElse }, page);
}

const spelled = (thing: Thing, field: Extract<Field, { kind: 'scalar' }>): unknown => {
  const value = thing.value(field);
  return field.scalar === 'moment' ? asDate(value) : value;
};

const asDate = (value: unknown): unknown => (typeof value === 'number' ? dateText(value) : value);

const dated = ({ Value: value, ...field }: Record<string, unknown>) => ({
  ...field,
  Value: field.Type === 'Date' ? asDate(value) : value,
});

function aggregated(thing: Thing, { collection, field, function: fn }: Aggregate): unknown {
  if (!thing.has(collection)) return null;
  const items = thing.items(collection);
  if (fn === 'Count' || !field) return items.length;
  const values = items.map((item) => item.value(field)).filter((value): value is number => typeof value === 'number');
  const sum = values.reduce((a, b) => a + b, 0);
  if (fn === 'Sum') return sum;
  if (values.length === 0) return null;
  if (fn === 'Avg') return sum / values.length;
  const value = fn === 'Min' ? Math.min(...values) : Math.max(...values);
  return field.scalar === 'moment' ? dateText(value) : value;
}

export type { Selection };
