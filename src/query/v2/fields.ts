/** The fields of an entity as values, and its id. */
import type { Field } from '../../model/model.js';
import { limits } from '../limits.js';
import type { Value } from '../meaning.js';
import { collectionOf, fieldOf, idFieldOf, ofSorts, referenceOf } from '../values.js';
import type { Name } from './expression.js';
import { type Place, refuse } from './resolving.js';

const isNoEntity = ofSorts('single', 'test', 'shape');

export function ofField(
  of: Value,
  field: Field,
  { context, depth }: Pick<Place, 'context' | 'depth'>,
  node: Name,
): Value {
  switch (field.kind) {
    case 'scalar':
      return fieldOf(of, { kind: 'field', field });
    case 'reference':
      if (namesBefore(of) >= limits.depth)
        throw refuse(context, node, `Names lead through one another more than ${limits.depth} deep`);
      return referenceOf(of, field);
    case 'collection':
      if (depth >= limits.depth)
        throw refuse(context, node, `Collections lie in one another more than ${limits.depth} deep`);
      return collectionOf(of, field);
  }
}

/** How many references lead to an entity, each of which is a table. */
function namesBefore(of: Value): number {
  if (isNoEntity(of)) return 0;
  switch (of.kind) {
    case 'reference':
      return namesBefore(of.of) + 1;
    case 'cast':
    case 'pointed':
      return namesBefore(of.of);
    case 'chosen':
      return Math.max(...of.options.map(namesBefore));
    case 'first':
      return of.of.source !== 'root' && of.of.source.kind === 'field' ? namesBefore(of.of.source.owner) + 1 : 0;
    case 'row':
    case 'me':
    case 'key':
    case 'conditional':
      return 0;
  }
}

/** Of the entity in a custom field, whatever it is: items and people may have the same id. */
export const idOf = (of: Value): Value => (of.kind === 'pointed' ? fieldOf(of.of, of.operand) : rowId(of));

export const rowId = (of: Value): Value =>
  of.kind === 'me' ? of : fieldOf(of, { kind: 'field', field: idFieldOf(of) });
