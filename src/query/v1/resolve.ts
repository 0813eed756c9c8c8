/**
 * Turns filter and order of a Query into conditions and an Order: looks every name up in the model, types every value,
 * and refuses in the client's words.
 */
import { Bound } from '../../bound.js';
import {
  aggregateInWhere,
  badLiteral,
  badOperator,
  badRequest,
  collectionInOrder,
  notComparable,
  tooMuch,
  unknownField,
} from '../../errors.js';
import type { CollectionField, Field, ReferenceField, ResourceType } from '../../model/model.js';
import { nearest } from '../../texts/near.js';
import { longTextsOf, longTextsOfKey, tooManyLongTexts } from '../costly-values.js';
import { customOperand, customPath } from '../custom-operand.js';
import { limits } from '../limits.js';
import type { Condition, CustomFieldCatalogue, Of, Operand, Order, Plan, Value } from '../meaning.js';
import { type Type, text, written } from '../types.js';
import {
  collectionOf,
  condition,
  fieldOf,
  isWithSigma,
  keyOf,
  negation,
  partsOf,
  readableFields,
  referenceOf,
  rowOf,
  series,
  valueFrom,
} from '../values.js';
import type { Filter, Literal, OrderBy, Query } from './query.js';
import { isCustomFields, joinCustomName } from './scanner.js';

/** Which items there are, in which order. */
export function resolveRows(
  query: Pick<Query, 'where' | 'order' | 'page'>,
  items: Plan,
  catalogue: CustomFieldCatalogue,
): Plan {
  const { resource } = items;
  const where = query.where ? [resolveWhere(query.where.filter, resource, catalogue)] : [];
  return {
    ...items,
    where,
    asksForDeleted: where.some(namesDeleteDate),
    order: query.order.length > 0 ? resolveOrder(query.order, resource, catalogue) : defaultOrder(resource),
    page: query.page,
  };
}

/** Whether a condition on the root row itself speaks of its deletion. */
function namesDeleteDate(of: Value): boolean {
  if (of.kind !== 'field') return of.kind !== 'some' && partsOf(of).some(namesDeleteDate);
  return of.of.kind === 'row' && of.operand.kind === 'field' && of.operand.field.name === 'DeleteDate';
}

const longTextsIn = (of: Value): number => longTextsOf(of, partsOf(of).map(longTextsIn));

// --- filters: paths become chains of fields, words become typed values -----------------------------------------------

type Test = Exclude<Filter, { kind: 'and' | 'or' | 'not' }>;

/** A whole filter. Errors: 400. */
export function resolveWhere(filter: Filter, resource: ResourceType, catalogue: CustomFieldCatalogue): Condition {
  const where = resolveFilter(filter, resource, catalogue);
  if (longTextsIn(where) > limits.longTexts) throw tooMuch('where', tooManyLongTexts, limits.longTexts);
  return where;
}

function resolveFilter(filter: Filter, resource: ResourceType, catalogue: CustomFieldCatalogue): Condition {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return series(
        filter.kind,
        filter.parts.map((part) => resolveFilter(part, resource, catalogue)),
      );
    case 'not':
      return negation(resolveFilter(filter.part, resource, catalogue));
    case 'compare':
    case 'contains':
    case 'in':
    case 'null':
      return resolvePath(filter.path, { test: filter, of: rowOf(resource), catalogue });
  }
}

/** Where a path begins, and what is asked of its end. */
interface Place {
  test: Test;
  of: Entity;
  catalogue: CustomFieldCatalogue;
}

type Entity = Of<'row' | 'reference'>;

/** A test through a collection asks for an item that it holds for. */
function resolvePath(names: readonly string[], place: Place): Condition {
  const { test, of, catalogue } = place;
  const [name, ...rest] = names as [string, ...string[]];
  const field = step(names, of, catalogue);
  if (!field) throw unknown(name, of.type.resource, catalogue);
  if (field.kind === 'field') return tested(field, place);
  const isLast = rest.length === 0;
  // What looked like the name of a custom field is a path where there is a collection of that name.
  const further = isCustomFields(name) && !isLast ? pathOf(rest[0]!) : rest;
  if (field.kind === 'reference') {
    const target = referenceOf(of, field);
    return isLast
      ? present(condition({ kind: 'null', of: target }), !isMissing(test, name))
      : resolvePath(further, { ...place, of: target });
  }
  const items = isLast ? [] : [resolvePath(further, { ...place, of: rowOf(field.target) })];
  const some = condition({ kind: 'some', of: collectionOf(of, field, items) });
  return present(some, isLast && isMissing(test, name));
}

