/** Turns orderBy into an Order: a path of references to a value. Without it, the default order of the type. */
import { collectionInOrder, unknownField } from '../../errors.js';
import type { ResourceType } from '../../model/model.js';
import { nearest } from '../../texts/near.js';
import type { CustomFieldCatalogue, Order, Value } from '../meaning.js';
import { fieldOf, keyOf, referenceOf, rowOf } from '../values.js';
import type { OrderBy } from './query.js';
import { fieldNamed, namedFields, step } from './resolve-field.js';

export function resolveOrder(
  orders: readonly OrderBy[],
  resource: ResourceType,
  catalogue: CustomFieldCatalogue,
): Order[] {
  return orders.map(({ path, descending }) => ({ by: resolvePath(path, resource, catalogue), descending }));
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

function resolvePath(names: readonly string[], resource: ResourceType, catalogue: CustomFieldCatalogue): Value {
  let of: Value = rowOf(resource);
  let current = resource;
  for (const [index, name] of names.entries()) {
    const field = step(names.slice(index), of, current, catalogue);
    if (!field) {
      const path = fieldNamed(current, name) ? names.slice(index).join('.') : name;
      throw unknownField(current.name, path, nearest(name, sortable(current)));
    }
    if (field.kind === 'field') return field;
    if (field.kind === 'collection') throw collectionInOrder(names.join('.'));
    of = referenceOf(of, field);
    current = field.target;
  }
  return fieldOf(of, { kind: 'field', field: current.labelField });
}

const sortable = (resource: ResourceType): string[] =>
  namedFields(resource)
    .filter((field) => field.kind !== 'collection' && !(field.kind === 'scalar' && field.isWriteOnly))
    .map((field) => field.name);
