/** The fields of an entity as values, and its id. */
import type { Field } from '../../model/model.js';
import { limits } from '../limits.js';
import type { Value } from '../meaning.js';
import { collectionOf, fieldOf, referenceOf } from '../values.js';
import type { Name } from './expression.js';
import { idFieldOf } from './nodes.js';
import { type Context, made, type Place, refuse } from './resolving.js';

export function ofField(
  of: Value,
  field: Field,
  { context, depth }: Pick<Place, 'context' | 'depth'>,
  node: Name,
): Value {
  switch (field.kind) {
    case 'scalar':
      return made(fieldOf(of, { kind: 'field', field }), context);
    case 'reference':
      if (namesBefore(of) >= limits.depth)
        throw refuse(context, node, `Names lead through one another more than ${limits.depth} deep`);
      return made(referenceOf(of, field), context);
    case 'collection':
      if (depth >= limits.depth)
        throw refuse(context, node, `Collections lie in one another more than ${limits.depth} deep`);
      return made(collectionOf(of, field), context);
  }
}

/** How many references lead to an entity, each of which is a table. */
function namesBefore(of: Value): number {
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
    default:
      return 0;
  }
}

/** Of the entity in a custom field, whatever it is: items and people may have the same id. */
export const idOf = (of: Value, context: Context): Value =>
  of.kind === 'pointed' ? made(fieldOf(of.of, of.operand), context) : rowId(of, context);

export const rowId = (of: Value, context: Context): Value =>
  of.kind === 'me' ? of : made(fieldOf(of, { kind: 'field', field: idFieldOf(of) }), context);