const present = (test: Condition, negated: boolean): Condition => (negated ? negation(test) : test);

function pathOf(text: string): string[] {
  const names = text.split('.');
  if (names.length > limits.depth) throw tooMuch('where', 'too many levels of names', limits.depth);
  return joinCustomName(names);
}

function unknown(name: string, current: ResourceType, catalogue: CustomFieldCatalogue) {
  const [collection, ...rest] = name.split('-');
  if (rest.length > 0 && isCollection(collection!, current)) return aggregateInWhere(name);
  const names = readableFields(current).map((field) => field.name);
  return unknownField(current.name, name, customPath(name, current, catalogue) ?? nearest(name, names));
}

const isCollection = (name: string, type: ResourceType): boolean =>
  [type.field(name), ...type.kindFields(name).map(({ field }) => field)].some((field) => field?.kind === 'collection');

/** A path that ends at a reference or collection can only be asked whether there is anything. */
function isMissing(test: Test, name: string): boolean {
  if (test.kind === 'null') return !test.negated;
  if (test.kind === 'compare' && isNull(test.value) && (test.operator === 'eq' || test.operator === 'ne'))
    return test.operator === 'eq';
  throw notComparable(name);
}

const isNull = (value: Literal): boolean => value.text.toLowerCase() === 'null';

/** The word `null` stands for nothing, which has no order; texts are the same in any letter case. */
function tested(of: Of<'field'>, { test, of: owner, catalogue: { timeZone } }: Place): Condition {
  const name = nameOf(of.operand);
  const nothing = condition({ kind: 'null', of });
  switch (test.kind) {
    case 'null':
      return present(nothing, test.negated);
    case 'contains': {
      const { word, wholeStart, wholeEnd } = test.operator;
      const objects = word === 'contains' ? spelledBy(of.operand, owner) : undefined;
      if (objects) return present(tagCondition(test.value, owner, objects), test.negated);
      if (of.type.kind !== 'text' && of.type.kind !== 'link')
        throw badOperator(name, word!, 'it asks for a part of a text');
      const part = valueFrom({ value: test.value.text, sqlType: 'text' }, text, () => textOf(test.value));
      return present(condition({ kind: 'contains', of, part, wholeStart, wholeEnd }), test.negated);
    }
    case 'in': {
      const values = test.values.map((value) => literalOf(value, of, timeZone));
      return present(condition({ kind: 'in', of, values }), test.negated);
    }
    case 'compare': {
      const { operator } = test;
      if (!isNull(test.value))
        return condition({ kind: 'compare', operator, left: of, right: literalOf(test.value, of, timeZone) });
      if (operator === 'eq' || operator === 'ne') return present(nothing, operator === 'ne');
      throw badOperator(name, operator, 'null has no order; use is null or is not null');
    }
  }
}

/** The tags that a text of their names is asked for. */
const spelledBy = (operand: Operand, { type: { resource } }: Entity): CollectionField | undefined =>
  operand.kind === 'field' ? resource.spelledIn(operand.field.property) : undefined;

const nameOf = (operand: Operand): string =>
  operand.kind === 'field' ? operand.field.name : `CustomFields.${operand.name}`;

/** Other words that are read in the same way make the same statement. */
function literalOf({ text, place }: Literal, { operand, type }: Of<'field'>, timeZone: string): Value {
  const read = written(text, type, timeZone);
  if (!read) throw badLiteral(nameOf(operand), text, expected(type));
  if ('days' in read) return valueFrom(read, type);
  const again = (word: string): string | boolean | undefined => {
    const other = written(word, type, timeZone);
    if (!other) throw badLiteral(nameOf(operand), word, expected(type));
    return 'value' in other && other.isOption === read.isOption ? other.value : undefined;
  };
  return valueFrom(read, type, (value) => Bound.word(value, place, again));
}

/** Part of a text, which any text may be. */
const textOf = ({ text, place }: Literal): Bound<string> =>
  Bound.word(text, place, (word) => (isWithSigma(word) === isWithSigma(text) ? word : undefined));

const expected = (type: Type): string =>
  type.kind === 'text' ? `one of ${type.choices!.join(', ')}` : (expectations[type.kind] ?? 'a number');

const expectations: Partial<Record<Type['kind'], string>> = {
  integer: 'a whole number',
  boolean: 'true or false',
  moment: "a date such as '2026-01-31', '2026-01-31T12:00:00' or 'Today'",
};

