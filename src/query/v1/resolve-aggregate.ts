/** Turns the name of an aggregate, such as `Tasks-Count` or `Bugs-Effort-Sum`, into what is counted or summed up. */
import { badAggregate } from '../../errors.js';
import type { CollectionField, ResourceType, ScalarField } from '../../model/model.js';
import { nearest } from '../../texts/near.js';
import { rowOfAggregate } from '../aggregates.js';
import { exact } from '../functions/conversion.js';
import type { Chain, Of, Plan, Value } from '../meaning.js';
import { ofScalar } from '../types.js';
import { aggregateOf, call, choice, collectionOf, fieldOf, literal, ofKinds, rowOf } from '../values.js';
import type { AggregateName } from './query.js';

export function addAggregate(asked: AggregateName, plan: Plan): void {
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

/** An average is told as a decimal, whatever it is of. */
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
    const field = valueNamed(asked.field!, one.collection.target);
    return field ? [{ ...one, field }] : [];
  });
  const [first, ...others] = having;
  if (!first) throw unknownValue(asked, collections[0]!.collection.target);
  refuseNoNumber(asked, first.field);
  if (others.some(({ field }) => field.scalar !== first.field.scalar))
    throw badAggregate(asked.name, `'${first.field.name}' is something else for each kind; ask for it of one kind`);
  return having;
}

function valueNamed(name: string, resource: ResourceType): ScalarField | undefined {
  const field = resource.field(name);
  return field?.kind === 'scalar' && !field.isWriteOnly ? field : undefined;
}

function unknownValue({ name, field }: AggregateName, { name: type, fields }: ResourceType) {
  const readable = fields.filter((one) => one.kind !== 'scalar' || (!one.isWriteOnly && one.name !== 'Id'));
  const near = suggestion(
    field!,
    readable.map((one) => one.name),
  );
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
