/** Turns the name of an aggregate, such as `Tasks-Count` or `Bugs-Effort-Sum`, into what is counted or summed up. */
import { badAggregate } from '../../errors.js';
import type { ResourceType, ScalarField } from '../../model/model.js';
import type { AggregatedCollection, Plan } from '../meaning.js';
import { nearest } from '../near.js';
import type { AggregateName } from './query.js';

export function addAggregate(asked: AggregateName, plan: Plan): void {
  const collections = aggregated(asked, collectionsNamed(asked, plan.resource));
  const { collection, field } = collections[0]!;
  const name = [collection.name, ...(field ? [field.name] : []), asked.function].join('-');
  if (plan.aggregates.some((one) => one.name === name)) return;
  plan.aggregates.push({ name, function: asked.function, collections });
}

type Named = Pick<AggregatedCollection, 'collection' | 'kinds'>;

/** The collection of that name or, of a base type, those of the kinds that have one, by whatever way they find its items. */
function collectionsNamed({ name, collection }: AggregateName, resource: ResourceType): Named[] {
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
function aggregated(asked: AggregateName, collections: readonly Named[]): AggregatedCollection[] {
  if (asked.field === undefined) return collections.map((one) => ({ ...one, where: [] }));
  const having = collections.flatMap((one) => {
    const field = valueNamed(asked.field!, one.collection.target);
    return field ? [{ ...one, field, where: [] }] : [];
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

const numeric = new Set(['id', 'integer', 'long', 'decimal', 'double']);

function refuseNoNumber({ name, function: fn }: AggregateName, { scalar }: ScalarField): void {
  const takesDates = fn === 'Min' || fn === 'Max';
  if (numeric.has(scalar) || (takesDates && scalar === 'moment')) return;
  throw badAggregate(name, `${fn} needs a number${takesDates ? ' or a date' : ''}`);
}