function tagCondition({ text: words, place }: Literal, of: Entity, objects: CollectionField): Condition {
  const { sought, wholeStart, wholeEnd } = soughtBy(words);
  const again = (word: string): string | undefined => {
    const other = soughtBy(word);
    const isAlike = other.wholeStart === wholeStart && other.wholeEnd === wholeEnd;
    return isAlike && isWithSigma(word) === isWithSigma(words) ? other.sought : undefined;
  };
  const part = valueFrom({ value: sought, sqlType: 'text' }, text, () => Bound.word(sought, place, again));
  const tag = fieldOf(rowOf(objects.target), { kind: 'field', field: objects.target.labelField });
  const contained = condition({ kind: 'contains', of: tag, part, wholeStart, wholeEnd });
  return condition({ kind: 'some', of: collectionOf(of, objects, [contained]) });
}

function soughtBy(text: string): { sought: string; wholeStart: boolean; wholeEnd: boolean } {
  const bare = unquoted(text.trim());
  const wholeStart = !bare.startsWith('*');
  const wholeEnd = !(bare.length > 1 && bare.endsWith('*'));
  return { sought: bare.slice(wholeStart ? 0 : 1, wholeEnd ? undefined : -1), wholeStart, wholeEnd };
}

function unquoted(text: string): string {
  const quote = text[0];
  const isQuoted = text.length >= 2 && (quote === "'" || quote === '"') && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1) : text;
}

// --- orders: paths of references to a value --------------------------------------------------------------------------

function resolveOrder(orders: readonly OrderBy[], resource: ResourceType, catalogue: CustomFieldCatalogue): Order[] {
  let longTexts = 0;
  return orders.map(({ path, descending, parameter }) => {
    const by = sortedBy(path, resource, catalogue);
    longTexts += longTextsOfKey(by, longTextsIn(by));
    if (longTexts > limits.longTexts) throw tooMuch(parameter, tooManyLongTexts, limits.longTexts);
    return { by, descending };
  });
}

export function defaultOrder(resource: ResourceType): Order[] {
  return resource.settings.order.map(({ property, descending }) => {
    const field = resource.ofProperty(property);
    if (!field || field.kind === 'collection')
      throw new Error(`${resource.name} has no property ${property} to sort by`);
    const own = field.kind === 'scalar' ? field : keyOf(field);
    return { by: fieldOf(rowOf(resource), { kind: 'field', field: own }), descending };
  });
}

function sortedBy(names: readonly string[], resource: ResourceType, catalogue: CustomFieldCatalogue): Value {
  let of: Entity = rowOf(resource);
  for (const [index, name] of names.entries()) {
    const field = step(names.slice(index), of, catalogue);
    if (!field) {
      const current = of.type.resource;
      const path = fieldNamed(current, name) ? names.slice(index).join('.') : name;
      throw unknownField(current.name, path, customPath(path, current, catalogue) ?? nearest(name, sortable(current)));
    }
    if (field.kind === 'field') return field;
    if (field.kind === 'collection') throw collectionInOrder(names.join('.'));
    of = referenceOf(of, field);
  }
  return fieldOf(of, { kind: 'field', field: of.type.resource.labelField });
}

const sortable = (resource: ResourceType): string[] =>
  readableFields(resource).flatMap(({ kind, name }) => (kind === 'collection' ? [] : name));

// --- names of fields of a resource or, where that is a base type, of some of its kinds -------------------------------

/** Errors: 400 where kinds mean different things by the name. */
export function fieldNamed(resource: ResourceType, name: string): Field | undefined {
  const own = resource.field(name);
  if (own) return own;
  const [first, ...others] = resource.kindFields(name).map(({ field }) => field);
  if (first && others.length > 0) {
    throw badRequest(
      `'${first.name}' is something else for each kind of '${resource.name}' that has it; ask for it of one kind.`,
      'UnusableField',
    );
  }
  return first;
}

/**
 * What the first name of a path leads to: a value, which ends it, or a field that leads further. Undefined: it is none.
 */
function step(
  names: readonly string[],
  of: Entity,
  catalogue: CustomFieldCatalogue,
): Of<'field'> | ReferenceField | CollectionField | undefined {
  const { resource } = of.type;
  const [name, ...rest] = names as [string, ...string[]];
  const field = fieldNamed(resource, name);
  if (!field && isCustomFields(name) && rest.length > 0 && resource.settings.customFields)
    return fieldOf(of, customOperand(rest.join('.'), resource, catalogue));
  if (field?.kind !== 'scalar') return field;
  return field.isWriteOnly || rest.length > 0 ? undefined : fieldOf(of, { kind: 'field', field });
}
